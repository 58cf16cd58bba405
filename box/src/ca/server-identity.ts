/** The key and certificate of the box's TLS listeners, kept current while the box runs. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Coded, type CodeOf, coded } from '@gatehouse/proto/said.ts'
import { readIfThere, replaceDurably } from '../durable-file.ts'
import { GatehouseError } from '../errors.ts'
import type { Authority } from './authority.ts'
import type { Machine } from './constraints.ts'
import { pemBlock } from './pem.ts'

/** Options of `tls.createServer` and `setSecureContext`, in PEM, and details for people. */
export type CertifiedKey = {
  readonly key: string
  /** The server's certificate first, then the chain to its issuer. */
  readonly cert: string
  /** Unix ms */
  readonly notAfter: number
  /** Names and addresses of the machine that the certificate cannot contain: clients that use them show a warning. */
  readonly leftOut: readonly string[]
}

export type IdentityOptions = {
  /** Unix ms */
  now: () => number
  /** Interval of the checks, in milliseconds. */
  everyMs: number
  /** Called with each new identity; open connections keep the old one. */
  onRenewed: (identity: CertifiedKey) => void
  /** Called when a check fails, once while the message stays the same; the identity in use is kept, and the next check tries again. */
  onProblem: (error: unknown) => void
}

/** The organiser's certificate or its key cannot be used: a sentence in English, and the same as a code for the box's page. */
export class CertificateUnusable extends GatehouseError {
  readonly why: Coded<CodeOf<'setting'>>

  constructor(message: string, why: Coded<CodeOf<'setting'>>, options?: ErrorOptions) {
    super('internal', message, options)
    this.why = why
  }
}

/** Certificate and key are valid, but the certificate has expired. */
export class CertificateExpired extends CertificateUnusable {}

/** Holds the identity in use and checks for a newer one. Dispose it to stop. */
export class ServerIdentity implements AsyncDisposable {
  #current: CertifiedKey
  #looking: Promise<void> | undefined
  #problem = ''
  readonly #newer: (current: CertifiedKey) => Promise<CertifiedKey | undefined>
  readonly #options: IdentityOptions
  readonly #timer: NodeJS.Timeout

  constructor(
    first: CertifiedKey,
    newer: (current: CertifiedKey) => Promise<CertifiedKey | undefined>,
    options: IdentityOptions,
  ) {
    this.#current = first
    this.#newer = newer
    this.#options = options
    this.#timer = setInterval(() => this.check(), options.everyMs)
  }

  get current(): CertifiedKey {
    return this.#current
  }

