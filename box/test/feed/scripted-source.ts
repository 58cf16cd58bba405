/** A source whose log the test writes. It streams, pauses, loses its connection and goes back as a real one does. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChangeEvent } from '../../src/feed/change.ts'
import { eventId, formatLsn, type Lsn } from '../../src/feed/lsn.ts'
import type { Delivered, Source, SourceListener, SourceState, SourceStatus } from '../../src/feed/source.ts'

/** A transaction, or a keepalive: nothing came before `end`. */
export interface Entry {
  readonly commitLsn: Lsn | undefined
  readonly end: Lsn
  readonly events: readonly ChangeEvent[]
}

/** The database's state of its reader. */
export interface Slot {
  confirmed: Lsn
}

/** @param commitLsn of the transaction; its end is 8 further on */
export function transaction(commitLsn: Lsn, rows: readonly string[], table = 'tickets'): Entry {
  const commitTime = '2026-07-25T18:20:00.123456Z'
  const lsn = formatLsn(commitLsn)
  const events = rows.map((text, index): ChangeEvent => {
    const position = { commitLsn, index }
    const afterJson = JSON.stringify({ id: String(index), text })
    const id = eventId(position)
    const common = { id, lsn, commitLsn: lsn, commitTime, schema: 'public', table, op: 'insert', position } as const
    return { ...common, beforeJson: '', afterJson, bytes: 120 + Buffer.byteLength(afterJson) }
  })
  return { commitLsn, end: commitLsn + 8n, events }
}

export function idle(end: Lsn): Entry {
  return { commitLsn: undefined, end, events: [] }
}

interface Options {
  readonly log?: readonly Entry[]
  readonly slot?: Slot
  readonly identity?: string
  /** Events that are delivered in one turn of the event loop, like the messages of one chunk from a socket. */
  readonly chunk?: number
  /** Called for each acknowledgement before the slot keeps it. */
  readonly onAcknowledge?: (end: Lsn) => void
}

export class ScriptedSource implements Source {
  readonly kind = 'postgres'
  readonly slot: Slot
  readonly log: Entry[]
  /** Every acknowledgement, in order. */
  readonly acknowledged: Lsn[] = []
  /** Number of times that it was paused. */
  pauses = 0
  /** Knowledge of the runs before that it was given. */
  delivered: Delivered | undefined
  state: SourceState = { state: 'starting', lastError: null }
  readonly #identity: string
  readonly #chunk: number
  readonly #onAcknowledge: (end: Lsn) => void
  #listener: SourceListener | undefined
  #connection = 0
  #paused = false
  #stallAt = 0

  constructor({ log = [], slot = { confirmed: 0n }, identity = 'log 1', chunk = 64, onAcknowledge }: Options = {}) {
    this.log = [...log]
    this.slot = slot
    this.#identity = identity
    this.#chunk = chunk
    this.#onAcknowledge = onAcknowledge ?? (() => {})
  }

  get identity(): string {
    if (!this.#listener) throw new Error('the identity is not known before the start')
    return this.#identity
  }

  get isPaused(): boolean {
    return this.#paused
  }

  async start(listener: SourceListener, delivered?: Delivered): Promise<void> {
    this.#listener = listener
    this.delivered = delivered
    await nextTurn()
    listener.began(this.slot.confirmed)
    this.reconnect()
  }

  /** The connection is lost, in the middle of a transaction or not, and made again. */
  reconnect(): void {
    if (this.state.state === 'stopped') return
    this.state = { state: 'streaming', lastError: null }
    this.#stream(++this.#connection)
  }

  /** Something is missing before whatever comes next. */
  async gap(reason: string): Promise<void> {
    await this.#listener?.gap({ reason })
  }

  pause(): void {
    this.#paused = true
    this.pauses++
  }

  resume(): void {
    this.#paused = false
  }

  /** It stalls once it has passed on so many events, until it is resumed. */
  pauseAfter(events: number): void {
    this.#stallAt = events
  }

  acknowledge(end: Lsn): void {
    if (end <= this.slot.confirmed && this.acknowledged.length > 0) throw new Error('an acknowledgement went back')
    this.#onAcknowledge(end)
    this.acknowledged.push(end)
    if (end > this.slot.confirmed) this.slot.confirmed = end
  }

  async status(): Promise<SourceStatus> {
    return { slot: null, publication: null, walLevel: null }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.state = { state: 'stopped', lastError: null }
    this.#connection = -1
  }

  async #stream(connection: number): Promise<void> {
    const from = this.slot.confirmed
    let next = this.log.findIndex((entry) => entry.end > from)
    if (next === -1) next = this.log.length
    for (;;) {
      const entry = this.log[next]
      if (entry) {
        const { events } = entry
        for (let at = 0; at < events.length; at += this.#chunk) {
          if (!(await this.#mayGoOn(connection))) return
          for (const event of events.slice(at, at + this.#chunk)) {
            this.#listener?.event(event)
            if (--this.#stallAt === 0) this.pause()
          }
        }
      }
      if (!(await this.#mayGoOn(connection))) return
      if (!entry) continue
      next++
      const { commitLsn, end } = entry
      if (commitLsn === undefined) this.#listener?.idle(end)
      else this.#listener?.commit({ commitLsn, end })
    }
  }

  async #mayGoOn(connection: number): Promise<boolean> {
    do await nextTurn()
    while (this.#paused && connection === this.#connection)
    return connection === this.#connection
  }
}
