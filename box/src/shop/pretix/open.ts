/** Composes what the box does with a connected pretix, from `shop.json` and `pretix.yaml`. */
import type { DownLink } from '@gatehouse/proto/wire/links.ts'
import type { ShopPretix } from '@gatehouse/proto/wire/shop.ts'
import type { Downlink } from '../downlink.ts'
import { problemsIn, UNKNOWN } from '../link.ts'
import { RowStore } from '../rows.ts'
import { POSITIONS } from './apply-orders.ts'
import { openApi, type ShopConnection } from './connection.ts'
import { describePretix, lagOf } from './describe.ts'
import { mappingByNames, readMapping } from './mapping.ts'
import { FAR_MS } from './next-step.ts'
import { Pull, type PullDeps, sourceOf } from './pull.ts'
import { comparisonWantedAt, readState, wantComparison } from './state.ts'
import { openPush, type PushPartDeps } from './up/open.ts'
import { isForUs, webhookKey } from './webhook.ts'

export type PretixDeps = Omit<PullDeps, 'api' | 'connection' | 'mapping'> &
  Pick<PushPartDeps, 'flags' | 'scans' | 'overrides' | 'boxId' | 'lease'>

export interface PretixLink extends Downlink {
  /** See `LateTickets`. */
  bring(code: string): Promise<void> | undefined
  /** A call of the webhook, by whomever. */
  webhook(key: string, body: unknown): void
  /** For the screen Shop. */
  describe(): ShopPretix
  /** A person has looked: pretix is asked at once, and gets once more what waits for a person. */
  retry(): Promise<void>
  /** Has every order read again. */
  compare(): Promise<void>
}

const PROBLEMS_SHOWN = 20
const QUEUE_SHOWN = 20
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
  const push = openPush({
    ...deps,
    api,
    connection,
    mapping,
    rows,
    isSigned: (code) => pull.isSigned(code),
    dates: () => pull.dates,
    poke: () => pull.poke(),
  })
  const isConnected = () => {
    const { askedAt, error } = pull.status
    return error === null && askedAt !== null && deps.now() - askedAt < AWAY_MS
  }
  const lag = () => lagOf(pull.status, deps.now())
  const { db } = deps.ledger
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
    bring: (code) => pull.bring(code),
    webhook(key, body) {
      if (isForUs({ key, body }, { key: webhookKey(db), connection })) pull.hint()
    },
    describe: () =>
      describePretix({
        ...{ source: rows.source(source), state: readState(db, source), status: pull.status },
        notices: pull.notices,
        ...{ connected: isConnected(), wantedAt: comparisonWantedAt(db), notApplied: problemsIn(rows) },
        ...{ push: push.status(), queue: push.queue(QUEUE_SHOWN), now: deps.now() },
      }),
    async retry() {
      await push.retry()
      pull.poke()
    },
    async compare() {
      await deps.ledger.commit(() => wantComparison(db, deps.now()), { patient: true })
      pull.poke()
    },
    // Together: the pull ends requests that the push has under way.
    [Symbol.asyncDispose]: async () =>
      void (await Promise.all([push, pull].map((part) => part[Symbol.asyncDispose]()))),
  }
}
