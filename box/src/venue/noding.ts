/**
 * From lines as people draw them to a network: where do paths meet? Noding, as in the Simple Features world, with a
 * tolerance, because streets that meet on the ground miss each other by a hand's breadth on the screen.
 *
 * On one floor, two paths are joined where they cross, where a corner or an end of one touches the other, and where their
 * corners coincide, all within the tolerance. Different floors never meet: a bridge is a path on another floor.
 */
import { distance, type Point } from './grid.ts'
import { along, cross, crossingAt, distanceTo, nearestShare } from './plane.ts'

export interface Line {
  readonly points: readonly Point[]
  readonly level: number
  /** Footpaths join along their whole length; nobody steps on stairs, escalators or lifts half-way. */
  readonly joins: 'everywhere' | 'ends'
  /** Named nodes at the first and last point, as indices of the pins. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** A named node: it keeps its place, and two of them never become one. */
export interface Pin {
  readonly point: Point
  readonly level: number
}

/** A stretch of a zone's border, on every floor where `level` is null: paths get a vertex there, and are not joined to it. */
export interface Cut {
  readonly a: Point
  readonly b: Point
  readonly level: number | null
}

export interface Vertex {
  readonly point: Point
  readonly level: number
}

export interface Noded {
  /** The pins come first, in their order. */
  readonly vertices: Vertex[]
  /** For each line the vertices that it runs through. Fewer than two: nothing is left of the line. */
  readonly chains: number[][]
}

/** A stretch of a line, a pin (both ends alike) or a cut. */
interface Stretch {
  readonly a: Point
  readonly b: Point
  readonly level: number | null
  readonly line: number
  /** Which stretch of its line. */
  readonly nth: number
  readonly kind: 'path' | 'closed' | 'pin' | 'cut'
  readonly splits: Split[]
}

interface Split {
  readonly share: number
  readonly point: Point
}

/** More meeting points than any venue has; a file made to be slow is stopped here. */
const MOST_SPLITS = 400_000

/**
 * Lines, pins and cuts have to come in an order that does not depend on the file's: the result follows from it.
 * @param tolerance in millimetres
 * @returns undefined when the lines cross so often that no map can be meant
 */
export function nodeLines(
  lines: readonly Line[],
  pins: readonly Pin[],
  cuts: readonly Cut[],
  tolerance: number,
): Noded | undefined {
  const stretches = [...stretchesOf(lines), ...pins.map(pinned), ...cuts.map(cutting)]
  if (!split(stretches, lines, tolerance)) return undefined

  const corners = new Corners(pins, tolerance)
  const byLine = new Map<number, Stretch[]>()
  for (const stretch of stretches) {
    if (stretch.kind === 'pin' || stretch.kind === 'cut') continue
    const own = byLine.get(stretch.line)
    if (own) own.push(stretch)
    else byLine.set(stretch.line, [stretch])
  }
  const drafts = lines.map((line, i) => draft(line, byLine.get(i) ?? []))
  // Corners that were drawn keep their place, crossings that were computed give way to them.
  for (const weight of ['drawn', 'found'] as const) {
    const points = drafts.flatMap(({ steps, level }) =>
      steps.filter((step) => step.joins === weight && step.pin === undefined).map(({ point }) => ({ point, level })),
    )
    corners.settle(points)
  }
  const chains = drafts.map(({ steps, level }) => {
    const chain = steps.map(({ point, joins, pin }) => pin ?? corners[joins === 'own' ? 'add' : 'find'](point, level))
    return chain.filter((vertex, i) => vertex !== chain[i - 1])
  })
  return { vertices: corners.vertices, chains }
}

function* stretchesOf(lines: readonly Line[]): Generator<Stretch> {
  for (const [line, { points, level, joins }] of lines.entries()) {
    const kind = joins === 'everywhere' ? 'path' : 'closed'
    for (let nth = 0; nth + 1 < points.length; nth++) {
      const [a, b] = [points[nth], points[nth + 1]]
      if (a && b) yield { a, b, level, line, nth, kind, splits: [] }
    }
  }
}

const pinned = ({ point, level }: Pin): Stretch => ({
  a: point,
  b: point,
  level,
  line: -1,
  nth: 0,
  kind: 'pin',
  splits: [],
})
const cutting = ({ a, b, level }: Cut): Stretch => ({ a, b, level, line: -1, nth: 0, kind: 'cut', splits: [] })

/** Finds every meeting of two stretches, by a sweep from west to east. @returns false when there are too many */
function split(stretches: readonly Stretch[], lines: readonly Line[], tolerance: number): boolean {
  const count = stretches.length
  const bound = (pick: (a: number, b: number) => number, axis: 'x' | 'y') =>
    Float64Array.from(stretches, ({ a, b }) => pick(a[axis], b[axis]))
  const [west, east, south, north] = [
    bound(Math.min, 'x'),
    bound(Math.max, 'x'),
    bound(Math.min, 'y'),
    bound(Math.max, 'y'),
  ]
  const order = Uint32Array.from(stretches.keys()).sort((i, j) => (west[i] ?? 0) - (west[j] ?? 0) || i - j)
  let splits = 0
  for (let p = 0; p < count; p++) {
    const i = order[p] ?? 0
    const reach = (east[i] ?? 0) + tolerance
    const [low, high] = [(south[i] ?? 0) - tolerance, (north[i] ?? 0) + tolerance]
    for (let q = p + 1; q < count; q++) {
      const j = order[q] ?? 0
      if ((west[j] ?? 0) > reach) break
      if ((south[j] ?? 0) > high || (north[j] ?? 0) < low) continue
      // The one that was given first goes first: rounding must not depend on which lies further west.
      const [one, other] = [stretches[Math.min(i, j)], stretches[Math.max(i, j)]]
      if (one && other) splits += meet(one, other, lines, tolerance)
      if (splits > MOST_SPLITS) return false
    }
  }
  return true
}

/** Notes on both stretches where they meet. @returns how many notes */
function meet(one: Stretch, other: Stretch, lines: readonly Line[], tolerance: number): number {
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
    touch(one, other, lines, tolerance)
    touch(other, one, lines, tolerance)
  }
  return one.splits.length + other.splits.length - before
}

