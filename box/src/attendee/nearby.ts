/** Amenities near the person with the ticket, by ways and in zones that the ticket may use. */
import type { NearbyAmenity } from '@gatehouse/proto/wire/venue.ts'
import { GatehouseError } from '../errors.ts'
import type { Event } from '../event/event.ts'
import type { Movement } from '../ledger/schema.ts'
import { nearestAmenities, type Routes } from '../venue/route.ts'
import type { Venue } from '../venue/venue.ts'
import { zonesOf } from './view.ts'

export interface NearbyQuery {
  /** A checkpoint; where the ticket was last seen when absent. */
  from: string | undefined
  stepFree: boolean
  category: string | undefined
}

/**
 * The map for a query. Called before the ticket is looked up: a mistake in the query gets the same answer for every
 * ticket, and for an id of none.
 * @throws GatehouseError `not_found` where the venue has no map, or no such checkpoint
 */
export function mapFor({ from }: NearbyQuery, { event, venue }: { event: Event; venue: Venue }): Routes {
  if (!venue.routes) {
    throw new GatehouseError('not_found', 'This venue has no map: ask somebody at a gate.')
  }
  if (from !== undefined && !event.checkpointById.has(from)) {
    throw new GatehouseError(
      'not_found',
      'This venue has no such checkpoint: leave "from" out, or take one of the plan.',
    )
  }
  return venue.routes
}

/** Nearest first. @param movements of the ticket, oldest first */
export function nearby(
  tier: string,
  movements: readonly Movement[],
  query: NearbyQuery,
  { event, routes }: { event: Event; routes: Routes },
): NearbyAmenity[] {
  const from = query.from ?? movements.at(-1)?.checkpoint ?? firstEntry(event, tier, routes, query.stepFree)
  if (from === undefined) return []
  return nearestAmenities(routes, {
    from,
    allowedZones: zonesOf(event, tier),
    // Somebody who is inside on a ticket that enters once may not leave for an amenity: there would be no way back.
    outside: event.tierById.get(tier)?.entry !== 'once' || movements.at(-1)?.to == null,
    stepFree: query.stepFree,
    ...(query.category !== undefined && { category: query.category }),
  })
}

/** The first entry that this person can use: one with steps is none for somebody who asked for a way without. */
function firstEntry(event: Event, tier: string, routes: Routes, stepFree: boolean): string | undefined {
  const entries = event.checkpoints.filter((c) => c.direction === 'in' && c.tiers.includes(tier))
  const usable = entries.find(({ id }) => !stepFree || routes.places.get(id)?.step_free !== false)
  return (usable ?? entries[0])?.id
}
