/** Finds the amenities that people reach from a gate, those that they reach without steps, and paths that are not connected. */
import { coded } from '@gatehouse/proto/said.ts'
import type { VenueMap } from '@gatehouse/proto/wire/venue.ts'
import { networkOf, shortestPathTree } from './network.ts'
import { type Problem, quote } from './problems.ts'

const anywhere = () => true

/** The map without the amenities that nobody can reach, and a warning for each of them. */
export function reachable(map: VenueMap): { map: VenueMap; problems: Problem[] } {
  const network = networkOf(map)
  const entrances = [...map.gates, ...map.checkpoints]
  const walked = shortestPathTree(network, nodesOf(entrances), { stepFree: false, mayEnter: anywhere })
  const passable = entrances.filter(({ step_free }) => step_free !== false)
  const rolled = shortestPathTree(network, nodesOf(passable), { stepFree: true, mayEnter: anywhere })
  const problems: Problem[] = []
  const amenities = map.amenities.filter(({ id, node, step_free }) => {
    const feature = `amenity ${quote(id)}`
    // Without any entrance nothing can be reached, which is a problem of its own.
    if (entrances.length > 0 && walked.seconds[node] === Infinity) {
      const message = 'no path leads here from any gate or checkpoint; it is left out of the map'
      problems.push({ kind: 'unreachable', feature, message, coded: [coded('no_path_here'), coded('left_out')] })
      return false
    }
    if (entrances.length > 0 && step_free !== false && rolled.seconds[node] === Infinity) {
      const message = 'every way here has steps, an escalator, a steep or a narrow stretch'
      problems.push({ kind: 'steps_only', feature, message, coded: [coded('steps_only')] })
    }
    return true
  })
  return { map: { ...map, amenities }, problems: [...problems, ...islandProblems(map)] }
}

function nodesOf(places: readonly { node: number }[]): number[] {
  return [...new Set(places.map(({ node }) => node))]
}

/** Paths that are not connected with the largest part of the network. */
function* islandProblems({ nodes, edges, paths }: VenueMap): Generator<Problem> {
  const parent = nodes.map((_, node) => node)
  const root = (node: number): number => {
    let top = node
    while (parent[top] !== top) top = parent[top] = parent[parent[top] ?? top] ?? top
    return top
  }
  for (const {
    nodes: [a, b],
  } of edges)
    parent[root(a)] = root(b)
  const parts = new Map<number, { metres: number; paths: Set<number> }>()
  for (const {
    nodes: [a],
    path,
    metres,
  } of edges) {
    const part = parts.get(root(a)) ?? { metres: 0, paths: new Set() }
    parts.set(root(a), { metres: part.metres + metres, paths: part.paths.add(path) })
  }
  const [, ...islands] = [...parts.values()].sort((a, b) => b.metres - a.metres)
  for (const island of islands) {
    const [first = '', ...others] = [...island.paths].map((path) => quote(paths[path]?.id ?? ''))
    const some = `${others.slice(0, 5).join(', ')}${others.length > 5 ? ', ...' : ''}`
    const more = others.length > 0 ? [coded('unconnected_more', { paths: some })] : []
    const message = `not joined with the rest of the network${others.length > 0 ? `, and with it ${some}` : ''}`
    yield { kind: 'unconnected', feature: `path ${first}`, message, coded: [coded('unconnected'), ...more] }
  }
}
