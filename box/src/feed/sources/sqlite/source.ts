/** The SQLite source: follows a change log that triggers write (see triggers.ts), from a process beside the writer's. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Sqlite, { type Database } from 'better-sqlite3'
import { Value } from 'typebox/value'
import { readIfThere, replaceDurably } from '../../../durable-file.ts'
import { formatLsn, type Lsn } from '../../lsn.ts'
import type { SinkLog } from '../../sink.ts'
import type { Source, SourceListener, SourceState, SourceStatus } from '../../source.ts'
import { hasChangelog, installChangelog, outOfStep, shapesOf } from './changelog.ts'
import { isAnotherLife, Memory, nextIncarnation } from './lives.ts'
import type { SqliteOptions } from './options.ts'
import { ChangelogReader, lsnOf, type PageLimit } from './reader.ts'
import { Slot } from './slot.ts'

/** Enough for every sink's batch, and little enough to stop soon when one is full. */
const PAGE: PageLimit = { events: 500, bytes: 4 * 1024 * 1024 }
/** How often what is taken is written down, at most: each time costs the writer a few milliseconds of the lock. */
const CONFIRM_MS = 1000
/** Between two bites of a long log that is taken away. */
const PRUNE_MS = 20
const TOKEN_MS = 60_000
/** As long as anything but the confirmation waits for a writer: an import may take its time. */
const BUSY_MS = 30_000

export interface SqliteSourceDeps {
  /** Where the feed keeps what it must remember. */
  stateDir: string
  log: SinkLog
  /** Unix ms. */
  now: () => number
}

export class SqliteSource implements Source {
  readonly kind = 'sqlite'
  readonly #options: SqliteOptions
  readonly #deps: SqliteSourceDeps
  #opened: Opened | undefined
  #state: SourceState = { state: 'starting', lastError: null }
  #paused: PromiseWithResolvers<void> | undefined
  readonly #stopped = Promise.withResolvers<void>()
  #stopping = false
  #following: Promise<void> = Promise.resolve()
  #housekeeping: NodeJS.Timeout | undefined
  /** Up to here everything is safe with every durable sink. */
  #acknowledged = 0
  #confirmed = 0
  #memory: Memory = { incarnation: 0, seq: 0, tokens: [] }
  #tokenAt = 0

  constructor(options: SqliteOptions, deps: SqliteSourceDeps) {
    this.#options = options
    this.#deps = deps
  }

  get identity(): string {
    return `sqlite/${this.#memory.incarnation}`
  }

  get state(): SourceState {
    return this.#state
  }

