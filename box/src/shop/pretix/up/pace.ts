/** When pretix is asked again after it could not be: it says so itself, or the pauses grow. */
import type { PretixCode } from '../errors.ts'
import type { PushedFact } from './call.ts'
import type { Next } from './next-step.ts'

type Stop = Extract<Next, { next: 'wait' | 'pause' }>

const FIRST_MS = 1_000
const MOST_MS = 60_000
/** A shop that says "in an hour" is believed; one that says "in a year" is asked once an hour. */
const MOST_ASKED_MS = 3_600_000
/** Calls in a row that one entry fails while others succeed. */
const MOST_FAILURES = 4

interface Problem {
  state: 'waiting' | 'paused'
  words: string
  coded: readonly PretixCode[]
}

export class Pace {
  readonly #random: () => number
  #until = 0
  #failures = 0
  /** Successes since the box started, and their number when an entry first failed. */
  #answered = 0
  readonly #failed = new Map<string, { times: number; since: number }>()
  #problem: Problem | undefined

  constructor({ random }: { random: () => number }) {
    this.#random = random
  }

  get problem(): Problem | undefined {
    return this.#problem
  }

  /** Milliseconds until pretix may be asked. */
  pause(now: number): number {
    return Math.max(this.#until - now, 0)
  }

  stopped(why: Stop, now: number): void {
    const { coded = [] } = why
    this.#problem =
      why.next === 'pause' ? { state: 'paused', words: why.words, coded } : { state: 'waiting', words: why.why, coded }
    const asked = why.next === 'wait' ? why.afterMs : MOST_MS
    // Not all boxes and tills at the same moment.
    const grown = this.later(this.#failures) * (0.5 + this.#random() / 2)
    this.#failures += 1
    this.#until = now + Math.max(Math.min(asked ?? 0, MOST_ASKED_MS), grown)
  }

  answered(fact: PushedFact): void {
    this.#problem = undefined
    this.#failures = 0
    this.#answered += 1
    this.#failed.delete(keyOf(fact))
  }

  /** Counts a failure. @returns true if this entry has failed again and again, and others have not */
  isPoison(fact: PushedFact, why: Stop): boolean {
    if (why.next === 'pause' || why.afterMs !== undefined) return false
    const failed = this.#failed.get(keyOf(fact)) ?? { times: 0, since: this.#answered }
    failed.times += 1
    this.#failed.set(keyOf(fact), failed)
    if (failed.times < MOST_FAILURES || this.#answered === failed.since) return false
    this.#failed.delete(keyOf(fact))
    return true
  }

  /** Milliseconds before the next attempt, after so many. */
  later(attempts: number): number {
    return Math.min(FIRST_MS * 2 ** Math.min(attempts, 10), MOST_MS)
  }

  /** A person has changed something: pretix is asked at once. */
  forgive(): void {
    this.#until = 0
    this.#failures = 0
  }
}

function keyOf({ box, place }: PushedFact): string {
  return `${box}/${place}`
}
