/** Where paths cross from one zone into another, and whether the checkpoints stand there. */

import type { Chain, Outline } from './attach.ts'
import { distance } from './grid.ts'
import type { Vertex } from './noding.ts'
import { distanceTo, isInside } from './plane.ts'
import type { Problem } from './problems.ts'

/** Nobody draws a gate to the metre, and two gates of a festival are further apart than this. */
const REACH = 15_000

export interface Border {
  readonly vertex: number
  readonly path: number
  /** The zones that meet here; null is outside. */
  readonly zones: ReadonlySet<string | null>
}

/** Every vertex where paths of different zones meet, in the order of the vertices. */
export function bordersAmong(chains: readonly Chain[]): Border[] {
  const met = new Map<number, { path: number; zones: Set<string | null> }>()
  for (const { path, vertices, zones } of chains) {
    for (const [i, vertex] of vertices.entries()) {
      const here = met.get(vertex) ?? { path, zones: new Set() }
      met.set(vertex, here)
      for (const stretch of [zones[i - 1], zones[i]]) {
        if (stretch?.length === 0) here.zones.add(null)
        for (const zone of stretch ?? []) here.zones.add(zone)
      }
    }
  }
  return [...met]
    .filter(([, { zones }]) => zones.size > 1)
    .map(([vertex, border]) => ({ vertex, ...border }))
    .sort((a, b) => a.vertex - b.vertex)
}

export interface Crossing {
  readonly from: string | null
  readonly to: string | null
}

/** The vertex within reach of a checkpoint's outline at which a path crosses as the checkpoint does. */
export function borderNear(
  outline: Outline,
  { from, to }: Crossing,
  borders: readonly Border[],
  vertices: readonly Vertex[],
): { vertex: number; away: number } | undefined {
  let best: { vertex: number; away: number } | undefined
  for (const { vertex, zones } of borders) {
    const at = vertices[vertex]
    if (!at || at.level !== outline.level || !zones.has(from) || !zones.has(to)) continue
    const away = outlineDistance(outline, at)
    if (away <= REACH && (!best || away < best.away)) best = { vertex, away }
  }
  return best
}

function outlineDistance({ lines, isArea }: Outline, { point }: Vertex): number {
  if (isArea && isInside(lines, point)) return 0
  let least = Infinity
  for (const line of lines) {
    for (let i = 0; i < line.length; i++) {
      const [a, b] = [line[i], line[i + 1] ?? line[i]]
      if (a && b) least = Math.min(least, distanceTo(a, b, point))
    }
  }
  return least
}

/** A way into a zone that no checkpoint watches is a hole in the fence, or in the map. */
export function* openBorders(
  borders: readonly Border[],
  crossings: readonly (Crossing & { readonly vertex: number })[],
  vertices: readonly Vertex[],
  labelOf: (path: number) => string,
): Generator<Problem> {
  for (const { vertex, path, zones } of borders) {
    const here = vertices[vertex]
    const watched = crossings.some(({ from, to, vertex: other }) => {
      const there = vertices[other]
      return here && there && zones.has(from) && zones.has(to) && distance(here.point, there.point) <= REACH
    })
    if (watched) continue
    const names = [...zones].map((zone) => zone ?? 'outside').sort()
    yield {
      kind: 'open_border',
      feature: labelOf(path),
      message: `leads from ${names.join(' to ')} where no checkpoint of event.json stands`,
    }
  }
}
