/**
 * Compiles the source of a map to the map in the plan: one network of walkable edges, with every place attached to it.
 * The same source gives the same map on every machine, whatever the order of its features; `grid.ts` says how.
 */
import { coded } from '@gatehouse/proto/said.ts'
import type { Position, VenueMap } from '@gatehouse/proto/wire/venue.ts'
import { chainsOf } from './chains.ts'
import { graphOf } from './edges.ts'
import { positionsOf } from './geometry.ts'
import { mapAmenity, mapPlace, type Placed, placeAll } from './places.ts'
import { middleOf } from './plane.ts'
import { isError, type Problem, sortProblems } from './problems.ts'
import { gridFor, projectSource } from './projection.ts'
import { reachable } from './reachability.ts'
import { referenceProblems, type VenueEvent } from './references.ts'
import { parseSource, type VenueSource } from './source.ts'
import { MODE, traversalOf } from './traversal.ts'
import { zoneFinder } from './zones.ts'

export interface Compiled {
  /** Absent where a problem is an error. */
  readonly map?: VenueMap
  /** Errors first, then warnings. */
  readonly problems: readonly Problem[]
}

/** Compiles the text of a `venue.geojson`. It never throws: a text that is no map gives problems. */
export function compileVenue(event: VenueEvent, text: string): Compiled {
  const { source, problems } = parseSource(text)
  return compileSource(event, source, problems)
}

/** @param known problems that were found while reading this source; they are part of the result */
export function compileSource(event: VenueEvent, source: VenueSource, known: readonly Problem[] = []): Compiled {
  const problems = [...known]
  if (source.features.length === 0 && problems.length === 0) {
    const message = 'the map is empty: draw paths, gates and amenities'
    problems.push({ kind: 'no_paths', feature: '', message, coded: [coded('nothing_drawn')] })
  }
  const map = source.features.length > 0 ? mapOf(event, source, problems) : undefined
  return { ...(map && !problems.some(isError) && { map }), problems: sortProblems(problems) }
}

function mapOf(event: VenueEvent, source: VenueSource, problems: Problem[]): VenueMap | undefined {
  const { speeds, tolerances } = source
  const { grid, problems: far } = gridFor(source.features)
  problems.push(...far, ...referenceProblems(source.features, event))
  // Without the features that are refused already, which would cause the same errors in other words.
  const refused = new Set(problems.filter(isError).map(({ feature }) => feature))
  const features = source.features.filter(({ label }) => !refused.has(label))
  const tolerance = tolerances.join_metres * 1000
  const projected = projectSource(features, grid, tolerance)
  const network = chainsOf(projected, tolerance, problems)
  if (!network) return undefined

  const { paths, zones } = projected
  const placed = placeAll(event, projected, network, tolerances, problems)
  const attached = new Set(placed.map(({ vertex }) => vertex))
  const { nodes, edges, nodeOf } = graphOf(network.chains, network.vertices, attached, grid, (path, drawn) => {
    const feature = paths[path]
    const metres = feature?.length ?? drawn
    return { metres, ...traversalOf(feature ?? {}, metres, speeds) }
  })
  const inPlan = (place: Placed) => mapPlace(place, nodeOf, grid, speeds)
  const zoneAt = zoneFinder(zones)
  const map: VenueMap = {
    bounds: boundsOf(features.flatMap(({ geometry }) => [...positionsOf(geometry)])),
    zones: zones.map(({ id, level, areas, polygons }) => ({
      id,
      level,
      polygons: polygons.map((rings) => rings.map((ring) => [...ring])),
      label: grid.toDegrees(middleOf(areas.flat())),
    })),
    gates: placed.filter(({ kind }) => kind === 'gate').map(inPlan),
    checkpoints: placed.filter(({ kind }) => kind === 'checkpoint').map(inPlan),
    amenities: placed.flatMap((place) => mapAmenity(inPlan(place), place, zoneAt)),
    paths: paths.map(({ id, name, pathway_mode, level }) => ({
      id,
      name: name ?? null,
      mode: pathway_mode ?? MODE.walkway,
      level: level ?? 0,
    })),
    nodes,
    edges,
  }
  const reached = reachable(map)
  problems.push(...reached.problems)
  return reached.map
}

function boundsOf(positions: readonly Position[]): [number, number, number, number] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [longitude, latitude] of positions) {
    west = Math.min(west, longitude)
    east = Math.max(east, longitude)
    south = Math.min(south, latitude)
    north = Math.max(north, latitude)
  }
  return [west, south, east, north]
}
