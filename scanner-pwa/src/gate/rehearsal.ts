/**
 * The rehearsal in which this phone takes part. What is scanned in one is asked of the box under another path, is never queued, and is in
 * no list that decides about people. A phone that is away from the box stays in it until its end, which it was told, or until somebody
 * leaves it by hand.
 */
import { type ReadonlySignal, signal } from '@preact/signals'
import { type Database, type Kept, keep, readKept, writeLater } from '../store/database.ts'
import type { Records } from '../store/records.ts'
import { OwnPassages } from './own-passages.ts'

export interface RehearsalDeps {
  db: Database
  records: Records
  /** Unix ms, corrected. */
  now: () => number
}

export class Rehearsal {
  readonly #deps: RehearsalDeps
  readonly #running
  /** Passages of the rehearsal: the phone knows them while the box is away. */
  #own = new OwnPassages()

  private constructor(deps: RehearsalDeps, kept: Kept['rehearsal'] | undefined) {
    this.#deps = deps
    this.#running = signal(kept ?? null)
    this.expire()
    if (!this.isOn) this.#forget()
  }

  static async open(deps: RehearsalDeps): Promise<Rehearsal> {
    return new Rehearsal(deps, await readKept(deps.db, 'rehearsal'))
  }

  /** Null while scans count; where somebody has left it, too. */
  get running(): ReadonlySignal<Kept['rehearsal'] | null> {
    return this.#running
  }

  get isOn(): boolean {
    const running = this.#running.peek()
    return running !== null && !running.left && this.#deps.now() < running.until
  }

  get own(): OwnPassages {
    return this.#own
  }

  /** Takes in what the box has said. @param told the one that runs there; undefined for none */
  heard(told: { id: string; until: string } | undefined): void {
    const running = this.#running.peek()
    if (!told) this.over()
    // One that was left stays left.
    else if (running?.id !== told.id) this.#become({ id: told.id, until: Date.parse(told.until) })
  }

  /** From now on scans count, whatever the box says of this rehearsal. */
  leave(): void {
    const running = this.#running.peek()
    if (running) this.#become({ ...running, left: true })
  }

  over(): void {
    if (this.#running.peek()) this.#become(null)
  }

  expire(): void {
    const running = this.#running.peek()
    if (running && running.until <= this.#deps.now()) this.over()
  }

  #become(next: Kept['rehearsal'] | null): void {
    this.#running.value = next
    writeLater(this.#deps.db, [keep('rehearsal', next ?? undefined)])
    this.#forget()
  }

  #forget(): void {
    const { db, records } = this.#deps
    this.#own = new OwnPassages()
    writeLater(db, records.forgetRehearsal())
  }
}
