/** The end of this device as a scanner: it was revoked, or its certificate has expired. */
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { type Database, keep, readKept, writeLater } from '../store/database.ts'
import { gateWords as words } from '../words/core.ts'

export class Ended {
  readonly #db: Database
  readonly #reason: Signal<string | null>

  private constructor(db: Database, reason: string | null) {
    this.#db = db
    this.#reason = signal(reason)
  }

  static async open(db: Database): Promise<Ended> {
    return new Ended(db, (await readKept(db, 'ended')) ?? null)
  }

  /** Instructions for the person; null while the scanner may scan. */
  get reason(): ReadonlySignal<string | null> {
    return this.#reason
  }

  /** The box has refused this device. @param code of its answer: see `isEnd` */
  refused(code: string | undefined): void {
    this.#reason.value = code === 'device_revoked' ? words.ended.device_revoked : words.ended.other
    writeLater(this.#db, [keep('ended', this.#reason.value)])
  }

  /** The certificate has expired. Not stored: the certificate says it again at the next start. */
  expired(): void {
    this.#reason.value = words.ended.certificate
  }

  /** The scanner was unpaired. */
  clear(): void {
    this.#reason.value = null
  }
}
