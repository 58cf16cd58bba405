/**
 * The routes of each tier. Each gets the objects of all stages and takes those that it names; written out here are those that
 * have another name there.
 */
import { randomBytes } from 'node:crypto'
import type { SettingsProblem } from '@gatehouse/proto/wire/appliance.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { AnnouncementBytes } from '../announcements/announcement-bytes.ts'
import { announcementAdminRoutes } from '../announcements/routes.ts'
import { WalletStreams } from '../announcements/wallet-streams.ts'
import { certificateRoutes } from '../appliance/certificate-routes.ts'
import { applianceRoutes } from '../appliance/routes.ts'
import { setupRoutes } from '../appliance/setup-routes.ts'
import { type AttendeeDeps, attendeeRoutes } from '../attendee/routes.ts'
import { backupRoutes } from '../backup/routes.ts'
import { perMinute } from '../control/minutes.ts'
import { controlRoutes, logRoutes } from '../control/routes.ts'
import { statsRoutes, statusRoutes } from '../control/stats-routes.ts'
import { deskRoutes, lookUpRoute } from '../desk/routes.ts'
import { holdAdminRoutes } from '../gates/hold-routes.ts'
import { mapRoutes } from '../guide/map-routes.ts'
import { eventRoutes } from '../guide/routes.ts'
import { readUpLink } from '../hq/uplink/link.ts'
import { linkRoutes } from '../hq/uplink/links-routes.ts'
import type { App } from '../http/app.ts'
import type { Listeners, Tiers } from '../http/listeners.ts'
import { openRoutes } from '../http/open-routes.ts'
import { TokenBuckets } from '../http/token-bucket.ts'
import { incidentAdminRoutes, incidentRoutes } from '../incidents/routes.ts'
import { meshAdminRoutes } from '../mesh/membership/admin-routes.ts'
import { joinRoutes } from '../mesh/membership/join-routes.ts'
import type { TopologyExchange } from '../mesh/membership/topology-exchange.ts'
import type { TopologyBox } from '../mesh/topology.ts'
import { evacuationRoutes } from '../paper/evacuation-routes.ts'
import { paperRoutes } from '../paper/routes.ts'
import { pretixScanAdminRoutes } from '../pretixscan/admin-routes.ts'
import { rehearsalAdminRoutes } from '../rehearsal/routes.ts'
import { salesRoutes } from '../sales/routes.ts'
import { SalesTable } from '../sales/statements.ts'
import { guidanceRoutes } from '../scan/guidance-routes.ts'
import { PhoneClocks } from '../scan/phone-clocks.ts'
import { rehearsalScanRoutes, scanRoutes, streamRoutes } from '../scan/routes.ts'
import { exportRoutes } from '../seal/export/routes.ts'
import { sealRoutes } from '../seal/routes.ts'
import { shopConnectRoutes } from '../shop/connect-routes.ts'
import { shopRoutes } from '../shop/routes.ts'
import { webhookRoute } from '../shop/webhook-route.ts'
import { staffRoutes } from '../staff/routes.ts'
import { signOnRoutes } from '../staff/sign-on-routes.ts'
import { manifestRoutes, ticketAdminRoutes } from '../tickets/routes.ts'
import { connectingOf } from './connecting.ts'
import type { Domain } from './domain.ts'
import { editorsOf } from './guide.ts'
import type { Peers } from './peers.ts'
import type { PretixScan } from './pretixscan.ts'
import type { Shop } from './shop.ts'
import type { Start, Storage } from './storage.ts'
import type { Views } from './views.ts'

/** Factor on a device's rate for scans admitted offline, so that an evening's queue is sent in half a minute. */
const UPLOADS = 25
const SOFTWARE = `gatehouse/${packageJson.version}`

export interface RouteDeps extends Start, Storage, Domain, Peers, Views {
  shop: Shop
  pretixScan: PretixScan
  listeners: Listeners
  exchange: TopologyExchange
  /** The id of this box. */
  self: () => Promise<Omit<TopologyBox, 'role'>>
  /** Mistakes in the settings: those found when the machine started, and those that this box found. */
  settingsProblems: () => Promise<SettingsProblem[]>
  /** The public name, while its certificate holds. */
  publicName: () => string | undefined
  /** Base URL by which a phone reaches a port of this box. */
  urlOf: (port: number) => string
  /** Base URL by which phones and other boxes reach the HTTPS port. */
  baseUrl: () => string
  /** Base URL of plain HTTP, where phones have to be told to trust the certificate of HTTPS. */
  untrustedPlainUrl: () => string | undefined
  /** Closes the box and opens it again. */
  reopen: (() => void) | undefined
  /** Milliseconds since the box started. */
  uptime: () => number
}

