/**
 * The person who holds this scanner, where the event wants to know. The box has it from the login and writes it into the record; this is what the
 * phone shows, and what it goes on with while it reaches no box: then the person stays, and nobody else can sign on.
 */
import { refusalSentence } from '@gatehouse/proto/refusals.ts'
import type { SignOnEvent } from '@gatehouse/proto/wire/device.ts'
import type { ScannerSignOn } from '@gatehouse/proto/wire/staff.ts'
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { BoxClient } from '../box/client.ts'
import type { Link } from '../box/link.ts'
import { type Database, keep, readKept, writeLater } from '../store/database.ts'
import type { Records } from '../store/records.ts'
import type { SignOnOutcome } from './model.ts'
import type { Tray } from './tray.ts'

/** Names to choose from: the crew of a gate. */
const MOST_NAMES = 8
/** The last touch on disk may be this old. */
const WRITE_EVERY_MS = 60_000

/** As it is stored, with the last touch, unix ms. */
export interface StoredSignOn extends ScannerSignOn {
  touchedAt: number
}

interface SignOnDeps {
  db: Database
  box: BoxClient
  link: Link
  /** Unix ms, corrected. */
  now: () => number
  records: Records
  tray: Tray
}

export class SignOn {
  readonly #deps: SignOnDeps
  readonly #lockMinutes = signal<number | null>(null)
  readonly #current: Signal<ScannerSignOn | null>
  readonly #names: Signal<readonly string[]>
  /** The event has somebody sign on at this scanner. */
  readonly wanted = computed(() => this.#lockMinutes.value !== null)
  /** Nobody is, and nothing can be scanned until somebody is. */
  readonly locked = computed(() => this.wanted.value && this.#current.value === null)
  #touchedAt: number

  private constructor(deps: SignOnDeps, stored: StoredSignOn | undefined, names: readonly string[]) {
    this.#deps = deps
    const { touchedAt, ...current } = stored ?? { touchedAt: 0 }
    this.#current = signal('session' in current ? current : null)
    this.#names = signal(names)
    this.#touchedAt = touchedAt
  }

  static async open(deps: SignOnDeps): Promise<SignOn> {
    const [stored, names = []] = await Promise.all([readKept(deps.db, 'signedOn'), readKept(deps.db, 'people')])
    return new SignOn(deps, stored, names)
  }

  get current(): ReadonlySignal<ScannerSignOn | null> {
    return this.#current
  }

  /** Those who have signed on at this phone, the latest first. */
  get names(): ReadonlySignal<readonly string[]> {
    return this.#names
  }

  /** Takes over what a manifest says. */
  adopt(rule: { lock_minutes: number } | undefined): void {
    this.#lockMinutes.value = rule?.lock_minutes ?? null
    // A name that was only typed counts for nothing where people sign on.
    const isTyped = rule && !this.#current.peek() && this.#deps.records.shift.peek().operator !== null
    if (isTyped || (!rule && this.#current.peek())) this.#become(null)
  }

  /** Asks the box: it alone knows PINs. */
  async on(name: string, secret: string): Promise<SignOnOutcome> {
    const { box } = this.#deps
    const answer = await box.client.POST('/v1/sign-on', { body: { name, secret } }).catch(() => undefined)
    if (!answer) return 'unreachable'
    const { data, error } = answer
    if (!data) return { code: error.code, message: await refusalSentence(error) }
    this.#touchedAt = this.#deps.now()
    this.#become(data)
    return 'on'
  }

  /** Signs off. While no box is reached the person stays, because nobody could sign on. @returns false then */
  async off(): Promise<boolean> {
    const { box, link } = this.#deps
    if (!link.isReachable) return false
    if (this.#current.peek() === null) return true
    this.#become(null)
    // If the answer is lost the phone is locked all the same, and the next sign-on replaces this one at the box.
    await box.client.POST('/v1/sign-on/end').catch(() => undefined)
    return true
  }

  /** Takes the box's word about this scanner. It ends a sign-on and begins none: who is on was asked here. */
  take({ signed_on: there }: SignOnEvent): void {
    if (this.#current.peek() && there?.session !== this.#current.peek()?.session) this.lost()
  }

  /** The box has nobody signed on here. */
  lost(): void {
    this.#become(null)
  }

  /** Somebody has scanned, or touched the screen. */
  touched(): void {
    const now = this.#deps.now()
    const isOld = now - this.#touchedAt > WRITE_EVERY_MS
    this.#touchedAt = now
    if (isOld) this.#store()
  }

  /** Signs off whoever has touched nothing for as long as the event says. */
  lockIfIdle(): void {
    const minutes = this.#lockMinutes.peek()
    if (minutes !== null && this.#deps.now() - this.#touchedAt > minutes * 60_000) void this.off()
  }

  #become(next: ScannerSignOn | null): void {
    const { db, records, tray } = this.#deps
    const before = this.#current.peek()
    // An open panel of the person before names people.
    if (before?.name !== next?.name) tray.clear()
    this.#current.value = next
    writeLater(db, records.signOn(next?.name ?? null))
    if (next) {
      this.#names.value = [next.name, ...this.#names.peek().filter((name) => name !== next.name)].slice(0, MOST_NAMES)
      writeLater(db, [keep('people', [...this.#names.peek()])])
    }
    this.#store()
  }

  #store(): void {
    const current = this.#current.peek()
    const stored = current ? { ...current, touchedAt: this.#touchedAt } : undefined
    writeLater(this.#deps.db, [keep('signedOn', stored)])
  }
}
