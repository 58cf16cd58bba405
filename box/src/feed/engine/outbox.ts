/** The events that wait for one sink: how many of them its next batch has, and what that batch says of its transaction and of gaps. */
import type { ChangeEvent } from '../change.ts'
import type { Lsn } from '../lsn.ts'
import type { SourceGap } from '../source.ts'
import { BatchLimit } from './batch-limit.ts'
import type { EngineSink } from './engine-sink.ts'
import { LastEvent } from './last-event.ts'
import { PendingGaps } from './pending-gaps.ts'
import { Queue, type QueueLimits } from './queue.ts'
import { Spill } from './spill.ts'

export class Outbox {
  readonly queue: Queue
  readonly #config: EngineSink
  readonly #spill: Spill | undefined
  readonly #gaps = new PendingGaps()
  readonly #limit: BatchLimit
  readonly #last: LastEvent

  /** @param onOverdue called when events have waited for `heldMs` for the end of their transaction */
  constructor(config: EngineSink, heldMs: number, onOverdue: () => void) {
    this.#config = config
    this.#spill = config.spill && new Spill(config.spill)
    this.queue = new Queue(config.queue, this.#spill)
    this.#limit = new BatchLimit(config.batch.maxBytes)
    this.#last = new LastEvent(heldMs, onOverdue)
  }

  /** The source has to wait. An event that waits for the source's next message does not make it wait. */
  get isFull(): boolean {
    return this.queue.isFull && !this.#keepsItsOnlyEvent
  }

  /** The source may go on. */
  get isLow(): boolean {
    return this.queue.isLow || this.#keepsItsOnlyEvent
  }

  get #keepsItsOnlyEvent(): boolean {
    return this.queue.size === 1 && this.#last.keeps(this.queue.newest)
  }

  /** Gaps that the sink was not told yet. */
  get gaps(): readonly SourceGap[] {
    return this.#gaps.all
  }

  /** Those before the next batch. */
  get dueGaps(): readonly SourceGap[] {
    return this.#gaps.due
  }

  push(event: ChangeEvent): void {
    this.queue.push(event)
    this.#last.offered(event)
  }

  /** Changes are missing behind the events that wait now. */
  gap(gap: SourceGap): void {
    this.#gaps.add(gap, this.queue.size)
  }

  /** A transaction is complete. @returns true when an event was kept back for that */
  ended(commitLsn: Lsn): boolean {
    return this.#last.ended(commitLsn)
  }

  /** Drops the oldest events that do not fit. @returns how many */
  shed(): number {
    const dropped = this.queue.shed()
    this.#gaps.passed(dropped)
    return dropped
  }

  /**
   * Makes the next batch.
   * @param most events that it may have
   * @param linger called where it would not be full: false makes it all the same
   * @returns false when there is none yet
   */
  take(most: number, own: QueueLimits, linger: () => boolean): boolean {
    const { waiting } = this.queue
    if (waiting === 0) return false
    const kept = this.#last.keeps(this.queue.newest) ? 1 : 0
    // With a plugin's limit of 0, nothing would ever be sent.
    const maxEvents = Math.max(1, Math.min(this.#config.batch.maxEvents, own.maxEvents, this.#gaps.next, most))
    const maxBytes = Math.min(this.#limit.bytes, own.maxBytes)
    const isFull = this.queue.fills({ maxEvents, maxBytes }, kept)
    if (!isFull && kept > 0) {
      this.#last.wait()
      return false
    }
    if (!isFull && linger()) return false
    this.#last.stop()
    this.queue.take({ maxEvents: Math.min(maxEvents, waiting - kept), maxBytes })
    return true
  }

  /** Tells if the transaction of the batch's last event goes on after the batch. */
  get goesOn(): boolean {
    const { batch, next } = this.queue
    const last = batch.at(-1)
    // Events after a gap are of another log.
    if (!last || this.#gaps.next === batch.length) return false
    return next ? next.commitLsn === last.commitLsn : this.#last.isOpen(last)
  }

  /** The receiver finds the batch too large. */
  tooLarge(): void {
    if (this.queue.batch.length > 1) this.#limit.refused(this.queue.batchBytes)
  }

  /** The batch was delivered. */
  taken(): void {
    this.#limit.taken()
    this.#gaps.told()
    this.#gaps.passed(this.queue.batch.length)
    this.queue.settle()
  }

  /** Takes one event out of the batch. @returns true when that was the last one */
  remove(event: ChangeEvent): boolean {
    this.queue.remove(event)
    this.#gaps.passed(1)
    if (this.queue.batch.length > 0) return false
    this.queue.settle()
    return true
  }

  /** No timer runs any more. */
  rest(): void {
    this.#last.stop()
  }

  /** Deletes what is on disk. */
  [Symbol.dispose](): void {
    this.rest()
    this.#spill?.[Symbol.dispose]()
  }
}
