/** Where a tier is let in, for somebody who stands at the wrong place. */
import type { Checkpoint, Event } from '../event/event.ts'

/**
 * Open ones; closed ones only where all are; never one of a gate on hold. First those that lead on from where the person stands, then into the same
 * zone, at the same gate, and as the event file lists them.
 * @param at unix ms
 * @param isHeld whether a gate is on hold
 */
export function servingCheckpoints(
  event: Event,
  tier: string,
  from: Checkpoint,
  { at, isHeld }: { at: number; isHeld: (gate: string) => boolean },
): Checkpoint[] {
  const all = event.checkpoints.filter((c) => serves(c, tier))
  const serving = all.filter((c) => !isHeld(c.gate))
  // Behind the gates on hold there may be one that lets people in: nobody gets there from here.
  const leadsOn = (c: Checkpoint) => c.from === from.from
  if (all.some(leadsOn) && !serving.some(leadsOn)) return []
  const isOpen = ({ opens_at = '', closes_at = '' }: Checkpoint) =>
    !(at < Date.parse(opens_at)) && !(at >= Date.parse(closes_at))
  const open = serving.filter(isOpen)
  const distance = (c: Checkpoint) =>
    (c.from === from.from ? 0 : 4) + (c.to === from.to ? 0 : 2) + (c.gate === from.gate ? 0 : 1)
  return (open.length > 0 ? open : serving).sort((a, b) => distance(a) - distance(b))
}

/** Whether any gate lets this tier in, on hold or not. */
export function isServed(event: Event, tier: string): boolean {
  return event.checkpoints.some((checkpoint) => serves(checkpoint, tier))
}

function serves({ direction, tiers }: Checkpoint, tier: string): boolean {
  return direction === 'in' && tiers.includes(tier)
}
