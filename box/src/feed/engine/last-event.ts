/**
 * Keeps the newest event of a sink back while its transaction is open, so that each batch can say whether the transaction of its
 * last event goes on. The database announces no number of changes: only its next message, a change or a commit, tells. The
 * events before it wait with it until they fill a batch, so that a transaction that fits into one is not cut.
 */
import type { ChangeEvent } from '../change.ts'
import type { Lsn } from '../lsn.ts'

export class LastEvent {
  readonly #mostMs: number
  readonly #onOverdue: () => void
  /** The newest event, until the next one comes or its transaction ends. */
  #undecided: ChangeEvent | undefined
  #isOverdue = false
  #timer: NodeJS.Timeout | undefined

  /**
   * @param mostMs how long it is kept back where the source says nothing more, because it stalls or has lost its connection
   * @param onOverdue called then
   */
  constructor(mostMs: number, onOverdue: () => void) {
    this.#mostMs = mostMs
    this.#onOverdue = onOverdue
  }

  /** The source has passed on an event of the sink: the one before it is followed by this one. */
  offered(event: ChangeEvent): void {
    this.#undecided = event
    this.#isOverdue = false
  }

  /** A transaction is complete. @returns true when the newest event was waiting for that */
  ended(commitLsn: Lsn): boolean {
    if (this.#undecided === undefined || this.#undecided.position.commitLsn > commitLsn) return false
    this.#undecided = undefined
    return true
  }

  /** True for the newest event while the end of its transaction was not read. */
  isOpen({ id }: ChangeEvent): boolean {
    return this.#undecided?.id === id
  }

  /** Tells if an event is kept back. @param newest the newest that waits for the sink */
  keeps(newest: ChangeEvent | undefined): boolean {
    return newest !== undefined && !this.#isOverdue && this.isOpen(newest)
  }

  /** The sink has no batch until then. */
  wait(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#isOverdue = true
      this.#onOverdue()
    }, this.#mostMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
