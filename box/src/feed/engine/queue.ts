/** The events that wait for one sink, in order, and the batch that is under way. */
import type { ChangeEvent } from '../change.ts'
import type { Spill } from './spill.ts'

export interface QueueLimits {
  readonly maxEvents: number
  readonly maxBytes: number
}

/** A queue that was full accepts more below this part of its limits: at the limit itself the source would pause for every event. */
const LOW = 0.5

export class Queue {
  readonly #limits: QueueLimits
  readonly #spill: Spill | undefined
  /** Removed events leave holes at the front, which are closed now and then: closing each would move the rest every time. */
  #waiting: (ChangeEvent | undefined)[] = []
  #first = 0
  #waitingBytes = 0
  #batch: readonly ChangeEvent[] = []
  #batchBytes = 0

  /** @param spill for what is over the limits */
  constructor(limits: QueueLimits, spill?: Spill) {
    this.#limits = limits
    this.#spill = spill
  }

  /** Events, with those of the batch under way and those on disk. */
  get size(): number {
    return this.#inMemory + (this.#spill?.events ?? 0)
  }

  get #inMemory(): number {
    return this.waiting + this.#batch.length
  }

  get diskBytes(): number {
    return this.#spill?.bytes ?? 0
  }

  get bytes(): number {
    return this.#waitingBytes + this.#batchBytes
  }

  /** Events that are in no batch yet. */
  get waiting(): number {
    return this.#waiting.length - this.#first
  }

  get isFull(): boolean {
    return this.#isMemoryFull && (this.#spill?.isFull ?? true)
  }

  /** With a spill, the memory may be full: events go to the disk. */
  get isLow(): boolean {
    return this.#spill ? this.#spill.isLow : this.#isMemoryLow
  }

  get #isMemoryFull(): boolean {
    return this.#inMemory >= this.#limits.maxEvents || this.bytes >= this.#limits.maxBytes
  }

  get #isMemoryLow(): boolean {
    return this.#inMemory <= this.#limits.maxEvents * LOW && this.bytes <= this.#limits.maxBytes * LOW
  }

  /** The first event that is not delivered yet. */
  get oldest(): ChangeEvent | undefined {
    return this.#batch[0] ?? this.#waiting[this.#first]
  }

  /** The first event that is in no batch yet. */
  get next(): ChangeEvent | undefined {
    return this.#waiting[this.#first]
  }

  /** The last event, where it is in memory and in no batch yet. */
  get newest(): ChangeEvent | undefined {
    return this.#spill?.events ? undefined : this.#waiting.at(-1)
  }

  get batchBytes(): number {
    return this.#batchBytes
  }

  /** The batch under way, the same until it is settled; empty when there is none. */
  get batch(): readonly ChangeEvent[] {
    return this.#batch
  }

  /** Accepts what is over the limits too: a source may have read on before it was paused. */
  push(event: ChangeEvent): void {
    if (this.#spill && (this.#spill.events > 0 || this.#isMemoryFull)) this.#spill.push(event)
    else this.#wait(event)
  }

  #wait(event: ChangeEvent): void {
    this.#waiting.push(event)
    this.#waitingBytes += event.bytes
  }

  /** Tells if the waiting events, without the newest ones, fill a batch, or no more fit into memory. @param newest how many: 0 or 1 */
  fills(limits: QueueLimits, newest = 0): boolean {
    const waiting = this.waiting - newest
    if (waiting === 0) return false
    if (waiting >= limits.maxEvents || this.#isMemoryFull) return true
    return this.#waitingBytes - (newest > 0 ? (this.newest?.bytes ?? 0) : 0) >= limits.maxBytes
  }

  /** Makes the next batch of the waiting events: at least one, however large it is. */
  take({ maxEvents, maxBytes }: QueueLimits): void {
    let count = 0
    let bytes = 0
    // Rows of a snapshot and changes are in different batches, so that a batch can say which it has.
    const kind = this.next?.snapshot
    while (count < maxEvents) {
      const event = this.#waiting[this.#first + count]
      if (!event || (count > 0 && (bytes + event.bytes > maxBytes || event.snapshot !== kind))) break
      bytes += event.bytes
      count++
    }
    this.#batch = this.#waiting.slice(this.#first, this.#first + count) as ChangeEvent[]
    this.#batchBytes = bytes
    this.#forget(count, bytes)
    // `next` has to be known: whether a transaction goes on behind the batch depends on it.
    if (this.waiting === 0) this.#fetch()
  }

  /** The batch under way was delivered. */
  settle(): void {
    this.#batch = []
    this.#batchBytes = 0
    while (this.#spill && this.#spill.events > 0 && this.#isMemoryLow) this.#fetch()
  }

  /** Takes some events back from the disk. */
  #fetch(): void {
    for (const event of this.#spill?.shift() ?? []) this.#wait(event)
  }

  /** The events of the batch wait again, in their order. */
  putBack(): void {
    this.#waiting.splice(0, this.#first, ...this.#batch)
    this.#first = 0
    this.#waitingBytes += this.#batchBytes
    this.#batch = []
    this.#batchBytes = 0
  }

  /** Takes one event out of the batch under way. */
  remove(event: ChangeEvent): void {
    const rest = this.#batch.filter((one) => one !== event)
    if (rest.length < this.#batch.length) this.#batchBytes -= event.bytes
    this.#batch = rest
  }

  /**
   * Drops the oldest waiting events until the rest is within the limits: a live reader wants the newest, and the gap is in one
   * piece. The batch under way is never touched.
   * @returns how many were dropped
   */
  shed(): number {
    let count = 0
    while (this.waiting > 0 && (this.size > this.#limits.maxEvents || this.bytes > this.#limits.maxBytes)) {
      this.#forget(1, this.#waiting[this.#first]?.bytes ?? 0)
      count++
    }
    return count
  }

  #forget(count: number, bytes: number): void {
    this.#waiting.fill(undefined, this.#first, this.#first + count)
    this.#first += count
    this.#waitingBytes -= bytes
    if (this.#first < 1024 && this.#first < this.#waiting.length) return
    if (this.#first * 2 < this.#waiting.length) return
    this.#waiting.splice(0, this.#first)
    this.#first = 0
  }
}
