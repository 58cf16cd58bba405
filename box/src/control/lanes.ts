/** How busy each checkpoint is: people admitted in the last minutes, and people waiting where somebody has said so. */
import type { Ledger } from '../ledger/ledger.ts'
import { factsIn } from '../mesh/facts.ts'
import { type Passage, passageIn } from '../scan/passage.ts'

const MINUTE_MS = 60_000
/** A rate over this many minutes: shorter jumps about, longer forgets that a gate has just opened. */
const WINDOW = 5
/** What was said about a queue longer ago than this is no longer true. */
const QUEUE_GOOD_FOR_MS = 10 * MINUTE_MS

export class Lanes {
  readonly #now: () => number
  /** Admissions by checkpoint and minute. */
  readonly #admitted = new Map<string, Map<number, number>>()
  readonly #queues = new Map<string, { people: number; at: number }>()

  /** @param now unix ms */
  constructor({ ledger, now }: { ledger: Ledger; now: () => number }) {
    this.#now = now
    ledger.subscribe((entries) => {
      for (const fact of factsIn(ledger, entries)) {
        const passage = passageIn(fact)
        if (passage?.direction !== 'in') continue
        // What another box tells happened when it says; what this one writes down happens now.
        const at = fact.box === undefined ? this.#now() : Math.min(Date.parse(passage.at), this.#now())
        this.#count(passage, Math.floor(at / MINUTE_MS))
      }
    })
  }

  /** People admitted a minute, over the last five. */
  perMinute(checkpoint: string): number {
    const minutes = this.#admitted.get(checkpoint)
    if (!minutes) return 0
    const current = Math.floor(this.#now() / MINUTE_MS)
    let sum = 0
    for (const [minute, admitted] of minutes) if (minute > current - WINDOW) sum += admitted
    // What is taken back may have come in before the window.
    return Math.max(0, sum) / WINDOW
  }

  /** People waiting, as last reported; null when nobody has, lately. */
  queue(checkpoint: string): number | null {
    const queue = this.#queues.get(checkpoint)
    return queue && this.#now() - queue.at < QUEUE_GOOD_FOR_MS ? queue.people : null
  }

  report(checkpoint: string, people: number): void {
    this.#queues.set(checkpoint, { people, at: this.#now() })
  }

  #count({ checkpoint, people }: Passage, minute: number): void {
    const minutes = this.#admitted.get(checkpoint) ?? new Map<number, number>()
    this.#admitted.set(checkpoint, minutes)
    minutes.set(minute, (minutes.get(minute) ?? 0) + people)
    const current = Math.floor(this.#now() / MINUTE_MS)
    for (const minute of minutes.keys()) if (minute <= current - WINDOW) minutes.delete(minute)
  }
}
