/**
 * Moves what waits for one sink to that sink: one batch at a time, in order, again and again until it is taken. "States and
 * transitions" of the change feed's specification.
 */

import type { ChangeEvent } from '../change.ts'
import { comparePositions, type Position } from '../lsn.ts'
import type { DeliveryError, Durability, Sink, SinkLog } from '../sink.ts'
import { type Backoff, backoffMs } from './backoff.ts'
import { Queue, type QueueLimits } from './queue.ts'

/** A sink, and how it is to be served: what the configuration says of it. */
export interface EngineSink {
  readonly id: string
  readonly name: string
  readonly durability: Durability
  readonly sink: Sink
  /** `schema.table`; undefined for all. */
  readonly tables?: readonly string[] | undefined
  /** Failed deliveries of a batch until the sink is paused; 0 for never. */
  readonly maxAttempts: number
  readonly backoff: Backoff
  readonly queue: QueueLimits
  /** What the sink itself asks for may be less. */
  readonly batch: QueueLimits & {
    /** A batch that is not full is sent no sooner than this after the last one; at once when the sink was idle. */
    readonly lingerMs: number
  }
}

export interface PumpOptions {
  readonly log: SinkLog
  /** Unix ms, for what people read. */
  readonly now: () => number
  /** Milliseconds, never going back: what waits are measured by. */
  readonly monotonic: () => number
  readonly random: () => number
  /** The sink has taken a batch. */
  readonly onTaken: () => void
}

/** A receiver's word ends up in logs and statistics, and may be of any length. */
const LONGEST_ERROR = 1000
/** Whatever a receiver or a plugin says: a wait longer than this looks like a sink that is dead. */
const LONGEST_WAIT_MS = 3_600_000

export class Pump {
  readonly id: string
  readonly durability: Durability
  readonly queue: Queue
  readonly #config: EngineSink
  readonly #options: PumpOptions
  readonly #tables: ReadonlySet<string> | undefined
  readonly #closing = new AbortController()
  #status: 'running' | 'paused' = 'running'
  /** The last event that was taken, in this run or before. */
  #position: Position | undefined
  /** While events come that were taken before the restart: up to here. */
  #skipTo: Position | undefined
  #closed = false
  #scheduled = false
  #call: Promise<void> | undefined
  #lingering: NodeJS.Timeout | undefined
  #retrying: NodeJS.Timeout | undefined
  #retryAt = 0
  #sentAt = Number.NEGATIVE_INFINITY
  #attempts = 0
  #lastError: string | null = null
  #lastDeliveredAt: number | null = null
  #delivered = 0
  #dropped = 0
  #skipped = 0
  /** Dropped since the last batch that was taken. */
  #lost = 0

  constructor(config: EngineSink, options: PumpOptions) {
    this.#config = config
    this.#options = options
    this.id = config.id
    this.durability = config.durability
    this.queue = new Queue(config.queue)
    this.#tables = config.tables && new Set(config.tables)
  }

  /** The last event that the sink has taken. */
  get position(): Position | undefined {
    return this.#position
  }

  /** Before the first event: what comes up to and with `position` was taken before the restart. */
  startAfter(position: Position | undefined): void {
    this.#position = position
    this.#skipTo = position
  }

