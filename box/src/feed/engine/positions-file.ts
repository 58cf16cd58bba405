/**
 * Keeps the state of each sink in a file beside the daemon: the last event that it has taken, whether it is paused, and the gaps
 * that it has not been told yet. After a restart a sink skips the events that it has taken, which the source sends once more,
 * and the source proves with them that it still has the log that they came from. An error with the file never stops a
 * delivery; it is written once a second and not after each batch.
 */
import { readIfThere, replaceDurably } from '../../durable-file.ts'
import { eventId, type Position, parseEventId } from '../lsn.ts'
import type { SinkLog } from '../sink.ts'
import type { SourceGap } from '../source.ts'

export interface SinkState {
  /** The last event that was delivered to it. */
  readonly position?: Position
  /** When the transaction of that event was committed, as the event says; absent in a file of the first version. */
  readonly committed?: string
  /** Reason why it is paused; empty where a person has paused it. */
  readonly paused?: string
  /** Gaps that it has to be told with its next event. */
  readonly gaps?: readonly SourceGap[]
}

export interface Positions {
  /** Of the source: positions in another log mean nothing. */
  readonly identity: string
  readonly sinks: ReadonlyMap<string, SinkState>
}

const SAVE_EVERY_MS = 1000

export function formatPositions({ identity, sinks }: Positions): string {
  const states = [...sinks].map(([sink, { position, ...rest }]) => {
    return [sink, { ...(position && { delivered: eventId(position) }), ...rest }]
  })
  return `${JSON.stringify({ version: 2, identity, sinks: Object.fromEntries(states) }, null, 2)}\n`
}

/** @throws when the text is of no version of the file */
export function parsePositions(text: string): Positions {
  const { version, identity, sinks } = JSON.parse(text)
  if ((version !== 1 && version !== 2) || typeof identity !== 'string') throw new Error('it is not of this version')
  const states = new Map<string, SinkState>()
  for (const [sink, written] of Object.entries<unknown>(sinks)) {
    const state = stateOf(version === 1 ? { delivered: written ?? null } : written)
    if (!state) throw new Error(`it says nothing of the sink "${sink}"`)
    states.set(sink, state)
  }
  return { identity, sinks: states }
}

function stateOf(written: unknown): SinkState | undefined {
  if (typeof written !== 'object' || written === null) return undefined
  const { delivered, committed, paused, gaps } = written as Record<string, unknown>
  const position = typeof delivered === 'string' ? parseEventId(delivered) : undefined
  const isSound =
    (delivered === undefined || position !== undefined) &&
    [committed, paused].every((text) => text === undefined || typeof text === 'string') &&
    (gaps === undefined || (Array.isArray(gaps) && gaps.every((gap) => typeof gap?.reason === 'string')))
  if (!isSound) return undefined
  const known = { position, committed, paused, gaps }
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined))
}

interface Options {
  readonly path: string
  readonly log: SinkLog
  /** The positions to write. */
  readonly snapshot: () => Positions
  readonly everyMs?: number
}

export class PositionsFile {
  readonly #options: Options
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #lastError: string | null = null

  constructor(options: Options) {
    this.#options = options
  }

  /** Reason why the last write failed. */
  get lastError(): string | null {
    return this.#lastError
  }

  /** Undefined when there is no usable file; the log says why. */
  async read(): Promise<Positions | undefined> {
    const { path, log } = this.#options
    try {
      const text = await readIfThere(path)
      return text === undefined ? undefined : parsePositions(text)
    } catch (error) {
      const reason = (error as Error).message
      log.warn({ event: 'positions_unreadable', path, reason, consequence: 'events come again' })
      return undefined
    }
  }

  /** A position has changed: it is written within the second. */
  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#writing = this.#writing.then(() => this.#write())
    }, this.#options.everyMs ?? SAVE_EVERY_MS)
  }

  /** Writes it now: what must not wait for the second. */
  save(): Promise<void> {
    this.changed()
    return this.flush()
  }

  /** Writes what is not written yet. */
  async flush(): Promise<void> {
    if (this.#timer) {
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#writing = this.#writing.then(() => this.#write())
    }
    await this.#writing
  }

  async #write(): Promise<void> {
    const { path, log, snapshot } = this.#options
    try {
      await replaceDurably(path, formatPositions(snapshot()))
      if (this.#lastError !== null) log.info({ event: 'positions_saved_again', path })
      this.#lastError = null
    } catch (error) {
      const { message } = error as Error
      // Logged once and not at every attempt: on a full disk the log would fill it further.
      if (this.#lastError === null) log.error({ event: 'positions_not_saved', path, reason: message })
      this.#lastError = message
    }
  }
}
