/** Times and figures in words. */
import { speech } from './words.ts'

/** "12 s", "4 min", "2 h 5 min", "3 days": as long ago as a person says it. */
export function ageWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (!Number.isFinite(seconds)) return '?'
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return speech.unit(Math.floor(hours / 24), 'day')
}

/** As a stopwatch has it: "0:42", "12:05", "1:02:05". */
export function stopwatch(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (!Number.isFinite(seconds)) return '?'
  const two = (n: number) => String(n).padStart(2, '0')
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

/** "12,345". */
export function count(n: number): string {
  return Number.isFinite(n) ? speech.number(n) : '?'
}

/** People a minute: one decimal below ten. */
export function rate(n: number): string {
  return Number.isFinite(n) ? speech.number(n, Math.abs(n) < 10 ? 1 : 0) : '?'
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

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const

/** Time of day, with the date where it is not the day of `now` (both unix ms). */
export function timeWords(at: number, now: number): string {
  if (!Number.isFinite(at)) return '?'
  const same = new Date(at).toDateString() === new Date(now).toDateString()
  return speech.time(at, same ? CLOCK : { day: 'numeric', month: 'short', ...CLOCK })
}