  async start(listener: SourceListener): Promise<void> {
    const db = openDatabase(this.#options.path)
    try {
      this.#opened = await this.#prepare(db)
    } catch (error) {
      db.close()
      throw error
    }
    this.#state = { state: 'streaming', lastError: null }
    this.#following = this.#follow(this.#opened, listener)
    this.#housekeeping = setTimeout(() => this.#keepHouse(), CONFIRM_MS)
  }

  pause(): void {
    this.#paused ??= Promise.withResolvers()
  }

  resume(): void {
    this.#paused?.resolve()
    this.#paused = undefined
  }

  acknowledge(end: Lsn): void {
    const seq = Number(end & 0xffff_ffffn)
    if (end >> 32n === BigInt(this.#memory.incarnation)) this.#acknowledged = Math.max(this.#acknowledged, seq)
  }

  async status(): Promise<SourceStatus> {
    const { db, slot } = this.#opened ?? {}
    if (!db || !slot) throw new Error(`${this.#options.path} is not open`)
    const { incarnation, confirmed, lost } = slot.read()
    const { bytes } = slot.retained()
    const position = formatLsn(lsnOf(incarnation, confirmed))
    return {
      slot: {
        exists: !lost,
        active: this.#state.state === 'streaming',
        restartLsn: position,
        confirmedFlushLsn: position,
        retainedWalBytes: bytes,
      },
      publication: { exists: outOfStep(db, this.#options) === undefined, allTables: false },
      walLevel: db.pragma('journal_mode', { simple: true }) as string,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true
    this.#stopped.resolve()
    clearTimeout(this.#housekeeping)
    await this.#following
    const opened = this.#opened
    this.#opened = undefined
    if (!opened) return
    // What is not written down now comes again at the next start: nothing is lost by a writer that holds the lock.
    opened.slot.confirm(this.#acknowledged)
    await this.#remember({ ...this.#memory, seq: this.#acknowledged })
    opened.db.close()
    if (this.#state.state !== 'failed') this.#state = { state: 'stopped', lastError: null }
  }

  /** Brings log, slot and memory in step. @throws with advice */
  async #prepare(db: Database): Promise<Opened> {
    const { options, deps } = { options: this.#options, deps: this.#deps }
    const memory = await this.#recall()
    db.pragma(`busy_timeout = ${BUSY_MS}`)
    if (options.create) {
      installChangelog(db, options, nextIncarnation(deps.now(), memory?.incarnation ?? 0), newToken())
    }
    const problem = outOfStep(db, options)
    if (problem)
      throw new Error(`${options.path} cannot be followed: ${problem}. Set "create: true", or ask its owner.`)

    const slot = new Slot(db)
    let row = slot.read()
    if (memory && isAnotherLife(memory, row, slot.lastSeq())) {
      const incarnation = nextIncarnation(deps.now(), row.incarnation, memory.incarnation)
      required(slot.setIncarnation(incarnation))
      deps.log.warn({ event: 'feed_source_restored', before: memory.incarnation, now: incarnation })
      row = slot.read()
    }
    if (row.lost) {
      const advice = 'set "onSlotLost: recreate" to go on from now, and read the tables anew'
      if (options.onSlotLost === 'fail') {
        throw new Error(`${options.path} has dropped changes that nobody took for too long: ${advice}.`)
      }
      required(slot.recreate())
      deps.log.warn({ event: 'feed_slot_recreated', dropped_after: row.confirmed })
      row = slot.read()
    }
    this.#acknowledged = this.#confirmed = row.confirmed
    await this.#remember({ incarnation: row.incarnation, seq: Math.max(row.confirmed, 0), tokens: [row.token] })
    await this.#newToken(slot)
    // From here on a writer is never waited for.
    db.pragma('busy_timeout = 0')
    const shapes = shapesOf(db, options.tables)
    return { db, slot, reader: new ChangelogReader(db, shapes, row.incarnation), from: row.confirmed }
  }

  async #follow({ db, slot, reader, from }: Opened, listener: SourceListener): Promise<void> {
    let seq = from
    let version = -1
    try {
      while (!this.#stopping) {
        if (this.#paused) {
          await Promise.race([this.#paused.promise, this.#stopped.promise])
          continue
        }
        const now = db.pragma('data_version', { simple: true }) as number
        const page = now === version ? [] : reader.read(seq, PAGE)
        for (const { event, commitLsn, last } of page) {
          listener.event(event)
          if (last) listener.commit({ commitLsn, end: commitLsn })
        }
        if (page.length > 0) {
          seq = sequenceOf(page.at(-1)?.event.lsn ?? '')
          await setImmediate()
          continue
        }
        if (now !== version) {
          version = now
          if (slot.read().lost) throw new Error('changes were dropped because nobody took them for too long')
          listener.idle(lsnOf(this.#memory.incarnation, seq))
        }
        await Promise.race([this.#stopped.promise, sleep(this.#options.pollMs)])
      }
    } catch (error) {
      this.#state = { state: 'failed', lastError: (error as Error).message }
      this.#deps.log.error({ event: 'feed_source_failed', err: error })
    }
  }

  /** Writes down what is taken, and takes it away from the log, as long as no writer is in the way. */
  #keepHouse(): void {
    const { slot } = this.#opened ?? {}
    if (!slot || this.#stopping) return
    let more: boolean | undefined = false
    try {
      const seq = this.#acknowledged
      if (seq > this.#confirmed || this.#pruning) {
        more = slot.confirm(seq)
        if (more !== undefined) this.#confirmed = seq
        this.#pruning = more !== false
      }
      if (this.#deps.now() - this.#tokenAt > TOKEN_MS) void this.#newToken(slot)
    } catch (error) {
      this.#deps.log.warn({ event: 'feed_confirm_failed', err: error })
    }
    this.#housekeeping = setTimeout(() => this.#keepHouse(), more === true ? PRUNE_MS : CONFIRM_MS)
  }
  #pruning = false

  /** A new token in the memory first, then in the slot: whichever of the two a crash leaves behind is known. */
  async #newToken(slot: Slot): Promise<void> {
    this.#tokenAt = this.#deps.now()
    const token = newToken()
    const current = this.#memory.tokens.at(-1)
    await this.#remember({
      ...this.#memory,
      seq: Math.max(this.#memory.seq, this.#confirmed),
      tokens: [...(current === undefined ? [] : [current]), token],
    })
    if (this.#opened === undefined && this.#stopping) return
    if (slot.setToken(token)) this.#memory = { ...this.#memory, tokens: [token] }
    else if (current !== undefined) this.#memory = { ...this.#memory, tokens: [current] }
  }

  async #recall(): Promise<Memory | undefined> {
    const text = await readIfThere(this.#memoryPath)
    if (text === undefined) return undefined
    try {
      const memory: unknown = JSON.parse(text)
      if (Value.Check(Memory, memory)) return memory
    } catch {
      // Falls through: a file that is not ours says nothing.
    }
    this.#deps.log.warn({ event: 'feed_memory_unreadable', path: this.#memoryPath })
    return undefined
  }

  async #remember(memory: Memory): Promise<void> {
    this.#memory = memory
    try {
      await mkdir(this.#deps.stateDir, { recursive: true, mode: 0o700 })
      await replaceDurably(this.#memoryPath, `${JSON.stringify(memory)}\n`)
    } catch (error) {
      // A full disk must not stop delivery: what is lost is that a backup put back now would go unnoticed.
      this.#deps.log.warn({ event: 'feed_memory_not_written', err: error })
    }
  }

  get #memoryPath(): string {
    return join(this.#deps.stateDir, 'sqlite-source.json')
  }
}

interface Opened {
  db: Database
  slot: Slot
  reader: ChangelogReader
  /** The sequence to begin after. */
  from: number
}

function openDatabase(path: string): Database {
  // SQLite would make an empty database of a misspelt path.
  if (!existsSync(path)) throw new Error(`${path} is not there: name the database file, or start what writes it first.`)
  const db = new Sqlite(path)
  // What a power cut takes back here is told again; and a sync of our own would hold up the writer's next one.
  db.pragma('synchronous = NORMAL')
  return db
}

function required(written: boolean): void {
  if (!written) throw new Error('another program holds the database: try again when it has finished.')
}

function sequenceOf(lsn: string): number {
  return Number.parseInt(lsn.slice(lsn.indexOf('/') + 1), 16)
}

function newToken(): string {
  return randomBytes(8).toString('hex')
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Whether a database has a change log at all: what `changefeed check` asks first. */
export function looksFollowed(path: string): boolean {
  const db = openDatabase(path)
  try {
    return hasChangelog(db)
  } finally {
    db.close()
  }
}
