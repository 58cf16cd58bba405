/**
 * Delivers one sink's queue: one batch at a time, in order, retried until it succeeds. "States and transitions" of the change
 * feed's specification.
 */
import type { ChangeEvent } from '../change.ts'
import { eventId, type Lsn } from '../lsn.ts'
import type { Durability } from '../sink.ts'
import type { SourceGap } from '../source.ts'
import { eventToSkip, retryWaitMs } from './after-failure.ts'
import { DeadLetters } from './dead-letters.ts'
import type { EngineSink, PumpOptions } from './engine-sink.ts'
import { type Failure, readFailure } from './failure.ts'
import { Outbox } from './outbox.ts'
import type { SinkState } from './positions-file.ts'
import { PumpTimers } from './pump-timers.ts'
import { Setbacks } from './setbacks.ts'
import { SinkProgress } from './sink-progress.ts'
import { sinkStats, type Tally } from './sink-stats.ts'

export class Pump {
  readonly id: string
  readonly durability: Durability
  readonly #config: EngineSink
  readonly #options: PumpOptions
  readonly #tables: ReadonlySet<string> | undefined
  readonly #closing = new AbortController()
  #status: 'running' | 'paused' = 'running'
  readonly #progress = new SinkProgress()
  readonly #letters: DeadLetters
  readonly #outbox: Outbox
  #setbacks = new Setbacks()
  #closed = false
  #scheduled = false
  #call: Promise<void> | undefined
  readonly #timers: PumpTimers
  readonly #tally: Tally = { delivered: 0, dropped: 0, skipped: 0, lastDeliveredAt: null }
  /** Dropped since the last delivery. */
  #lost = 0

  constructor(config: EngineSink, options: PumpOptions) {
    this.#config = config
    this.#options = options
    this.id = config.id
    this.durability = config.durability
    this.#outbox = new Outbox(config, options.heldMs, () => this.#advance())
    this.#timers = new PumpTimers(options.monotonic, () => this.#advance())
    this.#tables = config.tables && new Set(config.tables)
    this.#letters = new DeadLetters(config.deadLetters, options)
    void this.#letters.recount()
  }

  /** The first event that is not delivered yet. */
  get oldest(): ChangeEvent | undefined {
    return this.#outbox.queue.oldest
  }

  /** The source has to wait. */
  get isFull(): boolean {
    return this.#outbox.isFull
  }

  /** The source may go on. */
  get isLow(): boolean {
    return this.#outbox.isLow
  }

