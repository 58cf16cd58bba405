/** The hours of the event's time zone, each written with its offset, so that the hour that occurs twice in autumn is two. */
import { zoneOffset } from '../../event/zone-offset.ts'

/** Counts are kept by quarters of an hour, in ms: every offset since 1972 is a multiple of that. */
const QUARTER = 900_000
const HOUR = 3_600_000
/** The time of an offline admission is the scanner's and may be anything: it is limited to years from 1970 to 9999. */
const LAST_MS = Date.UTC(9998, 11, 31, 23)

/** The quarter of an hour that an instant (unix ms) is in. */
export function quarterOf(unixMs: number): number {
  return Math.floor(Math.min(Math.max(unixMs, 0), LAST_MS) / QUARTER)
}

/** The hour of a quarter, such as `2026-07-17T16:00+01:00`. */
export function hoursOf(timeZone: string): (quarter: number) => string {
  const offsetAt = zoneOffset(timeZone)
  return (quarter) => {
    const unixMs = quarter * QUARTER
    const offset = Math.round(offsetAt(unixMs) / QUARTER) * QUARTER
    const minutes = Math.abs(offset) / 60_000
    const two = (number: number) => String(number).padStart(2, '0')
    const start = new Date(Math.floor((unixMs + offset) / HOUR) * HOUR).toISOString().slice(0, 16)
    return `${start}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
  }
}
