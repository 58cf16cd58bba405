/**
 * Where each sink stands, kept beside the daemon: what a sink has taken does not come again after a restart, though the
 * source tells all of it once more. Only a convenience. Lost or old, it costs redelivery and nothing else, so no trouble with
 * it ever stops a delivery, and it is written once a second and not once a batch.
 */
import { readIfThere, replaceDurably } from '../../durable-file.ts'
import { eventId, type Position, parseEventId } from '../lsn.ts'
import type { SinkLog } from '../sink.ts'

export interface Positions {
  /** Of the source: positions in another log mean nothing. */
  readonly identity: string
  /** By sink: the last event that it took. */
  readonly sinks: ReadonlyMap<string, Position>
}

const SAVE_EVERY_MS = 1000

export function formatPositions({ identity, sinks }: Positions): string {
  const ids = Object.fromEntries([...sinks].map(([sink, position]) => [sink, eventId(position)]))
  return `${JSON.stringify({ version: 1, identity, sinks: ids }, null, 2)}\n`
}

/** @throws when the text is not what `formatPositions` makes */
export function parsePositions(text: string): Positions {
  const { version, identity, sinks } = JSON.parse(text)
  if (version !== 1 || typeof identity !== 'string') throw new Error('it is not of this version')
  const positions = new Map<string, Position>()
  for (const [sink, id] of Object.entries<unknown>(sinks)) {
    const position = typeof id === 'string' ? parseEventId(id) : undefined
    if (!position) throw new Error(`the position of the sink "${sink}" is none`)
    positions.set(sink, position)
  }
  return { identity, sinks: positions }
}

interface Options {
  readonly path: string
  readonly log: SinkLog
  /** How things stand when it is time to write. */
  readonly snapshot: () => Positions
  readonly everyMs?: number
}

export class PositionsFile {
  readonly #path: string
  readonly #log: SinkLog
  readonly #snapshot: () => Positions
  readonly #everyMs: number
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #lastError: string | null = null

  constructor({ path, log, snapshot, everyMs = SAVE_EVERY_MS }: Options) {
    this.#path = path
    this.#log = log
    this.#snapshot = snapshot
    this.#everyMs = everyMs
  }

  /** Why the last write failed. */
  get lastError(): string | null {
    return this.#lastError
  }

  /** Undefined when there is none that can be used; the log says why. */
  async read(): Promise<Positions | undefined> {
    try {
      const text = await readIfThere(this.#path)
      return text === undefined ? undefined : parsePositions(text)
    } catch (error) {
      const reason = (error as Error).message
      this.#log.warn({ event: 'positions_unreadable', path: this.#path, reason, consequence: 'events come again' })
      return undefined
    }
  }

  /** A sink has taken something: written within the second. */
  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#writing = this.#writing.then(() => this.#write())
    }, this.#everyMs)
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
    try {
      await replaceDurably(this.#path, formatPositions(this.#snapshot()))
      if (this.#lastError !== null) this.#log.info({ event: 'positions_saved_again', path: this.#path })
      this.#lastError = null
    } catch (error) {
      const { message } = error as Error
      // Once, and not at every attempt: a full disk is where the log goes, too.
      if (this.#lastError === null) this.#log.error({ event: 'positions_not_saved', path: this.#path, reason: message })
      this.#lastError = message
    }
  }
}
