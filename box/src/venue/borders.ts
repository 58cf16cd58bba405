/** Finds where paths cross from one zone into another, and the checkpoints there. */

import { coded } from '@gatehouse/proto/said.ts'
import type { Chain, Outline } from './attach.ts'
import { distance, NOISE } from './grid.ts'
import { distanceTo, isInside } from './plane.ts'
import type { Problem } from './problems.ts'
import type { Vertex } from './vertices.ts'

/** Millimetres. Drawn gates are not exact to the metre, and two gates of a festival are further apart than this. */
export const MAX_GATE_OFFSET = 15_000

export interface Border {
  readonly vertex: number
  readonly path: number
  /** Zones on both sides; null is outside. */
  readonly zones: ReadonlySet<string | null>
}

/** Every vertex at which the zone of a path changes, in the order of the vertices. */
export function bordersAmong(chains: readonly Chain[]): Border[] {
  const met = new Map<number, { path: number; zones: Set<string | null> }>()
  for (const { path, vertices, zones } of chains) {
    for (const [i, vertex] of vertices.entries()) {
      const here = met.get(vertex) ?? { path, zones: new Set() }
      met.set(vertex, here)
      for (const segment of [zones[i - 1], zones[i]]) {
        if (segment?.length === 0) here.zones.add(null)
        for (const zone of segment ?? []) here.zones.add(zone)
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

interface NearBorder {
  readonly vertex: number
  readonly path: number
  /** Millimetres. */
  readonly away: number
}

/**
 * The vertices near a checkpoint's outline at which a path crosses between the checkpoint's zones, on its floor: the nearest, or
 * several that are equally near.
 */
export function bordersNear(
  outline: Outline,
  { from, to }: Crossing,
  borders: readonly Border[],
  vertices: readonly Vertex[],
): NearBorder[] {
  let best: NearBorder[] = []
  let least = MAX_GATE_OFFSET - NOISE
  for (const { vertex, path, zones } of borders) {
    const at = vertices[vertex]
    if (!at || at.level !== outline.level || !zones.has(from) || !zones.has(to)) continue
    const away = outlineDistance(outline, at)
    if (away > least + NOISE) continue
    least = Math.min(least, away)
    best = best.filter((border) => border.away <= least + NOISE)
    best.push({ vertex, path, away })
  }
  return best.sort((a, b) => a.away - b.away)
}

/** Millimetres from an outline to a vertex; 0 inside of an area. */
export function outlineDistance({ lines, isArea }: Outline, { point }: Vertex): number {
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

/** Warns of each path that enters a zone where there is no checkpoint: a hole in the fence, or an error of the map. */
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
      return here && there && zones.has(from) && zones.has(to) && distance(here.point, there.point) <= MAX_GATE_OFFSET
    })
    if (watched) continue
    const names = [...zones].map((zone) => zone ?? 'outside').sort()
    const inner = {
      zones: [...zones]
        .filter((zone) => zone !== null)
        .sort()
        .join(', '),
    }
    yield {
      kind: 'open_border',
      feature: labelOf(path),
      message: `leads from ${names.join(' to ')} where no checkpoint of event.json stands`,
      coded: [zones.has(null) ? coded('open_border_outside', inner) : coded('open_border', inner)],
    }
  }
}
