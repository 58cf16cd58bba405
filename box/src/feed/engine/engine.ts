/**
 * The change feed's engine: source -> one bounded queue for each sink -> sink. Every durable sink gets every event, in order,
 * at least once; the source keeps what one of them has not acknowledged. Backpressure: when the queue of a durable sink is
 * full, in memory and on disk, the source pauses, and with it every other sink; the statistics name the sink. An ephemeral sink causes none: what
 * does not fit its queue is dropped, the oldest first, and counted.
 */
import type { ChangeEvent } from '../change.ts'
import { comparePositions, formatLsn, type Lsn } from '../lsn.ts'
import type { SinkLog } from '../sink.ts'
import type { Delivered, Source, SourceGap, SourceListener } from '../source.ts'
import type { EngineSink } from './engine-sink.ts'
import { Acknowledgement } from './positions.ts'
import { type Positions, PositionsFile, type SinkState } from './positions-file.ts'
import { Pump } from './pump.ts'

export type { EngineSink }

interface EngineOptions {
  readonly source: Source
  readonly sinks: readonly EngineSink[]
  /** The file that keeps the sinks' positions; its folder exists. */
  readonly positionsPath: string
  readonly log: SinkLog
  /** Unix ms, for what people read. */
  readonly now: () => number
  /** Milliseconds, never going back: what waits are measured by. */
  readonly monotonic: () => number
  /** From 0 to under 1. */
  readonly random: () => number
  /** The time that a batch under way still has when the engine is closed, milliseconds. */
  readonly graceMs?: number
  /** The longest time that a sink's newest event waits to learn whether its transaction goes on, milliseconds. */
  readonly heldMs?: number
}

