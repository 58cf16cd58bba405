/** Where a tier is let in, for somebody who stands at the wrong place. */
import type { Checkpoint, Event } from '../event/event.ts'

/** Open ones first, then the same zone, the same gate, and as the event file lists them. @param at unix ms */
export function servingCheckpoints(event: Event, tier: string, from: Checkpoint, at: number): Checkpoint[] {
  const isOpen = ({ opens_at = '', closes_at = '' }: Checkpoint) =>
    !(at < Date.parse(opens_at)) && !(at >= Date.parse(closes_at))
  const distance = (c: Checkpoint) => (isOpen(c) ? 0 : 4) + (c.to === from.to ? 0 : 2) + (c.gate === from.gate ? 0 : 1)
  return event.checkpoints
    .filter((c) => c.direction === 'in' && c.tiers.includes(tier))
    .sort((a, b) => distance(a) - distance(b))
}
