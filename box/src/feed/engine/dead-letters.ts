/**
 * The events that one sink could not take, in a file: a line of JSON for each, with why, when and by whom. They are safe on the
 * disk before the sink goes on behind them, and nothing here ever removes one.
 */
import { open, readFile } from 'node:fs/promises'
import type { ChangeEvent } from '../change.ts'
import { eventJson } from '../json.ts'
import type { SinkLog } from '../sink.ts'

export interface DeadLetterOptions {
  readonly path: string
  /** Largest size of the file, bytes; the sink is paused when it is full. */
  readonly maxBytes: number
  /** True where the feed puts events there by itself. A person always can. */
  readonly automatic: boolean
}

interface Letter {
  readonly event: ChangeEvent
  readonly sink: string
  /** `feed`, or `admin` for somebody with the admin token. */
  readonly by: 'feed' | 'admin'
  readonly reason: string
}

const NEWLINE = 0x0a

export class DeadLetters {
  readonly #options: DeadLetterOptions
  readonly #log: SinkLog
  readonly #now: () => number
  #count = 0

  /** @param now Unix ms */
  constructor(options: DeadLetterOptions, { log, now }: { log: SinkLog; now: () => number }) {
    this.#options = options
    this.#log = log
    this.#now = now
  }

  get automatic(): boolean {
    return this.#options.automatic
  }

  /** Lines in the file; those of earlier runs once it was read. */
  get count(): number {
    return this.#count
  }

  /** Counts what is in the file already. Never rejects: a file that cannot be read has no lines. */
  async recount(): Promise<void> {
    const bytes = await readFile(this.#options.path).catch(() => undefined)
    if (!bytes) return
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) this.#count++
  }

  /** Writes an event down, and logs that. Never rejects. @returns why it could not be written: the sink cannot go on behind it */
  async bury(letter: Letter): Promise<string | undefined> {
    const { event, sink, by, reason } = letter
    const { path } = this.#options
    try {
      await this.#write(letter)
    } catch (error) {
      this.#log.error({ event: 'dead_letter_not_written', sink, path, id: event.id, err: error })
      return `${reason} It cannot become a dead letter: ${(error as Error).message}`
    }
    const table = `${event.schema}.${event.table}`
    this.#log.error({ event: 'dead_letter', sink, id: event.id, table, by, path, reason })
    return undefined
  }

  /** @throws when the file is full or cannot be written; the event is not in it then */
  async #write({ event, sink, by, reason }: Letter): Promise<void> {
    const { path, maxBytes } = this.#options
    const head = JSON.stringify({ at: new Date(this.#now()).toISOString(), sink, by, reason })
    const line = `${head.slice(0, -1)},"event":${eventJson(event)}}\n`
    await using file = await open(path, 'a+', 0o600)
    const { size } = await file.stat()
    if (size + Buffer.byteLength(line) > maxBytes) {
      throw new Error(`${path} has ${size} bytes, and this event would make it larger than deadLetters.maxBytes`)
    }
    try {
      await file.appendFile(`${(await isTorn(file, size)) ? '\n' : ''}${line}`)
      await file.sync()
    } catch (error) {
      // A part of a line, on a full disk: the next one would be added to it.
      await file.truncate(size).catch(() => {})
      throw error
    }
    this.#count++
  }
}

/** True where a power cut has left a part of a line at the end. */
async function isTorn(file: Awaited<ReturnType<typeof open>>, size: number): Promise<boolean> {
  if (size === 0) return false
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] !== NEWLINE
}
