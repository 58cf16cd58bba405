/**
 * The three listeners, and which tier each one serves. Plain HTTP has the setup page and the open tier, and the attendee tier
 * where the operator says so; HTTPS has everything, devices by signed requests; the device port asks for a client certificate in the
 * handshake, so that no other browser ever is.
 */
import type { Server } from 'node:https'
import { join } from 'node:path'
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls'
import type { Authority } from '../ca/authority.ts'
import type { Roster } from '../ca/roster.ts'
import {
  boxIdentity,
  CertificateExpired,
  type CertifiedKey,
  type IdentityOptions,
  organiserIdentity,
} from '../ca/server-identity.ts'
import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'
import { OWN_CERTIFICATE } from '../mesh/join/pinned.ts'
import { type App, createApp } from './app.ts'
import { missingApps, serveApps } from './app-files.ts'
import { requireAdminToken, requireDeviceCertificate, requireSignedRequest } from './auth.ts'
import { listen } from './listen.ts'
import { thisMachine } from './machine.ts'
import type { OpenApi } from './openapi.ts'
import { type Origins, OtherBoxes } from './other-boxes.ts'

/** Registers the routes of a tier on a listener. */
export type Routes = (app: App) => void

export interface ListenerOptions {
  config: Config
  logger: Logger
  /** Unix ms. */
  now: () => number
  authority: Authority
  roster: Roster
  adminToken: string
  tiers: { setup: Routes; open: Routes; attendee: Routes; device: Routes; admin: Routes; mesh: Routes }
  openapi: OpenApi
  /** Whose scanners may come here when their own box is gone; none for a box alone. */
  others?: Origins
}

export interface Listeners extends AsyncDisposable {
  readonly ports: { readonly http: number; readonly https: number; readonly device: number }
  /** Looks now whether a listener needs a newer certificate; every minute it does so by itself. */
  renewCertificates(): Promise<void>
  /** Why the HTTPS port shows the box's own certificate, and not the organiser's; undefined: it does as the settings say. */
  readonly certificateProblem: string | undefined
}

/** An address that comes after boot is in the certificate by the time that somebody has walked to the box with a phone. */
const LOOK_MS = 60_000