/** Splits `path` where an end of `stretch` lies on it. */
function touch(stretch: Stretch, path: Stretch, lines: readonly Line[], tolerance: number): void {
  if (path.kind !== 'path') return
  for (const point of freeEnds(stretch, lines[stretch.line])) {
    if (distanceTo(path.a, path.b, point) > tolerance) continue
    path.splits.push({ share: nearestShare(path.a, path.b, point), point })
  }
}

/** The ends of a stretch that may touch others. One at a named node is where that node is, which may be another floor. */
function freeEnds({ a, b, kind, nth }: Stretch, line: Line | undefined): Point[] {
  if (!line) return kind === 'pin' ? [a] : []
  const ends: Point[] = []
  if (nth === 0 ? line.from === undefined : kind === 'path') ends.push(a)
  if (nth === line.points.length - 2 ? line.to === undefined : kind === 'path') ends.push(b)
  return ends
}

interface Step {
  readonly point: Point
  /** Joined with others as a corner that was drawn, as a meeting point that was found, or not at all. */
  readonly joins: 'drawn' | 'found' | 'own'
  readonly pin?: number | undefined
}

/** The points that a line runs through, in order, with the meeting points between its own. */
function draft(line: Line, stretches: readonly Stretch[]): { steps: Step[]; level: number } {
  const open = line.joins === 'everywhere'
  const [first] = line.points
  const steps: Step[] = first ? [{ point: first, joins: 'drawn', pin: line.from }] : []
  for (const { b, nth, splits } of stretches) {
    splits.sort((p, q) => p.share - q.share || p.point.x - q.point.x || p.point.y - q.point.y)
    for (const { point } of splits) steps.push({ point, joins: open ? 'found' : 'own' })
    if (nth === line.points.length - 2) steps.push({ point: b, joins: 'drawn', pin: line.to })
    else steps.push({ point: b, joins: open ? 'drawn' : 'own' })
  }
  return { steps, level: line.level }
}

/** The vertices of the network. Points within the tolerance of an earlier one become that one. */
class Corners {
  readonly vertices: Vertex[] = []
  readonly #tolerance: number
  readonly #size: number
  readonly #cells = new Map<string, number[]>()

  constructor(pins: readonly Pin[], tolerance: number) {
    this.#tolerance = tolerance
    this.#size = Math.max(1, tolerance)
    for (const { point, level } of pins) this.#register(this.add(point, level))
  }

  /** A vertex that nothing else is joined with. */
  add(point: Point, level: number): number {
    return this.vertices.push({ point, level }) - 1
  }

  /** Makes vertices of points, from floor to floor and west to east: a rule that no order of the file can change. */
  settle(points: readonly Vertex[]): void {
    const sorted = [...points].sort((a, b) => a.level - b.level || a.point.x - b.point.x || a.point.y - b.point.y)
    for (const { point, level } of sorted) {
      if (this.#nearest(point, level) === undefined) this.#register(this.add(point, level))
    }
  }

  /** The vertex that a settled point has become. */
  find(point: Point, level: number): number {
    return this.#nearest(point, level) ?? this.add(point, level)
  }

  #nearest(point: Point, level: number): number | undefined {
    let [best, least] = [undefined as number | undefined, Infinity]
    const [column, row] = [Math.floor(point.x / this.#size), Math.floor(point.y / this.#size)]
    for (let i = column - 1; i <= column + 1; i++) {
      for (let j = row - 1; j <= row + 1; j++) {
        for (const vertex of this.#cells.get(`${level} ${i} ${j}`) ?? []) {
          const away = distance(this.vertices[vertex]?.point ?? point, point)
          // Of two that are equally near, the one that was settled first.
          if (away > this.#tolerance || away > least || (away === least && vertex > (best ?? -1))) continue
          best = vertex
          least = away
        }
      }
    }
    return best
  }

  #register(vertex: number): void {
    const { point, level } = this.vertices[vertex] ?? { point: { x: 0, y: 0 }, level: 0 }
    const key = `${level} ${Math.floor(point.x / this.#size)} ${Math.floor(point.y / this.#size)}`
    const cell = this.#cells.get(key)
    if (cell) cell.push(vertex)
    else this.#cells.set(key, [vertex])
  }
}
