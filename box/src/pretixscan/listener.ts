/**
 * The port for pretixSCAN, off until the operator sets it. Certificates and turnstile are those of the HTTPS port; nothing else is served
 * here, and nothing of this is served elsewhere.
 */
import type { Server } from 'node:https'
import type { Roster } from '../ca/roster.ts'
import type { Presence } from '../control/presence.ts'
import { type App, createApp } from '../http/app.ts'
import type { Certificates } from '../http/certificates.ts'
import { boundConnections } from '../http/connection.ts'
import { boundInFlight, InFlight } from '../http/in-flight.ts'
import { listen } from '../http/listen.ts'
import { contextOf, httpsOptions } from '../http/shown-certificate.ts'
import type { Turnstile } from '../http/turnstile.ts'
import { skipTurnstile, waitAtTurnstile } from '../http/waiting.ts'
import type { Logger } from '../log.ts'
import { requireBearer } from './bearer.ts'
import { type DeviceRouteDeps, deviceRoutes, initializeRoute } from './device-routes.ts'
import { nothingHere, pretixErrors } from './errors.ts'
import { checkRoutes, searchRoutes } from './proxy-routes.ts'
import { type PlainDeps, plainRoutes, redeemRoutes } from './redeem-routes.ts'
import { type SyncDeps, syncRoutes } from './sync-routes.ts'

export interface PretixScanRoutes extends DeviceRouteDeps, PlainDeps, SyncDeps {
  presence: Pick<Presence, 'watch'>
}

export interface PretixScanListenerDeps {
  logger: Logger
  host: string
  port: number
  certificates: Certificates
  /** Of all ports: they share the event loop. */
  turnstile: Turnstile
  roster: Roster
  routes: PretixScanRoutes
}

/** Requests that are answered at one time. A hundred handhelds have a hundred. */
const MOST_IN_FLIGHT = 512

export class PretixScanListener implements AsyncDisposable {
  readonly #app: App
  readonly port: number

  private constructor(app: App, port: number) {
    this.#app = app
    this.port = port
  }

  /** @throws GatehouseError when the port cannot be opened */
  static async open(deps: PretixScanListenerDeps): Promise<PretixScanListener> {
    const { logger, certificates, turnstile, host, port, routes } = deps
    const app = createApp({ logger, tls: httpsOptions(certificates) })
    waitAtTurnstile(app, turnstile)
    const { liveScans, monotonic } = { liveScans: routes.liveScans, monotonic: () => performance.now() }
    boundConnections(app, liveScans, monotonic)
    const server = app.server as unknown as Server
    certificates.follow({ own: () => {}, https: (identity) => server.setSecureContext(contextOf(identity)) })
    app.register(async (scope) => {
      pretixErrors(scope as App, logger)
      register(scope as App, deps)
    })
    return new PretixScanListener(app, await listen(app, { host, port, setting: 'GATEHOUSE_PRETIXSCAN_PORT' }))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#app.close()
  }
}

function register(app: App, { roster, turnstile, routes }: PretixScanListenerDeps): void {
  const inFlight = new InFlight(MOST_IN_FLIGHT)
  const { now, presence } = routes
  const scope = (add: (app: App) => void) =>
    app.register(async (inner) => {
      boundInFlight(inner as App, inFlight)
      add(inner as App)
    })
  scope((open) => {
    initializeRoute(open, routes)
    // Any other request learns nothing, with a login or without.
    open.all('/*', (_request, reply) => nothingHere(reply))
    open.all('/', (_request, reply) => nothingHere(reply))
  })
  scope((live) => {
    skipTurnstile(live)
    requireBearer(live, { roster, now, turnstile })
    presence.watch(live)
    checkRoutes(live, routes)
    redeemRoutes(live, routes)
  })
  scope((paired) => {
    requireBearer(paired, { roster, now, turnstile })
    presence.watch(paired)
    deviceRoutes(paired, routes)
    syncRoutes(paired, routes)
    searchRoutes(paired, routes)
    plainRoutes(paired, routes)
  })
}
