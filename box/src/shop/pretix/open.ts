/** Composes what the box does with a connected pretix, from `shop.json` and `pretix.yaml`. */
import type { DownLink } from '@gatehouse/proto/wire/links.ts'
import type { Downlink } from '../downlink.ts'
import { problemsIn, UNKNOWN } from '../link.ts'
import { RowStore } from '../rows.ts'
import { POSITIONS } from './apply-orders.ts'
import { openApi, type ShopConnection } from './connection.ts'
import { mappingByNames, readMapping } from './mapping.ts'
import { FAR_MS } from './next-step.ts'
import { Pull, type PullDeps, sourceOf } from './pull.ts'
import { openPush, type PushPartDeps } from './up/open.ts'
import type { Push } from './up/push.ts'

export type PretixDeps = Omit<PullDeps, 'api' | 'connection' | 'mapping'> &
  Pick<PushPartDeps, 'flags' | 'scans' | 'overrides' | 'boxId' | 'lease'>

export interface PretixLink extends Downlink {
  /** Asks for changes at once. */
  poke(): void
  /** State of the push, and a new try of everything that waits for a person. */
  readonly push: Pick<Push, 'status' | 'retry'>
}

const PROBLEMS_SHOWN = 20
/** A shop that has not answered for so long is away. */
const AWAY_MS = 2 * FAR_MS

/**
 * Begins to read; resolves before the first request.
 * @throws MappingError, PretixError `refused`
 */
export async function openPretixLink(
  connection: ShopConnection,
  eventDir: string,
  deps: PretixDeps,
): Promise<PretixLink> {
  const mapping = readMapping(eventDir, deps.event) ?? mappingByNames(deps.event)
  const api = await openApi(connection, { now: deps.now })
  const pull = new Pull({ ...deps, api, connection, mapping })
  const rows = new RowStore(deps.ledger.db)
  const source = sourceOf(connection)
  pull.start()
  const push = openPush({ ...deps, api, connection, mapping, rows, poke: () => pull.poke() })
  const isConnected = () => {
    const { askedAt, error } = pull.status
    return error === null && askedAt !== null && deps.now() - askedAt < AWAY_MS
  }
  /** Since the last answer, where it fails: what was changed since then has still to arrive. */
  const lag = () => {
    const { askedAt, error } = pull.status
    if (askedAt === null) return null
    return error === null ? 0 : Math.max(0, deps.now() - askedAt) / 1000
  }
  return {
    port: undefined,
    prepareFeed: async () => undefined,
    links(): DownLink {
      const { appliedAt, events } = rows.source(source)
      const problems = rows.problems(PROBLEMS_SHOWN).map((row) => ({
        id: row.key,
        table: row.table === POSITIONS ? 'position' : row.table,
        reason: row.reason ?? '',
        at: new Date(row.problemAt ?? 0).toISOString(),
      }))
      return {
        ...UNKNOWN,
        configured: true,
        connected: isConnected(),
        peer: source,
        last_at: appliedAt === null ? null : new Date(appliedAt).toISOString(),
        lag_seconds: lag(),
        last_error: pull.status.error,
        applied: events,
        kept: problemsIn(rows),
        problems,
      }
    },
    stats: () => ({ connected: isConnected(), lag_seconds: lag(), problems: problemsIn(rows) }),
    poke: () => pull.poke(),
    push,
    // Together: the pull ends requests that the push has under way.
    [Symbol.asyncDispose]: async () =>
      void (await Promise.all([push, pull].map((part) => part[Symbol.asyncDispose]()))),
  }
}
