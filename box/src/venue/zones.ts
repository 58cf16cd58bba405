/** Finds the zone of a point on the map. */
import type { Point } from './grid.ts'
import { type Area, areaOf, isInside, segments } from './plane.ts'

export interface ZoneArea {
  readonly id: string
  /** null: on every floor. */
  readonly level: number | null
  /** One for each polygon of the zone. */
  readonly areas: readonly Area[]
}

/** The innermost zone around a point (the smallest where they overlap); null outside of all. */
export type ZoneAt = (point: Point, level: number) => string | null

export function zoneFinder(zones: readonly ZoneArea[]): ZoneAt {
  const known = zones
    .map(({ id, level, areas }) => ({ id, level, rings: areas.flat(), size: sizeOf(areas), box: boxOf(areas) }))
    .sort((a, b) => a.size - b.size || (a.id < b.id ? -1 : 1))
  return (point, level) =>
    known.find(
      (zone) => (zone.level === null || zone.level === level) && zone.box(point) && isInside(zone.rings, point),
    )?.id ?? null
}

/** Every segment of the zones' borders. */
export function* bordersOf(zones: readonly ZoneArea[]): Generator<{ a: Point; b: Point; level: number | null }> {
  for (const { level, areas } of zones) {
    for (const ring of areas.flat()) for (const [a, b] of segments(ring)) yield { a, b, level }
  }
}

function sizeOf(areas: readonly Area[]): number {
  return areas.reduce((sum, [outer, ...holes]) => {
    return sum + areaOf(outer ?? []) - holes.reduce((less, hole) => less + areaOf(hole), 0)
  }, 0)
}

function boxOf(areas: readonly Area[]): (point: Point) => boolean {
  let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const { x, y } of areas.flat(2)) {
    west = Math.min(west, x)
    east = Math.max(east, x)
    south = Math.min(south, y)
    north = Math.max(north, y)
  }
  return ({ x, y }) => x >= west && x <= east && y >= south && y <= north
}
