/** What waits for one sink, in order, and the batch that is under way. */
import type { ChangeEvent } from '../change.ts'

export interface QueueLimits {
  readonly maxEvents: number
  readonly maxBytes: number
}

/** Below this part of its limits a queue that was full takes more again: at the limit itself the source would stutter. */
const LOW = 0.5

export class Queue {
  readonly #limits: QueueLimits
  /** Taken events leave holes at the front, which are closed now and then: one by one would move the rest each time. */
  #waiting: (ChangeEvent | undefined)[] = []
  #first = 0
  #waitingBytes = 0
  #batch: readonly ChangeEvent[] = []
  #batchBytes = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** Events, those of the batch under way among them. */
  get size(): number {
    return this.waiting + this.#batch.length
  }

  get bytes(): number {
    return this.#waitingBytes + this.#batchBytes
  }

  /** Events that are in no batch yet. */
  get waiting(): number {
    return this.#waiting.length - this.#first
  }

  get isFull(): boolean {
    return this.size >= this.#limits.maxEvents || this.bytes >= this.#limits.maxBytes
  }

  get isLow(): boolean {
    return this.size <= this.#limits.maxEvents * LOW && this.bytes <= this.#limits.maxBytes * LOW
  }

  /** The first that was not taken yet. */
  get oldest(): ChangeEvent | undefined {
    return this.#batch[0] ?? this.#waiting[this.#first]
  }

  /** The batch under way; empty when there is none. It stays the same until it is settled. */
  get batch(): readonly ChangeEvent[] {
    return this.#batch
  }

  /** Takes what is over the limits too: a source may have read on before it was told to wait. */
  push(event: ChangeEvent): void {
    this.#waiting.push(event)
    this.#waitingBytes += event.bytes
  }

  /** Whether what waits would fill a batch. */
  fills(limits: QueueLimits): boolean {
    return this.waiting >= limits.maxEvents || this.#waitingBytes >= limits.maxBytes
  }

  /** Makes the next batch, from what waits: one event at the least, however large it is. */
  take({ maxEvents, maxBytes }: QueueLimits): void {
    let count = 0
    let bytes = 0
    while (count < maxEvents) {
      const event = this.#waiting[this.#first + count]
      if (!event || (count > 0 && bytes + event.bytes > maxBytes)) break
      bytes += event.bytes
      count++
    }
    this.#batch = this.#waiting.slice(this.#first, this.#first + count) as ChangeEvent[]
    this.#batchBytes = bytes
    this.#forget(count, bytes)
  }

  /** The batch under way was taken. */
  settle(): void {
    this.#batch = []
    this.#batchBytes = 0
  }

  /**
   * Drops the oldest of what waits until the rest is within the limits: who follows live wants the newest, and what is
   * missing is missing in one piece. The batch under way is never touched.
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