  offer(event: ChangeEvent): void {
    if (this.#tables && !this.#tables.has(`${event.schema}.${event.table}`)) return
    if (this.#skipTo) {
      if (comparePositions(event.position, this.#skipTo) <= 0) return void this.#skipped++
      this.#skipTo = undefined
    }
    this.queue.push(event)
    if (this.durability === 'ephemeral' && this.queue.isFull) this.#shed()
    if (this.#scheduled) return
    this.#scheduled = true
    // Not at once: what the source has read together is sent together.
    queueMicrotask(() => {
      this.#scheduled = false
      this.#advance()
    })
  }

  /** What is under way is left to finish, and counts. */
  pause(): void {
    if (this.#status === 'paused') return
    this.#status = 'paused'
    this.#stopWaiting()
    this.#options.log.info({ event: 'sink_paused', sink: this.id })
  }

  /** Tries again at once whatever it was that failed, and has all its attempts again. */
  resume(): void {
    if (this.#status === 'running') return
    this.#status = 'running'
    this.#attempts = 0
    this.#options.log.info({ event: 'sink_resumed', sink: this.id })
    this.#advance()
  }

  stats() {
    const { id, name, durability } = this.#config
    const { oldest } = this.queue
    const now = this.#options.now()
    return {
      id,
      name,
      durability,
      status: this.#status,
      lastError: this.#lastError,
      queueDepth: this.queue.size,
      deliveredCount: this.#delivered,
      droppedCount: this.#dropped,
      queueBytes: this.queue.bytes,
      /** Events told once more after a restart that the sink had taken before it. */
      skippedCount: this.#skipped,
      /** Failures of the batch that is under way. */
      attempts: this.#attempts,
      /** Unix ms. */
      nextRetryAt: this.#retrying ? Math.round(now + this.#retryAt - this.#options.monotonic()) : null,
      lastDeliveredAt: this.#lastDeliveredAt,
      /** Since the commit of the oldest event that waits, by the clocks of the two machines; 0 when none does. */
      lagMs: oldest ? Math.max(0, now - Date.parse(oldest.commitTime) || 0) : 0,
      ...this.#config.sink.details?.(),
    }
  }

  /** Sends nothing more. @param graceMs how long the batch under way may still take before it is cut off */
  async close(graceMs: number): Promise<void> {
    this.#closed = true
    this.#stopWaiting()
    const { signal } = this.#closing
    const cut = setTimeout(() => this.#closing.abort(new Error('the change feed is closing')), graceMs)
    // A plugin may not listen to the signal: what it is doing then is not waited for.
    const cutOff = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    await Promise.race([this.#call, cutOff])
    clearTimeout(cut)
    this.#closing.abort()
  }

  #shed(): void {
    const dropped = this.queue.shed()
    this.#dropped += dropped
    this.#lost += dropped
  }

  #stopWaiting(): void {
    clearTimeout(this.#lingering)
    clearTimeout(this.#retrying)
    this.#lingering = undefined
    this.#retrying = undefined
  }

  /** Sends the next batch if this is the time to; called whenever that may have become so. */
  #advance(): void {
    if (this.#closed || this.#status === 'paused' || this.#call || this.#retrying) return
    if (this.queue.batch.length === 0) {
      if (this.queue.waiting === 0) return
      const { maxEvents, maxBytes, lingerMs } = this.#config.batch
      const { batch: own } = this.#config.sink
      // A plugin that asks for none would be sent nothing for ever.
      const limits = {
        maxEvents: Math.max(1, Math.min(maxEvents, own.maxEvents)),
        maxBytes: Math.min(maxBytes, own.maxBytes),
      }
      if (!this.queue.fills(limits) && this.#linger(lingerMs)) return
      clearTimeout(this.#lingering)
      this.#lingering = undefined
      this.queue.take(limits)
    }
    this.#call = this.#deliver()
  }

  /** @returns true while there is something to wait for */
  #linger(lingerMs: number): boolean {
    if (this.#lingering) return true
    const wait = this.#sentAt + lingerMs - this.#options.monotonic()
    if (wait <= 0) return false
    this.#lingering = setTimeout(() => {
      this.#lingering = undefined
      // A timer may fire a moment early, and must not be set again for it.
      this.#sentAt = Number.NEGATIVE_INFINITY
      this.#advance()
    }, wait)
    return true
  }

  async #deliver(): Promise<void> {
    const { batch } = this.queue
    this.#sentAt = this.#options.monotonic()
    try {
      await this.#handOver(batch)
    } catch (error) {
      this.#call = undefined
      return this.#failed(error, batch)
    }
    this.#call = undefined
    this.#taken(batch)
  }

  /** Async, so that a plugin that throws before it promises has not failed before its call is known to be under way. */
  async #handOver(batch: readonly ChangeEvent[]): Promise<void> {
    const { sink } = this.#config
    if (this.#lost > 0) sink.lost?.(this.#lost)
    this.#lost = 0
    await sink.deliver(batch, this.#closing.signal, Math.max(0, this.queue.size - batch.length))
  }

  #taken(batch: readonly ChangeEvent[]): void {
    if (this.#lastError !== null) this.#options.log.info({ event: 'sink_recovered', sink: this.id })
    this.#attempts = 0
    this.#lastError = null
    this.#lastDeliveredAt = this.#options.now()
    this.#delivered += batch.length
    this.#position = batch.at(-1)?.position
    this.queue.settle()
    this.#options.onTaken()
    this.#advance()
  }

  #failed(error: unknown, batch: readonly ChangeEvent[]): void {
    if (this.#closed) return
    const { maxAttempts, backoff } = this.#config
    const { message, pause, retryAfterMs } = readError(error)
    this.#attempts++
    this.#lastError = message
    const isLast = pause || (maxAttempts > 0 && this.#attempts >= maxAttempts)
    if (isLast) this.#status = 'paused'
    const consequence =
      this.#status === 'running'
        ? 'the batch is sent again'
        : `the sink is paused: ${this.durability === 'durable' ? 'the source keeps what it has not taken' : 'what does not fit its queue is dropped'}`
    const fields = { sink: this.id, attempt: this.#attempts, events: batch.length, first: batch[0]?.id, consequence }
    this.#options.log[isLast ? 'error' : 'warn']({ event: 'delivery_failed', ...fields }, message)
    if (this.#status === 'paused') return
    const own = backoffMs(this.#attempts, backoff, this.#options.random)
    const wait = Math.min(LONGEST_WAIT_MS, retryAfterMs === undefined ? own : Math.max(retryAfterMs, backoff.initialMs))
    this.#retryAt = this.#options.monotonic() + wait
    this.#retrying = setTimeout(() => {
      this.#retrying = undefined
      this.#advance()
    }, wait)
  }
}

/** By what an error has, and not by its class: a plugin may bring its own, and throw anything. */
function readError(error: unknown) {
  const { message, pause, retryAfterMs } = (error ?? {}) as Partial<DeliveryError>
  return {
    message: String(message || error).slice(0, LONGEST_ERROR),
    pause: pause === true,
    retryAfterMs: typeof retryAfterMs === 'number' && retryAfterMs >= 0 ? retryAfterMs : undefined,
  }
}
