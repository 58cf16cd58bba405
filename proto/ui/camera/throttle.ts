/**
 * The pause before the next frame. The decoder works half of the time at most, so that a slow phone stays cool and its battery
 * lasts the shift; where nobody has shown a code for a while, it decodes less often.
 */

/** After this long without a code, ms, ten frames a second are enough. */
const IDLE_AFTER_MS = 60_000
const IDLE_PAUSE_MS = 100
/** A decoder that was slow once, because the phone was busy, does not pause for as long. */
const LONGEST_PAUSE_MS = 250

/** Ms to wait after a frame that took `decodeMs`; `idleMs`: since a code was last seen. */
export function pauseAfter(decodeMs: number, idleMs: number): number {
  const rest = Math.min(Math.max(decodeMs, 0), LONGEST_PAUSE_MS)
  return idleMs >= IDLE_AFTER_MS ? Math.max(rest, IDLE_PAUSE_MS) : rest
}
