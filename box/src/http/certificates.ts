/**
 * The certificates of the two TLS ports, kept current while the box runs. The device port shows the box's own; the HTTPS port
 * shows the organiser's if the settings name a usable one, and the box's own otherwise. Whoever asks the HTTPS port for the box's
 * public name gets the public certificate, as long as there is one that holds.
 */
import { join } from 'node:path'
import type { Authority } from '../ca/authority.ts'
import {
  boxIdentity,
  CertificateExpired,
  type CertificateUnusable,
  type CertifiedKey,
  type IdentityOptions,
  organiserIdentity,
} from '../ca/server-identity.ts'
import { PublicCertificate } from '../certificate/public-certificate.ts'
import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'
import { Subscribers } from '../subscribers.ts'
import { thisMachine } from './machine.ts'

export interface CertificateDeps {
  config: Pick<Config, 'tlsCert' | 'tlsKey' | 'dataDir' | 'publicHost' | 'appliance' | 'certificate'>
  authority: Authority
  logger: Logger
  /** Unix ms. */
  now: () => number
}

/** Interval of checks for new addresses of the machine, which the certificate has to contain. */
const LOOK_MS = 60_000

export interface Certificates extends AsyncDisposable {
  /** The box's own certificate, issued by the event's authority. */
  readonly own: CertifiedKey
  /** The certificate of the HTTPS port. */
  readonly https: CertifiedKey
  /** True if the settings name a certificate of the organiser's, which may not be usable now. */
  readonly hasOrganisers: boolean
  /** Reason why the HTTPS port does not show the organiser's certificate; undefined if it does, or if the settings name none. */
  readonly problem: CertificateUnusable | undefined
  /** The certificate for the public name; undefined if the settings name none. */
  readonly public: PublicCertificate | undefined
  /** Calls back with each new certificate of a port. */
  follow(show: { own: (identity: CertifiedKey) => void; https: (identity: CertifiedKey) => void }): void
  /** Checks now whether a newer one is needed; it also does so every minute. */
  check(): Promise<void>
}

/** @throws GatehouseError if the organiser's files cannot be used and the start has to fail for it */
export async function openCertificates({ config, authority, logger, now }: CertificateDeps): Promise<Certificates> {
  await using opened = new AsyncDisposableStack()
  const onOwn = new Subscribers<[CertifiedKey]>()
  const onOrganisers = new Subscribers<[CertifiedKey]>()
  let problem: CertificateUnusable | undefined
  const renewing = (subscribers: Subscribers<[CertifiedKey]>): IdentityOptions => ({
    now,
    everyMs: LOOK_MS,
    onRenewed: (identity) => {
      subscribers.notify(identity)
      logger.info({ event: 'certificate_renewed', expires: new Date(identity.notAfter).toISOString() })
    },
    onProblem: (error) => logger.error({ event: 'certificate_not_renewed', err: error }),
  })

  const own = opened.use(
    await boxIdentity(authority, {
      ...renewing(onOwn),
      dir: join(config.dataDir, 'ca'),
      machine: () => thisMachine(config.publicHost, config.certificate?.name),
    }),
  )
  // An operator who starts a box with a wrong file name reads the mistake at once. Nobody does on an appliance, or when a box
  // restarts after its certificate has expired: then a warning in browsers is better than closed gates.
  const ownInstead = (error: CertificateUnusable): CertifiedKey | undefined => {
    if (config.appliance === undefined && !(error instanceof CertificateExpired)) return undefined
    problem = error
    logger.error({
      event: 'certificate_not_used',
      problem: error.message,
      remedy: "the box's own is shown until these files are right",
    })
    return own.current
  }
  onOrganisers.add(() => {
    problem = undefined
  })
  const { tlsCert: certPath, tlsKey: keyPath } = config
  const organisers =
    certPath !== undefined && keyPath !== undefined
      ? opened.use(await organiserIdentity({ certPath, keyPath }, { ...renewing(onOrganisers), instead: ownInstead }))
      : undefined
  const named = await openPublic({ config, logger, now }, opened)
  const isOwnOnHttps = () => organisers === undefined || problem !== undefined

  const closing = opened.move()
  return {
    get own() {
      return own.current
    },
    get https() {
      return organisers && !isOwnOnHttps() ? organisers.current : own.current
    },
    hasOrganisers: organisers !== undefined,
    public: named,
    get problem() {
      return problem
    },
    follow(show) {
      onOwn.add(show.own)
      onOwn.add((identity) => isOwnOnHttps() && show.https(identity))
      onOrganisers.add(show.https)
    },
    async check() {
      await Promise.all([own.check(), organisers?.check(), named?.check()])
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** Looked at by a timer from the start on: the first attempt waits for no request, and nobody waits for it. */
async function openPublic(
  { config: { certificate, dataDir }, logger, now }: Omit<CertificateDeps, 'authority'>,
  opened: AsyncDisposableStack,
): Promise<PublicCertificate | undefined> {
  if (!certificate) return undefined
  const named = opened.use(await PublicCertificate.open(certificate, { dataDir, logger, now, random: Math.random }))
  const look = () => void named.check().catch((error) => logger.warn({ event: 'public_certificate', err: error }))
  const timer = setInterval(look, LOOK_MS)
  opened.defer(() => clearInterval(timer))
  setImmediate(look)
  return named
}
