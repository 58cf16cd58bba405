/** Times of the event file, which have a UTC offset, as a form shows them: what a clock at the event says. */

/** `2026-07-17T16:00` where the event is; empty for a text that is no time. @param timezone IANA name */
export function localOf(iso: string, timezone: string): string {
  const at = Date.parse(iso)
  return Number.isNaN(at) ? '' : new Date(at + offsetAt(at, timezone)).toISOString().slice(0, 16)
}

/** @param local as `localOf` gives it. A time that the clock skips in spring is the one an hour later */
export function isoOf(local: string, timezone: string): string {
  const asUtc = Date.parse(`${local}Z`)
  if (Number.isNaN(asUtc)) return ''
  const guess = asUtc - offsetAt(asUtc, timezone)
  const offset = offsetAt(guess, timezone)
  const at = asUtc - offset
  const shown = offsetAt(at, timezone)
  return `${new Date(at + shown).toISOString().slice(0, 19)}${signed(shown / 60_000)}`
}

function offsetAt(at: number, timezone: string): number {
  const parts = new Map(
    formatOf(timezone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return local - Math.floor(at / 1000) * 1000
}

/** UTC for a name that no browser knows: the check says that it is wrong. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const fields = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as const
  try {
    return new Intl.DateTimeFormat('en-US', { ...fields, hourCycle: 'h23', timeZone })
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...fields, hourCycle: 'h23', timeZone: 'UTC' })
  }
}

function signed(minutes: number): string {
  const all = Math.round(Math.abs(minutes))
  const two = (n: number) => String(n).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(all / 60))}:${two(all % 60)}`
}
