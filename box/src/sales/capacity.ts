/** Finds capacities that further tickets would exceed: a tier's number for sale, or a zone that its entrances lead into. Pure. */
import { type Coded, type CodeOf, coded } from '@gatehouse/proto/said.ts'
import type { Event } from '../event/event.ts'

export interface Counted {
  event: Pick<Event, 'tierById' | 'zoneById' | 'checkpoints'>
  /** Tickets of a tier that desks have made at all boxes that are heard, without those that were voided. */
  soldOf: (tier: string) => number
  /** People in a zone. */
  occupancyOf: (zone: string) => number
}

/** A limit that tickets would pass: as a sentence, and as a code for apps. */
export interface Limit {
  text: string
  coded: Coded<CodeOf<'sale'>>
}

/** @param wanted tickets by tier @returns each limit that they would pass; none where all is well */
export function overCapacity(wanted: ReadonlyMap<string, number>, { event, soldOf, occupancyOf }: Counted): Limit[] {
  const full: Limit[] = []
  const coming = new Map<string, number>()
  for (const [id, tickets] of wanted) {
    const tier = event.tierById.get(id)
    const most = tier?.at_the_gate?.most
    if (tier && most !== undefined && soldOf(id) + tickets > most) {
      const left = Math.max(0, most - soldOf(id))
      full.push({
        text: `${tier.name}: ${left} of ${most} left for sale at the gate, ${tickets} wanted.`,
        coded: coded('tier_full', { tier: tier.name, left, most, wanted: tickets }),
      })
    }
    for (const zone of zonesOf(id, event)) coming.set(zone, (coming.get(zone) ?? 0) + tickets)
  }
  for (const [id, people] of coming) {
    const zone = event.zoneById.get(id)
    const inside = occupancyOf(id)
    if (!zone || inside + people <= zone.capacity) continue
    full.push({
      text: `${zone.name}: ${inside} of ${zone.capacity} people are inside, and ${people} more would come.`,
      coded: coded('zone_full', { zone: zone.name, inside, most: zone.capacity, coming: people }),
    })
  }
  return full
}

/** The zones that people with such a ticket come into from outside. */
function zonesOf(tier: string, { checkpoints }: Pick<Event, 'checkpoints'>): Set<string> {
  const entrances = checkpoints.filter(
    ({ direction, from, tiers }) => direction === 'in' && from === null && tiers.includes(tier),
  )
  return new Set(entrances.flatMap(({ to }) => to ?? []))
}
