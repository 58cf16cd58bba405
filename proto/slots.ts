/** The two places that an appliance's system is in: what waits in them. Pure. */
import type { Slot } from './wire/appliance.ts'

/**
 * The slot of an update that is installed and that the next restart starts for the first time; undefined where none waits.
 * Told by the slots, and not by the last word on updates: another attempt may have failed since. A version that has just started
 * and not yet shown that it runs is not good: then the other slot is next because it would be gone back to.
 */
export function unstarted(slots: readonly Slot[]): Slot | undefined {
  const running = slots.find((slot) => slot.running)
  return running?.state === 'good' ? slots.find((slot) => slot.next && !slot.running) : undefined
}
