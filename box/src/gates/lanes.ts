/**
 * Counts how busy each checkpoint is: people admitted, scans and refusals in the last minutes, the last passage, and people
 * waiting where somebody has reported it. Scans and passages are counted from the box's start on.
 */

import { factsIn } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { passageIn } from '../rights/passage.ts'

const MINUTE_MS = 60_000
/** Minutes that a rate is taken over: a shorter window jumps about, a longer one hides that a gate has just opened. */
const WINDOW = 5
/** For how long a report about a queue is taken for true. */
const QUEUE_GOOD_FOR_MS = 10 * MINUTE_MS

/** By checkpoint and minute. */
type Counts = Map<string, Map<number, number>>

export class Lanes {
  readonly #now: () => number
  /** Admissions by checkpoint and minute. */
  readonly #admitted: Counts = new Map()
  /** Scans by checkpoint and minute, and those of them that let nobody pass. */
  readonly #scans: Counts = new Map()
  readonly #refusals: Counts = new Map()
  /** By checkpoint, unix ms. */
  readonly #lastPassage = new Map<string, number>()
  readonly #queues = new Map<string, { people: number; at: number }>()

  /** @param now unix ms */
  constructor({ ledger, now }: { ledger: Ledger; now: () => number }) {
    this.#now = now
    ledger.subscribe('committed', (entries) => {
      for (const fact of factsIn(ledger, entries)) {
        const passage = passageIn(fact)
        const done = passage ?? (fact.kind === 'scan' ? fact.fields : undefined)
        if (!done) continue
        // An entry of another box counts at the time that it says; one of this box counts now.
        const at = fact.box === undefined ? this.#now() : Math.min(Date.parse(done.at), this.#now())
        const minute = Math.floor(at / MINUTE_MS)
        if (fact.kind === 'scan') this.#count(this.#scans, done.checkpoint, minute)
        if (!passage) this.#count(this.#refusals, done.checkpoint, minute)
        else if (passage.people > 0) {
          this.#lastPassage.set(passage.checkpoint, Math.max(at, this.#lastPassage.get(passage.checkpoint) ?? 0))
        }
        if (passage?.direction === 'in') this.#count(this.#admitted, passage.checkpoint, minute, passage.people)
      }
    })
  }

  /** People admitted a minute, over the last five. */
  perMinute(checkpoint: string): number {
    // An admission that is taken back in the window may have been made before it.
    return Math.max(0, this.#inWindow(this.#admitted, checkpoint)) / WINDOW
  }

  /**
   * Signs of a standstill at these checkpoints together, as far as a box can see them.
   * @returns scans and refusals of the last five minutes, and whole seconds since the last passage; null where there was none
   */
  traffic(checkpoints: readonly string[]): { scans: number; refusals: number; idleSeconds: number | null } {
    const sum = (counts: Counts) => checkpoints.reduce((all, id) => all + this.#inWindow(counts, id), 0)
    const last = Math.max(...checkpoints.map((id) => this.#lastPassage.get(id) ?? 0))
    const idleSeconds = last > 0 ? Math.max(0, Math.floor((this.#now() - last) / 1000)) : null
    return { scans: sum(this.#scans), refusals: sum(this.#refusals), idleSeconds }
  }

  /** People waiting, as last reported; null without a recent report. */
  queue(checkpoint: string): number | null {
    const queue = this.#queues.get(checkpoint)
    return queue && this.#now() - queue.at < QUEUE_GOOD_FOR_MS ? queue.people : null
  }

  report(checkpoint: string, people: number): void {
    this.#queues.set(checkpoint, { people, at: this.#now() })
  }

  #inWindow(counts: Counts, checkpoint: string): number {
    const current = Math.floor(this.#now() / MINUTE_MS)
    let sum = 0
    for (const [minute, count] of counts.get(checkpoint) ?? []) if (minute > current - WINDOW) sum += count
    return sum
  }

  #count(counts: Counts, checkpoint: string, minute: number, add = 1): void {
    const minutes = counts.get(checkpoint) ?? new Map<number, number>()
    counts.set(checkpoint, minutes)
    minutes.set(minute, (minutes.get(minute) ?? 0) + add)
    const current = Math.floor(this.#now() / MINUTE_MS)
    for (const minute of minutes.keys()) if (minute <= current - WINDOW) minutes.delete(minute)
  }
}