type News = Pick<AttendeeDeps, 'inForce' | 'walletStreams'>
type Limits = ReturnType<typeof limitsOf>

/** Made once, so that a tier on two ports counts the requests of both. */
export function tiersOf(deps: RouteDeps): Tiers {
  const limits = limitsOf(deps)
  const phoneClocks = new PhoneClocks()
  const editors = editorsOf(deps)
  const inForce = deps.lifetime.use(new AnnouncementBytes(deps))
  const streamDeps = { ledger: deps.ledger, current: () => inForce.of(undefined), random: Math.random }
  const news = { inForce, walletStreams: deps.lifetime.use(new WalletStreams(streamDeps)) }
  const connecting = deps.lifetime.use(connectingOf(deps, editors.editor))
  return {
    setup: (app) => setupTier(app, deps),
    open: (app) => openTier(app, deps, limits),
    attendee: (app) => attendeeTier(app, deps, limits, news),
    device: (app) => deviceTier(app, deps, limits, phoneClocks),
    mesh: (app) => meshTier(app, deps, limits),
    admin: (app) => {
      gateAdminRoutes(app, deps)
      deskAdminRoutes(app, deps, limits)
      recordAdminRoutes(app, deps)
      machineAdminRoutes(app, deps)
      eventRoutes(app, editors)
      mapRoutes(app, editors)
      shopConnectRoutes(app, { connecting })
      paperAdminRoutes(app, deps)
      const { ledger, config, baseUrl, untrustedPlainUrl, publicName } = deps
      staffRoutes(app, { ...deps.staff, ledger, dataDir: config.dataDir, baseUrl, untrustedPlainUrl, publicName })
    },
  }
}

function limitsOf({ config, monotonic }: RouteDeps) {
  const buckets = (perSecond: number, burst: number) => new TokenBuckets({ perSecond, burst, now: monotonic })
  return {
    scan: buckets(config.scansPerSecond, config.scanBurst),
    upload: buckets(config.scansPerSecond * UPLOADS, config.scanBurst * UPLOADS),
    passage: buckets(1, 20),
    manifest: buckets(1, 20),
    enroll: buckets(1, 20),
    status: buckets(1, 20),
    incident: buckets(1, 20),
    miss: buckets(1, 20),
    claim: buckets(1, 100),
    join: buckets(2, 40),
    // A signature takes about 0.1 ms. More would only help whoever shares an address with a flood of forged ones.
    forgery: buckets(100, 200),
    // A person at a desk reads what they find; a supervisor looks up now and then. Whoever copies a list of names is neither.
    desk: buckets(0.5, 30),
    lookUp: buckets(0.1, 5),
  }
}

function setupTier(app: App, deps: RouteDeps): void {
  const { publicHost, walletOverHttp } = deps.config
  const httpsPort = () => deps.listeners.ports.https
  setupRoutes(app, { ...deps, problems: deps.settingsProblems, publicHost, walletOverHttp, httpsPort })
}

function openTier(app: App, deps: RouteDeps, limits: Limits): void {
  const { mesh, venue, keys, listeners } = deps
  webhookRoute(app, deps)
  openRoutes(app, {
    ...deps,
    ...keys,
    plan: venue.plan,
    mode: () => mesh.mode,
    mesh: () => mesh.status(),
    software: SOFTWARE,
    deviceUrl: () => deps.urlOf(listeners.ports.device),
    enrollBuckets: limits.enroll,
  })
}

function attendeeTier(app: App, deps: RouteDeps, limits: Limits, news: News): void {
  attendeeRoutes(app, {
    ...deps,
    ...news,
    eventTag: deps.tag,
    signingKey: deps.keys.eventKey,
    missBuckets: limits.miss,
    claimBuckets: limits.claim,
  })
}

