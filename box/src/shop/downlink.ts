/** The shop's changes on their way to the box, composed: mapping, rows, receiver; and the state of the link, for the control room. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DownLink } from '@gatehouse/proto/wire/links.ts'
import type { ShopStats } from '@gatehouse/proto/wire/stats.ts'
import type { Authority } from '../ca/authority.ts'
import { boxIdentity } from '../ca/server-identity.ts'
import type { Config } from '../config.ts'
import type { Event } from '../event/event.ts'
import { thisMachine } from '../http/machine.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Logger } from '../log.ts'
import type { CodeReader } from '../tickets/codes.ts'
import type { Tickets } from '../tickets/tickets.ts'
import { sourceOf } from './certificates.ts'
import { Deliveries } from './deliveries.ts'
import { KeyStock } from './key-stock.ts'
import { lagOf, linkOf, problemsIn, UNKNOWN } from './link.ts'
import type { Mapping } from './mapping.ts'
import { prepareOwnFeed } from './own-feed.ts'
import { rowReader } from './row-reader.ts'
import { RowStore } from './rows.ts'

export interface DownlinkDeps {
  event: Event
  ledger: Ledger
  tickets: Tickets
  codes: CodeReader
  mapping: Mapping
  logger: Logger
  /** Unix ms. */
  now: () => number
}

export interface Downlink extends AsyncDisposable {
  /** Port to which feeds connect; undefined where no shop is mapped. */
  readonly port: number | undefined
  links(): DownLink
  /** The same in short, for statistics that are made every second; undefined where no shop is mapped. */
  stats(): ShopStats | undefined
  /** Writes the configuration of a feed beside the box. @returns its path; undefined where the shop's own feed connects */
  prepareFeed(): Promise<string | undefined>
}

const LOOK_MS = 60_000

export function openDeliveries({ event, ledger, tickets, codes, mapping, logger, now }: DownlinkDeps): Deliveries {
  return new Deliveries({
    ledger,
    tickets,
    codes,
    mapping,
    logger,
    now,
    rows: new RowStore(ledger.db),
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
  await deliveries.applyNewMapping()
  const dir = join(config.dataDir, 'ca', 'receiver')
  await mkdir(dir, { recursive: true, mode: 0o700 })
  // Loaded only here: gRPC would be a seventh of the code that a box loads at its start, and most boxes have no shop.
  const { openReceiver } = await import('./receiver.ts')
  const receiver = opened.use(
    await openReceiver({
      host: config.host,
      port: config.receiverPort,
      authority: authority.certificate,
      deliveries,
      logger,
      sourceOf: (fingerprint) => sourceOf(fingerprint, now(), ledger),
    }),
  )
  const identity = opened.use(
    await boxIdentity(authority, {
      now,
      everyMs: LOOK_MS,
      dir,
      machine: () => thisMachine(config.publicHost),
      onRenewed: (renewed) => receiver.show(renewed),
      onProblem: (error) => logger.error({ event: 'certificate_not_renewed', err: error }),
    }),
  )
  receiver.show(identity.current)
  const rows = new RowStore(ledger.db)
  const closing = opened.move()
  return {
    port: receiver.port,
    links: () => linkOf(rows, { mapping, receiver, now: now() }),
    stats: () => ({
      connected: receiver.connected().size > 0,
      lag_seconds: lagOf(receiver.backlog(), now()),
      problems: problemsIn(rows),
    }),
    prepareFeed: () => prepareOwnFeed(config, { ...deps, port: receiver.port }),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** Used where no shop is mapped, or the mapping has a mistake. */
export function noDownlink(mistake?: string): Downlink {
  const configured = mistake !== undefined
  return {
    port: undefined,
    links: () => ({ ...UNKNOWN, configured, last_error: mistake ?? null }),
    stats: () => (configured ? { connected: false, lag_seconds: null, problems: 0 } : undefined),
    prepareFeed: async () => undefined,
    async [Symbol.asyncDispose]() {},
  }
}
