/**
 * Places whose distance to the paths does not say where they belong. Where it makes no difference, the first of the nearest spots is
 * taken. It makes one where a guess would decide whether somebody gets there, or gets there without a step.
 */
import type { Chain, Spot } from './attach.ts'
import { distance, NOISE } from './grid.ts'

/** Parts of the network within which everybody gets everywhere: both ways, without a step, and without leaving a zone. */
export class Parts {
  readonly #parent = new Map<string, string>()
  readonly #zonesOf = new Map<number, Set<string>>()
  readonly #chains: ReadonlySet<Chain>

  /** @param chains those that lead both ways and have no step */
  constructor(chains: readonly Chain[]) {
    this.#chains = new Set(chains)
    for (const { vertices, zones } of chains) {
      for (const [i, zone] of zones.entries()) {
        const [a, b] = [vertices[i] ?? -1, vertices[i + 1] ?? -1]
        const key = zone.join(' ')
        for (const vertex of [a, b]) this.#zonesOf.set(vertex, (this.#zonesOf.get(vertex) ?? new Set()).add(key))
        this.#parent.set(this.#root(`${a} ${key}`), this.#root(`${b} ${key}`))
      }
    }
  }

  /** True if a spot of one is reached from the other, and the other from it, within one part. */
  areOne(one: Spot, other: Spot): boolean {
    const roots = this.#rootsOf(one)
    return this.#rootsOf(other).some((root) => roots.includes(root))
  }

  /** Of each part that the spot is in: a vertex may be in several zones, a point of a segment is in that of the segment. */
  #rootsOf({ chain, vertex, before, zones }: Spot): string[] {
    if (vertex === undefined) return this.#chains.has(chain) ? [this.#root(`${before} ${zones.join(' ')}`)] : []
    return [...(this.#zonesOf.get(vertex) ?? [])].map((key) => this.#root(`${vertex} ${key}`))
  }

  #root(key: string): string {
    let top = key
    for (let up = this.#parent.get(top); up !== undefined && up !== top; up = this.#parent.get(top)) top = up
    this.#parent.set(key, top)
    return top
  }
}

/** The spots of a place between which nothing decides, by one of each kind; none where they are the same to a walker. */
export function undecided(spots: readonly Spot[], parts: () => Parts): Spot[] {
  const [first, ...others] = spots
  if (!first) return []
  const against = others.find((other) => {
    if (first.vertex !== undefined && first.vertex === other.vertex) return false
    // Named nodes on one spot of one floor: the way between them may be of any length.
    if (first.vertex !== undefined && other.vertex !== undefined && distance(first.point, other.point) <= NOISE)
      return true
    return !parts().areOne(first, other)
  })
  return against ? [first, against] : []
}
