/** What comes down to the box, composed: mapping, rows, receiver; and how it stands, for the control room. */
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { DownLink } from '@gatehouse/proto/wire/links.ts'
import type { ShopStats } from '@gatehouse/proto/wire/stats.ts'
import { type Authority, fingerprint256 } from '../../ca/authority.ts'
import { boxIdentity } from '../../ca/server-identity.ts'
import type { Config } from '../../config.ts'
import type { Event } from '../../event/event.ts'
import type { By } from '../../http/actor.ts'
import { thisMachine } from '../../http/machine.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Logger } from '../../log.ts'
import type { CodeReader } from '../../tickets/codes.ts'
import type { Tickets } from '../../tickets/tickets.ts'
import { issueShopCertificate, sourceOf } from './certificates.ts'
import { Deliveries } from './deliveries.ts'
import { readPair, writeFeedFolder } from './feed-file.ts'
import { KeyStock } from './key-stock.ts'
import type { ShopMapping } from './mapping.ts'
import { rowReader } from './reading.ts'
import type { Backlog, Receiver } from './receiver.ts'
import { ShopRows } from './rows.ts'

export interface DownlinkDeps {
  event: Event
  ledger: Ledger
  tickets: Tickets
  codes: CodeReader
  mapping: ShopMapping
  logger: Logger
  /** Unix ms. */
  now: () => number
}

export interface Downlink extends AsyncDisposable {
  /** Undefined where nobody is waited for. */
  readonly port: number | undefined
  links(): DownLink
  /** The same in a word, for statistics that are made every second; undefined where no shop is mapped. */
  stats(): ShopStats | undefined
  /** Writes what a feed beside the box is started with; undefined where the shop's side dials. */
  prepareFeed(): Promise<string | undefined>
}

const LOOK_MS = 60_000

export function openDeliveries({ event, ledger, tickets, codes, mapping, logger, now }: DownlinkDeps): Deliveries {
  return new Deliveries({
    ...{ ledger, tickets, codes, mapping, logger, now },
    rows: new ShopRows(ledger.db),
    keys: new KeyStock(codes),
    read: rowReader(event),
  })
}

