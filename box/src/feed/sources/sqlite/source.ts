/** The SQLite source: follows a change log that triggers write (see triggers.ts), from a process beside the writer's. */
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { takeLock } from '../../lock.ts'
import { formatLsn, type Lsn } from '../../lsn.ts'
import type { SinkLog } from '../../sink.ts'
import type { Source, SourceListener, SourceState, SourceStatus } from '../../source.ts'
import { outOfStep, shapesOf } from './changelog.ts'
import { fileAt, openDatabase, requireFile } from './database.ts'
import { bringInStep, newToken } from './in-step.ts'
import { isAnotherLife, type Memory } from './lives.ts'
import { recall, remember } from './memory.ts'
import type { SqliteOptions } from './options.ts'
import { ChangelogReader, lsnOf, type PageLimit } from './reader.ts'
import { Slot } from './slot.ts'
import { Snapshot } from './snapshot.ts'

/** Enough for every sink's batch, and little enough to stop soon when one is full. */
const PAGE: PageLimit = { events: 500, bytes: 4 * 1024 * 1024 }
/** How often what is taken is written down, at most: each time costs the writer a few milliseconds of the lock. */
const CONFIRM_MS = 1000
/** Between two bites of a long log that is taken away. */
const PRUNE_MS = 20
/** A backup that is put back is known by its token once this much time lies between it and what was taken last. */
const TOKEN_MS = 10_000
/** As long as anything but the confirmation waits for a writer: an import may take its time. */
const BUSY_MS = 30_000
/** Before a disk that fails is asked again. */
const RETRY_MS = 1000
/** Goes away by itself, or with what a person does to the disk: a writer of a database without WAL, a full disk, a pulled cable. */
const PASSING = /^SQLITE_(BUSY|PROTOCOL|LOCKED|IOERR|CANTOPEN|FULL|NOMEM)/

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
  readonly #memoryPath: string
  #lock: Disposable | undefined
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
  #pruning = false
  #memory: Memory = { incarnation: 0, seq: 0, tokens: [] }
  #tokenAt = 0
  #renewing: Promise<void> = Promise.resolve()
  #confirmFailed = false
  #fileWas: string | undefined

  constructor(options: SqliteOptions, deps: SqliteSourceDeps) {
    this.#options = options
    this.#deps = deps
    this.#memoryPath = join(deps.stateDir, 'sqlite-source.json')
  }

  get identity(): string {
    return `sqlite/${this.#memory.incarnation}`
  }

  get state(): SourceState {
    return this.#state
  }

  async start(listener: SourceListener): Promise<void> {
    const { path } = this.#options
    requireFile(path)
    this.#lock = takeLock(`${path}-changefeed`)
    if (!this.#lock) throw new Error(`${path} is followed by another change feed already: a change log has one reader.`)
    await this.#open()
    this.#following = this.#run(listener)
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
    // Less than none is of a life before this one.
    const seq = Number(end - lsnOf(this.#memory.incarnation, 0))
    this.#acknowledged = Math.max(this.#acknowledged, seq)
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
        retainedEvents: slot.lastSeq() - Math.max(confirmed, this.#acknowledged),
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
    await this.#close()
    this.#lock?.[Symbol.dispose]()
    if (this.#state.state !== 'failed') this.#state = { state: 'stopped', lastError: null }
  }

  async #open(): Promise<void> {
    const db = openDatabase(this.#options.path)
    try {
      this.#opened = await this.#prepare(db)
    } catch (error) {
      db.close()
      throw error
    }
    if (this.#stopping) {
      await this.#close()
      throw new Error('the source was closed before it began')
    }
    this.#state = { state: 'streaming', lastError: null }
  }

  /** What cannot be written down now comes again at the next start: nothing is lost by a writer or a disk that refuses. */
  async #close(): Promise<void> {
    await this.#renewing
    const opened = this.#opened
    this.#opened = undefined
    if (!opened) return
    try {
      // Safe on the disk before the older token is forgotten: a backup that was made before now is known by it.
      opened.db.pragma('synchronous = FULL')
      opened.slot.confirm(this.#acknowledged, this.#token)
      this.#confirmed = this.#acknowledged
      await this.#newToken(opened.slot)
      await this.#remember(this.#memory)
    } catch (error) {
      this.#deps.log.warn({ event: 'feed_confirm_failed', err: error })
    } finally {
      opened.db.close()
    }
  }

  /** What takes the place of the database may be another life of it: nothing is written to either of them before that is known. */
  async #reopen(): Promise<void> {
    await this.#renewing
    await this.#remember({ ...this.#memory, seq: Math.max(this.#memory.seq, this.#acknowledged) })
    this.#opened?.db.close()
    this.#opened = undefined
    while (!this.#opened && !this.#stopping) {
      try {
        await this.#open()
      } catch (error) {
        const { message } = error as Error
        if (this.#state.lastError !== message) this.#deps.log.warn({ event: 'feed_source_not_opened', err: error })
        this.#state = { state: 'reconnecting', lastError: message }
        await Promise.race([this.#stopped.promise, sleep(RETRY_MS)])
      }
    }
  }

  /** @throws with advice */
  async #prepare(db: Database): Promise<Opened> {
    const { path, tables } = this.#options
    const { log, now } = this.#deps
    const memory = await recall(this.#memoryPath, log)
    db.pragma(`busy_timeout = ${BUSY_MS}`)
    const { incarnation, confirmed, token } = bringInStep(db, this.#options, { memory, now: now(), log })
    const slot = new Slot(db)
    this.#acknowledged = this.#confirmed = confirmed
    await this.#remember({ incarnation, seq: confirmed, tokens: [token] })
    await this.#newToken(slot)
    // From here on a writer is never waited for.
    db.pragma('busy_timeout = 0')
    const shapes = shapesOf(db, tables)
    const reader = new ChangelogReader(db, shapes, incarnation)
    const { snapshot: of } = this.#options
    const snapshot = of === undefined ? undefined : new Snapshot(db, shapes, `${incarnation}/${of}`)
    return { db, slot, reader, snapshot, from: confirmed, file: fileAt(path)?.file }
  }

  /** Reads one database after the other, where one takes the place of another. Never rejects. */
  async #run(listener: SourceListener): Promise<void> {
    try {
      while (this.#opened && !this.#stopping) {
        await this.#follow(this.#opened, listener)
        if (!this.#stopping) await this.#reopen()
      }
    } catch (error) {
      this.#state = { state: 'failed', lastError: (error as Error).message }
      this.#deps.log.error({ event: 'feed_source_failed', err: error })
    }
  }

  /** Resolves when it is to stop, or the database is to be opened anew. */
  async #follow(opened: Opened, listener: SourceListener): Promise<void> {
    let seq = opened.from
    /** Up to which commit of others the life was looked at, and up to which everything was told. */
    let [seen, done] = [-1, -1]
    while (!this.#stopping) {
      if (this.#paused) {
        await Promise.race([this.#paused.promise, this.#stopped.promise])
        continue
      }
      let pause = this.#options.pollMs
      try {
        const { db, slot, reader } = opened
        const now = db.pragma('data_version', { simple: true }) as number
        // Somebody may have put a backup back through SQLite itself.
        if (now !== seen && isAnotherLife({ ...this.#memory, seq }, slot.read(), slot.lastSeq())) {
          this.#memory = { ...this.#memory, seq }
          return
        }
        seen = now
        // What this connection writes is no other's commit.
        const page = now === done && !opened.logged ? [] : reader.read(seq, PAGE)
        if (page.length === 0) opened.logged = false
        if (this.#state.state !== 'streaming') this.#state = { state: 'streaming', lastError: null }
        for (const { event, commitLsn, last } of page) {
          listener.event(event)
          if (last) listener.commit({ commitLsn, end: commitLsn })
        }
        seq = page.at(-1)?.seq ?? seq
        if (page.length > 0) {
          await setImmediate()
          continue
        }
        if (now !== done) {
          done = now
          if (slot.read().lost) {
            if (this.#options.onSlotLost === 'recreate') return
            throw new Error('changes were dropped because nobody took them for too long')
          }
          listener.idle(lsnOf(this.#memory.incarnation, seq))
        }
        if (opened.replaced) return
      } catch (error) {
        const { code = '', message } = error as Error & { code?: string }
        if (!PASSING.test(code)) throw error
        // A writer is through in a moment: that is no trouble.
        if (!/^SQLITE_BUSY/.test(code)) {
          this.#state = { state: 'reconnecting', lastError: message }
          pause = RETRY_MS
        }
      }
      await Promise.race([this.#stopped.promise, sleep(pause)])
    }
  }

  /** Writes down what is taken, and takes it away from the log, as long as no writer is in the way. */
  #keepHouse(): void {
    if (this.#stopping) return
    const opened = this.#opened
    let more: boolean | undefined = false
    if (opened) {
      // Twice the same: a file that is still being copied is not to be touched.
      const now = fileAt(this.#options.path)
      opened.replaced = now !== undefined && now.file !== opened.file && now.state === this.#fileWas
      this.#fileWas = now?.state
      try {
        more = this.#confirm(opened.slot)
        if (this.#advance(opened)) more = true
        this.#confirmFailed = false
      } catch (error) {
        // Once, and not at every attempt: a full disk is where the log goes, too.
        if (!this.#confirmFailed) this.#deps.log.warn({ event: 'feed_confirm_failed', err: error })
        this.#confirmFailed = true
      }
    }
    this.#housekeeping = setTimeout(() => this.#keepHouse(), more === true ? PRUNE_MS : CONFIRM_MS)
  }

  /** @returns whether a page of what was there before was logged, and the next one may follow soon */
  #advance(opened: Opened): boolean {
    const { snapshot, slot } = opened
    if (!snapshot || snapshot.isDone || opened.replaced) return false
    const logged = snapshot.advance(slot.lastSeq() - Math.max(this.#acknowledged, this.#confirmed)) === true
    if (logged) opened.logged = true
    if (snapshot.isDone) this.#deps.log.info({ event: 'feed_snapshot_told' })
    return logged
  }

  /** @returns whether more is left to take away; undefined when a writer was in the way */
  #confirm(slot: Slot): boolean | undefined {
    const seq = this.#acknowledged
    let more: boolean | undefined = false
    if (seq > this.#confirmed || this.#pruning) {
      more = slot.confirm(seq, this.#token)
      if (more !== undefined) this.#confirmed = seq
      this.#pruning = more !== false
    }
    // Where nothing was taken, an older copy tells nothing twice; and each token wears the disk.
    const isDue = this.#confirmed > this.#memory.seq && this.#deps.now() - this.#tokenAt > TOKEN_MS
    if (isDue) {
      this.#renewing = this.#newToken(slot).catch((error) =>
        this.#deps.log.warn({ event: 'feed_token_not_written', err: error }),
      )
    }
    return more
  }

  /**
   * A new token in the memory first, then in the slot: whichever of the two a crash leaves behind is known.
   * @throws when the disk refuses
   */
  async #newToken(slot: Slot): Promise<void> {
    this.#tokenAt = this.#deps.now()
    const token = newToken()
    const current = this.#token
    await this.#remember({
      ...this.#memory,
      seq: Math.max(this.#memory.seq, this.#confirmed),
      tokens: [current, token],
    })
    const written = slot.setToken(token, current)
    this.#memory = { ...this.#memory, tokens: [written ? token : current] }
  }

  /** What the slot has, if it is the one that was opened. */
  get #token(): string {
    return this.#memory.tokens[0] ?? ''
  }

  async #remember(memory: Memory): Promise<void> {
    this.#memory = memory
    await remember(this.#memoryPath, memory, this.#deps.log)
  }
}

interface Opened {
  readonly db: Database
  readonly slot: Slot
  readonly reader: ChangelogReader
  /** The sequence to begin after. */
  readonly from: number
  /** The file itself, whatever its name. */
  readonly file: string | undefined
  /** What was there before the log, where somebody keeps a copy. */
  readonly snapshot: Snapshot | undefined
  /** Something was logged here that was not read yet. */
  logged?: boolean
  /** Another file has its name now: what is written goes there. */
  replaced?: boolean
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
