/** The SQLite source: follows a change log that triggers write (ledger/triggers.ts), from a process beside the writer's. */
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { takeLock } from '../../../file-lock.ts'
import { outOfStep } from '../../../ledger/changelog.ts'
import { formatLsn, type Lsn } from '../../lsn.ts'
import type { SinkLog } from '../../sink.ts'
import type { Delivered, Source, SourceListener, SourceState, SourceStatus } from '../../source.ts'
import { requireFile } from './database.ts'
import { type Followed, openFollowed } from './followed.ts'
import { identityOf } from './incarnation.ts'
import { MemoryFile } from './memory-file.ts'
import type { SqliteOptions } from './options.ts'
import { lsnOf, type PageLimit } from './reader.ts'
import { Upkeep } from './upkeep.ts'

/** Enough for any sink's batch, and little enough to stop soon when a queue is full. */
const PAGE: PageLimit = { events: 500, bytes: 4 * 1024 * 1024 }
/** The wait between the start and the first upkeep. */
const UPKEEP_MS = 1000
/** The wait after an error of the disk. */
const RETRY_MS = 1000
/** Errors that pass, or that a person corrects at the disk: a writer of a database without WAL, a full disk, a pulled cable. */
const PASSING = /^SQLITE_(BUSY|PROTOCOL|LOCKED|IOERR|CANTOPEN|FULL|NOMEM)/

export interface SqliteSourceDeps {
  /** Folder of the feed's memory of the database. */
  stateDir: string
  log: SinkLog
  /** Unix ms. */
  now: () => number
}

export class SqliteSource implements Source {
  readonly kind = 'sqlite'
  readonly #options: SqliteOptions
  readonly #deps: SqliteSourceDeps
  readonly #memory: MemoryFile
  readonly #upkeep: Upkeep
  #lock: Disposable | undefined
  #followed: Followed | undefined
  #state: SourceState = { state: 'starting', lastError: null }
  #paused: PromiseWithResolvers<void> | undefined
  readonly #stopped = Promise.withResolvers<void>()
  #stopping = false
  #running: Promise<void> = Promise.resolve()
  #upkeepTimer: NodeJS.Timeout | undefined
  /** The progress of the sinks, from the runs before. */
  #delivered: Delivered | undefined

  constructor(options: SqliteOptions, deps: SqliteSourceDeps) {
    const { stateDir, log, now } = deps
    this.#options = options
    this.#deps = deps
    this.#memory = new MemoryFile({ path: join(stateDir, 'sqlite-source.json'), log, now })
    this.#upkeep = new Upkeep(options.path, this.#memory, log)
  }

  get identity(): string {
    return identityOf(this.#memory.incarnation)
  }

  get state(): SourceState {
    return this.#state
  }

  async start(listener: SourceListener, delivered?: Delivered): Promise<void> {
    const { path } = this.#options
    this.#delivered = delivered
    requireFile(path)
    this.#lock = takeLock(`${path}-changefeed`)
    if (!this.#lock) throw new Error(`${path} is followed by another change feed already: a change log has one reader.`)
    await this.#open()
    listener.began(lsnOf(this.#memory.incarnation, this.#followed?.from ?? 0))
    this.#running = this.#run(listener)
    this.#upkeepTimer = setTimeout(() => this.#keepUp(), UPKEEP_MS)
  }

  pause(): void {
    this.#paused ??= Promise.withResolvers()
  }

  resume(): void {
    this.#paused?.resolve()
    this.#paused = undefined
  }

  acknowledge(end: Lsn): void {
    // An LSN of the incarnation before makes a negative sequence, which changes nothing.
    this.#upkeep.acknowledge(Number(end - lsnOf(this.#memory.incarnation, 0)))
  }

  async status(): Promise<SourceStatus> {
    const { db, slot } = this.#followed ?? {}
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
        retainedEvents: slot.lastSeq() - Math.max(confirmed, this.#upkeep.acknowledged),
      },
      publication: { exists: outOfStep(db, this.#options) === undefined, allTables: false },
      walLevel: db.pragma('journal_mode', { simple: true }) as string,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true
    this.#stopped.resolve()
    clearTimeout(this.#upkeepTimer)
    await this.#running
    await this.#close()
    this.#lock?.[Symbol.dispose]()
    if (this.#state.state !== 'failed') this.#state = { state: 'stopped', lastError: null }
  }

  async #open(): Promise<void> {
    const { log, now } = this.#deps
    const [memory, upkeep, delivered] = [this.#memory, this.#upkeep, this.#delivered]
    const isStopping = () => this.#stopping
    this.#followed = await openFollowed(this.#options, { memory, upkeep, delivered, log, now, isStopping })
    if (this.#stopping) {
      await this.#close()
      throw new Error('the source was closed before it began')
    }
    this.#state = { state: 'streaming', lastError: null }
  }

  async #close(): Promise<void> {
    await this.#memory.settled()
    const followed = this.#followed
    this.#followed = undefined
    if (!followed) return
    await this.#upkeep.finish(followed)
    followed.db.close()
  }

  /** The file in the database's place may be in another incarnation: neither is written to before that is known. */
  async #reopen(): Promise<void> {
    await this.#memory.settled()
    await this.#memory.save(this.#upkeep.acknowledged)
    this.#followed?.db.close()
    this.#followed = undefined
    while (!this.#followed && !this.#stopping) {
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

  /** Follows the database, and the next one where another file takes its place. Never rejects. */
  async #run(listener: SourceListener): Promise<void> {
    try {
      while (this.#followed && !this.#stopping) {
        await this.#follow(this.#followed, listener)
        if (this.#stopping) break
        const { identity } = this
        await this.#reopen()
        if (this.identity === identity) continue
        await listener.gap({ reason: `${this.#options.path} was restored from a backup, or has dropped changes` })
      }
    } catch (error) {
      this.#state = { state: 'failed', lastError: (error as Error).message }
      this.#deps.log.error({ event: 'feed_source_failed', err: error })
    }
  }

  /** Resolves when the source is closed, or the database has to be opened anew. */
  async #follow(followed: Followed, listener: SourceListener): Promise<void> {
    const { db, slot, reader } = followed
    let seq = followed.from
    /** Other connections' commits, by data_version: the last that was seen, and the last up to which all is passed on. */
    let [seen, done] = [-1, -1]
    while (!this.#stopping) {
      if (this.#paused) {
        await Promise.race([this.#paused.promise, this.#stopped.promise])
        continue
      }
      let pause = this.#options.pollMs
      try {
        const now = db.pragma('data_version', { simple: true }) as number
        // A backup may have been put back through SQLite itself.
        if (now !== seen && this.#memory.isAnother(slot, seq)) return this.#memory.noteSeq(seq)
        seen = now
        // A write of this connection does not change data_version.
        const page = now === done && !followed.logged ? [] : reader.read(seq, PAGE)
        if (page.length === 0) followed.logged = false
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
        if (followed.replaced) return
      } catch (error) {
        const { code = '', message } = error as Error & { code?: string }
        if (!PASSING.test(code)) throw error
        // A writer finishes in a moment: that is no error to report.
        if (!/^SQLITE_BUSY/.test(code)) {
          this.#state = { state: 'reconnecting', lastError: message }
          pause = RETRY_MS
        }
      }
      await Promise.race([this.#stopped.promise, sleep(pause)])
    }
  }

  #keepUp(): void {
    if (this.#stopping) return
    const wait = this.#upkeep.run(this.#followed)
    this.#upkeepTimer = setTimeout(() => this.#keepUp(), wait)
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