/** A service manager kills a daemon that takes much longer; the batch would come again either way. */
const GRACE_MS = 5000
/** The source's next message comes within milliseconds, unless the source waits for a full queue or has lost its connection. */
const HELD_MS = 1000

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
  /** When the source was paused. */
  #heldSince: number | undefined

  /** Owns source and sinks from here on: disposing the engine disposes them. */
  constructor(options: EngineOptions) {
    const { source, sinks, positionsPath, log, now, monotonic, random, graceMs = GRACE_MS, heldMs = HELD_MS } = options
    this.#source = source
    this.#sinks = sinks
    this.#log = log
    this.#monotonic = monotonic
    this.#graceMs = graceMs
    const onDelivered = () => this.#delivered()
    const onPaused = () => this.#file.changed()
    this.#pumps = sinks.map((sink) => new Pump(sink, { log, now, monotonic, random, onDelivered, onPaused, heldMs }))
    this.#durable = this.#pumps.filter((pump) => pump.durability === 'durable')
    this.#file = new PositionsFile({ path: positionsPath, log, snapshot: () => this.#positions() })
  }

  /** @throws what the source throws when a person has to correct something first */
  async start(): Promise<void> {
    this.#saved = await this.#file.read()
    if (this.#closed) throw new Error('the change feed was closed before it had started')
    if (this.#saved) this.#restore(this.#saved)
    const listener: SourceListener = {
      began: (end) => this.#mark((marks) => marks.begin(end)),
      event: (event) => this.#event(event),
      commit: ({ commitLsn, end }) => this.#commit(commitLsn, end),
      idle: (end) => this.#mark((marks) => marks.idle(end)),
      gap: (gap) => this.#gap(gap),
    }
    await this.#source.start(listener, this.#saved && deliveredOf(this.#saved))
    this.#adopt()
  }

  /** The `engine` object of the specification's statistics, and more. */
  stats() {
    const held = this.#heldSince !== undefined
    const stalledMs = Math.round(held ? this.#monotonic() - (this.#heldSince ?? 0) : 0)
    const stalling = held ? this.#durable.filter((pump) => !pump.isLow).map((pump) => pump.id) : []
    return {
      eventsTotal: this.#eventsTotal,
      flushedLsn: formatLsn(this.#acknowledgement.acknowledged),
      /** The durable sinks whose full queues the source waits for. */
      stalledBy: stalling,
      /** For how long it has been waiting. */
      stalledMs,
      /** Reason why the sinks' positions could not be written: after a restart, more comes again. */
      positionsError: this.#file.lastError,
      sinks: this.#pumps.map((pump) => {
        const oldest = pump.oldest?.position.commitLsn
        const stalledBy = stalling.filter((id) => id !== pump.id)
        const own = { ackedLsn: formatLsn(this.#acknowledgement.reached(oldest)), stalledBy }
        return { ...pump.stats(), ...own, stalledMs: stalledBy.length > 0 ? stalledMs : 0 }
      }),
    }
  }

  /** Without effect on a paused sink. @returns false when there is no such sink */
  pause(id: string): boolean {
    const pump = this.#pumps.find((pump) => pump.id === id)
    if (pump?.pause()) void this.#file.save()
    return pump !== undefined
  }

  /** Without effect on a running sink. @returns false when there is no such sink */
  resume(id: string): boolean {
    const pump = this.#pumps.find((pump) => pump.id === id)
    if (pump?.resume()) void this.#file.save()
    return pump !== undefined
  }

  /**
   * Puts one event that a paused sink cannot take into its file of dead letters.
   * @param event its id; where it is not given, the one that the last failure was about
   * @returns why it is not skipped, in `refused`; undefined when there is no such sink
   */
  async skip(id: string, event?: string): Promise<{ skipped: string } | { refused: string } | undefined> {
    return this.#pumps.find((pump) => pump.id === id)?.skip(event)
  }

  /** Lets the batches under way finish, acknowledges them to the source, and closes everything. */
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
    // After a reconnect the source begins again at what was acknowledged: the rest is in the queues, or delivered.
    if (!this.#acknowledgement.event(event.position)) return
    this.#eventsTotal++
    for (const pump of this.#pumps) pump.offer(event)
    if (this.#heldSince !== undefined) return
    for (const pump of this.#durable) {
      if (!pump.isFull) continue
      this.#heldSince = this.#monotonic()
      this.#source.pause()
      return
    }
  }

  /** Called for every transaction: of one row, it costs as much as the row. */
  #commit(commitLsn: Lsn, end: Lsn): void {
    if (this.#closed) return
    if (!this.#adopted) this.#adopt()
    this.#acknowledgement.commit(commitLsn, end)
    this.#acknowledge()
    for (const pump of this.#pumps) pump.ended(commitLsn)
  }

  #mark(tell: (marks: Acknowledgement) => void): void {
    if (this.#closed) return
    if (!this.#adopted) this.#adopt()
    tell(this.#acknowledgement)
    this.#acknowledge()
  }

  /** Resolves when it is written down that every sink has to be told. */
  async #gap(gap: SourceGap): Promise<void> {
    if (!this.#adopted) this.#adopt(true)
    const untold = this.#pumps.filter((pump) => !pump.gap(gap)).map(({ id }) => id)
    const consequence = 'every sink is told before its next event'
    this.#log.error({ event: 'source_gap', ...gap, consequence, ...(untold.length > 0 && { cannotBeTold: untold }) })
    await this.#file.save()
  }

  #delivered(): void {
    this.#file.changed()
    this.#acknowledge()
    if (this.#heldSince === undefined || !this.#durable.every((pump) => pump.isLow)) return
    this.#heldSince = undefined
    if (!this.#closed) this.#source.resume()
  }

  #acknowledge(): void {
    const oldest = oldestOf(this.#durable)
    const end = this.#acknowledgement.advance(oldest)
    this.#acknowledgement.forget(this.#durable.length === this.#pumps.length ? oldest : oldestOf(this.#pumps))
    if (end !== undefined) this.#source.acknowledge(end)
  }

  /** Sets where each sink goes on, and whether it does. */
  #restore(saved: Positions): void {
    // A new ephemeral sink starts now: it has no use for the backlog of a durable sink that was away.
    const { position, committed } = [...saved.sinks.values()].sort(byPosition).at(-1) ?? {}
    const now = { ...(position && { position }), ...(committed !== undefined && { committed }) }
    for (const pump of this.#pumps) {
      const state = saved.sinks.get(pump.id) ?? {}
      pump.startAfter({ ...(pump.durability === 'ephemeral' && now), ...state })
    }
  }

  /**
   * Once the source's identity is known: whether the positions that were saved mean anything in it.
   * @param told whether the sinks are told of a gap anyway
   */
  #adopt(told = false): void {
    if (this.#adopted) return
    this.#adopted = true
    const of = this.#saved?.identity
    const { identity } = this.#source
    if (of === undefined || of === identity) return
    const consequence = 'the sinks get everything that this source has'
    this.#log.warn({ event: 'positions_discarded', of, source: identity, consequence })
    for (const pump of this.#pumps) pump.startOver()
    if (!told) void this.#gap({ reason: `What comes is read from ${identity}, and what came before was from ${of}` })
  }

  #positions(): Positions {
    const identity = this.#adopted ? this.#source.identity : (this.#saved?.identity ?? '')
    return { identity, sinks: new Map(this.#pumps.map(({ id, state }) => [id, state])) }
  }
}

/** The commit of the first event that one of them has not delivered; undefined when there is none. */
function oldestOf(pumps: readonly Pump[]): Lsn | undefined {
  let oldest: Lsn | undefined
  for (const pump of pumps) {
    const own = pump.oldest?.position.commitLsn
    if (own !== undefined && (oldest === undefined || own < oldest)) oldest = own
  }
  return oldest
}

function byPosition({ position: a }: SinkState, { position: b }: SinkState): number {
  return a && b ? comparePositions(a, b) : Number(a !== undefined) - Number(b !== undefined)
}

/** The transactions that the source has to have, because sinks have taken events of them. */
function deliveredOf({ identity, sinks }: Positions): Delivered {
  const transactions = [...sinks.values()].flatMap(({ position, committed }) => {
    return position ? [{ commitLsn: position.commitLsn, commitTime: committed }] : []
  })
  return { identity, transactions }
}
