/** Plane geometry on the grid. The side of a line that a point is on is computed in whole numbers, without rounding. */
import { distance, type Point } from './grid.ts'

/** Twice the signed area of a triangle: positive where `c` lies left of the line from `a` to `b`, 0 on it. */
export function side(a: Point, b: Point, c: Point): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/**
 * True if two segments cross. A point on the line counts as left of it, so that a line through the corner of two segments crosses
 * exactly one of them.
 */
export function cross(a: Point, b: Point, c: Point, d: Point): boolean {
  return side(a, b, c) >= 0 !== side(a, b, d) >= 0 && side(c, d, a) >= 0 !== side(c, d, b) >= 0
}

/** The crossing of two segments, as a share of the way from `a` to `b`. */
export function crossingAt(a: Point, b: Point, c: Point, d: Point): number {
  const [before, after] = [side(c, d, a), side(c, d, b)]
  return before / (before - after)
}

/** The point at a share of the way from `a` to `b`, to the millimetre. */
export function along(a: Point, b: Point, share: number): Point {
  return { x: Math.round(a.x + share * (b.x - a.x)), y: Math.round(a.y + share * (b.y - a.y)) }
}

/** The share of the way from `a` to `b` at which a point is nearest. */
export function nearestShare(a: Point, b: Point, point: Point): number {
  const [x, y] = [b.x - a.x, b.y - a.y]
  const length = x * x + y * y
  if (length === 0) return 0
  return Math.min(1, Math.max(0, ((point.x - a.x) * x + (point.y - a.y) * y) / length))
}

/** Millimetres from a point to a segment. */
export function distanceTo(a: Point, b: Point, point: Point): number {
  return distance(along(a, b, nearestShare(a, b, point)), point)
}

/** A polygon's outer ring and its holes, each ending with its first point. */
export type Area = readonly (readonly Point[])[]

/** By the even-odd rule, over the rings of one or more areas. A point on the border is on one side of it. */
export function isInside(rings: Area, point: Point): boolean {
  let inside = false
  for (const ring of rings) {
    let a = ring.at(-1)
    // Called for every segment of every path: a plain loop is ten times as fast as one over pairs.
    for (const b of ring) {
      if (a && a.y > point.y !== b.y > point.y) {
        const turn = side(a, b, point)
        if (b.y > a.y ? turn > 0 : turn < 0) inside = !inside
      }
      a = b
    }
  }
  return inside
}

/** The segments between consecutive points. */
export function* segments(points: readonly Point[]): Generator<readonly [Point, Point]> {
  let before: Point | undefined
  for (const point of points) {
    if (before) yield [before, point]
    before = point
  }
}

/** Twice the area that a ring encloses, in square millimetres. */
export function areaOf(ring: readonly Point[]): number {
  const [origin] = ring
  let sum = 0
  if (origin) for (const [a, b] of segments(ring)) sum += side(origin, a, b)
  return Math.abs(sum)
}

const SCAN_LINES = 9

/** A point well inside an area, for a label or symbol: the middle of the widest of a few horizontal cuts. */
export function middleOf(rings: Area): Point {
  const ys = rings.flat().map((point) => point.y)
  // Not Math.min(...ys): a border of a hundred thousand corners would overflow the stack.
  const [low, high] = [ys.reduce((a, b) => Math.min(a, b), Infinity), ys.reduce((a, b) => Math.max(a, b), -Infinity)]
  let [widest, middle] = [-1, rings[0]?.[0] ?? { x: 0, y: 0 }]
  for (let i = 1; i <= SCAN_LINES; i++) {
    const y = Math.round(low + ((high - low) * i) / (SCAN_LINES + 1))
    // A cut near the top or bottom has to be wider, because a label needs room above and below too.
    const room = 1 - Math.abs((2 * i) / (SCAN_LINES + 1) - 1) / 2
    const cuts = crossings(rings, y)
    for (let k = 0; k + 1 < cuts.length; k += 2) {
      const [left, right] = [cuts[k] ?? 0, cuts[k + 1] ?? 0]
      if ((right - left) * room <= widest) continue
      widest = (right - left) * room
      middle = { x: Math.round((left + right) / 2), y }
    }
  }
  return middle
}

function crossings(rings: Area, y: number): number[] {
  const cuts: number[] = []
  for (const ring of rings) {
    for (const [a, b] of segments(ring)) {
      if (a.y > y !== b.y > y) cuts.push(a.x + ((y - a.y) * (b.x - a.x)) / (b.y - a.y))
    }
  }
  return cuts.sort((p, q) => p - q)
}
