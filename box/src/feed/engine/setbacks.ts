/** The failures of one sink's batch, and what follows from them for the next one. */
import type { ChangeEvent } from '../change.ts'
import { afterFailure, type NextStep } from './after-failure.ts'
import type { Failure } from './failure.ts'

interface Circumstances {
  readonly maxAttempts: number
  readonly isRunning: boolean
  readonly isAutomatic: boolean
}

export class Setbacks {
  /** Failures of the batch that is under way. */
  #attempts = 0
  #lastError: string | null
  /** The event that the last failure was about. */
  #stuckOn: string | undefined
  /** The number of events still to be sent one by one, because the receiver refused them together. */
  #apart = 0
  /** The most events of the next attempt, after one that was too large. */
  #most = Number.POSITIVE_INFINITY
  /** Dead letters since the last delivery. */
  #inARow = 0

  /** @param lastError of the run before */
  constructor(lastError: string | null = null) {
    this.#lastError = lastError
  }

  get attempts(): number {
    return this.#attempts
  }

  get lastError(): string | null {
    return this.#lastError
  }

  get stuckOn(): string | undefined {
    return this.#stuckOn
  }

  /** The most events that the next batch may have. */
  get most(): number {
    return this.#apart > 0 ? 1 : this.#most
  }

  /** A delivery has failed. @returns how the sink goes on */
  failed(failure: Failure, batch: readonly ChangeEvent[], circumstances: Circumstances): NextStep {
    this.#attempts++
    this.#lastError = failure.message
    this.#stuckOn = failure.event
    const { attempts, inARow } = { attempts: this.#attempts, inARow: this.#inARow }
    const step = afterFailure(failure, { batch, attempts, inARow, isApart: this.#apart > 0, ...circumstances })
    if (step.kind === 'bury') this.#inARow++
    else if (step.kind === 'retry') this.#most = step.most < batch.length ? step.most : this.#most
    else if (step.kind === 'take apart') {
      this.#apart = batch.length
      this.#attempts = 0
    }
    return step
  }

  /** A batch was taken. @returns true when the one before it had failed */
  over(events: number): boolean {
    const had = this.#lastError !== null
    this.#inARow = 0
    this.passed(events)
    this.#forget()
    return had
  }

  /** An event is a dead letter: what is behind it begins anew. */
  buried(): void {
    this.passed(1)
    this.#forget()
  }

  /** The batch is tried with all attempts again. */
  resumed(): void {
    this.#attempts = 0
  }

  /** It cannot go on, for another reason than the receiver's. */
  stuck(reason: string): void {
    this.#lastError = reason
  }

  passed(events: number): void {
    this.#apart = Math.max(0, this.#apart - events)
  }

  #forget(): void {
    this.#attempts = 0
    this.#lastError = null
    this.#stuckOn = undefined
    this.#most = Number.POSITIVE_INFINITY
  }
}
