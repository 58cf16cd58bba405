/**
 * What is near, and how long the walk is. Shortest ways are computed once for each place, set of zones and kind of walker,
 * and kept: at an event there are few of those, however many people ask.
 */
import { categoryOf } from '@gatehouse/proto/venue-categories.ts'
import type { MapAmenity, MapPlace, NearbyAmenity, StepFree, VenueMap } from '@gatehouse/proto/wire/venue.ts'
import { arcsTo, type Network, networkOf, shortestWays, type Walker, type Ways } from './network.ts'
import { MODE, worst } from './pace.ts'

/** Ways that are kept, each about 12 bytes a node of the map: the zones in a question are the asker's choice. */
const MOST_KEPT = 256

/** What people call a path that has no name. A plain footpath goes without saying. */
const UNNAMED: Readonly<Record<number, string>> = {
  [MODE.stairs]: categoryOf('stairs').name,
  [MODE.travelator]: 'Travelator',
  [MODE.escalator]: categoryOf('escalator').name,
  [MODE.lift]: categoryOf('elevator').name,
}

/** A map made ready for questions. */
export interface Routes {
  readonly map: VenueMap
  readonly network: Network
  readonly places: ReadonlyMap<string, MapPlace>
  readonly kept: Map<string, Ways>
}

export interface WalkQuery {
  /** A checkpoint of the map, or else a gate, by its id. */
  readonly from: string
  /** Zones that the walker may be in. What needs another zone is no way, and nothing in it is near. */
  readonly allowedZones: Iterable<string>
  /** Whether the walker may be outside of all zones; false for somebody who could not come back in. Default true. */
  readonly outside?: boolean
  readonly stepFree?: boolean
}

export interface NearbyQuery extends WalkQuery {
  /** An IMDF category, with all that are kinds of it: `restroom` finds `restroom.wheelchair`. */
  readonly category?: string
}

export interface Walk {
  readonly walking_seconds: number
  readonly metres: number
  /** Of this very way. Without `stepFree` in the question there may be another that is. */
  readonly step_free: StepFree
  readonly via: string[]
  /** Indices of the map's edges, in walking order. */
  readonly route: number[]
}

export function openRoutes(map: VenueMap): Routes {
  const places = new Map([...map.gates, ...map.checkpoints].map((place) => [place.id, place]))
  return { map, network: networkOf(map), places, kept: new Map() }
}

/** Amenities that the walker gets to, nearest first, then by id. None from a place that is not on the map. */
export function nearestAmenities(routes: Routes, query: NearbyQuery): NearbyAmenity[] {
  const allowed = new Set(query.allowedZones)
  const { outside = true, category } = query
  const isOpen = ({ zone }: MapAmenity) => (zone === null ? outside : allowed.has(zone))
  const isMeant = (amenity: MapAmenity) =>
    category === undefined || amenity.category === category || amenity.category.startsWith(`${category}.`)
  const targets = routes.map.amenities.filter((amenity) => isOpen(amenity) && isMeant(amenity))
  return walks(routes, { ...query, allowedZones: allowed }, targets)
    .map(([{ id, category: kind, name, zone }, walk]) => ({ id, category: kind, name, zone, ...walk }))
    .sort((a, b) => a.walking_seconds - b.walking_seconds || (a.id < b.id ? -1 : 1))
}

/**
 * Walks to all checkpoints that can be reached, by checkpoint id.
 *
 * Somebody who is sent to another checkpoint has not passed it yet: `allowedZones` are the zones open to them where they
 * stand (none, for the street outside), and not those that their ticket opens further on.
 */
export function walkingTimes(routes: Routes, query: WalkQuery): Map<string, Walk> {
  return new Map(walks(routes, query, routes.map.checkpoints).map(([{ id }, walk]) => [id, walk]))
}

function walks<P extends MapPlace>(routes: Routes, query: WalkQuery, targets: readonly P[]): [P, Walk][] {
  const start = routes.places.get(query.from)
  const stepFree = query.stepFree ?? false
  if (!start) return []
  const ways = waysFrom(routes, start.node, query, stepFree)
  return targets.flatMap((target): [P, Walk][] => {
    const between = ways.seconds[target.node] ?? Infinity
    if (between === Infinity || (stepFree && target.step_free === false)) return []
    // Whoever stands at a place and is sent to it is there.
    if ((target as MapPlace) === start) {
      return [[target, { walking_seconds: 0, metres: 0, step_free: target.step_free, via: [], route: [] }]]
    }
    return [[target, walkTo(routes, ways, start, target, stepFree)]]
  })
}

function walkTo({ map, network }: Routes, ways: Ways, start: MapPlace, target: MapPlace, stepFree: boolean): Walk {
  const route = arcsTo(network, ways, target.node).map((arc) => network.edge[arc] ?? 0)
  const leg = (place: MapPlace) => (stepFree ? (place.step_free_seconds ?? place.seconds) : place.seconds)
  let metres = start.metres + target.metres
  let step_free = target.step_free
  const via: string[] = []
  for (const index of route) {
    const edge = map.edges[index]
    const path = map.paths[edge?.path ?? -1]
    if (!edge || !path) continue
    metres += edge.metres
    step_free = worst(step_free, edge.step_free)
    const name = path.name ?? UNNAMED[path.mode]
    if (name !== undefined && name !== via.at(-1)) via.push(name)
  }
  const seconds = leg(start) + (ways.seconds[target.node] ?? Infinity) + leg(target)
  return { walking_seconds: Math.round(seconds), metres: Math.round(metres), step_free, via, route }
}

function waysFrom({ network, kept }: Routes, node: number, query: WalkQuery, stepFree: boolean): Ways {
  const { outside = true } = query
  const allowed = new Set(query.allowedZones)
  const key = JSON.stringify([node, stepFree, outside, ...[...allowed].sort()])
  const known = kept.get(key)
  // Taken out and put back, it is the last to be forgotten.
  if (known) kept.delete(key)
  const walker: Walker = {
    stepFree,
    mayEnter: (zones) => (zones.length === 0 ? outside : zones.every((zone) => allowed.has(zone))),
  }
  const ways = known ?? shortestWays(network, [node], walker)
  kept.set(key, ways)
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break
    kept.delete(oldest)
  }
  return ways
}
