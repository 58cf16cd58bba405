/** Finds the update that waits in one of the two slots of an appliance's system. Pure. */
import type { Slot } from './wire/appliance.ts'

/**
 * The slot with an installed update that the next restart starts for the first time; undefined where there is none. Derived from
 * the slots and not from the result of the last update, because another attempt may have failed since. While a version that has
 * just started is not yet known to run, its slot is not `good`, and the other slot is next as its fallback.
 */
export function unstarted(slots: readonly Slot[]): Slot | undefined {
  const running = slots.find((slot) => slot.running)
  return running?.state === 'good' ? slots.find((slot) => slot.next && !slot.running) : undefined
}
