/**
 * Nearby amenities and walking times. Shortest paths are computed once for each start, set of zones and kind of walker, and kept:
 * an event has few of these, however many people ask.
 */
import { categoryOf } from '@gatehouse/proto/venue-categories.ts'
import type { MapAmenity, MapPlace, NearbyAmenity, StepFree, VenueMap } from '@gatehouse/proto/wire/venue.ts'
import { arcsTo, type Network, networkOf, type PathTree, shortestPathTree, type Walker } from './network.ts'
import { MODE, worst } from './traversal.ts'

/** Trees that are kept, each about 12 bytes per node of the map. Bounded, because clients choose the zones of a query. */
const MAX_TREES = 256

/** Names of paths without a name of their own. A plain footpath is not mentioned. */
const UNNAMED: Readonly<Record<number, string>> = {
  [MODE.stairs]: categoryOf('stairs').name,
  [MODE.travelator]: 'Travelator',
  [MODE.escalator]: categoryOf('escalator').name,
  [MODE.lift]: categoryOf('elevator').name,
}

/** A map prepared for queries. */
export interface Routes {
  readonly map: VenueMap
  readonly network: Network
  readonly places: ReadonlyMap<string, MapPlace>
  readonly trees: Map<string, PathTree>
}

export interface WalkQuery {
  /** A checkpoint of the map, or else a gate, by its id. */
  readonly from: string
  /** Zones that the walker may be in. Nothing leads through another zone, and nothing in it is found. */
  readonly allowedZones: Iterable<string>
  /** True if the walker may be outside of all zones, true by default; false for somebody who could not enter again. */
  readonly outside?: boolean
  readonly stepFree?: boolean
}

export interface NearbyQuery extends WalkQuery {
  /** An IMDF category, including its subcategories: `restroom` finds `restroom.wheelchair`. */
  readonly category?: string
}

export interface Walk {
  readonly walking_seconds: number
  readonly metres: number
  /** Of this route. Without `stepFree` in the query, there may be another one that is step-free. */
  readonly step_free: StepFree
  readonly via: string[]
  /** Indices of the map's edges, in walking order. */
  readonly route: number[]
}

export function openRoutes(map: VenueMap): Routes {
  const places = new Map([...map.gates, ...map.checkpoints].map((place) => [place.id, place]))
  return { map, network: networkOf(map), places, trees: new Map() }
}

/** Amenities that the walker can reach, nearest first, then by id. None from a place that is not on the map. */
export function nearestAmenities(routes: Routes, query: NearbyQuery): NearbyAmenity[] {
  const allowed = new Set(query.allowedZones)
  const { outside = true, category } = query
  const isOpen = ({ zone }: MapAmenity) => (zone === null ? outside : allowed.has(zone))
  const isMeant = (amenity: MapAmenity) =>
    category === undefined || amenity.category === category || amenity.category.startsWith(`${category}.`)
  const targets = routes.map.amenities.filter((amenity) => isOpen(amenity) && isMeant(amenity))
  return walksTo(routes, { ...query, allowedZones: allowed }, targets)
    .map(([{ id, category: kind, name, zone }, walk]) => ({ id, category: kind, name, zone, ...walk }))
    .sort((a, b) => a.walking_seconds - b.walking_seconds || (a.id < b.id ? -1 : 1))
}

/**
 * Walks to all checkpoints that can be reached, by checkpoint id. Somebody who is sent to another checkpoint has not passed it
 * yet, so `allowedZones` are the zones where they are (none for the street outside), without those that their ticket opens
 * further on.
 */
export function walkingTimes(routes: Routes, query: WalkQuery): Map<string, Walk> {
  return new Map(walksTo(routes, query, routes.map.checkpoints).map(([{ id }, walk]) => [id, walk]))
}

function walksTo<P extends MapPlace>(routes: Routes, query: WalkQuery, targets: readonly P[]): [P, Walk][] {
  const start = routes.places.get(query.from)
  const stepFree = query.stepFree ?? false
  // A person who cannot leave the start without a step gets nowhere.
  if (!start || (stepFree && start.step_free === false)) return []
  const tree = treeFrom(routes, start.node, query, stepFree)
  return targets.flatMap((target): [P, Walk][] => {
    const between = tree.seconds[target.node] ?? Infinity
    if (between === Infinity || (stepFree && target.step_free === false)) return []
    // The start itself.
    if ((target as MapPlace) === start) {
      return [[target, { walking_seconds: 0, metres: 0, step_free: target.step_free, via: [], route: [] }]]
    }
    return [[target, walkAlong(routes, tree, start, target, stepFree)]]
  })
}

function walkAlong(
  { map, network }: Routes,
  tree: PathTree,
  start: MapPlace,
  target: MapPlace,
  stepFree: boolean,
): Walk {
  const route = arcsTo(network, tree, target.node).map((arc) => network.edge[arc] ?? 0)
  const leg = (place: MapPlace) => (stepFree ? (place.step_free_seconds ?? place.seconds) : place.seconds)
  let metres = start.metres + target.metres
  let step_free = worst(start.step_free, target.step_free)
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
  const seconds = leg(start) + (tree.seconds[target.node] ?? Infinity) + leg(target)
  return { walking_seconds: Math.round(seconds), metres: Math.round(metres), step_free, via, route }
}

function treeFrom({ network, trees }: Routes, node: number, query: WalkQuery, stepFree: boolean): PathTree {
  const { outside = true } = query
  const allowed = new Set(query.allowedZones)
  const key = JSON.stringify([node, stepFree, outside, ...[...allowed].sort()])
  const known = trees.get(key)
  // Moved to the end, so that it is evicted last.
  if (known) trees.delete(key)
  const walker: Walker = {
    stepFree,
    mayEnter: (zones) => (zones.length === 0 ? outside : zones.every((zone) => allowed.has(zone))),
  }
  const tree = known ?? shortestPathTree(network, [node], walker)
  trees.set(key, tree)
  for (const oldest of trees.keys()) {
    if (trees.size <= MAX_TREES) break
    trees.delete(oldest)
  }
  return tree
}
