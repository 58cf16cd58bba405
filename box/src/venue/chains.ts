/** The projected paths as chains of shared vertices, each segment with the zones that it is in. */

import { coded } from '@gatehouse/proto/said.ts'
import type { Chain } from './attach.ts'
import { type NodedLines, nodeLines } from './noding.ts'
import { along } from './plane.ts'
import { ambiguous, type Problem } from './problems.ts'
import type { ProjectedSource } from './projection.ts'
import { bordersOf, zoneFinder } from './zones.ts'

export interface ChainedPaths {
  readonly chains: readonly Chain[]
  readonly vertices: NodedLines['vertices']
}

/** @param tolerance in millimetres */
export function chainsOf(projected: ProjectedSource, tolerance: number, problems: Problem[]): ChainedPaths | undefined {
  const { lines, pathOfLine, paths, pins, zones } = projected
  const noded = nodeLines(lines, pins, [...bordersOf(zones)], tolerance)
  if (!noded) {
    problems.push({ kind: 'too_much', feature: '', message: 'the paths cross each other too often to be a map' })
    return undefined
  }
  const { vertices } = noded
  for (const { line, vertices: near } of noded.ties) {
    const names = near.map((vertex) => projected.nodes[vertex]?.label ?? 'another path')
    const label = paths[pathOfLine[line] ?? -1]?.label ?? ''
    problems.push(ambiguous(label, names, 'say which it ends at with "from" or "to"'))
  }
  const zoneAt = zoneFinder(zones)
  const chains = noded.chains.flatMap((own, i): Chain[] => {
    const path = pathOfLine[i] ?? 0
    const feature = paths[path]
    const line = lines[i]
    if (!feature || !line) return []
    if (own.length < 2) {
      const [message, code] =
        line.joins === 'ends'
          ? [
              `both its ends are one point of floor ${line.level}, so it is left out: name their nodes with "from" and "to"`,
              coded('path_one_point', { floor: String(line.level) }),
            ]
          : ['shorter than the tolerance for joining, and left out', coded('path_short')]
      problems.push({ kind: 'empty_path', feature: feature.label, message, coded: [code] })
      return []
    }
    const given = feature.zones && [...new Set(feature.zones)].sort()
    const segments = own.slice(1).map((vertex, nth) => {
      const [a, b] = [vertices[own[nth] ?? -1], vertices[vertex]]
      if (given || !a || !b) return given ?? []
      const zone = zoneAt(along(a.point, b.point, 0.5), line.level)
      return zone === null ? [] : [zone]
    })
    return [{ path, level: line.level, vertices: own, zones: segments, open: line.joins === 'everywhere' }]
  })
  const used = new Set(chains.flatMap((chain) => chain.vertices))
  for (const [i, { label }] of projected.nodes.entries()) {
    if (used.has(i)) continue
    const message = 'no path begins, ends or passes here'
    problems.push({ kind: 'dangling_node', feature: label, message, coded: [coded('node_unused')] })
  }
  if (chains.length > 0) return { chains, vertices }
  const message = 'no path on the map: nobody can be sent anywhere'
  problems.push({ kind: 'no_paths', feature: '', message, coded: [coded('no_paths')] })
  return undefined
}
