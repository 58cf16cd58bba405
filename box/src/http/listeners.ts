/**
 * The three ports, and which tier each one serves. Plain HTTP has the setup page and the open tier, and the attendee tier
 * if the operator allows it; HTTPS has everything, with signed requests of devices; the device port asks for a client certificate
 * in the handshake, so that browsers on the other ports are not asked for one.
 */
import type { Server } from 'node:https'
import type { Roster } from '../ca/roster.ts'
import type { CertificateUnusable, CertifiedKey } from '../ca/server-identity.ts'
import type { Config } from '../config.ts'
import type { LiveScans } from '../live-scans.ts'
import { type App, createApp } from './app.ts'
import { missingApps, serveApps } from './app-files.ts'
import { requireDeviceCertificate, requireSignedRequest } from './auth.ts'
import { type CertificateDeps, type Certificates, openCertificates } from './certificates.ts'
import { boundConnections } from './connection.ts'
import { boundInFlight, InFlight } from './in-flight.ts'
import { listen } from './listen.ts'
import type { OpenApi } from './openapi.ts'
import { type Origins, OtherBoxes } from './other-boxes.ts'
import { contextOf, httpsOptions } from './shown-certificate.ts'
import { requireStaff, type StaffAccess } from './staff-auth.ts'
import { Turnstile } from './turnstile.ts'
import { skipTurnstile, waitAtTurnstile, waitByDevice } from './waiting.ts'
import type { WrongTokens } from './wrong-tokens.ts'

export interface ListenerDeps extends CertificateDeps {
  config: Config
  roster: Roster
  staff: { readonly signIn: StaffAccess }
  wrongTokens: WrongTokens
  openapi: OpenApi
  /** The boxes whose scanners may continue here when their own is gone; none for a single box. */
  others: Origins
  /** Milliseconds, monotonic. */
  monotonic: () => number
  /** True while people are being scanned: all other requests make way. */
  ledger: { readonly liveScans: LiveScans }
}

/** Registers the routes of a tier on a listener. */
export type Routes = (app: App) => void
export type Tiers = Record<'setup' | 'open' | 'attendee' | 'device' | 'admin' | 'mesh', Routes>

export interface Ports {
  readonly http: number
  readonly https: number
  readonly device: number
}

/** The three listeners: created with their certificates, and given routes and ports by `open`. */
export class Listeners implements AsyncDisposable {
  readonly #deps: ListenerDeps
  readonly #certificates: Certificates
  readonly #http: App
  readonly #https: App
  readonly #device: App
  /** One for all ports: they share the event loop. */
  readonly #turnstile: Turnstile
  /** By device: uploads and manifests, one of each device at a time. */
  readonly #longTurnstile: Turnstile
  #ports: Ports | undefined

  /** @throws GatehouseError for a certificate of the organiser's that cannot be used */
  static async prepare(deps: ListenerDeps): Promise<Listeners> {
    return new Listeners(deps, await openCertificates(deps))
  }

