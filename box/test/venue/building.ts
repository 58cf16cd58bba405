/**
 * Random buildings of several floors, and what is true in them. The truth is worked out from the building alone, by lists of edges:
 * without coordinates on a grid, without noding, and without the network that the compiler makes.
 */
import fc from 'fast-check'
import { type Feature, feature, line, point } from './sketch.ts'

/** Corridors run along two rows, and across between them; everything stands on multiples of 5 m. */
const LENGTH = 40
const ROWS = [0, 20] as const
const ACROSS = 20
const STEP = 5

type Access = 'yes' | 'no' | 'unknown'

interface Corridor {
  readonly access: Access
  readonly oneWay: boolean
}

export interface Node {
  readonly floor: number
  readonly x: number
  readonly y: number
}

interface Connector {
  readonly from: number
  readonly to: number
  readonly mode: 1 | 2 | 4 | 5 | 6
  readonly seconds: number
  readonly slower: number
  readonly access: Access
  readonly bothWays: boolean
  /** Only its line says where it ends. */
  readonly endDrawn: boolean
}

interface Place {
  readonly node: number
  readonly floor: number
  readonly x: number
  readonly y: number
  /** By `node`, by the id of its node, or by its position alone. */
  readonly by: 'node' | 'id' | 'position'
  readonly access: Access
}

export interface Building {
  readonly levels: readonly number[]
  /** For each floor: both rows, and the corridor across. */
  readonly corridors: readonly (readonly (Corridor | null)[])[]
  readonly nodes: readonly Node[]
  readonly connectors: readonly Connector[]
  readonly amenities: readonly Place[]
  readonly gates: readonly Place[]
}

const access = fc.constantFrom<Access[]>('yes', 'yes', 'no', 'unknown')
const corridor = fc.option(fc.record({ access, oneWay: fc.boolean() }), { freq: 3 })

export const building: fc.Arbitrary<Building> = fc
  .subarray([-1, 0, 0.5, 1, 2], { minLength: 1, maxLength: 4 })
  .chain((levels) => {
    const floor = fc.nat(levels.length - 1)
    // Few spots, so that many nodes share one.
    const node = fc.record({ floor, x: fc.constantFrom(0, 10, 20, 40), y: fc.constantFrom(0, 0, 10, 20) })
    return fc.record({
      levels: fc.constant(levels),
      corridors: fc.array(fc.tuple(corridor, corridor, corridor), {
        minLength: levels.length,
        maxLength: levels.length,
      }),
      nodes: fc.array(node, { minLength: 2, maxLength: 9 }),
    })
  })
  .chain((frame) => {
    const node = fc.nat(frame.nodes.length - 1)
    const place = fc.record({
      node,
      floor: fc.nat(frame.levels.length - 1),
      x: fc.integer({ min: 0, max: LENGTH / STEP }).map((steps) => steps * STEP),
      y: fc.integer({ min: 0, max: 4 }).map((steps) => steps * STEP),
      by: fc.constantFrom('node' as const, 'id' as const, 'position' as const, 'position' as const),
      access,
    })
    const connector = fc.record({
      from: node,
      to: node,
      mode: fc.constantFrom(1 as const, 2 as const, 4 as const, 5 as const, 6 as const),
      seconds: fc.integer({ min: 0, max: 90 }),
      slower: fc.integer({ min: 0, max: 60 }),
      access,
      bothWays: fc.boolean(),
      endDrawn: fc.boolean(),
    })
    return fc.record({
      ...mapValues(frame),
      connectors: fc
        .array(connector, { minLength: 1, maxLength: 10 })
        .map((all) => all.filter(({ from, to }) => from !== to)),
      amenities: fc.array(place, { minLength: 1, maxLength: 6 }),
      gates: fc.array(place, { minLength: 1, maxLength: 2 }),
    })
  })

function mapValues<T extends object>(values: T): { [K in keyof T]: fc.Arbitrary<T[K]> } {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fc.constant(value)])) as {
    [K in keyof T]: fc.Arbitrary<T[K]>
  }
}

/** The corridors of a floor: where they run, drawn from their first point to their last. */
function corridorsOf(
  { corridors }: Building,
  floor: number,
): { line: [Spot, Spot]; corridor: Corridor; nth: number }[] {
  const lines: [Spot, Spot][] = [
    ...ROWS.map((y): [Spot, Spot] => [
      { x: 0, y },
      { x: LENGTH, y },
    ]),
    [
      { x: ACROSS, y: ROWS[0] },
      { x: ACROSS, y: ROWS[1] },
    ],
  ]
  return lines.flatMap((ends, nth) => {
    const each = corridors[floor]?.[nth]
    return each ? [{ line: ends, corridor: each, nth }] : []
  })
}