function deviceTier(app: App, deps: RouteDeps, limits: Limits, phoneClocks: PhoneClocks): void {
  const { reservations } = deps.mesh
  const { signOns } = deps.staff
  signOnRoutes(app, deps.staff)
  // In a rehearsal people sign on as at the gate.
  const crew = { signOns, buckets: limits.scan, uploadBuckets: limits.upload }
  deps.presence.watch(app)
  statusRoutes(app, { ...deps, buckets: limits.status })
  rehearsalScanRoutes(app, (device) => ({ ...deps.rehearsals.gateFor(device), ...crew }))
  scanRoutes(app, {
    ...deps,
    phoneClocks,
    reservations,
    ...crew,
    passageBuckets: limits.passage,
  })
  manifestRoutes(app, { ...deps, buckets: limits.manifest })
  streamRoutes(app, deps)
  guidanceRoutes(app, deps)
  incidentRoutes(app, { ...incidentsOf(deps), signOns, buckets: limits.incident })
  lookUpRoute(app, { ...deps, signOns, lookUps: deps.config.lookUps, deviceBuckets: limits.lookUp })
}

function meshTier(app: App, deps: RouteDeps, limits: Limits): void {
  const { config, event, keys } = deps
  joinRoutes(app, {
    ...deps,
    dataDir: config.dataDir,
    eventDir: config.eventDir,
    eventId: event.id,
    verifierKey: keys.verifierKey,
    buckets: limits.join,
    forgeries: limits.forgery,
  })
}

/** Routes of the control room: gates, lanes, tickets, announcements. */
function gateAdminRoutes(app: App, deps: RouteDeps): void {
  controlRoutes(app, deps)
  pretixScanAdminRoutes(app, deps)
  statsRoutes(app, { ...deps, stream: deps.adminStream, keyOf: (staff) => deps.staff.signIn.keyOf(staff) })
  incidentAdminRoutes(app, incidentsOf(deps))
  holdAdminRoutes(app, deps)
  rehearsalAdminRoutes(app, deps)
  announcementAdminRoutes(app, { ...deps, signingKey: deps.keys.eventKey })
  const { eventDir, ownEvent } = deps.config
  ticketAdminRoutes(app, { ...deps, columnsDir: ownEvent?.eventDir ?? eventDir })
}

/** Routes for the desk and for paper. */
function paperAdminRoutes(app: App, deps: RouteDeps): void {
  const { config, boxId, keys, ledger, counts } = deps
  evacuationRoutes(app, deps)
  paperRoutes(app, deps)
  salesRoutes(app, {
    ...deps,
    salesTable: new SalesTable(ledger.db, boxId),
    occupancyOf: (zone: string) => Math.max(0, counts.tally.zones.get(zone) ?? 0),
    walletUrl: () => config.walletUrl ?? `${deps.baseUrl()}/wallet/`,
    verifierKey: keys.verifierKey,
  })
}

function deskAdminRoutes(app: App, deps: RouteDeps, limits: Limits): void {
  const { config, keys, baseUrl } = deps
  deskRoutes(app, {
    ...deps,
    lookUps: config.lookUps,
    deskBuckets: limits.desk,
    walletUrl: () => config.walletUrl ?? `${baseUrl()}/wallet/`,
    verifierKey: keys.verifierKey,
  })
}

/** Routes of the record: log, seals, export. */
function recordAdminRoutes(app: App, deps: RouteDeps): void {
  const { origin, logKey, logVerifierKey } = deps.keys
  logRoutes(app, deps)
  sealRoutes(app, deps)
  exportRoutes(app, { ...deps, origin, signingKey: logKey, verifierKey: logVerifierKey, software: SOFTWARE })
}

/** Routes of the machine, the other boxes, HQ and the shop. */
function machineAdminRoutes(app: App, deps: RouteDeps): void {
  const { config, event, mesh, authority, shop, listeners } = deps
  const { dataDir, eventDir } = config
  shopRoutes(app, deps)
  linkRoutes(app, { up: () => readUpLink(config), down: () => shop.links() })
  backupRoutes(app, { ...deps, dataDir, eventDir })
  applianceRoutes(app, { ...deps, problems: deps.settingsProblems, dataDir })
  certificateRoutes(app, { ...deps, publicCertificate: () => listeners.certificates.public })
  meshAdminRoutes(app, {
    ...deps,
    // Another box need not know the public name.
    baseUrl: () => deps.urlOf(listeners.ports.https),
    eventId: event.id,
    standing: () => mesh.status(),
    caFingerprint: authority.fingerprint,
  })
}

function incidentsOf(deps: RouteDeps) {
  const { counts, now } = deps
  return {
    ...deps,
    random: randomBytes,
    rateOf: (gate: string) => perMinute(counts.tally.gateMinutes.get(gate), now()),
    occupancyOf: (zone: string) => Math.max(0, counts.tally.zones.get(zone) ?? 0),
  }
}