  private constructor(deps: ListenerDeps, certificates: Certificates) {
    const { logger, authority } = deps
    this.#deps = deps
    this.#certificates = certificates
    // The real clock: by the one that a test moves, each turn would look long.
    const shared = { now: () => performance.now(), liveScans: deps.ledger.liveScans }
    this.#turnstile = new Turnstile(shared)
    this.#longTurnstile = new Turnstile({ ...shared, ...ONE_LONG })
    this.#http = createApp({ logger })
    this.#https = createApp({ logger, tls: httpsOptions(certificates) })
    // A handshake without a certificate of this authority fails, before any request is read.
    const deviceContext = (identity: CertifiedKey) => ({ ...contextOf(identity), ca: authority.certificate })
    this.#device = createApp({
      logger,
      tls: { ...deviceContext(certificates.own), requestCert: true, rejectUnauthorized: true },
    })
    for (const app of [this.#http, this.#https, this.#device]) {
      waitAtTurnstile(app, this.#turnstile)
      boundConnections(app, shared.liveScans, deps.monotonic)
    }
    certificates.follow({
      own: (identity) => serverOf(this.#device).setSecureContext(deviceContext(identity)),
      https: (identity) => serverOf(this.#https).setSecureContext(contextOf(identity)),
    })
  }

  /**
   * Registers the routes and opens the ports.
   * @throws GatehouseError when a port cannot be opened
   */
  async open(tiers: Tiers): Promise<void> {
    const { host, httpPort, httpsPort, devicePort } = this.#deps.config
    const bounded = withBounds(tiers)
    this.#routeHttp(bounded)
    this.#routeHttps(bounded)
    this.#routeDevice(bounded)
    const missing = missingApps()
    if (missing.length > 0) this.#deps.logger.warn({ event: 'apps_missing', apps: missing, remedy: 'npm run build' })
    this.#ports = {
      http: await listen(this.#http, { host, port: httpPort, setting: 'GATEHOUSE_HTTP_PORT' }),
      https: await listen(this.#https, { host, port: httpsPort, setting: 'GATEHOUSE_HTTPS_PORT' }),
      device: await listen(this.#device, { host, port: devicePort, setting: 'GATEHOUSE_DEVICE_PORT' }),
    }
  }

  /** The ports in use, also where the setting was 0. */
  get ports(): Ports {
    if (!this.#ports) throw new Error('The listeners are not open yet.')
    return this.#ports
  }

  /** For a further port: the certificates that these show. */
  get certificates(): Certificates {
    return this.#certificates
  }

  /** For a further port: where what nobody at a gate waits for takes its turn. */
  get turnstile(): Turnstile {
    return this.#turnstile
  }

  /** Reason why the HTTPS port shows the box's own certificate in place of the organiser's. */
  get certificateProblem(): CertificateUnusable | undefined {
    return this.#certificates.problem
  }

  /** Checks now whether a listener needs a newer certificate; it also does so every minute. */
  async renewCertificates(): Promise<void> {
    await this.#certificates.check()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // In parallel, so that they wait for requests in progress at the same time.
    await Promise.all([this.#http, this.#https, this.#device].map((app) => app.close()))
    await this.#certificates[Symbol.asyncDispose]()
  }

  #routeHttp({ open, setup, attendee }: Tiers): void {
    inScope(this.#http, open)
    inScope(this.#http, setup)
    // Anybody on the radio network can read plain HTTP: only if the operator has allowed it.
    if (this.#deps.config.walletOverHttp) {
      inScope(this.#http, attendee)
      inScope(this.#http, (app) => serveApps(app, ['wallet']))
    }
  }

  #routeHttps({ open, attendee, device, admin, mesh }: Tiers): void {
    const { openapi, roster, staff, wrongTokens, now, others } = this.#deps
    const otherBoxes = new OtherBoxes(others)
    inScope(this.#https, (app) => {
      openapi.collect(app, 'open')
      otherBoxes.mayAsk(app)
      open(app)
    })
    inScope(this.#https, (app) => {
      openapi.collect(app, 'attendee')
      // A scanner reads announcements on the attendee tier. Pages of other boxes may request nothing else of it.
      otherBoxes.mayAsk(app, ['/v1/announcements'])
      attendee(app)
    })
    inScope(this.#https, (app) => {
      openapi.collect(app, 'device')
      otherBoxes.mayAsk(app)
      skipTurnstile(app)
      requireSignedRequest(app, { roster, now, turnstile: this.#turnstile })
      waitByDevice(app, this.#longTurnstile)
      device(app)
    })
    inScope(this.#https, (app) => {
      openapi.collect(app, 'admin')
      requireStaff(app, { staff: staff.signIn, wrong: wrongTokens, now })
      admin(app)
    })
    inScope(this.#https, mesh)
    inScope(this.#https, (app) => otherBoxes.preflights(app))
    inScope(this.#https, (app) => serveApps(app, ['dashboard', 'scanner', 'wallet'], others))
    this.#https.get('/', (_request, reply) => reply.redirect('/dashboard/', 302))
    // A browser that goes to HTTPS by itself: the invite stays in the fragment.
    this.#https.get('/trust/', (_request, reply) => reply.redirect('/scanner/', 302))
  }

  #routeDevice({ open, device }: Tiers): void {
    const { roster, now } = this.#deps
    inScope(this.#device, open)
    inScope(this.#device, (app) => {
      skipTurnstile(app)
      requireDeviceCertificate(app, { roster, now, turnstile: this.#turnstile })
      waitByDevice(app, this.#longTurnstile)
      device(app)
    })
  }
}

/** Requests of a tier that are answered at one time, on all ports together. */
const MOST_IN_FLIGHT: Record<keyof Tiers, number> = {
  setup: 32,
  open: 64,
  attendee: 256,
  device: 512,
  admin: 128,
  mesh: 16,
}

function withBounds(tiers: Tiers): Tiers {
  const bounded = Object.entries(tiers).map(([name, routes]) => {
    const inFlight = new InFlight(MOST_IN_FLIGHT[name as keyof Tiers])
    const withBound = (app: App) => {
      boundInFlight(app, inFlight)
      routes(app)
    }
    return [name, withBound]
  })
  return Object.fromEntries(bounded) as Tiers
}

/** A scanner sends one upload after the other. One that never ends gives up its place with the request. */
const ONE_LONG = { mostInside: 1, mostWaiting: 16, placeMs: 30_000 } as const

/** A Fastify scope, so that these hooks do not apply to other routes. */
function inScope(app: App, routes: Routes): void {
  app.register(async (scope) => routes(scope as App))
}

function serverOf(app: App): Server {
  return app.server as unknown as Server
}
