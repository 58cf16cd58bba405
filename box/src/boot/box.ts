/** Composes the box in stages. Each stage gets what the earlier ones have made, so the code reads from top to bottom. */
import packageJson from '../../package.json' with { type: 'json' }
import type { Config } from '../config.ts'
import type { Event } from '../event/event.ts'
import { usableFeedGroup } from '../feed/shared-ledger.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Logger } from '../log.ts'
import type { FoundBox } from '../mesh/discovery/announcement.ts'
import { ticketLink } from '../tickets/link.ts'
import { openDomain } from './domain.ts'
import { openHttp } from './http.ts'
import { openPeers } from './peers.ts'
import { PretixScan } from './pretixscan.ts'
import { Shop } from './shop.ts'
import { openStorage } from './storage.ts'
import { openViews } from './views.ts'

/** The parts of its environment that a box uses: log, clocks and network. */
export interface Surroundings {
  logger: Logger
  /** Unix milliseconds. */
  wallClock: () => number
  /** Monotonic clock, in milliseconds. */
  monotonic: () => number
  /** Searches the network for boxes; absent if the box must not search. */
  find?: () => Promise<readonly FoundBox[]>
  /** Closes this box and opens it again with the event file as it then is; absent where nobody would open it. */
  reopen?: () => void
}

export interface BoxPorts {
  readonly http: number
  readonly https: number
  readonly device: number
  /** Present if a shop is mapped. */
  readonly receiver?: number
  /** Present if handhelds with pretixSCAN are served. */
  readonly pretixscan?: number
}

export interface Box extends AsyncDisposable {
  readonly event: Event
  readonly ledger: Ledger
  readonly boxId: string
  readonly adminToken: string
  /** True if this start has made the admin token. */
  readonly adminTokenIsNew: boolean
  readonly caFingerprint: string
  readonly ports: BoxPorts
  /** Writes the configuration of the feed of the shop's database; undefined if the box does not run this feed itself. */
  prepareShopFeed(): Promise<string | undefined>
  /** URL at which phones reach the HTTPS port. */
  readonly baseUrl: string
  /** Base URL of plain HTTP, where phones have to be told to trust the certificate of HTTPS; undefined where they trust it. */
  readonly untrustedPlainUrl: string | undefined
  /** Links to one ticket of each of the first `count` tiers with tickets. A link gives access to its ticket. */
  ticketLinks(count: number): string[]
  /** The OpenAPI document of this box's routes. */
  readonly openapi: object
  /** Checks now whether a listener needs a newer certificate; it also does so every minute. */
  renewCertificates(): Promise<void>
}

/**
 * Opens a box: event, ledger, authority, listeners. Dispose it to finish requests in progress and close.
 * @throws an error whose message says what to correct; everything is closed again
 */
export async function openBox(
  settings: Config,
  { logger, wallClock, monotonic, find, reopen }: Surroundings,
): Promise<Box> {
  const config = { ...settings, feedGroup: usableFeedGroup(settings.feedGroup, logger) }
  await using lifetime = new AsyncDisposableStack()
  const startedAt = monotonic()
  const start = { config, logger, now: wallClock, monotonic, lifetime }

  const storage = await openStorage(start)
  const domain = await openDomain({ ...start, ...storage })
  const peers = await openPeers({ ...start, ...storage, ...domain })
  const shop = new Shop()
  const views = openViews({ ...start, ...storage, ...domain, ...peers, shop })
  const uptime = () => monotonic() - startedAt
  const pretixScan = new PretixScan()
  const made = { ...start, ...storage, ...domain, ...peers, ...views, shop, pretixScan, find, reopen, uptime }
  const { listeners, openapi, baseUrl, untrustedPlainUrl, exchange } = await openHttp(made)

  // From here on people are admitted.
  exchange.start()
  lifetime.use(shop)
  await shop.open(config, { ...made, lease: made.mesh.lease('shop') })
  lifetime.use(pretixScan)
  await pretixScan.open({ ...made, listeners })

  // Disposed in reverse order, and so before the listeners: they wait for every answer, and a stream does not end on its own.
  lifetime.use(views.streams)
  lifetime.use(views.adminStream)
  lifetime.use(views.inspections)
  lifetime.use(views.exports)
  lifetime.use(views.searchThread)
  lifetime.use(domain.staging)
  lifetime.use(views.paperThreads)
  lifetime.use(views.evacuationKeeper).start()
  lifetime.use(views.paperAdmissions).start()
  const closing = lifetime.move()
  const { event, ledger, boxId, adminToken, adminTokenIsNew, authority, tickets, keys } = made
  return {
    event,
    ledger,
    boxId,
    adminToken,
    adminTokenIsNew,
    caFingerprint: authority.fingerprint,
    ports: { ...listeners.ports, ...extraPorts(shop, pretixScan) },
    prepareShopFeed: () => shop.prepareFeed(),
    get baseUrl() {
      return baseUrl()
    },
    get untrustedPlainUrl() {
      return untrustedPlainUrl()
    },
    ticketLinks(count) {
      const walletUrl = config.walletUrl ?? `${baseUrl()}/wallet/`
      const ids = event.tiers.flatMap(({ id }) => tickets.pages.anyOfTier(id) ?? []).slice(0, count)
      return ids.map((ticketId) => ticketLink({ walletUrl, ticketId, verifierKey: keys.verifierKey }))
    },
    get openapi() {
      return openapi.document(packageJson.version)
    },
    renewCertificates: () => listeners.renewCertificates(),
    // In reverse order: streams end and answers are sent before the ledger commits its last group and closes.
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** Of the listeners that are open where a setting asks for them. */
function extraPorts({ port: receiver }: Shop, { port: pretixscan }: PretixScan): Partial<Box['ports']> {
  return { ...(receiver !== undefined && { receiver }), ...(pretixscan !== undefined && { pretixscan }) }
}