interface Spot {
  readonly x: number
  readonly y: number
}

const properties = {
  yes: { max_slope: 0, min_width: 2 },
  no: { wheelchair: 'no' },
  unknown: {},
} as const
const wheelchair = { yes: 'yes', no: 'no', unknown: undefined } as const

export const idOf = {
  node: (i: number) => `n${i}`,
  connector: (i: number) => `c${i}`,
  gate: (i: number) => `g${i}`,
  amenity: (building: Building, i: number) => {
    const place = building.amenities[i]
    return place?.by === 'id' ? `n${place.node}` : `a${i}`
  },
}

/** The building as the source of a map, which names the features that no other program could number. */
export function featuresOf(building: Building): Feature[] {
  const { levels, nodes, connectors, amenities, gates } = building
  const level = (floor: number) => levels[floor] ?? 0
  const spotOf = (i: number): Node => nodes[i] ?? { floor: 0, x: 0, y: 0 }
  const placed = (place: Place) => {
    const { floor, x, y } = place.by === 'position' ? place : spotOf(place.node)
    return {
      geometry: point([x, y]),
      more: {
        level: level(floor),
        wheelchair: wheelchair[place.access],
        ...(place.by === 'node' && { node: idOf.node(place.node) }),
      },
    }
  }
  return [
    ...levels.flatMap((floor, i) =>
      corridorsOf(building, i).map(({ line: [a, b], corridor: each, nth }) =>
        feature('path', `f${i}-${nth}`, line([a.x, a.y], [b.x, b.y]), {
          level: floor,
          is_bidirectional: each.oneWay ? 0 : 1,
          ...properties[each.access],
        }),
      ),
    ),
    ...nodes.map(({ floor, x, y }, i) => feature('node', idOf.node(i), point([x, y]), { level: level(floor) })),
    ...connectors.map(({ from, to, mode, seconds, slower, access: each, bothWays, endDrawn }, i) => {
      const [a, b] = [spotOf(from), spotOf(to)]
      const isDrawn = endDrawn && mode !== 1
      return feature('path', idOf.connector(i), isDrawn ? line([a.x, a.y], [b.x, b.y]) : null, {
        from: idOf.node(from),
        ...(!isDrawn && { to: idOf.node(to) }),
        level: level(b.floor),
        pathway_mode: mode,
        is_bidirectional: bothWays ? 1 : 0,
        traversal_time: seconds,
        wheelchair_traversal_time: seconds + slower,
        wheelchair: wheelchair[each],
      })
    }),
    ...amenities.map((place, i) => {
      const { geometry, more } = placed(place)
      return feature('amenity', idOf.amenity(building, i), geometry, { category: 'restroom', ...more })
    }),
    ...gates.map((place, i) => {
      const { geometry, more } = placed(place.by === 'id' ? { ...place, by: 'node' } : place)
      return feature('gate', idOf.gate(i), geometry, more)
    }),
  ]
}

interface Edge {
  readonly from: string
  readonly to: string
  readonly seconds: number
  readonly slower: number
  readonly access: Access
}

const nodeKey = (i: number) => `node ${i}`
const spotKey = (floor: number, { x, y }: Spot) => `spot ${floor} ${x} ${y}`

/** The truth about a building: its edges, and where a place may hang. `isThere` says which features are still in the source. */
export class Truth {
  readonly #building: Building
  readonly #edges: Edge[] = []
  /** Spots on corridors, with the accesses of the corridors there. */
  readonly #spots = new Map<string, { floor: number; at: Spot; accesses: Access[] }>()
  readonly #nodes: { i: number; node: Node }[]
  readonly #ends = new Set<number>()