export async function openListeners(options: ListenerOptions): Promise<Listeners> {
  const { config, logger, authority, roster, adminToken, tiers, openapi, now, others = () => [] } = options
  await using opened = new AsyncDisposableStack()

  const http = createApp({ logger })
  http.register(async (scope) => tiers.open(scope as App))
  http.register(async (scope) => tiers.setup(scope as App))
  // Whoever shares the air reads along: only where the operator has said that this is acceptable.
  if (config.walletOverHttp) {
    http.register(async (scope) => tiers.attendee(scope as App))
    http.register(async (scope) => serveApps(scope as App, ['wallet']))
  }

  const follow = (...shows: ((identity: CertifiedKey) => unknown)[]): IdentityOptions => ({
    now,
    everyMs: LOOK_MS,
    onRenewed: (identity: CertifiedKey) => {
      for (const show of shows) show(identity)
      logger.info({ event: 'certificate_renewed', expires: new Date(identity.notAfter).toISOString() })
    },
    onProblem: (error: unknown) => logger.error({ event: 'certificate_not_renewed', err: error }),
  })
  const showOnHttps = (identity: CertifiedKey) => serverOf(https).setSecureContext(contextOf(identity))
  const showOnDevice = (identity: CertifiedKey) => serverOf(device).setSecureContext(deviceContextOf(identity))
  // A handshake without a certificate of this authority ends there: no request of it is ever read.
  const deviceContextOf = (identity: CertifiedKey) => ({ ...contextOf(identity), ca: authority.certificate })
  const { tlsCert: certPath, tlsKey: keyPath } = config
  const isBrought = certPath !== undefined && keyPath !== undefined
  let problem: string | undefined
  const own = opened.use(
    await boxIdentity(authority, {
      ...follow(showOnDevice, (identity) => (!isBrought || problem !== undefined) && showOnHttps(identity)),
      dir: join(config.dataDir, 'ca'),
      machine: () => thisMachine(config.publicHost),
    }),
  )
  // Whoever types a wrong name stands before it, and reads the mistake. Nobody stands before an appliance, nor before a box that
  // starts again on the day after its certificate's last: better a warning in browsers than no gate.
  const ownInstead = (error: Error): CertifiedKey | undefined => {
    if (config.appliance === undefined && !(error instanceof CertificateExpired)) return undefined
    problem = error.message
    logger.error({
      event: 'certificate_not_used',
      problem,
      remedy: "the box's own is shown until these files are right",
    })
    return own.current
  }
  const showBrought = (identity: CertifiedKey) => {
    problem = undefined
    showOnHttps(identity)
  }
  const brought = isBrought
    ? opened.use(await organiserIdentity({ certPath, keyPath }, { ...follow(showBrought), instead: ownInstead }))
    : undefined

  // A box that joins trusts the event's authority and nobody else.
  const showOwn = (name: string, show: (error: null, context?: SecureContext) => void) =>
    show(null, name === OWN_CERTIFICATE ? createSecureContext(contextOf(own.current)) : undefined)
  const https = createApp({
    logger,
    tls: { ...contextOf((brought ?? own).current), ...(brought && { SNICallback: showOwn }) },
  })
  const otherBoxes = new OtherBoxes(others)
  https.register(async (scope) => {
    openapi.collect(scope as App, 'open')
    otherBoxes.mayAsk(scope as App)
    tiers.open(scope as App)
  })
  https.register(async (scope) => {
    openapi.collect(scope as App, 'attendee')
    // Which a scanner reads as an attendee does. Nobody's ticket is asked for from elsewhere.
    otherBoxes.mayAsk(scope as App, ['/v1/announcements'])
    tiers.attendee(scope as App)
  })
  https.register(async (scope) => {
    openapi.collect(scope as App, 'device')
    otherBoxes.mayAsk(scope as App)
    requireSignedRequest(scope as App, { roster, now })
    tiers.device(scope as App)
  })
  https.register(async (scope) => {
    openapi.collect(scope as App, 'admin')
    requireAdminToken(scope as App, adminToken)
    tiers.admin(scope as App)
  })
  https.register(async (scope) => tiers.mesh(scope as App))
  https.register(async (scope) => otherBoxes.preflights(scope as App))
  https.register(async (scope) => serveApps(scope as App, ['dashboard', 'scanner', 'wallet'], others))
  https.get('/', (_request, reply) => reply.redirect('/dashboard/', 302))

  const missing = missingApps()
  if (missing.length > 0) logger.warn({ event: 'apps_missing', apps: missing, remedy: 'npm run build' })

  const device = createApp({
    logger,
    tls: { ...deviceContextOf(own.current), requestCert: true, rejectUnauthorized: true },
  })
  device.register(async (scope) => tiers.open(scope as App))
  device.register(async (scope) => {
    requireDeviceCertificate(scope as App, { roster, now })
    tiers.device(scope as App)
  })

  // Together, so that they wait for what is under way at the same time.
  opened.defer(async () => {
    await Promise.all([http, https, device].map((app) => app.close()))
  })
  const { host } = config
  const ports = {
    http: await listen(http, { host, port: config.httpPort, setting: 'GATEHOUSE_HTTP_PORT' }),
    https: await listen(https, { host, port: config.httpsPort, setting: 'GATEHOUSE_HTTPS_PORT' }),
    device: await listen(device, { host, port: config.devicePort, setting: 'GATEHOUSE_DEVICE_PORT' }),
  }
  const closing = opened.move()
  return {
    ports,
    get certificateProblem() {
      return problem
    },
    async renewCertificates() {
      await Promise.all([own.check(), brought?.check()])
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

function serverOf(app: App): Server {
  return app.server as unknown as Server
}

function contextOf({ key, cert }: CertifiedKey): SecureContextOptions {
  return { key, cert, minVersion: 'TLSv1.2' }
}
