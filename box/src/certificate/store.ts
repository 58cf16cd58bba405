/**
 * The folder `certificate` in the data folder: account key, certificate with its key, and what is known of the attempts. Each file is
 * replaced as a whole, so that a power cut leaves the old one or the new one, and only the box's user may read them.
 */
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Coded } from '@gatehouse/proto/wire/terms.ts'
import { Value } from 'typebox/value'
import { createDurably, readIfThere, replaceDurably } from '../durable-file.ts'
import { type HeldCertificate, readChain } from './chain.ts'
import { type Attempts, NO_ATTEMPTS } from './schedule.ts'

/** By whom the certificate was obtained: by this box, or by somebody who brought it. */
export type Source = 'acme' | 'import'

export interface Kept {
  readonly certificate: HeldCertificate
  readonly source: Source
}

export interface Found {
  kept: Kept | undefined
  /** The newest file cannot be read: `kept` is of the file before it, if that one can. */
  isDamaged: boolean
}

/** Key, chain and source in one file: they are never seen apart. */
const CERTIFICATE = 'certificate.json'
/** The one before, for a file that a failing memory card has damaged. */
const BEFORE = 'certificate-before.json'
const ACCOUNT_KEY = 'account-key.pem'
/** Of a request that somebody else takes to an authority. */
const REQUEST_KEY = 'request-key.pem'
const ATTEMPTS = 'attempts.json'

export class CertificateStore {
  readonly #folder: string

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'certificate')
  }

  /**
   * The certificate, if it is for this name; an expired one is returned too. One of a name that the box had before counts as absent.
   * Where the file is damaged, the one before it counts: nothing depends on it, because a new one is obtained.
   */
  async read(name: string): Promise<Found> {
    const text = await readIfThere(join(this.#folder, CERTIFICATE)).catch(() => '')
    if (text === undefined) return { kept: undefined, isDamaged: false }
    const kept = keptIn(text, name)
    if (kept !== 'damaged') return { kept, isDamaged: false }
    const before = keptIn((await readIfThere(join(this.#folder, BEFORE)).catch(() => undefined)) ?? '', name)
    return { kept: before === 'damaged' ? undefined : before, isDamaged: true }
  }

  /** Keeps the certificate that is there as the one before. */
  async write({ certificate: { cert, key }, source }: Kept): Promise<void> {
    const there = await readIfThere(join(this.#folder, CERTIFICATE)).catch(() => undefined)
    if (there !== undefined && isWhole(there)) await replaceDurably(join(this.#folder, BEFORE), there)
    await this.#replace(CERTIFICATE, { cert, key, source })
  }

  async remove(): Promise<void> {
    await rm(join(this.#folder, CERTIFICATE), { force: true })
    await this.removeBefore()
  }

  /** Of a key that somebody else has, nothing stays. */
  async removeBefore(): Promise<void> {
    await rm(join(this.#folder, BEFORE), { force: true })
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

  /** The key of the request that is under way, PEM; undefined where there is none. */
  async requestKey(): Promise<string | undefined> {
    return readIfThere(join(this.#folder, REQUEST_KEY))
  }

  /** The key stays the same until a certificate for it has come: an answer that takes days still fits. */
  async keepRequestKey(): Promise<string> {
    await this.#make()
    await createDurably(join(this.#folder, REQUEST_KEY), newKey())
    return (await this.requestKey()) ?? ''
  }

  async removeRequestKey(): Promise<void> {
    await rm(join(this.#folder, REQUEST_KEY), { force: true })
  }

  async attempts(): Promise<Attempts> {
    const { failures, nextAt, problem, coded } = ((await this.#json(ATTEMPTS)) ?? {}) as Partial<Attempts>
    const isWhole = Number.isSafeInteger(failures) && (nextAt === null || Number.isSafeInteger(nextAt))
    if (!isWhole) return NO_ATTEMPTS
    return {
      failures: failures ?? 0,
      nextAt: nextAt ?? null,
      problem: typeof problem === 'string' ? problem : null,
      ...(Value.Check(Coded, coded) && { coded }),
    }
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

function keptIn(text: string, name: string): Kept | undefined | 'damaged' {
  const file = pemsIn(text)
  if (!file) return 'damaged'
  const { source, ...pem } = file
  try {
    // By a clock that is before every certificate: an expired one is shown to people as such.
    return { certificate: readChain(pem, { name, now: 0 }), source }
  } catch {
    return undefined
  }
}

const isWhole = (text: string): boolean => pemsIn(text) !== undefined

/** Certificate and key of a file, if they can be read and belong together, whatever name they are for. */
function pemsIn(text: string): { cert: string; key: string; source: Source } | undefined {
  try {
    const { cert, key, source } = JSON.parse(text) as Record<string, unknown>
    if (typeof cert !== 'string' || typeof key !== 'string') return undefined
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return undefined
    return { cert, key, source: source === 'import' ? 'import' : 'acme' }
  } catch {
    return undefined
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
  const { kept } = await new CertificateStore(dataDir).read(certificate.name)
  return kept && now < kept.certificate.notAfter ? certificate.name : undefined
}
