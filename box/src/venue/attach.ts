/** Attaches places to the network: the vertex at which the way to each place leaves a path. */
import { distance, NOISE, type Point } from './grid.ts'
import { along, cross, crossingAt, isInside, middleOf, nearestShare, segments } from './plane.ts'
import type { Vertex } from './vertices.ts'

/** A path after noding, with the zones of each of its segments. */
export interface Chain {
  /** Index of the path in the source's sorted list. */
  readonly path: number
  readonly level: number
  readonly vertices: number[]
  readonly zones: (readonly string[])[]
  /** Ways may leave it anywhere; otherwise only at its ends. */
  readonly open: boolean
}

/** The outline of a place on the grid: a point, lines, or the rings of an area. */
export interface Outline {
  readonly lines: readonly (readonly Point[])[]
  readonly isArea: boolean
  readonly level: number
}

export interface Attachment {
  readonly vertex: number
  /** Millimetres from the vertex to the place. */
  readonly away: number
  /** Every spot that is as near as this one, itself included; more than one where the distance does not decide. */
  readonly spots: readonly Spot[]
}

/** The nearest point of one segment of a path. */
export interface Spot {
  readonly chain: Chain
  readonly nth: number
  readonly share: number
  readonly point: Point
  readonly away: number
  /** The vertex that the way leaves from; undefined between two vertices of a footpath. */
  readonly vertex: number | undefined
  /** The first vertex of the segment, and the zones of the segment. */
  readonly before: number
  readonly zones: readonly string[]
}

/** The point for the place's symbol: inside an area, or half-way along the first line. */
export function middleOfOutline({ lines, isArea }: Outline): Point {
  if (isArea) return middleOf(lines)
  const [line = []] = lines
  const [before, after] = [line[(line.length - 1) >> 1], line[line.length >> 1]]
  return before && after ? along(before, after, 0.5) : { x: 0, y: 0 }
}

/**
 * Finds for each outline the nearest point of a path on its floor, and gives the path a vertex there. It extends `chains` and
 * `vertices` in place. An outline further than `most` millimetres from every path gets that distance instead, `Infinity` where its
 * floor has no path.
 */
export function attach(
  outlines: readonly Outline[],
  chains: readonly Chain[],
  vertices: Vertex[],
  { most, tolerance }: { most: number; tolerance: number },
): (Attachment | { tooFar: number })[] {
  const found = outlines.map((outline) => nearestSpots(outline, chains, vertices, tolerance))
  const between = new Map<Chain, Map<number, Spot[]>>()
  for (const [spot] of found) {
    if (!spot || spot.away > most || spot.vertex !== undefined) continue
    const segments = between.get(spot.chain) ?? new Map<number, Spot[]>()
    between.set(spot.chain, segments.set(spot.nth, [...(segments.get(spot.nth) ?? []), spot]))
  }
  const inserted = insertAll(between, vertices)
  return found.map((spots) => {
    const [spot] = spots
    const vertex = spot && (spot.vertex ?? inserted.get(spot))
    if (!spot || vertex === undefined || spot.away > most) return { tooFar: spot?.away ?? Infinity }
    return { vertex, away: spot.away, spots }
  })
}

/** Gives each chain a vertex at the spots on its segments. */
function insertAll(between: ReadonlyMap<Chain, ReadonlyMap<number, Spot[]>>, vertices: Vertex[]): Map<Spot, number> {
  const inserted = new Map<Spot, number>()
  for (const [chain, segments] of between) {
    // From the end, so that the numbers of earlier segments stay valid.
    for (const [nth, spots] of [...segments].sort(([p], [q]) => q - p)) {
      for (const spot of spots.sort((p, q) => q.share - p.share)) {
        const next = chain.vertices[nth + 1] ?? -1
        const isThere = vertices[next]?.level === chain.level && distance(vertices[next].point, spot.point) === 0
        inserted.set(spot, isThere ? next : insert(chain, nth, spot.point, vertices))
      }
    }
  }
  return inserted
}

function insert(chain: Chain, nth: number, point: Point, vertices: Vertex[]): number {
  const vertex = vertices.push({ point, level: chain.level }) - 1
  chain.vertices.splice(nth + 1, 0, vertex)
  chain.zones.splice(nth, 0, chain.zones[nth] ?? [])
  return vertex
}

