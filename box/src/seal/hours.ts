/** The hours of the event's own clock, each written with its offset: the one that comes twice in autumn is two. */
import { zoneOffset } from '../event/zone-offset.ts'

const QUARTER = 900_000
const HOUR = 3_600_000
/** A scanner that was alone says when it let somebody in, and may say anything: years of four digits, from 1970 on. */
const LAST_MS = Date.UTC(9998, 11, 31, 23)

/**
 * Which hour an instant (unix ms) is in, such as `2026-07-17T16:00+01:00`. Offsets count in whole quarters, which all are
 * that a clock has shown since 1972; so whoever adds up quarters of an hour needs no table of time zones.
 */
export function hoursOf(timeZone: string): (unixMs: number) => string {
  const offset = zoneOffset(timeZone)
  // Asking Intl costs more than all the rest of an entry, and a day has 96 answers.
  const known = new Map<number, string>()
  return (unixMs) => {
    const quarter = Math.floor(Math.min(Math.max(unixMs, 0), LAST_MS) / QUARTER)
    const hour = known.get(quarter) ?? hourAt(quarter * QUARTER, offset(quarter * QUARTER))
    known.set(quarter, hour)
    return hour
  }
}

function hourAt(unixMs: number, offsetMs: number): string {
  const offset = Math.round(offsetMs / QUARTER) * QUARTER
  const local = unixMs + offset
  const minutes = Math.abs(offset) / 60_000
  const two = (number: number) => String(number).padStart(2, '0')
  const start = new Date(Math.floor(local / HOUR) * HOUR).toISOString().slice(0, 16)
  return `${start}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
