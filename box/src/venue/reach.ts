/** Whether people get everywhere on a map: amenities from the gates, the gates from each other, and without steps. */
import type { VenueMap } from '@gatehouse/proto/wire/venue.ts'
import { networkOf, shortestWays } from './network.ts'
import { type Problem, quote } from './problems.ts'

const anywhere = () => true

export function* unreachedIn(map: VenueMap): Generator<Problem> {
  const network = networkOf(map)
  const entrances = [...map.gates, ...map.checkpoints]
  const walked = shortestWays(network, nodesOf(entrances), { stepFree: false, mayEnter: anywhere })
  const passable = entrances.filter(({ step_free }) => step_free !== false)
  const rolled = shortestWays(network, nodesOf(passable), { stepFree: true, mayEnter: anywhere })
  for (const { id, node, step_free } of map.amenities) {
    const feature = `amenity ${quote(id)}`
    // Without a single entrance everything would be out of reach, and that has been said.
    if (entrances.length === 0) break
    if (walked.seconds[node] === Infinity) {
      yield { kind: 'unreachable', feature, message: 'no path leads here from any gate or checkpoint' }
    } else if (step_free !== false && rolled.seconds[node] === Infinity) {
      yield {
        kind: 'steps_only',
        feature,
        message: 'every way here has steps, an escalator, a steep or a narrow stretch',
      }
    }
  }
  yield* islandsIn(map)
}

function nodesOf(places: readonly { node: number }[]): number[] {
  return [...new Set(places.map(({ node }) => node))]
}

/** Paths that are joined with none of the largest part of the network. */
function* islandsIn({ nodes, edges, paths }: VenueMap): Generator<Problem> {
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
    const message = `not joined with the rest of the network${others.length > 0 ? `, and with it ${some}` : ''}`
    yield { kind: 'unconnected', feature: `path ${first}`, message }
  }
}