/** The nearest spot on the outline's floor, the first of the chains' order, and after it those that are as near but for noise. */
function nearestSpots(
  outline: Outline,
  chains: readonly Chain[],
  vertices: readonly Vertex[],
  tolerance: number,
): Spot[] {
  let best: Spot[] = []
  let least = Infinity
  const box = boxOf(outline)
  for (const chain of chains) {
    for (const [nth, a, b] of leaving(chain, outline.level, vertices)) {
      if (gap(box, a.point, b.point) > least + NOISE) continue
      const { share, away } = nearestTo(outline, a.point, b.point)
      if (away > least + NOISE) continue
      least = Math.min(least, away)
      best = best.filter((spot) => spot.away <= least + NOISE)
      const point = along(a.point, b.point, share)
      const ends = a === b ? [a] : [a, b].filter((end) => distance(end.point, point) <= tolerance)
      const [end] = ends
        .filter(({ level }) => level === outline.level)
        .sort((p, q) => distance(p.point, point) - distance(q.point, point))
      best.push({
        chain,
        nth,
        share,
        point,
        away,
        vertex: end?.vertex,
        before: a.vertex,
        zones: chain.zones[nth] ?? [],
      })
    }
  }
  return best.sort((p, q) => p.away - q.away)
}

interface End extends Vertex {
  /** Its index. */
  readonly vertex: number
}

/**
 * Segments that a way may leave on a floor: all of a footpath there; of stairs, a lift, or a footpath of another floor, those of its
 * two ends that are on this floor. Both ends may be at the same point of the map, so that only the floor tells them apart.
 */
function* leaving(
  { vertices: own, level, open }: Chain,
  floor: number,
  vertices: readonly Vertex[],
): Generator<readonly [number, End, End]> {
  const endAt = (i: number): End | undefined => {
    const vertex = own[i] ?? -1
    const at = vertices[vertex]
    return at && { ...at, vertex }
  }
  for (let nth = 0; nth + 1 < own.length; nth++) {
    const [a, b] = [endAt(nth), endAt(nth + 1)]
    if (!a || !b) continue
    if (open && level === floor) yield [nth, a, b]
    else {
      if (nth === 0 && a.level === floor) yield [nth, a, a]
      if (nth === own.length - 2 && b.level === floor) yield [nth, b, b]
    }
  }
}

/** The share of the way from `a` to `b` at which the outline is nearest, and its distance there. */
function nearestTo({ lines, isArea }: Outline, a: Point, b: Point): { share: number; away: number } {
  // A path that ends inside a tent has arrived.
  if (isArea && isInside(lines, a)) return { share: 0, away: 0 }
  let best = { share: 0, away: Infinity }
  const consider = (share: number, corner: Point) => {
    const away = distance(along(a, b, share), corner)
    if (away < best.away) best = { share, away }
  }
  for (const line of lines) {
    for (const corner of line) consider(nearestShare(a, b, corner), corner)
    for (const [p, q] of segments(line)) {
      consider(0, along(p, q, nearestShare(p, q, a)))
      consider(1, along(p, q, nearestShare(p, q, b)))
      if (cross(a, b, p, q) && best.away > 0) best = { share: crossingAt(a, b, p, q), away: 0 }
    }
  }
  return best
}

interface Box {
  west: number
  east: number
  south: number
  north: number
}

function boxOf({ lines }: Outline): Box {
  const box = { west: Infinity, east: -Infinity, south: Infinity, north: -Infinity }
  for (const { x, y } of lines.flat()) {
    box.west = Math.min(box.west, x)
    box.east = Math.max(box.east, x)
    box.south = Math.min(box.south, y)
    box.north = Math.max(box.north, y)
  }
  return box
}

/** A lower bound of the distance from a box to a segment. */
function gap({ west, east, south, north }: Box, a: Point, b: Point): number {
  return Math.max(
    west - Math.max(a.x, b.x),
    Math.min(a.x, b.x) - east,
    south - Math.max(a.y, b.y),
    Math.min(a.y, b.y) - north,
  )
}
