/** How old what is shown is. Pure. */

/** Older than this is said loudly, and the figures are no longer drawn as if they were so. */
export const STALE_MS = 15_000
/** The stream is silent while nothing changes: after this long the box is asked. */
export const ASK_AFTER_MS = 6_000

/** When something was heard, by both clocks of the browser, in ms. */
export interface Moment {
  /** Unix time: jumps when somebody sets it. */
  wall: number
  /** Since the page was opened: in some browsers it stands still while the laptop sleeps. */
  steady: number
}

/** Milliseconds since, by whichever clock says more: too old is a fright, too young is a lie. */
export function ageOf(heard: Moment, now: Moment): number {
  return Math.max(0, now.wall - heard.wall, now.steady - heard.steady)
}

/** `connecting` until the first figures of a session. */
export type Freshness = 'connecting' | 'live' | 'late' | 'stale'

/** `late` from 10 seconds on: it is said, without alarm. @param age ms; null when nothing was ever heard */
export function freshnessOf(age: number | null): Freshness {
  if (age === null) return 'connecting'
  if (age > STALE_MS) return 'stale'
  return age >= 10_000 ? 'late' : 'live'
}

/** Whether what holds the connection should be let go, because the computer slept through its end. */
export function sleptThrough(beat: Moment, now: Moment, age: number | null): boolean {
  return ageOf(beat, now) > STALE_MS && (age === null || age > STALE_MS)
}
