/**
 * The memory of a database that the feed keeps in a file outside of it, which a restored backup does not bring along. The slot's
 * token is renewed again and again: a copy of the database that was made before is known by its older one.
 */
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Value } from 'typebox/value'
import { readIfThere, replaceDurably } from '../../../durable-file.ts'
import type { SinkLog } from '../../sink.ts'
import { isAnotherIncarnation, Memory } from './incarnation.ts'
import type { Slot, SlotRow } from './slot.ts'

/** The time after which the token is renewed, and so how old a restored backup has to be for its token to show it. */
const TOKEN_MS = 10_000

interface MemoryFileOptions {
  path: string
  log: SinkLog
  /** Unix ms. */
  now: () => number
}

export class MemoryFile {
  readonly #options: MemoryFileOptions
  #memory: Memory = { incarnation: 0, seq: 0, tokens: [] }
  #tokenAt = 0
  #renewing: Promise<void> = Promise.resolve()

  constructor(options: MemoryFileOptions) {
    this.#options = options
  }

  get incarnation(): number {
    return this.#memory.incarnation
  }

  /** The token of the slot that was opened; another database in its place has a different one. */
  get token(): string {
    return this.#memory.tokens[0] ?? ''
  }

  /** Undefined when there is no file that can be used; the log says why. */
  read(): Promise<Memory | undefined> {
    return readMemory(this.#options.path, this.#options.log)
  }

  /** Remembers this database from now on. @throws when the slot cannot be written */
  async begin({ incarnation, confirmed, token }: SlotRow, slot: Slot): Promise<void> {
    await this.#write({ incarnation, seq: confirmed, tokens: [token] })
    await this.renewToken(slot, confirmed)
  }

  /** @param seq the newest sequence seen */
  isAnother(slot: Slot, seq: number): boolean {
    return isAnotherIncarnation({ ...this.#memory, seq }, slot.read(), slot.lastSeq())
  }

  /** Remembers the newest sequence seen; it is in the file with the next write. */
  noteSeq(seq: number): void {
    this.#memory = { ...this.#memory, seq }
  }

  /** @param seq acknowledged; ignored when it is older than what is remembered */
  save(seq: number): Promise<void> {
    return this.#write({ ...this.#memory, seq: Math.max(this.#memory.seq, seq) })
  }

  /** In the background, and at most every ten seconds: each renewal wears the disk. */
  renewTokenIfDue(slot: Slot, confirmed: number): void {
    // Where nothing was acknowledged since, an older copy would deliver nothing twice.
    const isDue = confirmed > this.#memory.seq && this.#options.now() - this.#tokenAt > TOKEN_MS
    if (!isDue) return
    this.#renewing = this.renewToken(slot, confirmed).catch((error) =>
      this.#options.log.warn({ event: 'feed_token_not_written', err: error }),
    )
  }

  /** Resolves when no token is being renewed. Never rejects. */
  settled(): Promise<void> {
    return this.#renewing
  }

  /**
   * Writes a new token to the memory first and then to the slot: whichever of the two a crash leaves in the slot is remembered.
   * @throws when the disk refuses
   */
  async renewToken(slot: Slot, confirmed: number): Promise<void> {
    this.#tokenAt = this.#options.now()
    const token = newToken()
    const current = this.token
    await this.#write({
      ...this.#memory,
      seq: Math.max(this.#memory.seq, confirmed),
      tokens: [current, token],
    })
    const written = slot.setToken(token, current)
    this.#memory = { ...this.#memory, tokens: [written ? token : current] }
  }

  #write(memory: Memory): Promise<void> {
    this.#memory = memory
    return writeMemory(this.#options.path, memory, this.#options.log)
  }
}

/** Undefined when there is none that can be used; the log says why. */
export async function readMemory(path: string, log: SinkLog): Promise<Memory | undefined> {
  try {
    const text = await readIfThere(path)
    if (text === undefined) return undefined
    const memory: unknown = JSON.parse(text)
    if (Value.Check(Memory, memory)) return memory
  } catch {
    // A file that is not ours, or cannot be read, says nothing.
  }
  log.warn({ event: 'feed_memory_unreadable', path })
  return undefined
}

/** Never rejects: a full disk must not stop delivery. What is lost is that a backup put back now would go unnoticed. */
export async function writeMemory(path: string, memory: Memory, log: SinkLog): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await replaceDurably(path, `${JSON.stringify(memory)}\n`)
  } catch (error) {
    log.warn({ event: 'feed_memory_not_written', err: error })
  }
}

export function newToken(): string {
  return randomBytes(8).toString('hex')
}
