/**
 * The change feed's engine: source -> one bounded queue a sink -> sink. Every durable sink gets every event, in order, at
 * least once; the source keeps what one of them has not taken. When the queue of a durable sink is full, the source waits,
 * and every other sink with it: the statistics say for whom. An ephemeral sink holds nobody up; what does not fit its queue is
 * dropped, the oldest first, and counted.
 */
import type { ChangeEvent } from '../change.ts'
import { comparePositions, formatLsn, type Lsn, type Position } from '../lsn.ts'
import type { SinkLog } from '../sink.ts'
import type { Source, SourceListener } from '../source.ts'
import { Acknowledgement } from './positions.ts'
import { type Positions, PositionsFile } from './positions-file.ts'
import { type EngineSink, Pump } from './pump.ts'

export type { EngineSink }

interface EngineOptions {
  readonly source: Source
  readonly sinks: readonly EngineSink[]
  /** Where the sinks' positions are kept; its folder is there. */
  readonly positionsPath: string
  readonly log: SinkLog
  /** Unix ms, for what people read. */
  readonly now: () => number
  /** Milliseconds, never going back: what waits are measured by. */
  readonly monotonic: () => number
  /** From 0 to under 1. */
  readonly random: () => number
  /** How long a batch that is under way may take when the engine is closed. */
  readonly graceMs?: number
}

/** Longer, and whoever stops the daemon kills it: the batch would come again either way. */
const GRACE_MS = 5000

export class Engine implements AsyncDisposable {
  readonly #source: Source
  readonly #sinks: readonly EngineSink[]
  readonly #pumps: readonly Pump[]
  readonly #durable: readonly Pump[]
  readonly #file: PositionsFile
  readonly #log: SinkLog
  readonly #monotonic: () => number
  readonly #graceMs: number
  readonly #acknowledgement = new Acknowledgement()
  #saved: Positions | undefined
  #adopted = false
  #closed = false
  #eventsTotal = 0
  /** When the source was told to wait. */
  #heldSince: number | undefined

  /** Owns source and sinks from here on: disposing the engine disposes them. */
  constructor(options: EngineOptions) {
    const { source, sinks, positionsPath, log, now, monotonic, random, graceMs = GRACE_MS } = options
    this.#source = source
    this.#sinks = sinks
    this.#log = log
    this.#monotonic = monotonic
    this.#graceMs = graceMs
    const onTaken = () => this.#taken()
    this.#pumps = sinks.map((sink) => new Pump(sink, { log, now, monotonic, random, onTaken }))
    this.#durable = this.#pumps.filter((pump) => pump.durability === 'durable')
    this.#file = new PositionsFile({ path: positionsPath, log, snapshot: () => this.#positions() })
  }

  /** @throws what the source throws when a person has to mend something first */
  async start(): Promise<void> {
    this.#saved = await this.#file.read()
    if (this.#closed) throw new Error('the change feed was closed before it had started')
    const listener: SourceListener = {
      event: (event) => this.#event(event),
      commit: ({ commitLsn, end }) => this.#mark((marks) => marks.commit(commitLsn, end)),
      idle: (end) => this.#mark((marks) => marks.idle(end)),
    }
    await this.#source.start(listener)
    this.#adopt()
  }

  /** The `engine` object of the specification's statistics, and more. */
  stats() {
    const held = this.#heldSince !== undefined
    const stalledMs = Math.round(held ? this.#monotonic() - (this.#heldSince ?? 0) : 0)
    const stalling = held ? this.#durable.filter((pump) => !pump.queue.isLow).map((pump) => pump.id) : []
    return {
      eventsTotal: this.#eventsTotal,
      flushedLsn: formatLsn(this.#acknowledgement.acknowledged),
      /** The durable sinks whose full queues the source waits for. */
      stalledBy: stalling,
      /** For how long it has been waiting. */
      stalledMs,
      /** Why the sinks' positions could not be written: after a restart, more comes again. */
      positionsError: this.#file.lastError,
      sinks: this.#pumps.map((pump) => {
        const oldest = pump.queue.oldest?.position.commitLsn
        const stalledBy = stalling.filter((id) => id !== pump.id)
        const own = { ackedLsn: formatLsn(this.#acknowledgement.reached(oldest)), stalledBy }
        return { ...pump.stats(), ...own, stalledMs: stalledBy.length > 0 ? stalledMs : 0 }
      }),
    }
  }

  /** Without effect on a paused sink. @returns false when there is no such sink */
  pause(id: string): boolean {
    const pump = this.#pumps.find((pump) => pump.id === id)
    pump?.pause()
    return pump !== undefined
  }

  /** Without effect on a running sink. @returns false when there is no such sink */
  resume(id: string): boolean {
    const pump = this.#pumps.find((pump) => pump.id === id)
    pump?.resume()
    return pump !== undefined
  }

  /** Lets what is under way finish, tells the source of it, and closes everything. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await using stack = new AsyncDisposableStack()
    for (const { sink } of this.#sinks) stack.use(sink)
    stack.use(this.#source)
    await Promise.all(this.#pumps.map((pump) => pump.close(this.#graceMs)))
    await this.#file.flush()
  }

  #event(event: ChangeEvent): void {
    if (this.#closed) return
    if (!this.#adopted) this.#adopt()
    // After a reconnect the source begins again at what was acknowledged: the rest is in the queues, or taken.
    if (!this.#acknowledgement.event(event.position)) return
    this.#eventsTotal++
    for (const pump of this.#pumps) pump.offer(event)
    if (this.#heldSince === undefined && this.#durable.some((pump) => pump.queue.isFull)) {
      this.#heldSince = this.#monotonic()
      this.#source.pause()
    }
  }

  #mark(tell: (marks: Acknowledgement) => void): void {
    if (this.#closed) return
    if (!this.#adopted) this.#adopt()
    tell(this.#acknowledgement)
    this.#acknowledge()
  }

  #taken(): void {
    this.#file.changed()
    this.#acknowledge()
    if (this.#heldSince === undefined || !this.#durable.every((pump) => pump.queue.isLow)) return
    this.#heldSince = undefined
    if (!this.#closed) this.#source.resume()
  }

  #acknowledge(): void {
    let oldest: Lsn | undefined
    for (const { queue } of this.#durable) {
      const own = queue.oldest?.position.commitLsn
      if (own !== undefined && (oldest === undefined || own < oldest)) oldest = own
    }
    const end = this.#acknowledgement.advance(oldest)
    if (end !== undefined) this.#source.acknowledge(end)
  }

  /** Once it is known which log this is: where each sink goes on in it. */
  #adopt(): void {
    if (this.#adopted) return
    this.#adopted = true
    const saved = this.#saved
    if (!saved) return
    const { identity } = this.#source
    if (saved.identity !== identity) {
      const consequence = 'the sinks get everything that this source has'
      this.#log.warn({ event: 'positions_discarded', of: saved.identity, source: identity, consequence })
      return
    }
    // A new ephemeral sink starts now: the backlog of a durable one that was away is old news to it.
    const latest = [...saved.sinks.values()].sort(comparePositions).at(-1)
    for (const pump of this.#pumps) {
      pump.startAfter(saved.sinks.get(pump.id) ?? (pump.durability === 'ephemeral' ? latest : undefined))
    }
  }

  #positions(): Positions {
    const sinks = new Map<string, Position>()
    for (const { id, position } of this.#pumps) if (position) sinks.set(id, position)
    return { identity: this.#source.identity, sinks }
  }
}
