/** The box, composed: everything is made once, here, and handed to whoever needs it. Reads top to bottom. */
import { randomBytes, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { eventTag } from '@gatehouse/proto/code.ts'
import { format } from '@gatehouse/proto/hlc.ts'
import packageJson from '../package.json' with { type: 'json' }
import { announcementAdminRoutes } from './announcements/routes.ts'
import { Appliance } from './appliance/appliance.ts'
import { readProblems } from './appliance/machine-state.ts'
import { applianceRoutes } from './appliance/routes.ts'
import { setupRoutes } from './appliance/setup-routes.ts'
import { attendeeRoutes } from './attendee/routes.ts'
import { backupRoutes } from './backup/routes.ts'
import { openAuthority } from './ca/authority.ts'
import { Roster } from './ca/roster.ts'
import { ClockFence } from './clock/fence.ts'
import type { Config } from './config.ts'
import { AdminStream } from './control/admin-stream.ts'
import { Counts } from './control/counts.ts'
import { Lanes } from './control/lanes.ts'
import { logRoutes } from './control/log-routes.ts'
import { perMinute } from './control/minutes.ts'
import { ModeSwitch } from './control/mode.ts'
import { Presence } from './control/presence.ts'
import { controlRoutes } from './control/routes.ts'
import { Sold } from './control/sold.ts'
import { statsOf } from './control/stats.ts'
import { statsRoutes, statusRoutes } from './control/stats-routes.ts'
import type { Changelog } from './db.ts'
import { createDurably, readIfThere } from './durable-file.ts'
import { type Event, readEvent } from './event/event.ts'
import { recordEvent } from './event/recorded.ts'
import { hqIdentityPath, prepareBoxFeed } from './feed/of-the-box.ts'
import { nextIncarnation } from './feed/sources/sqlite/lives.ts'
import { type Downlink, noDownlink, openDownlink } from './hq/down/downlink.ts'
import { findMapping, ShopMappingError } from './hq/down/mapping.ts'
import { linkRoutes } from './hq/links-routes.ts'
import { keepUpIdentity } from './hq/up/identity.ts'
import { readUpLink } from './hq/up/link.ts'
import { openListeners } from './http/listeners.ts'
import { reachableHost } from './http/machine.ts'
import { openRoutes } from './http/open-routes.ts'
import { OpenApi } from './http/openapi.ts'
import { originsOf } from './http/other-boxes.ts'
import { TokenBuckets } from './http/token-bucket.ts'
import { Alerts } from './incidents/alerts.ts'
import { incidentAt } from './incidents/board.ts'
import { holdAdminRoutes } from './incidents/hold-routes.ts'
import { Holds, holdOf } from './incidents/holds.ts'
import { incidentAdminRoutes, incidentRoutes } from './incidents/routes.ts'
import type { Ledger } from './ledger/ledger.ts'
import { openLedger } from './ledger/open.ts'
import type { Logger } from './log.ts'
import { Witness } from './mesh/cosign/witness.ts'
import type { FoundBox } from './mesh/discovery.ts'
import { meshSecret } from './mesh/engine/engine.ts'
import { ownAddress, ownName } from './mesh/join/address.ts'
import { meshAdminRoutes } from './mesh/join/admin-routes.ts'
import { Exchange } from './mesh/join/exchange.ts'
import { joinRoutes } from './mesh/join/routes.ts'
import { Membership } from './mesh/membership.ts'
import { openMesh } from './mesh/mesh.ts'
import { othersOf } from './mesh/standing.ts'
import { Flags } from './scan/flags.ts'
import { guidanceRoutes } from './scan/guidance-routes.ts'
import { Overrides } from './scan/overrides.ts'
import { PhoneClocks } from './scan/phone-clocks.ts'
import { scanRoutes } from './scan/routes.ts'
import { Scans } from './scan/scans.ts'
import { DeviceStreams } from './scan/stream.ts'
import { streamRoutes } from './scan/stream-routes.ts'
import { exportRoutes } from './seal/export-routes.ts'
import { ExportThreads } from './seal/export-thread.ts'
import { Inspections } from './seal/inspections.ts'
import { sealRoutes } from './seal/routes.ts'
import { Sealer } from './seal/sealer.ts'
import { keysOf } from './seal/verifier-key.ts'
import { CodeReader } from './tickets/codes.ts'
import { importFolder } from './tickets/import-folder.ts'
import { Kinds } from './tickets/kinds.ts'
import { ticketLink } from './tickets/link.ts'
import { Manifests } from './tickets/manifest.ts'
import { Redeemed } from './tickets/redeemed.ts'
import { manifestRoutes, ticketAdminRoutes } from './tickets/routes.ts'
import { shareTickets } from './tickets/shared-ref.ts'
import { Tickets } from './tickets/tickets.ts'
import { formatProblems } from './venue/problems.ts'
import { openVenue, walkingSeconds } from './venue/venue.ts'

/** How much faster than it may scan a device may send what it has let in alone: an evening's queue in half a minute. */
const UPLOADS = 25
/** How soon the box sees what the command line wrote beside it. */
const WATCH_MS = 100

/** What a box takes from the outside world. */
export interface Surroundings {
  logger: Logger
  /** Unix milliseconds. */
  wallClock: () => number
  /** Milliseconds that never jump. */
  monotonic: () => number
  /** Asks the network for boxes; left out where it is not to be asked. */
  find?: () => Promise<readonly FoundBox[]>
}

export interface Box extends AsyncDisposable {
  readonly event: Event
  readonly ledger: Ledger
  readonly boxId: string
  readonly adminToken: string
  readonly caFingerprint: string
  /** `receiver` where a shop is mapped. */
  readonly ports: { readonly http: number; readonly https: number; readonly device: number; readonly receiver?: number }
  /** Writes what the feed over the shop's database is started with, where the box fetches its changes itself. */
  prepareShopFeed(): Promise<string | undefined>
  /** Where phones reach the HTTPS port. */
  readonly baseUrl: string
  /** Links that open a ticket: one of each of the first `count` tiers that have any. Whoever has one has the ticket. */
  ticketLinks(count: number): string[]
  /** The OpenAPI document of the routes that this box has. */
  readonly openapi: object
  /** Looks now whether a listener needs a newer certificate; every minute it does so by itself. */
  renewCertificates(): Promise<void>
}

/**
 * Opens a box: event, ledger, authority, listeners. Dispose it to finish what is in flight and close.
 * @throws with a message that says what to correct; nothing stays open
 */
export async function openBox(config: Config, { logger, wallClock, monotonic, find }: Surroundings): Promise<Box> {
  await using opened = new AsyncDisposableStack()
  const startedAt = monotonic()

  const event = await readEvent(config.eventDir)
  for (const { path, message } of event.warnings) logger.warn({ event: 'event_file', path, message })

  const { ledger, clock, identity } = openLedger({
    ...{ dataDir: config.dataDir, eventId: event.id, wallClock },
    changelog: await changelogFor(config, { logger, wallClock }),
  })
  opened.use(ledger)
  await recordEvent(event, identity.boxId, ledger)
  const fence = opened.use(new ClockFence(ledger, clock))
  const appliance =
    config.appliance === undefined
      ? undefined
      : opened.use(
          await Appliance.open({
            ...{ folder: config.appliance, dataDir: config.dataDir, eventDir: config.eventDir },
            ...{ logger, now: wallClock, monotonic },
          }),
        )
  // A machine without a clock of its own is right when something tells it the time; any other is its owner's concern.
  const timeQuality = () => (appliance && !appliance.clock.synced ? 'unsynced' : fence.timeQuality())
  ledger.watch(WATCH_MS)

  const authority = await openAuthority({
    dir: join(config.dataDir, 'ca'),
    eventId: event.id,
    eventName: event.name,
    endsAt: Date.parse(event.ends_at),
    hostname: hostname(),
    now: wallClock,
  })
  const roster = new Roster(ledger)
  const adminToken = await openAdminToken(config.dataDir)
  const modeSwitch = new ModeSwitch(ledger)

  await shareTickets(config.hqTicketKey, ledger)
  const tickets = new Tickets(ledger.db, identity.refKey)
  const tag = await eventTag(event.id)
  const codes = new CodeReader(identity.manifestSalt, tag)
  await importFolder(config.eventDir, { event, ledger, tickets, codes, logger })

  const flags = new Flags({ db: ledger.db, ledger, clock })
  const scans = new Scans(ledger.db)
  const overrides = new Overrides(ledger.db)
  const lanes = new Lanes({ ledger, now: wallClock })
  const holds = new Holds({ ledger, now: wallClock })
  const counts = opened.use(new Counts(ledger))
  const presence = new Presence(wallClock)
  const sold = new Sold(ledger.db)
  const holdAt = (gate: string) => {
    const hold = holds.on(gate)
    return hold ? holdOf(hold) : null
  }
  const venue = await openVenue(event, config.eventDir)
  const { plan } = venue
  for (const problem of venue.warnings) logger.warn({ event: 'venue_file', problem: formatProblems([problem]) })
  const { origin, logKey, logVerifierKey, eventKey, verifierKey } = keysOf(event.id, identity)
  const membership = opened.use(new Membership({ ledger, eventId: event.id, eventKey, now: wallClock }))
  const witness = new Witness({ ledger, origin, logKey, logger, now: wallClock })
  const mesh = opened.use(
    openMesh({
      ...{ boxId: identity.boxId, event, eventTag: Buffer.from(tag).toString('hex'), ledger, tickets },
      ...{ membership, modeSwitch, logger, now: wallClock, monotonic },
      engine: { dataDir: config.dataDir, authority, eventSeed: identity.signingSeed, config },
      spread: { clock, codes, flags, scans, overrides, newestSeal: () => sealer.lastSeal()?.note, witness },
    }),
  )
  const mode = () => mesh.mode
  const sealer = opened.use(new Sealer({ ledger, origin, signingKey: logKey, logger, now: wallClock }))
  sealer.start()
  if (config.hq !== undefined) {
    const name = { event: event.id, box: identity.boxId, verifierKey: logVerifierKey }
    opened.use(await keepUpIdentity(hqIdentityPath(config.dataDir), name, { authority, logger, now: wallClock }))
  }
  // Opened when the gates are: a shop whose rows are read anew keeps none of them closed.
  let downlink = noDownlink()
  const stats = () =>
    statsOf({
      ...{ event, presence, mode: mode(), tally: counts.tally, sold: sold.byTier(), devices: roster.list() },
      ...{ hlc: format(clock.now()), now: wallClock(), holdAt },
      seal: { newest: sealer.lastSeal(), refusal: sealer.refusal },
      ...{ shop: downlink.stats(), mesh: mesh.standing(), contradicted: witness.contradictions() },
    })
  const exports = new ExportThreads(join(config.dataDir, 'ledger.db'))
  const inspections = new Inspections(join(config.dataDir, 'ledger.db'))
  const redeemed = new Redeemed({ event, ledger, tickets, now: wallClock })
  const manifests = new Manifests({
    ...{ event, ledger, clock, tickets, redeemed, holds, mode, kinds: new Kinds() },
    signingKey: eventKey,
    ...{ salt: identity.manifestSalt, life: identity.life },
    venueEtag: plan.etag,
    mesh: () => othersOf(mesh.standing(), wallClock()),
  })
  const phoneClocks = new PhoneClocks()
  const streams = new DeviceStreams({
    ...{ event, ledger, tickets, redeemed, holds, now: wallClock },
    incarnation: identity.incarnation,
    unheard: () => mesh.unheard(),
  })
  opened.defer(
    mesh.onChange(() => {
      const standing = mesh.standing()
      if (standing) streams.tellMode({ ...standing, hlc: format(clock.now()) })
    }),
  )
  roster.onRevoked((device) => streams.close(device.id))
  const adminStream = new AdminStream({
    ...{ ledger, stats, monotonic },
    incidentAt: (id) => incidentAt(id, { event, ledger }),
  })
  const incidents = {
    ...{ event, ledger, lanes, now: wallClock, random: randomBytes },
    rateOf: (gate: string) => perMinute(counts.tally.gateMinutes.get(gate), wallClock()),
    occupancyOf: (zone: string) => Math.max(0, counts.tally.zones.get(zone) ?? 0),
  }
  opened.use(
    new Alerts({
      ...{ event, ledger, now: wallClock },
      say: (incident) => {
        streams.tell(incident)
        adminStream.tell(incident)
      },
    }),
  )

  const buckets = (perSecond: number, burst: number) => new TokenBuckets({ perSecond, burst, now: monotonic })
  const scanBuckets = buckets(config.scansPerSecond, config.scanBurst)
  const uploadBuckets = buckets(config.scansPerSecond * UPLOADS, config.scanBurst * UPLOADS)
  const manifestBuckets = buckets(1, 20)
  const enrollBuckets = buckets(1, 20)
  const statusBuckets = buckets(1, 20)
  const incidentBuckets = buckets(1, 20)
  const missBuckets = buckets(1, 20)
  const joinBuckets = buckets(2, 40)
  const openapi = new OpenApi()
  // Asked each time: a box may boot before its network does, and get its address later.
  const urlOf = (port: number) => `https://${reachableHost(config.publicHost)}:${port}`

  /** This box, as the others know it. */
  const self = async () => {
    const known = membership.topology?.boxes.find(({ id }) => id === identity.boxId)
    const address = await ownAddress(config, listeners.ports, known)
    return { id: identity.boxId, name: known?.name ?? ownName(), log_key: logVerifierKey, ...address }
  }

  /** As they were read when the machine started, and what this box found out itself. */
  const settingsProblems = async () => {
    if (!appliance) return []
    const { certificateProblem: message } = listeners
    return [...(await readProblems(appliance.folder)), ...(message === undefined ? [] : [{ where: 'tls', message }])]
  }

  const listeners = opened.use(
    await openListeners({
      ...{ config, logger, authority, roster, adminToken, openapi, now: wallClock },
      others: () => originsOf(mesh.standing()),
      tiers: {
        setup: (app) =>
          setupRoutes(app, {
            ...{ event, authority, timeQuality, boxId: identity.boxId, problems: settingsProblems },
            ...{ publicHost: config.publicHost, walletOverHttp: config.walletOverHttp },
            httpsPort: () => listeners.ports.https,
          }),
        open: (app) =>
          openRoutes(app, {
            ...{ event, ledger, authority, clock, plan, mode, timeQuality, enrollBuckets, now: wallClock },
            ...{ boxId: identity.boxId, mesh: () => mesh.standing() },
            ...{ verifierKey, logVerifierKey, software: SOFTWARE },
            uptime: () => monotonic() - startedAt,
            openapi: () => openapi.document(packageJson.version),
            deviceUrl: () => urlOf(listeners.ports.device),
          }),
        attendee: (app) =>
          attendeeRoutes(app, {
            ...{ event, ledger, tickets, codes, clock, venue, missBuckets, now: wallClock },
            eventTag: tag,
            signingKey: eventKey,
          }),
        device: (app) => {
          presence.watch(app)
          statusRoutes(app, { presence, clock, buckets: statusBuckets })
          scanRoutes(app, {
            ...{ event, clock, ledger, tickets, scans, flags, holds, codes, phoneClocks, timeQuality },
            overrides,
            claim: mesh.claim,
            walkingSeconds: (from, to) => walkingSeconds(venue, from, to.id),
            ...{ buckets: scanBuckets, uploadBuckets },
          })
          manifestRoutes(app, { manifests, buckets: manifestBuckets })
          streamRoutes(app, { streams })
          guidanceRoutes(app, { event, tickets, codes, venue, lanes, holds, now: wallClock })
          incidentRoutes(app, { ...incidents, buckets: incidentBuckets })
        },
        mesh: (app) =>
          joinRoutes(app, {
            ...{ dataDir: config.dataDir, eventDir: config.eventDir, eventId: event.id, boxId: identity.boxId },
            ...{ ledger, membership, self, buckets: joinBuckets, authority, verifierKey, now: wallClock },
            secret: meshSecret(identity.signingSeed, event.id),
          }),
        admin: (app) => {
          controlRoutes(app, {
            ...{ event, ledger, authority, roster, flags, mode: modeSwitch, now: wallClock },
            walkingSeconds: (from, to) => walkingSeconds(venue, from, to.id),
            baseUrl: () => urlOf(listeners.ports.https),
          })
          statsRoutes(app, { counts, stats, stream: adminStream })
          linkRoutes(app, { up: () => readUpLink(config), down: () => downlink.links() })
          incidentAdminRoutes(app, incidents)
          holdAdminRoutes(app, { event, holds, now: wallClock })
          announcementAdminRoutes(app, { event, ledger, signingKey: eventKey, now: wallClock })
          logRoutes(app, { event, ledger, tickets, codes })
          exportRoutes(app, {
            ...{ ledger, sealer, exports, origin, signingKey: logKey, software: SOFTWARE, now: wallClock },
            verifierKey: logVerifierKey,
          })
          backupRoutes(app, { ledger, dataDir: config.dataDir, eventDir: config.eventDir, now: wallClock })
          applianceRoutes(app, {
            ...{
              appliance,
              problems: settingsProblems,
              ledger,
              timeQuality,
              monotonic,
              dataDir: config.dataDir,
              now: wallClock,
            },
          })
          meshAdminRoutes(app, {
            eventId: event.id,
            ...{ boxId: identity.boxId, ledger, membership, now: wallClock },
            ...{ exchange: () => exchange, standing: () => mesh.standing(), caFingerprint: authority.fingerprint },
            baseUrl: () => urlOf(listeners.ports.https),
          })
          sealRoutes(app, { sealer, inspections, tickets, codes })
          ticketAdminRoutes(app, { event, ledger, tickets, codes, now: wallClock })
        },
      },
    }),
  )

  const exchange = opened.use(
    new Exchange({
      ...{ boxId: identity.boxId, ledger, membership, self, logger, find },
      ...{ ca: authority.certificate, caFingerprint: authority.fingerprint },
    }),
  )

  downlink = opened.use(await downlinkFor(config, { event, ledger, tickets, codes, authority, logger, now: wallClock }))

  // Before the listeners: they wait for every answer to end, and a stream never does by itself.
  opened.use(streams)
  opened.use(adminStream)
  opened.use(inspections)
  opened.use(exports)
  const closing = opened.move()
  return {
    event,
    ledger,
    boxId: identity.boxId,
    adminToken,
    caFingerprint: authority.fingerprint,
    ports: { ...listeners.ports, ...(downlink.port !== undefined && { receiver: downlink.port }) },
    prepareShopFeed: downlink.prepareFeed,
    get baseUrl() {
      return urlOf(listeners.ports.https)
    },
    ticketLinks(count) {
      const walletUrl = config.walletUrl ?? `${urlOf(listeners.ports.https)}/wallet/`
      const ids = event.tiers.flatMap(({ id }) => tickets.anyOfTier(id) ?? []).slice(0, count)
      return ids.map((ticketId) => ticketLink({ walletUrl, ticketId, verifierKey }))
    },
    openapi: openapi.document(packageJson.version),
    renewCertificates: () => listeners.renewCertificates(),
    // In reverse: streams end and answers go out before the ledger commits its last group and closes.
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** What the change feed is to follow. A mistake in the operator's configuration of it keeps no gate closed. */
async function changelogFor(
  config: Config,
  { logger, wallClock }: Pick<Surroundings, 'logger' | 'wallClock'>,
): Promise<Changelog | 'none' | undefined> {
  if (!config.feed) return 'none'
  try {
    const { publication } = await prepareBoxFeed(config)
    return publication && { publication, incarnation: nextIncarnation(wallClock()), token: randomUUID() }
  } catch (error) {
    logger.error({ event: 'feed_config', problem: (error as Error).message })
    return undefined
  }
}

const SOFTWARE = `gatehouse/${packageJson.version}`

/** The same token on every boot: 256 bits in a file that only the box's own user may read. */
async function openAdminToken(dataDir: string): Promise<string> {
  const path = join(dataDir, 'admin-token')
  await createDurably(path, `${randomBytes(32).toString('base64url')}\n`)
  const token = (await readIfThere(path))?.trim() ?? ''
  if (token.length < 32) throw new Error(`${path} holds no token: remove the file, and the next start makes a new one.`)
  return token
}

/** What comes down from the shop. A mistake in the mapping keeps no gate closed; it is said until it is mended. */
async function downlinkFor(
  config: Config,
  deps: Omit<Parameters<typeof openDownlink>[1], 'mapping'>,
): Promise<Downlink> {
  try {
    const found = findMapping(config, deps.event)
    if (!found) return noDownlink()
    return await openDownlink({ ...config, shopFile: found.path }, { ...deps, mapping: found.mapping })
  } catch (error) {
    if (!(error instanceof ShopMappingError)) throw error
    const { message } = error
    deps.logger.error({ event: 'shop_mapping', problem: message })
    return noDownlink(message)
  }
}