  /** Its state for the file of positions. */
  get state(): SinkState {
    const { position, committed } = this.#progress
    const { gaps } = this.#outbox
    return {
      ...(position && { position }),
      ...(committed !== undefined && { committed }),
      ...(this.#status === 'paused' && { paused: this.#setbacks.lastError ?? '' }),
      ...(gaps.length > 0 && { gaps }),
    }
  }

  /** Called before the first event, with the state of the run before: events that the sink has taken are not sent again. */
  startAfter({ position, committed, paused, gaps = [] }: SinkState): void {
    this.#progress.startAfter(position, committed)
    for (const gap of gaps) this.#outbox.gap(gap)
    if (position) this.#config.sink.resumed?.(eventId(position))
    if (paused === undefined) return
    this.#status = 'paused'
    this.#setbacks = new Setbacks(paused || null)
    this.#options.log.warn({ event: 'sink_still_paused', sink: this.id, reason: paused || 'somebody has paused it' })
  }

  /** The next events are of another log than the delivered ones: all of them are sent. */
  startOver(): void {
    this.#progress.startOver()
  }

  /** Changes are missing before the next event. @returns whether the sink can be told */
  gap(gap: SourceGap): boolean {
    this.#outbox.gap(gap)
    return this.#config.sink.gap !== undefined
  }

  offer(event: ChangeEvent): void {
    if (this.#tables && !this.#tables.has(`${event.schema}.${event.table}`)) return
    if (this.#progress.has(event)) return void this.#tally.skipped++
    this.#outbox.push(event)
    if (this.durability === 'ephemeral' && this.#outbox.queue.isFull) this.#shed()
    this.#schedule()
  }

  /** A transaction is complete, whether it had an event of this sink or not. */
  ended(commitLsn: Lsn): void {
    if (this.#outbox.ended(commitLsn)) this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    // In a microtask: what the source has read together is sent together.
    queueMicrotask(() => {
      this.#scheduled = false
      this.#advance()
    })
  }

  /** The batch under way may finish, and counts. @returns false when it was paused already */
  pause(): boolean {
    if (this.#status === 'paused') return false
    this.#status = 'paused'
    this.#timers.stop()
    this.#outbox.rest()
    this.#options.log.info({ event: 'sink_paused', sink: this.id })
    return true
  }

  /** Retries at once, with all attempts again. @returns false when it was running already */
  resume(): boolean {
    if (this.#status === 'running') return false
    this.#status = 'running'
    this.#setbacks.resumed()
    this.#options.log.info({ event: 'sink_resumed', sink: this.id })
    this.#advance()
    return true
  }

  /**
   * Puts one event of the batch that a paused sink holds into its file of dead letters.
   * @param id the event that the last failure was about, where it is not given
   * @returns the id of the event; or why it is not skipped
   */
  async skip(id = this.#setbacks.stuckOn): Promise<{ skipped: string } | { refused: string }> {
    const { batch } = this.#outbox.queue
    if (this.#status !== 'paused') return { refused: 'the sink is running: pause it first' }
    if (this.#call) return { refused: 'a delivery is under way: ask again when it has ended' }
    const found = eventToSkip(batch, id)
    if ('refused' in found) return found
    const { event } = found
    const reason = this.#setbacks.lastError ?? 'an admin has skipped it'
    const before = this.#letters.count
    this.#call = this.#bury(event, 'admin', reason)
    await this.#call
    return this.#letters.count > before ? { skipped: event.id } : { refused: this.#setbacks.lastError ?? '' }
  }

  stats() {
    const [config, status, setbacks, tally] = [this.#config, this.#status, this.#setbacks, this.#tally]
    const { queue } = this.#outbox
    const { untilRetry } = this.#timers
    const deadLetters = this.#letters.count
    return sinkStats({ config, status, queue, setbacks, tally, deadLetters, untilRetry }, this.#options.now())
  }

  /** Sends nothing more. @param graceMs how long the batch under way may still take before it is aborted */
  async close(graceMs: number): Promise<void> {
    this.#closed = true
    this.#timers.stop()
    this.#outbox.rest()
    const { signal } = this.#closing
    const cut = setTimeout(() => this.#closing.abort(new Error('the change feed is closing')), graceMs)
    // A plugin may ignore the signal: it is not waited for then.
    const cutOff = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    await Promise.race([this.#call, cutOff])
    clearTimeout(cut)
    this.#closing.abort()
    this.#outbox[Symbol.dispose]()
  }

  #shed(): void {
    const dropped = this.#outbox.shed()
    this.#tally.dropped += dropped
    this.#lost += dropped
  }

  /** Sends the next batch if it is due; called whenever that may have changed. */
  #advance(): void {
    if (this.#closed || this.#status === 'paused' || this.#call || this.#timers.untilRetry !== undefined) return
    if (this.#outbox.queue.batch.length === 0) {
      const { lingerMs } = this.#config.batch
      const linger = () => this.#timers.linger(lingerMs)
      if (!this.#outbox.take(this.#setbacks.most, this.#config.sink.batch, linger)) return
      this.#timers.stopLingering()
    }
    this.#call = this.#deliver()
  }

  async #deliver(): Promise<void> {
    const { batch } = this.#outbox.queue
    this.#timers.sent()
    try {
      await this.#handOver(batch)
    } catch (error) {
      this.#call = undefined
      return this.#failed(readFailure(error), batch)
    }
    this.#call = undefined
    this.#succeeded(batch)
  }

  /** Async: a plugin that throws synchronously must not fail before `#call` is set. */
  async #handOver(batch: readonly ChangeEvent[]): Promise<void> {
    const { sink } = this.#config
    if (this.#lost > 0) sink.lost?.(this.#lost)
    this.#lost = 0
    for (const gap of this.#outbox.dueGaps) sink.gap?.(gap)
    const waiting = Math.max(0, this.#outbox.queue.size - batch.length)
    await sink.deliver(batch, this.#closing.signal, waiting, this.#outbox.goesOn)
  }

  #succeeded(batch: readonly ChangeEvent[]): void {
    if (this.#setbacks.over(batch.length)) this.#options.log.info({ event: 'sink_recovered', sink: this.id })
    this.#tally.lastDeliveredAt = this.#options.now()
    this.#tally.delivered += batch.length
    this.#progress.passed(batch)
    this.#outbox.taken()
    this.#options.onDelivered()
    this.#advance()
  }

  #failed(failure: Failure, batch: readonly ChangeEvent[]): void {
    const { log } = this.#options
    if (this.#closed) {
      // A call that was cut off says nothing of the receiver.
      if (this.#closing.signal.aborted) return
      const consequence = 'the change feed is closing: the batch is sent again after its next start'
      log.warn({ event: 'delivery_failed', sink: this.id, events: batch.length, consequence }, failure.text)
      return
    }
    const { maxAttempts } = this.#config
    const { automatic: isAutomatic } = this.#letters
    if (failure.tooLarge) this.#outbox.tooLarge()
    const step = this.#setbacks.failed(failure, batch, {
      maxAttempts,
      isRunning: this.#status === 'running',
      isAutomatic,
    })
    if (step.kind === 'bury') {
      this.#call = this.#bury(step.event, 'feed', failure.message)
      return
    }
    if (step.kind === 'take apart') {
      log.warn({ event: 'batch_taken_apart', sink: this.id, events: batch.length, reason: failure.message })
      this.#outbox.queue.putBack()
      this.#advance()
      return
    }
    if (step.kind === 'pause') this.#status = 'paused'
    this.#report(failure, batch, step.kind === 'pause')
    if (step.kind === 'pause') this.#options.onPaused()
    else if (step.most < batch.length) this.#outbox.queue.putBack()
    if (this.#status !== 'running') return
    const { backoff } = this.#config
    this.#timers.retryIn(retryWaitMs(this.#setbacks.attempts, backoff, failure.retryAfterMs, this.#options.random()))
  }

  #report({ text }: Failure, batch: readonly ChangeEvent[], isLast: boolean): void {
    const kept =
      this.durability === 'durable'
        ? 'the source keeps what it has not taken'
        : 'what does not fit its queue is dropped'
    const consequence = this.#status === 'running' ? 'the batch is sent again' : `the sink is paused: ${kept}`
    const { attempts: attempt } = this.#setbacks
    const fields = { sink: this.id, attempt, events: batch.length, first: batch[0]?.id, consequence }
    this.#options.log[isLast ? 'error' : 'warn']({ event: 'delivery_failed', ...fields }, text)
  }

  /** Puts an event of the batch into the file of dead letters, and goes on behind it. Never rejects. */
  async #bury(event: ChangeEvent, by: 'feed' | 'admin', reason: string): Promise<void> {
    const failure = await this.#letters.bury({ event, sink: this.id, by, reason })
    this.#call = undefined
    if (failure !== undefined) {
      this.#status = 'paused'
      this.#setbacks.stuck(failure)
      this.#options.onPaused()
      return
    }
    this.#setbacks.buried()
    this.#progress.bury(event)
    if (this.#outbox.remove(event)) this.#progress.passed([])
    this.#options.onDelivered()
    this.#advance()
  }
}
