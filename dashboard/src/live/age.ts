/** The age of the figures that are shown. Pure. */

/** Older figures are announced loudly, and no longer drawn as if they were current. */
export const STALE_MS = 15_000
/** The stream is silent while nothing changes: after this long the box is asked. */
export const ASK_AFTER_MS = 6_000

/** A moment by both clocks of the browser, in ms. */
export interface Moment {
  /** Unix time: jumps when somebody sets it. */
  wall: number
  /** Since the page was opened. In some browsers it stands still while the laptop sleeps. */
  steady: number
}

/** Milliseconds since, by the clock that shows more: an age that is too high alarms, one that is too low deceives. */
export function ageOf(since: Moment, now: Moment): number {
  return Math.max(0, now.wall - since.wall, now.steady - since.steady)
}

/** `connecting` until the first figures of a session. */
export type Freshness = 'connecting' | 'live' | 'late' | 'stale'

/** `late` from 10 seconds on: it is said, without alarm. @param age ms; null while no figures have arrived */
export function freshnessOf(age: number | null): Freshness {
  if (age === null) return 'connecting'
  if (age > STALE_MS) return 'stale'
  return age >= 10_000 ? 'late' : 'live'
}

/** True when the computer may have slept through the end of the connection, which is then given up. */
export function sleptThrough(beat: Moment, now: Moment, age: number | null): boolean {
  return ageOf(beat, now) > STALE_MS && (age === null || age > STALE_MS)
}