  constructor(building: Building, isThere: (label: string) => boolean) {
    this.#building = building
    this.#nodes = building.nodes.map((node, i) => ({ i, node })).filter(({ i }) => isThere(`node "n${i}"`))
    for (const [floor] of building.levels.entries()) this.#corridors(floor)
    for (const [i, connector] of building.connectors.entries()) {
      if (isThere(`path "c${i}"`)) this.#connector(connector)
    }
    // A node on a corridor is part of it: to step from one node to another there is to be on the corridor.
    for (const { i, node } of this.#nodes) {
      for (const each of this.#spots.get(spotKey(node.floor, node))?.accesses ?? []) {
        const hop = { seconds: 0, slower: 0, access: each }
        this.#edges.push({ from: nodeKey(i), to: spotKey(node.floor, node), ...hop })
        this.#edges.push({ from: spotKey(node.floor, node), to: nodeKey(i), ...hop })
      }
    }
  }

  #corridors(floor: number): void {
    for (const {
      line: [a, b],
      corridor,
    } of corridorsOf(this.#building, floor)) {
      const steps = (Math.abs(b.x - a.x) + Math.abs(b.y - a.y)) / STEP
      const at = (n: number) => ({ x: a.x + ((b.x - a.x) * n) / steps, y: a.y + ((b.y - a.y) * n) / steps })
      const cost = { seconds: STEP / 1.2, slower: STEP, access: corridor.access }
      for (let n = 0; n <= steps; n++) {
        const here = spotKey(floor, at(n))
        const spot = this.#spots.get(here) ?? { floor, at: at(n), accesses: [] }
        spot.accesses.push(corridor.access)
        this.#spots.set(here, spot)
        if (n === steps) break
        const next = spotKey(floor, at(n + 1))
        this.#edges.push({ from: here, to: next, ...cost })
        if (!corridor.oneWay) this.#edges.push({ from: next, to: here, ...cost })
      }
    }
  }

  #connector({ from, to, mode, seconds, slower, access, bothWays }: Connector): void {
    this.#ends.add(from).add(to)
    // Stairs and escalators have steps, whatever somebody writes about wheelchairs.
    const passable = mode === 2 || mode === 4 ? 'no' : access
    const cost = { seconds, slower: seconds + slower, access: passable }
    this.#edges.push({ from: nodeKey(from), to: nodeKey(to), ...cost })
    if (bothWays) this.#edges.push({ from: nodeKey(to), to: nodeKey(from), ...cost })
  }

  /** Nodes on the spot and floor of one, itself included. */
  beside(i: number): number[] {
    const here = this.#building.nodes[i]
    return this.#nodes
      .filter(({ node }) => node.floor === here?.floor && node.x === here.x && node.y === here.y)
      .map((each) => each.i)
  }

  /** Spots where a place may hang: one where that is clear; none where its floor has no path. Metres are those of the last leg. */
  candidates(place: Place): { at: string; metres: number }[] {
    const own = this.#nodes.find(({ i }) => i === place.node)
    if (place.by !== 'position' && own) return [{ at: nodeKey(own.i), metres: 0 }]
    const { floor, x, y } = place.by === 'position' ? place : (this.#building.nodes[place.node] ?? place)
    const metresTo = (spot: Spot) => Math.hypot(spot.x - x, spot.y - y)
    const nodes = this.#nodes.filter((each) => each.node.floor === floor)
    const corridors = [...this.#spots].filter(([key, spot]) => {
      // A spot with nodes on it is these nodes.
      return spot.floor === floor && !nodes.some(({ node: own }) => spotKey(floor, own) === key)
    })
    const all = [
      ...corridors.map(([key, { at }]) => ({ at: key, metres: metresTo(at) })),
      ...nodes
        .filter(({ i, node: own }) => this.#ends.has(i) || this.#spots.has(spotKey(floor, own)))
        .map(({ i, node: own }) => ({ at: nodeKey(i), metres: metresTo(own) })),
    ]
    const least = Math.min(...all.map(({ metres }) => metres))
    return all.filter(({ metres }) => metres < least + 0.1)
  }

  /** Bellman and Ford. @param least only ways that are known to have no step, or also those of which nobody knows */
  secondsFrom(start: string, least: 'walking' | 'stepFree' | 'verified'): Map<string, number> {
    const best = new Map([[start, 0]])
    const edges = this.#edges.filter(({ access }) =>
      least === 'walking' ? true : least === 'stepFree' ? access !== 'no' : access === 'yes',
    )
    for (let better = true; better; ) {
      better = false
      for (const { from, to, seconds, slower } of edges) {
        const there = (best.get(from) ?? Infinity) + (least === 'walking' ? seconds : slower)
        if (there >= (best.get(to) ?? Infinity)) continue
        best.set(to, there)
        better = true
      }
    }
    return best
  }
}
