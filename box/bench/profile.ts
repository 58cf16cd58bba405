/** Adds up a CPU profile of the box under load by areas of the code, to show where the time of a scan goes. */
import { readFileSync } from 'node:fs'

/** A `.cpuprofile` of V8, as far as it is read here. Times are microseconds. */
export interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
}

export interface Share {
  what: string
  /** Fraction of the time in which the process was busy, waiting for the disk included. */
  share: number
}

const AREAS: readonly (readonly [RegExp, string])[] = [
  [/\/box\/src\/ledger\/db\.ts/, 'commit: log written and synced, copied back'],
  [/\/(drizzle-orm|better-sqlite3)\//, 'statements, rows read and written'],
  [/^node:(internal\/)?crypto/, 'hashes'],
  [
    /\/box\/src\/(scan|rights|cases|gates|ledger|tickets|clock|event)\/|\/proto\//,
    'facts, decision, journal entry, verdict',
  ],
  [/\/box\/src\/|\/node_modules\//, 'routes: fastify, schemas, who it is'],
  [/^node:/, 'sockets, TLS, HTTP'],
  [/^\(garbage collector\)/, 'garbage collection'],
]

export function readProfile(path: string): CpuProfile {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** @param after seconds of the profile's beginning to leave out */
export function sharesOf(profile: CpuProfile, after = 0): { areas: Share[]; functions: Share[] } {
  const places = placesOf(profile)
  const areas = new Map<string, number>()
  const functions = new Map<string, number>()
  let [at, all] = [0, 0]
  profile.samples.forEach((id, i) => {
    const time = profile.timeDeltas[i] ?? 0
    const place = places.get(id)
    at += time
    if (!place || place.name === '(idle)' || at < after * 1e6) return
    const area = AREAS.find(([pattern]) => pattern.test(place.url || place.name))?.[1] ?? 'the rest of the process'
    areas.set(area, (areas.get(area) ?? 0) + time)
    functions.set(place.name, (functions.get(place.name) ?? 0) + time)
    all += time
  })
  const sorted = (times: Map<string, number>) =>
    [...times].map(([what, time]) => ({ what, share: time / all })).sort((a, b) => b.share - a.share)
  return { areas: sorted(areas), functions: sorted(functions) }
}

/** For each node, the function that its time is counted for. Native code has no file, and is counted for its caller. */
function placesOf({ nodes }: CpuProfile): Map<number, { name: string; url: string }> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, byId.get(node.id)])))
  return new Map(
    nodes.map((node) => {
      let caller: CpuProfile['nodes'][number] | undefined = node
      while (caller && caller.callFrame.url === '') caller = parents.get(caller.id)
      if (!caller) return [node.id, { name: node.callFrame.functionName, url: '' }]
      const { functionName, url, lineNumber } = caller.callFrame
      const file = url.replace(/^file:.*?\/(?=box\/|proto\/|node_modules\/)/, '').replace(/^node_modules\//, '')
      return [node.id, { name: `${functionName || '(unnamed)'} ${file}:${lineNumber + 1}`, url }]
    }),
  )
}
