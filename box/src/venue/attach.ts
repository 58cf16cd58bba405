/** Where the ways to places leave the network. */
import { distance, type Point } from './grid.ts'
import type { Vertex } from './noding.ts'
import { along, cross, crossingAt, isInside, middleOf, nearestShare, stretches } from './plane.ts'

/** A path as noding leaves it, with the zones that each of its stretches is in. */
export interface Chain {
  /** Index of the path in the source's sorted list. */
  readonly path: number
  readonly level: number
  readonly vertices: number[]
  readonly zones: (readonly string[])[]
  /** Ways may leave it anywhere, and not at its ends alone. */
  readonly open: boolean
}

/** The outline of a place on the grid: a point, lines, or rings of an area. */
export interface Outline {
  readonly lines: readonly (readonly Point[])[]
  readonly isArea: boolean
  readonly level: number
}

export interface Attachment {
  readonly vertex: number
  /** Millimetres from the vertex to the place. */
  readonly away: number
}

interface Nearest {
  readonly chain: Chain
  readonly nth: number
  readonly share: number
  readonly point: Point
  readonly away: number
}

/** Where a symbol for the place is drawn: inside an area, half-way along the first of its lines. */
export function middleOfOutline({ lines, isArea }: Outline): Point {
  if (isArea) return middleOf(lines)
  const [line = []] = lines
  const [before, after] = [line[(line.length - 1) >> 1], line[line.length >> 1]]
  return before && after ? along(before, after, 0.5) : { x: 0, y: 0 }
}

/**
 * Leads a way from each outline to the nearest point of a path on its floor, and gives the path a vertex there.
 * `chains` and `vertices` are extended in place; an outline further than `most` millimetres from every path gets the
 * distance instead (`Infinity` where its floor has no path).
 */
export function attach(
  outlines: readonly Outline[],
  chains: readonly Chain[],
  vertices: Vertex[],
  { most, tolerance }: { most: number; tolerance: number },
): (Attachment | { tooFar: number })[] {
  const pointOf = (vertex: number | undefined) => vertices[vertex ?? -1]?.point ?? { x: 0, y: 0 }
  const found = outlines.map((outline) => nearestPath(outline, chains, vertices))
  const byStretch = new Map<Chain, Map<number, Nearest[]>>()
  const settled = new Map<Nearest, number>()
  for (const nearest of found) {
    if (!nearest || nearest.away > most) continue
    const { chain, nth, point } = nearest
    const ends = [chain.vertices[nth] ?? 0, chain.vertices[nth + 1] ?? 0]
    const [end = 0] = ends.sort((p, q) => distance(pointOf(p), point) - distance(pointOf(q), point))
    if (!chain.open || distance(pointOf(end), point) <= tolerance) {
      settled.set(nearest, end)
      continue
    }
    const stretch = byStretch.get(chain) ?? new Map<number, Nearest[]>()
    byStretch.set(chain, stretch.set(nth, [...(stretch.get(nth) ?? []), nearest]))
  }
  for (const [chain, stretch] of byStretch) {
    // From the end, so that the numbers of the stretches before stay true.
    for (const [nth, group] of [...stretch].sort(([p], [q]) => q - p)) {
      for (const nearest of group.sort((p, q) => q.share - p.share)) {
        const next = chain.vertices[nth + 1]
        const same = distance(pointOf(next), nearest.point) === 0
        settled.set(nearest, same && next !== undefined ? next : insert(chain, nth, nearest.point, vertices))
      }
    }
  }
  return found.map((nearest) => {
    const vertex = nearest && settled.get(nearest)
    if (!nearest || vertex === undefined) return { tooFar: nearest?.away ?? Infinity }
    return { vertex, away: nearest.away }
  })
}

function insert(chain: Chain, nth: number, point: Point, vertices: Vertex[]): number {
  const vertex = vertices.push({ point, level: chain.level }) - 1
  chain.vertices.splice(nth + 1, 0, vertex)
  chain.zones.splice(nth, 0, chain.zones[nth] ?? [])
  return vertex
}

function nearestPath(outline: Outline, chains: readonly Chain[], vertices: readonly Vertex[]): Nearest | undefined {
  let best: Nearest | undefined
  const box = boxOf(outline)
  for (const chain of chains) {
    for (const [nth, a, b] of leaving(chain, outline.level, vertices)) {
      if (best && gap(box, a, b) >= best.away) continue
      const { share, away } = nearestTo(outline, a, b)
      if (!best || away < best.away) best = { chain, nth, share, point: along(a, b, share), away }
    }
  }
  return best
}

/** Stretches that a way may leave: any of a footpath, and of stairs or a lift the end that is on the floor of the place. */
function* leaving(
  { vertices: own, level, open }: Chain,
  floor: number,
  vertices: readonly Vertex[],
): Generator<readonly [number, Point, Point]> {
  if (open && level !== floor) return
  for (let nth = 0; nth + 1 < own.length; nth++) {
    const [a, b] = [vertices[own[nth] ?? -1], vertices[own[nth + 1] ?? -1]]
    if (!a || !b) continue
    if (open) yield [nth, a.point, b.point]
    else if (nth === 0 && a.level === floor) yield [nth, a.point, a.point]
    if (!open && nth === own.length - 2 && b.level === floor) yield [nth, b.point, b.point]
  }
}

/** The share of the way from `a` to `b` at which an outline is nearest, and how far away it is there. */
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
    for (const [p, q] of stretches(line)) {
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

/** At least so far is it from a box to a stretch. */
function gap({ west, east, south, north }: Box, a: Point, b: Point): number {
  return Math.max(
    west - Math.max(a.x, b.x),
    Math.min(a.x, b.x) - east,
    south - Math.max(a.y, b.y),
    Math.min(a.y, b.y) - north,
  )
}
