/** Projects the source onto the grid: the same features, sorted, with points in millimetres. */
import { coded } from '@gatehouse/proto/said.ts'
import type { Position } from '@gatehouse/proto/wire/venue.ts'
import type { Outline } from './attach.ts'
import { type Geometry, positionsOf, type Rings } from './geometry.ts'
import { distance, type Grid, gridAround, MAX_MILLIMETRES, type Point } from './grid.ts'
import type { Line, Pin } from './noding.ts'
import type { Problem } from './problems.ts'
import type { Kind, SourceFeature } from './source.ts'
import { MODE } from './traversal.ts'
import type { ZoneArea } from './zones.ts'

export type PathFeature = SourceFeature<'path'>
export type PlaceFeature = SourceFeature<'gate' | 'checkpoint' | 'amenity'>

export interface ProjectedSource {
  readonly grid: Grid
  readonly zones: readonly (ZoneArea & { readonly polygons: readonly Rings[] })[]
  /** `pins[i]` is the position of `nodes[i]`. */
  readonly nodes: readonly SourceFeature<'node'>[]
  readonly pins: readonly Pin[]
  readonly paths: readonly PathFeature[]
  /** At least one for each path; `paths[pathOfLine[i]]` has the line `lines[i]`. */
  readonly lines: readonly Line[]
  readonly pathOfLine: readonly number[]
  readonly places: readonly ProjectedPlace[]
}

export interface ProjectedPlace {
  readonly feature: PlaceFeature
  readonly outline: Outline
  /** The node that the way to it leaves from, as an index of the pins, where the source says so. */
  readonly pin: number | undefined
}

/** @param features sound ones: ids are unique, and every node that a path names is among them */
export function projectSource(features: readonly SourceFeature[], grid: Grid, tolerance: number): ProjectedSource {
  const sorted = [...features].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  const of = <K extends Kind>(kind: K) =>
    sorted.filter((feature): feature is Extract<SourceFeature, { kind: K }> => feature.kind === kind)
  const nodes = of('node')
  const pins = nodes.map(({ geometry, level = 0 }) => ({ point: onlyPoint(geometry, grid), level }))
  const pinOf = new Map(nodes.map(({ id }, i) => [id, i]))
  const paths = of('path')
  const lines: Line[] = []
  const pathOfLine: number[] = []
  for (const [i, path] of paths.entries()) {
    for (const line of linesOf(path, grid, pins, pinOf, tolerance)) {
      lines.push(line)
      pathOfLine.push(i)
    }
  }
  return {
    grid,
    nodes,
    pins,
    paths,
    lines,
    pathOfLine,
    zones: of('zone').map(({ id, geometry, level }) => ({
      id,
      level: level ?? null,
      polygons: areasOf(geometry),
      areas: areasOf(geometry).map((rings) => rings.map((ring) => ring.map(grid.toGrid))),
    })),
    places: [...of('gate'), ...of('checkpoint'), ...of('amenity')].map((feature) => {
      const level = feature.level ?? pins[pinOf.get(feature.node ?? '') ?? -1]?.level ?? 0
      const outline = outlineOf(feature, level, grid)
      return { feature, outline, pin: pinFor(feature, outline, pins, pinOf, tolerance) }
    }),
  }
}

function linesOf(
  { geometry, level = 0, from, to, pathway_mode = MODE.walkway }: PathFeature,
  grid: Grid,
  pins: readonly Pin[],
  pinOf: ReadonlyMap<string, number>,
  tolerance: number,
): Line[] {
  const [first, last] = [pinOf.get(from ?? ''), pinOf.get(to ?? '')]
  const [start, end] = [pins[first ?? -1]?.point, pins[last ?? -1]?.point]
  // Nobody has drawn the line between two named ends, so its crossings mean nothing.
  if (geometry.type !== 'lines')
    return start && end ? [{ points: [start, end], level, joins: 'ends', from: first, to: last }] : []
  return geometry.lines.map((line) => {
    const points = line.map(grid.toGrid)
    if (start && distance(start, points[0] ?? start) > tolerance) points.unshift(start)
    if (end && distance(end, points.at(-1) ?? end) > tolerance) points.push(end)
    return { points, level, joins: pathway_mode === MODE.walkway ? 'everywhere' : 'ends', from: first, to: last }
  })
}

/** The node that a place names; or the node with its own id, as importers give it, where both are one spot of one floor. */
function pinFor(
  { node, id }: PlaceFeature,
  { lines, level }: Outline,
  pins: readonly Pin[],
  pinOf: ReadonlyMap<string, number>,
  tolerance: number,
): number | undefined {
  if (node !== undefined) return pinOf.get(node)
  const [[spot, more] = []] = lines
  const own = pinOf.get(id)
  const pin = pins[own ?? -1]
  return spot && !more && pin?.level === level && distance(pin.point, spot) <= tolerance ? own : undefined
}

function outlineOf({ geometry }: PlaceFeature, level: number, grid: Grid): Outline {
  if (geometry.type === 'areas') {
    const lines = geometry.areas.flat().map((ring) => ring.map(grid.toGrid))
    return { lines, isArea: true, level }
  }
  const lines = geometry.type === 'lines' ? geometry.lines.map((line) => line.map(grid.toGrid)) : []
  return { lines: geometry.type === 'point' ? [[grid.toGrid(geometry.at)]] : lines, isArea: false, level }
}

function areasOf(geometry: Geometry): readonly Rings[] {
  return geometry.type === 'areas' ? geometry.areas : []
}

function onlyPoint(geometry: Geometry, grid: Grid): Point {
  return geometry.type === 'point' ? grid.toGrid(geometry.at) : { x: 0, y: 0 }
}

/**
 * A grid around the median of all positions, and a problem for each feature outside of it: with latitude and longitude
 * swapped, or a forgotten point at [0, 0] off the coast of Africa.
 */
export function gridFor(features: readonly SourceFeature[]): { grid: Grid; problems: Problem[] } {
  const middle = (pick: 0 | 1) => {
    const values = Float64Array.from(everyPosition(features), (position) => position[pick]).sort()
    return values[values.length >> 1] ?? 0
  }
  const grid = gridAround([middle(0), middle(1)])
  const isFar = ({ x, y }: Point) => Math.max(Math.abs(x), Math.abs(y)) > MAX_MILLIMETRES / 2
  const problems = features.flatMap(({ label, geometry }): Problem[] => {
    const far = positionsOf(geometry).find((position) => isFar(grid.toGrid(position)))
    if (!far) return []
    const message = `[${far}] is over ${MAX_MILLIMETRES / 2e6} km from the rest of the map; GeoJSON wants longitude first`
    return [{ kind: 'far_away', feature: label, message, coded: [coded('far_away')] }]
  })
  return { grid, problems }
}

function* everyPosition(features: readonly SourceFeature[]): Generator<Position> {
  for (const { geometry } of features) yield* positionsOf(geometry)
}
