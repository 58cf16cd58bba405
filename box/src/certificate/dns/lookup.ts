/**
 * Looks whether a TXT record is in DNS before the authority is told to look, because the authority counts failures. The servers of the
 * zone are asked, not the resolver of the venue: a resolver that has once said "there is none" goes on saying so for up to an hour.
 */
import { Resolver } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TxtRecord } from './change.ts'

/** `unknown`: DNS cannot be asked from here, and the authority has to look for itself. */
export type Seen = 'there' | 'absent' | 'unknown'

const OPTIONS = { timeout: 3_000, tries: 2 }
const ABSENT = new Set(['ENOTFOUND', 'ENODATA'])

/** Asks these servers for records; without any, those that the machine is set to. */
export type ResolverOf = (servers?: readonly string[]) => Resolver

export interface Waiting {
  /** `address` or `address:port`; undefined: the servers of the zone. */
  server: string | undefined
  waitMs: number
  /** Between two looks. */
  everyMs: number
  signal: AbortSignal
  resolverOf?: ResolverOf
}

/** Waits until the record is seen. @returns what was seen last */
export async function waitForRecord(
  record: TxtRecord,
  { server, waitMs, everyMs, signal, resolverOf = resolverOfServers }: Waiting,
): Promise<Seen> {
  const asked = server === undefined ? await atItsZone(record, resolverOf) : { resolver: resolverOf([server]), record }
  const end = performance.now() + waitMs
  let seen = await look(asked)
  while (seen !== 'there' && performance.now() < end) {
    await sleep(Math.min(everyMs, Math.max(1, end - performance.now())), undefined, { signal })
    seen = await look(asked)
  }
  return seen
}

interface Asked {
  resolver: Resolver
  record: TxtRecord
}

async function look({ resolver, record: { record, value } }: Asked): Promise<Seen> {
  try {
    const found = await resolver.resolveTxt(record)
    return found.some((parts) => parts.join('') === value) ? 'there' : 'absent'
  } catch (error) {
    return ABSENT.has((error as NodeJS.ErrnoException).code ?? '') ? 'absent' : 'unknown'
  }
}

function resolverOfServers(servers?: readonly string[]): Resolver {
  const resolver = new Resolver(OPTIONS)
  if (servers) resolver.setServers(servers)
  return resolver
}

/** The record where a CNAME leads, if it is one, and the servers of that zone; those of the machine where the zone cannot be found. */
async function atItsZone({ record, value }: TxtRecord, resolverOf: ResolverOf): Promise<Asked> {
  const asked = resolverOf()
  const [led = record] = await asked.resolveCname(record).catch(() => [])
  const labels = led.split('.')
  // Never a top-level domain's: nobody's record is there.
  for (let from = 1; from < labels.length - 1; from++) {
    const servers = await asked.resolveNs(labels.slice(from).join('.')).catch(() => [])
    const addresses = await Promise.all(servers.slice(0, 4).map((name) => asked.resolve4(name).catch(() => [])))
    if (addresses.flat().length === 0) continue
    return { resolver: resolverOf(addresses.flat()), record: { record: led, value } }
  }
  return { resolver: asked, record: { record: led, value } }
}