/** @throws GatehouseError when the port is taken */
export async function openDownlink(
  config: Pick<Config, 'dataDir' | 'host' | 'publicHost' | 'receiverPort'> & { shopFile: string },
  deps: DownlinkDeps & { authority: Authority },
): Promise<Downlink> {
  const { authority, ledger, logger, mapping, now } = deps
  await using opened = new AsyncDisposableStack()
  const deliveries = openDeliveries(deps)
  await deliveries.followMapping()
  const dir = join(config.dataDir, 'ca', 'receiver')
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const identity = opened.use(
    await boxIdentity(authority, {
      ...{ now, everyMs: LOOK_MS, dir },
      machine: () => thisMachine(config.publicHost),
      onRenewed: (renewed) => receiver.show(renewed),
      onProblem: (error) => logger.error({ event: 'certificate_not_renewed', err: error }),
    }),
  )
  // gRPC is a seventh of what a box would read at its start, and most boxes have no shop.
  const { openReceiver } = await import('./receiver.ts')
  const receiver = opened.use(
    await openReceiver({
      ...{ host: config.host, port: config.receiverPort, identity: identity.current },
      ...{ authority: authority.certificate, deliveries, logger },
      sourceOf: (fingerprint) => sourceOf(fingerprint, now(), ledger),
    }),
  )
  const rows = new ShopRows(ledger.db)
  const closing = opened.move()
  return {
    port: receiver.port,
    links: () => linksOf(rows, { mapping, receiver, now: now() }),
    stats: () => ({
      connected: receiver.connected().size > 0,
      lag_seconds: lagOf(receiver.backlog(), now()),
      problems: problemsIn(rows),
    }),
    prepareFeed: () => prepareOwnFeed(config, { ...deps, port: receiver.port }),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

const OWN_SOURCE = 'shop'
const OWN: By = { actor: 'admin', address: 'shop.yaml' }

/** A box that nobody can dial fetches the changes itself, and hands them to its own receiver: one way for all. */
async function prepareOwnFeed(
  { dataDir, host, shopFile }: Pick<Config, 'dataDir' | 'host'> & { shopFile: string },
  {
    authority,
    ledger,
    mapping,
    now,
    port,
  }: { authority: Authority; ledger: Ledger; mapping: ShopMapping; now: () => number; port: number },
): Promise<string | undefined> {
  if (!mapping.source) return undefined
  const folder = join(dataDir, 'shop')
  const kept = await readPair(folder)
  const good = kept && sourceOf(fingerprint256(kept.certificate), now(), ledger) === OWN_SOURCE
  const issued = good
    ? undefined
    : await issueShopCertificate({ source: OWN_SOURCE, by: OWN }, { authority, ledger, now })
  return writeFeedFolder(
    {
      ...{ folder, mapping, authority: authority.certificate, listen: '127.0.0.1:0' },
      address: `${host === '::' || host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`,
      source: withPathsFrom(dirname(shopFile), mapping.source),
      comment: "The feed over the shop's database, made anew at each start of the box from shop.yaml.",
    },
    issued,
  )
}

/** Relative paths of shop.yaml lead from its own folder, which is not where the feed's file is. */
function withPathsFrom(folder: string, source: Record<string, unknown>): Record<string, unknown> {
  const paths = new Set(['passwordFile', 'ca', 'cert', 'key'])
  return Object.fromEntries(
    Object.entries(source).map(([name, value]) => {
      if (name === 'tls') return [name, withPathsFrom(folder, value as Record<string, unknown>)]
      return [name, paths.has(name) && typeof value === 'string' ? resolve(folder, value) : value]
    }),
  )
}

/** Where no shop is mapped, or its mapping has this mistake. */
export function noDownlink(mistake?: string): Downlink {
  const configured = mistake !== undefined
  return {
    port: undefined,
    links: () => ({ ...NOTHING_KNOWN, configured, last_error: mistake ?? null }),
    stats: () => (configured ? { connected: false, lag_seconds: null, problems: 0 } : undefined),
    prepareFeed: async () => undefined,
    async [Symbol.asyncDispose]() {},
  }
}

const NOTHING_KNOWN: DownLink = {
  ...{ configured: false, connected: false, peer: null, position: null, last_at: null },
  ...{ lag_events: null, lag_seconds: null, last_error: null, retained_events: null, retained_bytes: null },
  ...{ applied: 0, kept: 0, problems: [] },
}

const PROBLEMS_SHOWN = 20

function linksOf(
  rows: ShopRows,
  { mapping, receiver, now }: { mapping: ShopMapping; receiver: Receiver; now: number },
): DownLink {
  const connected = receiver.connected()
  const backlog = receiver.backlog()
  const sources = rows.sources()
  // Nearly always one; of several, the one that has been silent for longest is the one to look at.
  const [last] = sources.toSorted((a, b) => (a.appliedAt ?? 0) - (b.appliedAt ?? 0))
  const problems = rows.problems(PROBLEMS_SHOWN).map((row) => ({
    id: shownKey(row, mapping),
    table: row.table,
    reason: row.reason ?? '',
    at: new Date(row.problemAt ?? 0).toISOString(),
  }))
  const errors = sources.map(({ source }) => receiver.lastError(source)).filter((error) => error !== undefined)
  return {
    ...NOTHING_KNOWN,
    configured: true,
    connected: connected.size > 0,
    peer: [...connected].join(', ') || (last?.source ?? null),
    position: last?.commitLsn ?? null,
    last_at: last?.appliedAt == null ? null : new Date(last.appliedAt).toISOString(),
    lag_events: backlog?.events ?? null,
    lag_seconds: lagOf(backlog, now),
    last_error: errors[0] ?? null,
    applied: sources.reduce((sum, { events }) => sum + events, 0),
    kept: problemsIn(rows),
    problems,
  }
}

/** 0 when everything has arrived; null when nobody has told. */
function lagOf(backlog: Backlog | undefined, now: number): number | null {
  if (!backlog) return null
  return Number.isFinite(backlog.since) ? Math.max(0, now - backlog.since) / 1000 : 0
}

function problemsIn(rows: ShopRows): number {
  return [...rows.problemCounts().values()].reduce((sum, n) => sum + n, 0)
}

/** A row's key, as the shop has it; its number here, where the key is the code itself. */
export function shownKey(
  { id, table, key }: { id: number; table: string; key: string },
  { tables }: ShopMapping,
): string {
  const mapped = tables.get(table)
  return mapped?.tickets && mapped.key.includes(mapped.tickets.code) ? `row ${id}` : key
}
