/**
 * The transactions of one connection to the ledger, of two kinds.
 *
 * A whole one is a transaction of SQLite, synced when it commits (an import's connection leaves the sync to the next one, `beside.ts`).
 *
 * A fold is a transaction of SQLite that stays open for many commits. Each of these is appended to the redo log, and is durable when that
 * is synced; its rows wait in memory, and pages that many commits change are written once. Other connections see them, and may write, when
 * the fold has ended. This process reads them at once. A crash loses the open fold and what SQLite had not synced of those before; whoever
 * opens the ledger next runs the statements of the redo log again.
 */
import { resolve } from 'node:path'
import type { Database } from 'better-sqlite3'
import { type CommitMark, openCommitMark } from './changelog.ts'
import { asGatehouseError, isDiskError } from './db-errors.ts'
import { WAIT_MS } from './db-file.ts'
import { newPlace, PlaceRow } from './redo/place.ts'
import { Recorder } from './redo/recorder.ts'
import { RedoLog } from './redo/redo-log.ts'
import { isAnythingMissing, replayMissing } from './redo/replay.ts'

/** A fold ends after this time, or after so many bytes in the redo log: other connections wait no longer for what it holds. */
export const FOLD_MS = 200
const FOLD_BYTES = 1024 * 1024
/** After a fold the ledger is free for so long: whoever waits to write can begin. */
export const FREE_MS = 10
/** A fold that could not be committed is tried again after this time, or with the next commit. */
const AGAIN_MS = 1_000

export interface TransactionOptions {
  /** `false` to be refused at once, and not to block, while another process holds the lock. */
  wait: boolean
  /** It may go into a fold: what it runs has the same effect when it is run again on the same rows. */
  redo?: boolean
}

export interface TransactionsOptions {
  /** `false` for a connection that must not mark its commits in the change log. */
  changelog: boolean
  /** Path of the ledger's file, to have a redo log; absent for a connection without. */
  path?: string
}

/** Of this thread: whoever waits for the lock blocks it, so that the fold's timer could not run. Other threads just wait for the fold's end. */
const openFolds = new Set<Transactions>()

/** Ends the open folds of this thread's connections to a ledger: another one of its connections is about to read or write. */
export function endFoldsOf(ledger: string): void {
  const path = resolve(ledger)
  for (const fold of openFolds) if (fold.path === path) fold.endFold()
}

export class Transactions {
  /** Of the ledger's file, absolute; undefined for a connection without a redo log. */
  readonly path: string | undefined
  readonly #sqlite: Database
  readonly #own: ReturnType<typeof prepare>
  readonly #prepare: Database['prepare']
  readonly #recorder: Recorder | undefined
  readonly #redo: RedoLog | undefined
  readonly #changelog: boolean
  #mark: CommitMark | undefined
  #undone = 0
  #replayed = 0
  #working = false
  #isFoldOpen = false
  #foldBytes = 0
  #foldTimer: NodeJS.Timeout | undefined
  #foldedAt = Number.NEGATIVE_INFINITY
  /** The error with which the last fold could not be committed: its commits are in the redo log, and not in the file. */
  #failure: unknown
  /** The disk could not be written: a whole transaction has to succeed before anybody is admitted into a fold. */
  #isDiskFailing = false
  /** Of the last commit here that was synced: with another one, another connection has committed, which may not be synced. */
  #dataVersion: unknown = -1
  #synchronous: 'FULL' | 'NORMAL' = 'FULL'

  constructor(sqlite: Database, { changelog, path }: TransactionsOptions) {
    this.#sqlite = sqlite
    this.#changelog = changelog
    this.path = path === undefined ? undefined : resolve(path)
    this.#redo = path === undefined ? undefined : new RedoLog(path)
    this.#prepare = sqlite.prepare.bind(sqlite) as Database['prepare']
    this.#own = prepare(sqlite, path)
    this.#recorder = this.#redo && new Recorder(sqlite, () => this.#beforeLoneWrite())
  }

  /** See `Db.undone`. */
  get undone(): number {
    return this.#undone
  }

  /** See `Db.inTransaction`. */
  get isUnderWay(): boolean {
    return this.#working
  }

  /** See `Db.isBehind`. */
  get isBehind(): boolean {
    return this.#failure !== undefined && !this.#isFoldOpen
  }

