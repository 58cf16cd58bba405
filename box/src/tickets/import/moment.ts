/** Reads dates and times of ISO 8601; a time without an offset is local time in the event's time zone. */
import { zoneOffset } from '../../event/zone-offset.ts'

const MOMENT =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(?:(Z)|([+-])(\d\d)(?::?(\d\d))?)?)?$/i

const MINUTE = 60_000
const DAY = 86_400_000
const CACHED = 10_000

/**
 * The end of a validity that a moment is. What the text leaves open is read in the holder's favour: a date without a time is its
 * first or its last millisecond, and of an hour that clocks show twice it is the earlier or the later one.
 */
export type Edge = 'from' | 'until'

/** Returns ISO 8601 in UTC with milliseconds, or undefined for a text that is not a date. */
type MomentReader = (text: string, edge: Edge) => string | undefined

/** @throws RangeError when the runtime does not know the time zone */
export function momentReader(timezone: string): MomentReader {
  const offsetAt = zoneOffset(timezone)
  // Cached, because a hundred thousand tickets have a few dates, and Intl is slow.
  const read = new Map<string, string | undefined>()
  return (text, edge) => {
    const key = `${edge} ${text}`
    if (!read.has(key)) {
      if (read.size >= CACHED) read.clear()
      read.set(key, readMoment(text.trim(), edge, offsetAt))
    }
    return read.get(key)
  }
}

function readMoment(text: string, edge: Edge, offsetAt: (ms: number) => number): string | undefined {
  const match = MOMENT.exec(text)
  if (!match) return undefined
  const [, , , , hours, , , fraction = '', utc, sign] = match
  const [year, month, day, hour, minute, second, offsetHour, offsetMinute] = [1, 2, 3, 4, 5, 6, 10, 11].map((group) =>
    Number(match[group] ?? 0),
  ) as [number, number, number, number, number, number, number, number]
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 14 || offsetMinute > 59 || year < 1900) return undefined
  const midnight = Date.UTC(year, month - 1, day)
  if (new Date(midnight).getUTCMonth() !== month - 1 || new Date(midnight).getUTCDate() !== day) return undefined

  const wall = Date.UTC(year, month - 1, day, hour, minute, second, Number(fraction.padEnd(3, '0').slice(0, 3)))
  const offset = (offsetHour * 60 + offsetMinute) * MINUTE * (sign === '-' ? -1 : 1)
  let ms: number
  if (utc || sign) ms = wall - offset
  else if (hours === undefined && edge === 'until') ms = instant(midnight + DAY, edge, offsetAt) - 1
  else ms = instant(wall, edge, offsetAt)
  const iso = new Date(ms).toISOString()
  return /^\d/.test(iso) ? iso : undefined
}

/** The instant at which clocks show `wall`, a local time as if it were UTC. A time that clocks skip is moved on by the skip. */
function instant(wall: number, edge: Edge, offsetAt: (ms: number) => number): number {
  const before = offsetAt(wall - DAY)
  const moments = [before, offsetAt(wall + DAY)].map((offset) => wall - offset)
  const shown = moments.filter((ms) => ms + offsetAt(ms) === wall)
  if (shown.length === 0) return wall - before
  return edge === 'from' ? Math.min(...shown) : Math.max(...shown)
}
