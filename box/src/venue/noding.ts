/**
 * Noding (as in OGC Simple Features): finds where drawn lines meet, and splits them there. It has a tolerance, because
 * streets that meet on the ground may miss each other on the screen.
 *
 * On one floor, two paths are joined where they cross, where a corner or an end of one touches the other, and where their
 * corners coincide, all within the tolerance. Paths on different floors are not joined: a bridge is a path on another floor.
 * Named nodes on one spot stay apart. A footpath drawn over the spot passes all of them, but one that names its end there means
 * that node alone; where stairs or a lift end on the spot without naming a node, nothing says which.
 */
import { distance, NOISE, type Point } from './grid.ts'
import { along, cross, crossingAt, distanceTo, nearestShare } from './plane.ts'
import { type Vertex, VertexIndex } from './vertices.ts'

export interface Line {
  readonly points: readonly Point[]
  readonly level: number
  /** Footpaths join along their whole length; stairs, escalators and lifts only at their ends. */
  readonly joins: 'everywhere' | 'ends'
  /** Named nodes at the first and last point, as indices of the pins. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** A named node. It keeps its position, and two pins are never merged. */
export interface Pin {
  readonly point: Point
  readonly level: number
}

/** A segment of a zone's border, on every floor if `level` is null. Paths get a vertex where they cross it, and are not joined with it. */
export interface Cut {
  readonly a: Point
  readonly b: Point
  readonly level: number | null
}

export interface NodedLines {
  /** The pins come first, in their order. */
  readonly vertices: Vertex[]
  /** The vertices of each line. With fewer than two, nothing is left of the line. */
  readonly chains: number[][]
  /** Ends of stairs, escalators and lifts that are equally near to several vertices, of which the chain has the first. */
  readonly ties: readonly { readonly line: number; readonly vertices: readonly number[] }[]
}

/** A segment of a line, a pin (both ends alike) or a cut. */
interface Segment {
  readonly a: Point
  readonly b: Point
  readonly level: number | null
  readonly line: number
  /** Its number within the line. */
  readonly nth: number
  readonly kind: 'path' | 'closed' | 'pin' | 'cut'
  /** Index of the pin, for a pin. */
  readonly pin?: number
  readonly splits: Split[]
}

interface Split {
  readonly share: number
  readonly point: Point
  /** Index of the pin that the line passes here. */
  readonly pin?: number | undefined
}

/** More meeting points than any venue has: this stops a file that was made to take long. */
const MAX_SPLITS = 400_000

/**
 * The result depends on the order of lines, pins and cuts, so it must not depend on the order in the file.
 * @param tolerance in millimetres
 * @returns undefined when the lines cross more often than those of any map
 */
export function nodeLines(
  lines: readonly Line[],
  pins: readonly Pin[],
  cuts: readonly Cut[],
  tolerance: number,
): NodedLines | undefined {
  const segments = [...segmentsOf(lines), ...pins.map(pinned), ...cuts.map(cutting)]
  if (!split(segments, { lines, pins, tolerance })) return undefined

  const corners = new VertexIndex(pins, tolerance)
  const byLine = new Map<number, Segment[]>()
  for (const segment of segments) {
    if (segment.kind === 'pin' || segment.kind === 'cut') continue
    const own = byLine.get(segment.line)
    if (own) own.push(segment)
    else byLine.set(segment.line, [segment])
  }
  const drafts = lines.map((line, i) => draft(line, byLine.get(i) ?? []))
  // Drawn corners keep their position; computed crossings move to them.
  for (const weight of ['drawn', 'found'] as const) {
    const points = drafts.flatMap(({ steps, level }) =>
      steps.filter((step) => step.joins === weight && step.pin === undefined).map(({ point }) => ({ point, level })),
    )
    corners.settle(points)
  }
  const ties: { line: number; vertices: number[] }[] = []
  const chains = drafts.map(({ steps, level }, line) => {
    const chain: number[] = []
    for (const { point, joins, pin } of steps) {
      const near = pin === undefined && joins !== 'own' ? corners.nearest(point, level) : []
      if (near.length > 1 && lines[line]?.joins === 'ends') ties.push({ line, vertices: near })
      const last = chain.at(-1)
      // Of named nodes on one spot the one that the line has just reached. Otherwise the first: that is the same for each line that
      // meets others in this point.
      const reached = near.find((each) => each === last && areOnOneSpot(corners.vertices, each, near[0]))
      const vertex = pin ?? reached ?? near[0] ?? corners.add(point, level)
      if (vertex !== last) chain.push(vertex)
    }
    return chain
  })
  return { vertices: corners.vertices, chains, ties }
}

function areOnOneSpot(vertices: readonly Vertex[], one: number, other = one): boolean {
  const [a, b] = [vertices[one], vertices[other]]
  return a !== undefined && b !== undefined && distance(a.point, b.point) <= NOISE
}

function* segmentsOf(lines: readonly Line[]): Generator<Segment> {
  for (const [line, { points, level, joins }] of lines.entries()) {
    const kind = joins === 'everywhere' ? 'path' : 'closed'
    for (let nth = 0; nth + 1 < points.length; nth++) {
      const [a, b] = [points[nth], points[nth + 1]]
      if (a && b) yield { a, b, level, line, nth, kind, splits: [] }
    }
  }
}

const pinned = ({ point, level }: Pin, pin: number): Segment => ({
  a: point,
  b: point,
  level,
  line: -1,
  nth: 0,
  kind: 'pin',
  pin,
  splits: [],
})
const cutting = ({ a, b, level }: Cut): Segment => ({ a, b, level, line: -1, nth: 0, kind: 'cut', splits: [] })

interface Drawing {
  readonly lines: readonly Line[]
  readonly pins: readonly Pin[]
  readonly tolerance: number
}

/** Finds every meeting of two segments, by a sweep from west to east. @returns false when there are too many */
function split(segments: readonly Segment[], drawing: Drawing): boolean {
  const { tolerance } = drawing
  const count = segments.length
  const bound = (pick: (a: number, b: number) => number, axis: 'x' | 'y') =>
    Float64Array.from(segments, ({ a, b }) => pick(a[axis], b[axis]))
  const [west, east, south, north] = [
    bound(Math.min, 'x'),
    bound(Math.max, 'x'),
    bound(Math.min, 'y'),
    bound(Math.max, 'y'),
  ]
  const order = Uint32Array.from(segments.keys()).sort((i, j) => (west[i] ?? 0) - (west[j] ?? 0) || i - j)
  let splits = 0
  for (let p = 0; p < count; p++) {
    const i = order[p] ?? 0
    const reach = (east[i] ?? 0) + tolerance
    const [low, high] = [(south[i] ?? 0) - tolerance, (north[i] ?? 0) + tolerance]
    for (let q = p + 1; q < count; q++) {
      const j = order[q] ?? 0
      if ((west[j] ?? 0) > reach) break
      if ((south[j] ?? 0) > high || (north[j] ?? 0) < low) continue
      // In the given order, so that rounding does not depend on which lies further west.
      const [one, other] = [segments[Math.min(i, j)], segments[Math.max(i, j)]]
      if (one && other) splits += meet(one, other, drawing)
      if (splits > MAX_SPLITS) return false
    }
  }
  return true
}

/** Splits both segments where they meet. @returns how many splits were added */
function meet(one: Segment, other: Segment, drawing: Drawing): number {
  if (one.level !== null && other.level !== null && one.level !== other.level) return 0
  const before = one.splits.length + other.splits.length
  if (one.kind === 'cut' || other.kind === 'cut') {
    const [path, cut] = one.kind === 'cut' ? [other, one] : [one, other]
    if (path.kind !== 'cut' && path.kind !== 'pin' && cross(path.a, path.b, cut.a, cut.b)) {
      const share = crossingAt(path.a, path.b, cut.a, cut.b)
      path.splits.push({ share, point: along(path.a, path.b, share) })
    }
  } else if (!(one.line === other.line && one.line >= 0 && Math.abs(one.nth - other.nth) <= 1)) {
    if (one.kind === 'path' && other.kind === 'path' && cross(one.a, one.b, other.a, other.b)) {
      const share = crossingAt(one.a, one.b, other.a, other.b)
      const point = along(one.a, one.b, share)
      one.splits.push({ share, point })
      other.splits.push({ share: nearestShare(other.a, other.b, point), point })
    }
    touch(one, other, drawing)
    touch(other, one, drawing)
  }
  return one.splits.length + other.splits.length - before
}

/** Splits `path` where an end of `segment` lies on it. */
function touch(segment: Segment, path: Segment, drawing: Drawing): void {
  if (path.kind !== 'path' || isNamedOtherwise(segment, path, drawing)) return
  for (const point of touchingEnds(segment, drawing.lines[segment.line])) {
    if (distanceTo(path.a, path.b, point) > drawing.tolerance) continue
    path.splits.push({ share: nearestShare(path.a, path.b, point), point, pin: segment.pin })
  }
}

/** True if the path begins or ends on a pin's spot, at another pin that it names. */
function isNamedOtherwise({ pin, a }: Segment, { line, nth }: Segment, { lines, pins }: Drawing): boolean {
  const { points, from, to } = lines[line] ?? { points: [] }
  const ends = [nth === 0 ? from : undefined, nth === points.length - 2 ? to : undefined]
  if (pin === undefined || ends.includes(pin)) return false
  return ends.some((end) => distance(pins[end ?? -1]?.point ?? NOWHERE, a) === 0)
}

const NOWHERE: Point = { x: Number.POSITIVE_INFINITY, y: 0 }

/** The ends of a segment that may touch others. An end at a named node does not: the node may be on another floor. */
function touchingEnds({ a, b, kind, nth }: Segment, line: Line | undefined): Point[] {
  if (!line) return kind === 'pin' ? [a] : []
  const ends: Point[] = []
  if (nth === 0 ? line.from === undefined : kind === 'path') ends.push(a)
  if (nth === line.points.length - 2 ? line.to === undefined : kind === 'path') ends.push(b)
  return ends
}

interface Step {
  readonly point: Point
  /** Merged with others as a drawn corner, as a computed meeting point, or not at all. */
  readonly joins: 'drawn' | 'found' | 'own'
  readonly pin?: number | undefined
}

/** The points of a line in order: its own, and the meeting points between them. */
function draft(line: Line, segments: readonly Segment[]): { steps: Step[]; level: number } {
  const open = line.joins === 'everywhere'
  const [first] = line.points
  const steps: Step[] = first ? [{ point: first, joins: 'drawn', pin: line.from }] : []
  for (const { b, nth, splits } of segments) {
    splits.sort((p, q) => p.share - q.share || p.point.x - q.point.x || p.point.y - q.point.y)
    for (const { point, pin } of forthAndBack(splits)) steps.push({ point, joins: open ? 'found' : 'own', pin })
    if (nth === line.points.length - 2) steps.push({ point: b, joins: 'drawn', pin: line.to })
    else steps.push({ point: b, joins: open ? 'drawn' : 'own' })
  }
  return { steps, level: line.level }
}

/** Nodes on one spot are passed forth and back, so that also a one-way path leads to each of them, whatever their order. */
function* forthAndBack(splits: readonly Split[]): Generator<Split> {
  let pins: Split[] = []
  for (const [i, split] of splits.entries()) {
    yield split
    if (split.pin !== undefined) pins.push(split)
    if (splits[i + 1]?.share === split.share) continue
    if (pins.length > 1) yield* pins.reverse()
    pins = []
  }
}
