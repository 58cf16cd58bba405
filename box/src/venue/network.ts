/** The compiled map as a directed graph in typed arrays, and shortest paths through it. */
import type { VenueMap } from '@gatehouse/proto/wire/venue.ts'

/** Each edge becomes one arc, or two if it leads both ways. Arcs are grouped by the node that they leave. */
export interface Network {
  readonly nodeCount: number
  /** The arcs of node n are those from `first[n]` up to `first[n + 1]`. */
  readonly first: Uint32Array
  readonly target: Uint32Array
  readonly origin: Uint32Array
  /** Index of the map's edge. */
  readonly edge: Uint32Array
  readonly seconds: Float64Array
  /** Infinity where the way is not step-free. */
  readonly stepFreeSeconds: Float64Array
  /** Index into `zoneSets`. */
  readonly zoneSet: Uint32Array
  readonly zoneSets: readonly (readonly string[])[]
}

export function networkOf({ nodes, edges }: Pick<VenueMap, 'nodes' | 'edges'>): Network {
  const zoneSets: string[][] = []
  const zoneSetOf = new Map<string, number>()
  const arcs = edges.flatMap(({ nodes: [a, b], seconds, step_free, step_free_seconds, zones }, edge) => {
    const key = JSON.stringify(zones)
    const zoneSet = zoneSetOf.get(key) ?? zoneSets.push([...zones]) - 1
    zoneSetOf.set(key, zoneSet)
    // `step_free` decides, even if the map gives a time beside it.
    const [rolled, rolledBack] = (step_free !== false && step_free_seconds) || [Infinity, null]
    const there = { origin: a, target: b, edge, zoneSet, seconds: seconds[0], rolled }
    if (seconds[1] === null) return [there]
    return [there, { origin: b, target: a, edge, zoneSet, seconds: seconds[1], rolled: rolledBack ?? Infinity }]
  })
  arcs.sort((p, q) => p.origin - q.origin || p.edge - q.edge)
  const first = new Uint32Array(nodes.length + 1)
  for (const { origin } of arcs) first[origin + 1] = (first[origin + 1] ?? 0) + 1
  for (let node = 0; node < nodes.length; node++) first[node + 1] = (first[node + 1] ?? 0) + (first[node] ?? 0)
  return {
    nodeCount: nodes.length,
    first,
    target: Uint32Array.from(arcs, (arc) => arc.target),
    origin: Uint32Array.from(arcs, (arc) => arc.origin),
    edge: Uint32Array.from(arcs, (arc) => arc.edge),
    seconds: Float64Array.from(arcs, (arc) => arc.seconds),
    stepFreeSeconds: Float64Array.from(arcs, (arc) => arc.rolled),
    zoneSet: Uint32Array.from(arcs, (arc) => arc.zoneSet),
    zoneSets,
  }
}

export interface Walker {
  readonly stepFree: boolean
  /** True if the walker may be where all of these zones are required; no zone means outside. */
  readonly mayEnter: (zones: readonly string[]) => boolean
}

/** The shortest paths from one place to every node. */
export interface PathTree {
  /** Infinity for a node that cannot be reached. */
  readonly seconds: Float64Array
  /** The last arc of the shortest path to each node, -1 at the start and where there is none. */
  readonly arrival: Int32Array
}

/**
 * Dijkstra's algorithm. Arcs that the walker may not enter or cannot pass are left out. Of two paths that take equally long it
 * keeps the first by node and edge, so that the result is always the same.
 */
export function shortestPathTree(network: Network, starts: readonly number[], walker: Walker): PathTree {
  const { first, target, zoneSet } = network
  const cost = walker.stepFree ? network.stepFreeSeconds : network.seconds
  const open = network.zoneSets.map((zones) => walker.mayEnter(zones))
  const seconds = new Float64Array(network.nodeCount).fill(Infinity)
  const arrival = new Int32Array(network.nodeCount).fill(-1)
  const queue = new NodeQueue(target.length + starts.length)
  for (const start of starts) {
    seconds[start] = 0
    queue.push(start, 0)
  }
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    const here = seconds[node] ?? Infinity
    if (queue.poppedAt > here) continue
    const end = first[node + 1] ?? 0
    for (let arc = first[node] ?? 0; arc < end; arc++) {
      if (!open[zoneSet[arc] ?? 0]) continue
      const there = target[arc] ?? 0
      const after = here + (cost[arc] ?? Infinity)
      if (after >= (seconds[there] ?? 0)) continue
      seconds[there] = after
      arrival[there] = arc
      queue.push(there, after)
    }
  }
  return { seconds, arrival }
}

/** The arcs of the shortest path to a node, in walking order. */
export function arcsTo({ origin }: Network, { arrival }: PathTree, node: number): number[] {
  const arcs: number[] = []
  for (let arc = arrival[node] ?? -1; arc >= 0; arc = arrival[origin[arc] ?? 0] ?? -1) arcs.push(arc)
  return arcs.reverse()
}

/** A binary heap of nodes by time, then by number. Outdated entries stay in it, and the caller skips them. */
class NodeQueue {
  poppedAt = 0
  #size = 0
  readonly #nodes: Uint32Array
  readonly #times: Float64Array

  constructor(capacity: number) {
    this.#nodes = new Uint32Array(capacity)
    this.#times = new Float64Array(capacity)
  }

  push(node: number, time: number): void {
    let hole = this.#size++
    while (hole > 0) {
      const parent = (hole - 1) >> 1
      if (!this.#isBefore(node, time, parent)) break
      this.#move(parent, hole)
      hole = parent
    }
    this.#nodes[hole] = node
    this.#times[hole] = time
  }

  pop(): number | undefined {
    if (this.#size === 0) return undefined
    const top = this.#nodes[0]
    this.poppedAt = this.#times[0] ?? 0
    this.#size--
    const [node, time] = [this.#nodes[this.#size] ?? 0, this.#times[this.#size] ?? 0]
    let hole = 0
    for (let child = 1; child < this.#size; child = 2 * hole + 1) {
      const right = child + 1
      if (right < this.#size && this.#isBefore(this.#nodes[right] ?? 0, this.#times[right] ?? 0, child)) child = right
      if (this.#isBefore(node, time, child)) break
      this.#move(child, hole)
      hole = child
    }
    this.#nodes[hole] = node
    this.#times[hole] = time
    return top
  }

  #isBefore(node: number, time: number, other: number): boolean {
    const otherTime = this.#times[other] ?? 0
    return time < otherTime || (time === otherTime && node < (this.#nodes[other] ?? 0))
  }

  #move(from: number, to: number): void {
    this.#nodes[to] = this.#nodes[from] ?? 0
    this.#times[to] = this.#times[from] ?? 0
  }
}
