/**
 * The publicly trusted certificate of the box, if the settings give it a name: read from disk, obtained and renewed while the box runs.
 * Nothing of it is needed to open a gate. While there is none, the listeners show the certificate of the box's own authority.
 */
import { GatehouseError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { type HeldCertificate, readChain } from './chain.ts'
import type { TxtRecord } from './dns/change.ts'
import { AttemptFailed, orderCertificate, requestFor, revoke, type Stage } from './order.ts'
import { type Attempts, afterFailure, isDue, NO_ATTEMPTS } from './schedule.ts'
import type { AcmeSettings, CertificateSettings } from './settings.ts'
import { CertificateStore, type Kept, newKey, type Source } from './store.ts'

export interface PublicCertificateDeps {
  dataDir: string
  logger: Pick<Logger, 'info' | 'warn'>
  /** Unix ms. */
  now: () => number
  /** From 0 to under 1. */
  random: () => number
  /** Called with each step of an attempt. */
  onStage?: (stage: Stage, record?: TxtRecord) => void
}

export interface PublicCertificateState {
  readonly name: string
  /** Undefined: nobody has obtained one. It may have expired. */
  readonly held: (HeldCertificate & { readonly source: Source }) | undefined
  /** Its file cannot be read: `held` is the one before, if there was one. */
  readonly isDamaged: boolean
  readonly acme: AcmeSettings | undefined
  readonly attempts: Attempts
  /** The step of the attempt in progress. */
  readonly stage: Stage | undefined
  /** The record to write into DNS now. */
  readonly record: TxtRecord | undefined
}

export class PublicCertificate implements AsyncDisposable {
  readonly #settings: CertificateSettings
  readonly #deps: PublicCertificateDeps
  readonly #store: CertificateStore
  readonly #stop = new AbortController()
  #kept: Kept | undefined
  #isDamaged = false
  #attempts: Attempts = NO_ATTEMPTS
  #stage: Stage | undefined
  #record: TxtRecord | undefined
  #running: Promise<void> | undefined

  static async open(settings: CertificateSettings, deps: PublicCertificateDeps): Promise<PublicCertificate> {
    const opened = new PublicCertificate(settings, deps)
    await opened.#read()
    return opened
  }

  private constructor(settings: CertificateSettings, deps: PublicCertificateDeps) {
    this.#settings = settings
    this.#deps = deps
    this.#store = new CertificateStore(deps.dataDir)
  }

  /** The certificate that a listener shows for the public name; undefined where there is none, or it has expired. */
  get current(): HeldCertificate | undefined {
    const certificate = this.#kept?.certificate
    return certificate && this.#deps.now() < certificate.notAfter ? certificate : undefined
  }

  get name(): string {
    return this.#settings.name
  }

  get state(): PublicCertificateState {
    const { name, acme } = this.#settings
    const held = this.#kept && { ...this.#kept.certificate, source: this.#kept.source }
    const isDamaged = this.#isDamaged
    return { name, acme, held, isDamaged, attempts: this.#attempts, stage: this.#stage, record: this.#record }
  }

  /** Reads again what a command beside this box may have written, and begins an attempt if one is due. */
  async check(): Promise<void> {
    if (this.#running || this.#stop.signal.aborted) return
    const before = this.#kept?.certificate.cert
    await this.#readCertificate()
    // Otherwise those in memory count: a full disk keeps none.
    if (this.#kept?.certificate.cert !== before) this.#attempts = await this.#store.attempts()
    const held = this.#isDamaged ? undefined : this.#kept?.certificate
    if (!this.#settings.acme || !isDue(held, this.#attempts, this.#deps.now())) return
    this.obtain().catch(() => {
      // It is in the log and in the state.
    })
  }

  /**
   * Obtains a new one now, also while the one before holds. One attempt at a time: a second call joins the one in progress.
   * @throws AttemptFailed; GatehouseError `conflict` where the settings say nothing of DNS
   */
  obtain(): Promise<void> {
    const { acme } = this.#settings
    if (!acme) return Promise.reject(new GatehouseError('conflict', NO_METHOD))
    this.#running ??= this.#attempt(acme).finally(() => {
      this.#running = undefined
      this.#stage = undefined
      this.#record = undefined
    })
    return this.#running
  }

  /** The request with which somebody else, such as HQ, obtains the certificate, PEM. The key is made here and stays here. */
  async request(): Promise<string> {
    return requestFor(this.name, await this.#store.keepRequestKey())
  }

  /**
   * Takes a certificate that somebody else obtained. @param key undefined: that of the request
   * @throws GatehouseError with what is wrong with it; the one before stays
   */
  async import({ cert, key }: { cert: string; key?: string | undefined }): Promise<void> {
    const mine = key ?? (await this.#store.requestKey())
    if (mine === undefined) throw new GatehouseError('conflict', NO_REQUEST)
    const certificate = readChain({ cert, key: mine }, { name: this.name, now: this.#deps.now() })
    await this.#keep({ certificate, source: 'import' })
    if (key === undefined) await this.#store.removeRequestKey()
  }

  /**
   * For a key that somebody else may have: a new certificate with a new key, then the old one is revoked. It is revoked, and shown no
   * longer, also if a new one cannot be obtained.
   * @throws Error that says which of both could not be done
   */
  async replace(): Promise<void> {
    const { acme, name } = this.#settings
    const old = this.#kept
    if (!acme) throw new GatehouseError('conflict', NO_METHOD)
    if (!old) throw new GatehouseError('conflict', 'There is no certificate to replace: obtain one.')
    const failed = await this.obtain().then(
      () => undefined,
      (error: Error) => error,
    )
    if (failed) await this.#drop()
    else await this.#store.removeBefore()
    const accountKey = await this.#store.accountKey()
    await revoke(old.certificate, { name, acme, accountKey }, newKey(), (pem) =>
      this.#store.writeAccountKey(pem),
    ).catch((cause) => {
      const where = old.source === 'import' ? 'Revoke it where it was obtained' : 'Try again'
      throw new Error(`The old certificate was not revoked: ${(cause as Error).message} ${where}.`, { cause })
    })
    if (failed)
      throw new Error(`The old certificate is revoked, and there is no new one: ${failed.message}`, { cause: failed })
  }

  /** Ends an attempt in progress. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#running?.catch(() => {})
  }

  async #attempt(acme: AcmeSettings): Promise<void> {
    const { logger, now, random, onStage } = this.#deps
    const { name } = this.#settings
    const { signal } = this.#stop
    this.#stage = 'account'
    try {
      const accountKey = await this.#store.accountKey()
      const ordering = orderCertificate(
        { name, acme, accountKey },
        {
          ...{ signal, now },
          onStage: (stage, record) => {
            this.#stage = stage
            this.#record = record
            onStage?.(stage, record)
          },
        },
      )
      // The library's own waits cannot be ended: whoever stops the box does not wait for them.
      await this.#keep({ certificate: await Promise.race([ordering, abortedBy(signal)]), source: 'acme' })
      logger.info({
        event: 'public_certificate',
        name,
        expires: new Date(this.#kept?.certificate.notAfter ?? 0).toISOString(),
      })
    } catch (error) {
      if (signal.aborted) throw error
      const failure = error instanceof AttemptFailed ? error : new AttemptFailed(error, false)
      await this.#note(afterFailure(this.#attempts, failure, { now: now(), random: random() }))
      logger.warn({ event: 'public_certificate_not_obtained', name, problem: failure.problem })
      throw failure
    }
  }

  async #keep(kept: Kept): Promise<void> {
    await this.#store.write(kept)
    this.#kept = kept
    this.#isDamaged = false
    await this.#note(NO_ATTEMPTS)
  }

  async #drop(): Promise<void> {
    await this.#store.remove()
    this.#kept = undefined
    this.#isDamaged = false
  }

  /** A disk that is full loses the count of attempts, and nothing else. */
  async #note(attempts: Attempts): Promise<void> {
    this.#attempts = attempts
    await this.#store.writeAttempts(attempts).catch((error) => {
      this.#deps.logger.warn({ event: 'public_certificate_attempts', problem: (error as Error).message })
    })
  }

  async #readCertificate(): Promise<void> {
    const { name } = this.#settings
    const { kept, isDamaged } = await this.#store.read(name)
    if (isDamaged && !this.#isDamaged) this.#deps.logger.warn({ event: 'public_certificate_damaged', name })
    this.#kept = kept
    this.#isDamaged = isDamaged
  }

  async #read(): Promise<void> {
    await this.#readCertificate()
    this.#attempts = await this.#store.attempts()
  }
}

const NO_REQUEST =
  'No request of this box is under way: make one with "gatehouse certificate request", or name the key of the certificate with --key.'

const NO_METHOD =
  'No setting says how DNS is changed: set GATEHOUSE_ACME_DNS, or import a certificate that was obtained elsewhere.'

function abortedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}
