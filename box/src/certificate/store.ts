/**
 * The folder `certificate` in the data folder: account key, certificate with its key, and what is known of the attempts. Each file is
 * replaced as a whole, so that a power cut leaves the old one or the new one, and only the box's user may read them.
 */
import { generateKeyPairSync } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createDurably, readIfThere, replaceDurably } from '../durable-file.ts'
import { type HeldCertificate, readChain } from './chain.ts'
import { type Attempts, NO_ATTEMPTS } from './schedule.ts'

/** By whom the certificate was obtained: by this box, or by somebody who brought it. */
export type Source = 'acme' | 'import'

export interface Kept {
  readonly certificate: HeldCertificate
  readonly source: Source
}

/** Key, chain and source in one file: they are never seen apart. */
const CERTIFICATE = 'certificate.json'
const ACCOUNT_KEY = 'account-key.pem'
const ATTEMPTS = 'attempts.json'

export class CertificateStore {
  readonly #folder: string

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'certificate')
  }

  /**
   * The certificate, if it is for this name; an expired one is returned too. A file that is damaged, or of a name that the box had before,
   * counts as absent: nothing depends on it, because a new one is obtained.
   */
  async read(name: string): Promise<Kept | undefined> {
    const found = await this.#json(CERTIFICATE)
    const { cert, key, source } = (found ?? {}) as Record<string, unknown>
    if (typeof cert !== 'string' || typeof key !== 'string') return undefined
    try {
      // By a clock that is before every certificate: an expired one is shown to people as such.
      const certificate = readChain({ cert, key }, { name, now: 0 })
      return { certificate, source: source === 'import' ? 'import' : 'acme' }
    } catch {
      return undefined
    }
  }

  async write({ certificate: { cert, key }, source }: Kept): Promise<void> {
    await this.#replace(CERTIFICATE, { cert, key, source })
  }

  async remove(): Promise<void> {
    await rm(join(this.#folder, CERTIFICATE), { force: true })
  }

  /** Made at the first use, PEM. */
  async accountKey(): Promise<string> {
    await this.#make()
    const path = join(this.#folder, ACCOUNT_KEY)
    if ((await readIfThere(path)) === undefined) await createDurably(path, newKey())
    return (await readIfThere(path)) ?? ''
  }

  async writeAccountKey(pem: string): Promise<void> {
    await this.#make()
    await replaceDurably(join(this.#folder, ACCOUNT_KEY), pem)
  }

  async attempts(): Promise<Attempts> {
    const { failures, nextAt, problem } = ((await this.#json(ATTEMPTS)) ?? {}) as Partial<Attempts>
    const isWhole = Number.isSafeInteger(failures) && (nextAt === null || Number.isSafeInteger(nextAt))
    if (!isWhole) return NO_ATTEMPTS
    return { failures: failures ?? 0, nextAt: nextAt ?? null, problem: typeof problem === 'string' ? problem : null }
  }

  async writeAttempts(attempts: Attempts): Promise<void> {
    await this.#replace(ATTEMPTS, attempts)
  }

  async #json(name: string): Promise<unknown> {
    try {
      return JSON.parse((await readIfThere(join(this.#folder, name))) ?? 'null')
    } catch {
      return null
    }
  }

  async #replace(name: string, value: object): Promise<void> {
    await this.#make()
    await replaceDurably(join(this.#folder, name), `${JSON.stringify(value, null, 2)}\n`)
  }

  async #make(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
  }
}

/** A new private key, PEM (PKCS #8): P-256, which every phone takes and a small board signs with quickly. */
export function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
}

/** The public name, while a certificate in this data folder holds: what invites and links name then. */
export async function heldName(
  { dataDir, certificate }: { dataDir: string; certificate: { readonly name: string } | undefined },
  now: number,
): Promise<string | undefined> {
  if (!certificate) return undefined
  const kept = await new CertificateStore(dataDir).read(certificate.name)
  return kept && now < kept.certificate.notAfter ? certificate.name : undefined
}
