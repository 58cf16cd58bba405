/** Builds the nodes and edges of the plan from chains of vertices. Nodes are only where paths meet, zones change or places are attached. */
import type { MapEdge, Position } from '@gatehouse/proto/wire/venue.ts'
import type { Chain } from './attach.ts'
import { distance, type Grid } from './grid.ts'
import type { BothWays, Traversal } from './traversal.ts'
import type { Vertex } from './vertices.ts'

export interface Graph {
  readonly nodes: [number, number, number][]
  readonly edges: MapEdge[]
  /** Vertex to node. */
  readonly nodeOf: ReadonlyMap<number, number>
}

/** Metres and seconds have two decimals in a plan. */
export const hundredths = (value: number): number => Math.round(value * 100) / 100

/** Vertices in a row between two junctions, all in the same zones. */
interface Run {
  readonly path: number
  readonly vertices: readonly number[]
  readonly zones: readonly string[]
}

/**
 * @param attached vertices at which places are attached
 * @param paceOf what a path takes as a whole, given the metres that its line has; a part takes its share of that
 */
export function graphOf(
  chains: readonly Chain[],
  vertices: readonly Vertex[],
  attached: ReadonlySet<number>,
  grid: Grid,
  paceOf: (path: number, metres: number) => Traversal & { metres: number },
): Graph {
  const at = (vertex: number | undefined) => vertices[vertex ?? -1] ?? NOWHERE
  const lengthOf = (own: readonly number[]) =>
    own.reduce((sum, vertex, i) => sum + (i > 0 ? distance(at(own[i - 1]).point, at(vertex).point) : 0), 0) / 1000

  const whole = new Map<number, number>()
  for (const { path, vertices: own } of chains) whole.set(path, (whole.get(path) ?? 0) + lengthOf(own))
  const paces = new Map([...whole].map(([path, metres]) => [path, paceOf(path, metres)]))

  const junctions = junctionsAmong(chains, attached)
  const runs = chains.flatMap((chain) => [...runsOf(chain, junctions)])
  const ends = [...new Set(runs.flatMap(({ vertices: own }) => [own[0] ?? 0, own.at(-1) ?? 0]))].sort((a, b) => {
    const [p, q] = [at(a), at(b)]
    return p.level - q.level || p.point.x - q.point.x || p.point.y - q.point.y || a - b
  })
  const nodeOf = new Map(ends.map((vertex, node) => [vertex, node]))
  const edges = runs.flatMap(({ path, vertices: own, zones }): MapEdge[] => {
    const pace = paces.get(path)
    if (!pace) return []
    const length = whole.get(path) ?? 0
    // A lift has no length on a map: it is a single edge.
    const share = length > 0 ? lengthOf(own) / length : 1
    const bends = own.slice(1, -1).map((vertex): Position => grid.toDegrees(at(vertex).point))
    return [
      {
        path,
        nodes: [nodeOf.get(own[0] ?? 0) ?? 0, nodeOf.get(own.at(-1) ?? 0) ?? 0],
        ...(bends.length > 0 && { line: bends }),
        metres: hundredths(pace.metres * share),
        seconds: shareOf(pace.seconds, share),
        step_free: pace.step_free,
        ...(pace.step_free_seconds && { step_free_seconds: shareOf(pace.step_free_seconds, share) }),
        zones: [...zones],
      },
    ]
  })
  return { nodeOf, edges, nodes: ends.map((vertex) => [...grid.toDegrees(at(vertex).point), at(vertex).level]) }
}

const NOWHERE: Vertex = { point: { x: 0, y: 0 }, level: 0 }

function shareOf([there, back]: BothWays, share: number): [number, number | null] {
  return [hundredths(there * share), back === null ? null : hundredths(back * share)]
}

/** Vertices at which a walker has a choice: ends of paths, crossings, and where places are attached. */
function junctionsAmong(chains: readonly Chain[], attached: ReadonlySet<number>): Set<number> {
  const junctions = new Set(attached)
  const seen = new Set<number>()
  for (const { vertices } of chains) {
    for (const [i, vertex] of vertices.entries()) {
      if (seen.has(vertex) || i === 0 || i === vertices.length - 1) junctions.add(vertex)
      seen.add(vertex)
    }
  }
  return junctions
}

function* runsOf({ path, vertices, zones }: Chain, junctions: ReadonlySet<number>): Generator<Run> {
  let start = 0
  for (let i = 1; i < vertices.length; i++) {
    const here = zones[i - 1] ?? []
    const goesOn = !junctions.has(vertices[i] ?? 0) && i < vertices.length - 1 && sameZones(here, zones[i] ?? [])
    if (goesOn) continue
    yield { path, vertices: vertices.slice(start, i + 1), zones: here }
    start = i
  }
}

function sameZones(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((zone, i) => zone === b[i])
}
