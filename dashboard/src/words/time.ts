/** Times and figures in words. Pure. */

/** "12 s", "4 min", "2 h 5 min", "3 days": as long ago as a person says it. */
export function ageWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (!Number.isFinite(seconds)) return '?'
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return `${Math.floor(hours / 24)} days`
}

/** As a stopwatch has it: "0:42", "12:05", "1:02:05". */
export function stopwatch(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (!Number.isFinite(seconds)) return '?'
  const two = (n: number) => String(n).padStart(2, '0')
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 })
const tenths = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 })

/** "12,345". */
export function count(n: number): string {
  return Number.isFinite(n) ? whole.format(n) : '?'
}

/** People a minute: one decimal below ten. */
export function rate(n: number): string {
  return Number.isFinite(n) ? (Math.abs(n) < 10 ? tenths : whole).format(n) : '?'
}

/** A part of a whole in whole percent; '–' of nothing. Only all is 100 %, and only none is 0 %: less than one is '<1 %'. */
export function percent(part: number, all: number): string {
  if (!(all > 0) || !Number.isFinite(part)) return '–'
  const exact = (part / all) * 100
  const rounded = Math.round(exact)
  if (rounded === 100 && part < all) return '99 %'
  if (rounded === 0 && part > 0) return '<1 %'
  return `${rounded} %`
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const dayAndClock = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** Time of day, with the date where it is not the day of `now` (both unix ms). */
export function timeWords(at: number, now: number): string {
  if (!Number.isFinite(at)) return '?'
  const same = new Date(at).toDateString() === new Date(now).toDateString()
  return (same ? clock : dayAndClock).format(at)
}