  /** Checks now. One check at a time: a second call waits for the one in progress. */
  check(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #look(): Promise<void> {
    try {
      const newer = await this.#newer(this.#current)
      this.#problem = ''
      if (!newer) return
      this.#current = newer
      this.#options.onRenewed(newer)
    } catch (error) {
      const problem = String(error)
      if (problem !== this.#problem) this.#options.onProblem(error)
      this.#problem = problem
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }
}

/**
 * The box's own certificate, kept in `dir` over restarts, and issued anew when `needsRenewal` says so. `machine` is
 * called at each check: an address may come after the start, by DHCP.
 */
export async function boxIdentity(
  authority: Authority,
  { dir, machine, ...options }: IdentityOptions & { dir: string; machine: () => Machine },
): Promise<ServerIdentity> {
  const path = join(dir, 'server.pem')

  async function issue(): Promise<CertifiedKey> {
    const { key, certificate, leftOut } = await authority.issueServerCertificate(machine())
    await replaceDurably(path, certificate + key)
    return certifiedKeyOf(key, certificate, leftOut)
  }

  async function newer({ cert }: CertifiedKey): Promise<CertifiedKey | undefined> {
    const { names, addresses } = authority.permit(machine())
    return needsRenewal(new X509Certificate(cert), names, addresses, options.now()) ? issue() : undefined
  }

  // If it is lost, damaged, or of another authority, it is made again: nothing depends on this file.
  const kept = stillOurs(await readIfThere(path), authority)
  const first = kept ? certifiedKeyOf(kept.key, kept.cert, authority.permit(machine()).leftOut) : await issue()
  return new ServerIdentity((await newer(first)) ?? first, newer, options)
}

/**
 * A certificate that the organiser brought, from two PEM files, read again whenever they change. Nothing here renews
 * it: `notAfter` is for a warning to the operator.
 * @param instead the identity until the files can be used; undefined if the start has to fail then
 * @throws CertificateUnusable that says which file is wrong and how
 */
export async function organiserIdentity(
  files: { certPath: string; keyPath: string },
  { instead, ...options }: IdentityOptions & { instead?: (problem: CertificateUnusable) => CertifiedKey | undefined },
): Promise<ServerIdentity> {
  const read = () => readOrganiserCertificate(files.certPath, files.keyPath, options.now())
  const first = await read().catch((error) => {
    const other = error instanceof CertificateUnusable ? instead?.(error) : undefined
    if (!other) throw error
    return other
  })
  return new ServerIdentity(
    first,
    async (current) => {
      // Compared by content: tools that renew certificates replace links, and the times of a link do not change.
      const [cert, key] = await Promise.all([readFile(files.certPath, 'utf8'), readFile(files.keyPath, 'utf8')])
      return cert === current.cert && key === current.key ? undefined : read()
    },
    options,
  )
}

/**
 * True if a server certificate should be replaced: less than a third of its life is left, or the machine has a
 * name or an address that it does not contain. An address that is gone is no reason: a cable pulled out and put back would
 * otherwise leave the box without a fitting certificate for a while. `now` is in unix ms; names and addresses are
 * what the authority permits.
 */
export function needsRenewal(
  certificate: X509Certificate,
  names: readonly string[],
  addresses: readonly string[],
  now: number,
): boolean {
  const from = certificate.validFromDate.getTime()
  const to = certificate.validToDate.getTime()
  if (to - now < (to - from) / 3) return true
  return (
    names.some((name) => !certificate.checkHost(name)) || addresses.some((address) => !certificate.checkIP(address))
  )
}

/**
 * Reads a certificate (its chain behind it) and its private key, both PEM, and checks that they belong together and
 * that the certificate has not expired at `now` (unix ms). One that is not valid yet is accepted: a box whose clock has
 * not been set starts in the past.
 * @throws CertificateUnusable that names the file and what to do; CertificateExpired when that is all that is wrong
 */
export async function readOrganiserCertificate(certPath: string, keyPath: string, now: number): Promise<CertifiedKey> {
  const [cert, key] = await Promise.all([readPem(certPath), readPem(keyPath)])
  const certificate = parse(
    () => new X509Certificate(cert),
    (cause) => {
      const message = `${certPath} does not begin with a certificate in PEM.`
      return new CertificateUnusable(message, coded('no_certificate', { file: certPath }), { cause })
    },
  )
  const privateKey = parse<KeyObject>(
    () => createPrivateKey(key),
    (cause) => {
      const message = `${keyPath} is not a private key in PEM without a password.`
      return new CertificateUnusable(message, coded('no_private_key', { file: keyPath }), { cause })
    },
  )
  if (!certificate.checkPrivateKey(privateKey)) {
    const message = `${keyPath} is not the key of the first certificate in ${certPath}: put the server's own one first.`
    throw new CertificateUnusable(message, coded('key_of_another', { file: keyPath, certificate: certPath }))
  }
  if (certificate.validToDate.getTime() <= now) {
    const message = `${certPath} expired on ${certificate.validTo}: renew it, or check the clock of the box.`
    const date = certificate.validToDate.toISOString().slice(0, 10)
    throw new CertificateExpired(message, coded('certificate_expired', { file: certPath, date }))
  }
  return certifiedKeyOf(key, cert, [])
}

function certifiedKeyOf(key: string, cert: string, leftOut: readonly string[]): CertifiedKey {
  return { key, cert, notAfter: new X509Certificate(cert).validToDate.getTime(), leftOut }
}

function stillOurs(pem: string | undefined, authority: Authority): { key: string; cert: string } | undefined {
  const cert = pemBlock(pem ?? '', 'CERTIFICATE')
  const key = pemBlock(pem ?? '', 'PRIVATE KEY')
  if (cert === undefined || key === undefined) return undefined
  try {
    const certificate = new X509Certificate(cert)
    const issuer = new X509Certificate(authority.certificate)
    const ours = certificate.verify(issuer.publicKey) && certificate.checkPrivateKey(createPrivateKey(key))
    return ours ? { key, cert } : undefined
  } catch {
    return undefined
  }
}

async function readPem(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const message = `${path} cannot be read: check the path and who may read it.`
    throw new CertificateUnusable(message, coded('file_unreadable', { file: path }), { cause })
  }
}

function parse<T>(read: () => T, otherwise: (cause: unknown) => CertificateUnusable): T {
  try {
    return read()
  } catch (error) {
    throw otherwise(error)
  }
}