  /** See `Db.dataVersion`. */
  dataVersion(): number {
    // Rows that were run again are new to everybody who read before, although no other connection has written them.
    return (this.#own.dataVersion.get() as number) + this.#replayed
  }

  /** See `Db.transaction`. */
  run<T>(work: () => T, { wait, redo = false }: TransactionOptions): T {
    if (this.#working) throw new Error('A transaction is under way: use a savepoint.')
    try {
      if (redo && this.#redo && this.#entersFold(this.#redo, wait)) return this.#runInFold(this.#redo, work)
      if (!this.endFold()) throw this.#failure
      return this.#runWhole(work, { wait, redo })
    } catch (error) {
      const known = asGatehouseError(error)
      if (isDiskError(known)) this.#isDiskFailing = true
      throw known
    }
  }

  /** See `Db.savepoint`. */
  savepoint(work: () => unknown): { value: unknown } | { error: unknown } {
    const { savepoint, release, undo } = this.#own
    const noted = this.#recorder?.length ?? 0
    savepoint.run()
    try {
      const value = work()
      release.run()
      return { value }
    } catch (error) {
      this.#undone += 1
      if (!this.#sqlite.inTransaction) throw error
      undo.run()
      release.run()
      this.#recorder?.forget(noted)
      return { error: asGatehouseError(error) }
    }
  }

  /**
   * Commits the open fold: other connections then see everything. Does not throw.
   * @returns false where it could not be committed: its commits are in the redo log, and this connection still reads them. True where that is
   *   not so either (`isBehind`), and where no fold is open
   */
  endFold(): boolean {
    if (!this.#isFoldOpen || this.#working) return !this.#isFoldOpen
    this.#closeFold()
    try {
      if (this.#redo?.place) this.#own.place?.write(this.#redo.place)
      this.#own.commit.run()
      this.#failure = undefined
      this.#foldedAt = performance.now()
      return true
    } catch (error) {
      this.#undone += 1
      this.#failure = error
      this.#bringBack()
      return !this.#isFoldOpen
    }
  }

  /** Leaves no redo log behind where all of it is in the ledger. */
  close(): void {
    if (this.endFold() && this.#failure === undefined) this.#removeLog()
    this.#closeFold()
    this.#redo?.close()
    this.#sqlite.close()
  }

  #removeLog(): void {
    if (!this.#redo?.isReady) return
    try {
      // Synced, with the folds before it.
      this.run(() => undefined, { wait: false })
      if (this.#redo.isReady) this.#redo.remove()
    } catch {
      // It stays, and the next opening finds that nothing of it is missing.
    }
  }

  /** @returns false where a whole transaction is needed @throws the driver's error where another process writes */
  #entersFold(redo: RedoLog, wait: boolean): boolean {
    if (!redo.isReady || redo.isLong || this.#failure !== undefined || this.#isDiskFailing) return false
    if (this.#isFoldOpen) return true
    if (performance.now() - this.#foldedAt < FREE_MS) return false
    this.#syncs('NORMAL')
    this.#begin(wait)
    // Records rest on what was committed before them, and that has to survive a power cut first. An import beside the gates needs the lock
    // again and again.
    if (this.#own.dataVersion.get() !== this.#dataVersion || this.#own.isImporting?.get() !== undefined) {
      this.#own.rollback.run()
      return false
    }
    this.#openFold(FOLD_MS)
    this.#foldBytes = 0
    redo.beginFold()
    return true
  }

  #runInFold<T>(redo: RedoLog, work: () => T): T {
    const { saveUnit, releaseUnit, undoUnit } = this.#own
    const mark = this.#commitMark()
    saveUnit.run()
    this.#working = true
    try {
      mark?.begin()
      this.#recorder?.begin()
      const value = work()
      const statements = this.#recorder?.end() ?? []
      const at = mark?.end()
      if (statements.length > 0) this.#foldBytes += redo.append(statements, at)
      releaseUnit.run()
      this.#working = false
      if (this.#foldBytes > FOLD_BYTES) this.endFold()
      return value
    } catch (error) {
      this.#working = false
      this.#recorder?.end()
      this.#undone += 1
      if (this.#sqlite.inTransaction) {
        undoUnit.run()
        releaseUnit.run()
      } else {
        // On a full disk SQLite has rolled back the whole fold.
        this.#closeFold()
        this.#failure = error
        this.#bringBack()
      }
      throw error
    }
  }

  #runWhole<T>(work: () => T, { wait, redo: wantsRedo }: { wait: boolean; redo: boolean }): T {
    const { commit, dataVersion } = this.#own
    this.#syncs('FULL')
    this.#begin(wait)
    this.#working = true
    try {
      const version = dataVersion.get()
      this.#replay()
      const mark = this.#commitMark()
      mark?.begin()
      const result = work()
      mark?.end()
      const place = this.#placeOfSync(version, wantsRedo)
      if (place) this.#own.place?.write(place)
      commit.run()
      this.#working = false
      this.#failure = undefined
      this.#isDiskFailing = false
      if (place) {
        this.#dataVersion = version
        this.#redo?.begin(place)
      }
      return result
    } catch (error) {
      this.#working = false
      this.#undone += 1
      this.#rollBack()
      throw error
    }
  }

  /**
   * Where the redo log goes on after a whole transaction, which is synced because this is written with it. Undefined where that would
   * change nothing, and for a connection without a redo log.
   */
  #placeOfSync(version: unknown, wantsRedo: boolean) {
    const redo = this.#redo
    if (!redo || redo.isTakenOver) return undefined
    const { place } = redo
    if (redo.hasFailed || (wantsRedo && !place)) return newPlace()
    if (!place || (place.offset === 0 && version === this.#dataVersion)) return undefined
    const theirs = this.#own.place?.read()
    if (theirs && !theirs.generation.equals(place.generation)) {
      // Another box on the same ledger, which no lock has kept away: this one writes whole transactions from now on.
      redo.giveUp()
      return undefined
    }
    return { ...place, offset: 0 }
  }

  /** A statement outside of any transaction is one of its own. */
  #beforeLoneWrite(): void {
    if (this.#working) return
    const isMissing = () =>
      this.path !== undefined && !this.#redo?.isReady && isAnythingMissing({ prepare: this.#prepare }, this.path)
    if (!this.endFold() || this.#failure !== undefined || isMissing()) {
      this.run(() => undefined, { wait: true })
    }
    this.#syncs('FULL')
  }

  /** Within a transaction: runs again what is in the redo log and not in the ledger, of this process or of one that is gone. */
  #replay(): void {
    const { place: row } = this.#own
    if (!row || this.path === undefined || (this.#redo?.isReady && this.#failure === undefined)) return
    const from = { sqlite: { prepare: this.#prepare }, row, ledger: this.path, known: this.#redo?.place }
    if (replayMissing(from, this.#commitMark())) {
      this.#replayed += 1
      this.#undone += 1
    }
  }

  /** After a fold was lost: its rows are read again by this connection, until they can be committed. */
  #bringBack(): void {
    this.#rollBack()
    try {
      this.#syncs('NORMAL')
      this.#begin(false)
      this.#replay()
      this.#openFold(AGAIN_MS)
    } catch {
      // The next transaction tries again.
      this.#rollBack()
    }
  }

  /** On a full disk SQLite has rolled back already; a second rollback would hide the first error. */
  #rollBack(): void {
    try {
      if (this.#sqlite.inTransaction) this.#own.rollback.run()
    } catch {
      // The connection is of no more use, as the next transaction finds out.
    }
  }

  #openFold(endsAfterMs: number): void {
    this.#isFoldOpen = true
    openFolds.add(this)
    this.#foldTimer = setTimeout(() => this.endFold(), endsAfterMs).unref()
  }

  #closeFold(): void {
    clearTimeout(this.#foldTimer)
    this.#foldTimer = undefined
    this.#isFoldOpen = false
    openFolds.delete(this)
  }

  #begin(wait: boolean): void {
    if (this.path !== undefined) endFoldsOf(this.path)
    if (wait) {
      this.#own.begin.run()
      return
    }
    // Not prepared: SQLite runs this pragma when it compiles it.
    this.#sqlite.exec('PRAGMA busy_timeout = 0')
    try {
      this.#own.begin.run()
    } finally {
      this.#sqlite.exec(`PRAGMA busy_timeout = ${WAIT_MS}`)
    }
  }

  /** FULL where SQLite syncs each commit, NORMAL where the redo log does. A connection without folds keeps what it was opened with. */
  #syncs(how: 'FULL' | 'NORMAL'): void {
    if (this.#synchronous === how) return
    this.#sqlite.pragma(`synchronous = ${how}`)
    this.#synchronous = how
  }

  /** The change log may be installed after this connection was opened. */
  #commitMark(): CommitMark | undefined {
    if (this.#changelog) this.#mark ??= openCommitMark({ prepare: this.#prepare })
    return this.#mark
  }
}

/** @param path of the ledger's file; absent for a connection without a redo log */
function prepare(sqlite: Database, path: string | undefined) {
  return {
    begin: sqlite.prepare('BEGIN IMMEDIATE'),
    commit: sqlite.prepare('COMMIT'),
    rollback: sqlite.prepare('ROLLBACK'),
    savepoint: sqlite.prepare('SAVEPOINT job'),
    release: sqlite.prepare('RELEASE job'),
    undo: sqlite.prepare('ROLLBACK TO job'),
    saveUnit: sqlite.prepare('SAVEPOINT unit'),
    releaseUnit: sqlite.prepare('RELEASE unit'),
    undoUnit: sqlite.prepare('ROLLBACK TO unit'),
    dataVersion: sqlite.prepare('PRAGMA data_version').pluck(),
    ...(path !== undefined && {
      place: new PlaceRow(sqlite),
      isImporting: sqlite.prepare('SELECT 1 FROM staged_imports LIMIT 1'),
    }),
  }
}
