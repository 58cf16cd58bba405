/** Opens the ledger's file. With `db-file.ts` and `rehearsal-db.ts`, the only file that knows the SQLite driver. */
import { chmodSync } from 'node:fs'
import Database from 'better-sqlite3'
import { sql } from '../drizzle/core.ts'
import { type BetterSQLite3Database, drizzle } from '../drizzle/sqlite.ts'
import { installChangelog, type Publication, removeChangelog } from './changelog.ts'
import { bringChangelogUpToDate } from './changelog-forms.ts'
import { asLedgerFileError, BUSY, LedgerFileError } from './db-errors.ts'
import {
  APPLICATION_ID,
  bringUpToDate,
  inspect,
  isEmpty,
  isUnbegun,
  keepPrivate,
  lastMigration,
  newestKnownMigration,
  refuseForeignFile,
  WAIT_MS,
} from './db-file.ts'
import { isAnythingMissing, recover } from './redo/replay.ts'
import { type Secrets, secretsBeside, takeSecretsOut } from './secrets.ts'
import { endFoldsOf, type TransactionOptions, Transactions, type TransactionsOptions } from './transactions.ts'

const PAGE_BYTES = 2048
/** About as long as the write-ahead log gets. */
export const LOG_BYTES = 8 * 1024 * 1024

export interface Db {
  readonly drizzle: BetterSQLite3Database
  readonly secrets: Secrets
  /**
   * Runs `work` in one transaction that holds the write lock from its first statement; all of it or nothing.
   * @param options see `TransactionOptions`
   * @throws LedgerBusy when another process holds the lock; GatehouseError `ledger_unavailable` when the disk cannot be
   *   written; what `work` throws
   */
  transaction<T>(work: () => T, options?: TransactionOptions): T
  /**
   * Runs `work` within the transaction that is under way; when it throws, what it did is undone and the rest stays.
   * @returns its value, or its error
   * @throws what `work` throws where SQLite has given up the whole transaction (a full disk)
   */
  savepoint(work: () => unknown): { value: unknown } | { error: unknown }
  /** True while a transaction is under way. */
  readonly inTransaction: boolean
  /** Changes when another connection, in this process or another, has committed, and when commits come back (`isBehind`). */
  dataVersion(): number
  /** Shows other connections everything that was committed. They see it within a moment anyway (`transactions.ts`). */
  settle(): void
  /**
   * True if commits of the last moment are durable and cannot be read, because the disk is full or failing: they come back with the next
   * transaction.
   */
  readonly isBehind: boolean
  /** The number of transactions and savepoints that were undone: rows that were read within one may not exist. */
  readonly undone: number
  close(): void
}

/** The tables that the change feed follows in this database, and the incarnation of a new change log. */
export interface Changelog {
  publication: Publication
  incarnation: number
  token: string
}

/**
 * Opens the ledger at `path`, makes it when there is none, and brings its tables up to date. Only the box's own user
 * may read it, and the feed's where the box shares it (`feed/shared-ledger.ts`); the keys are in a file of their own.
 * @param changelog what the change feed follows, or `none`; the change log is left as it is when absent
 * @throws LedgerFileError for a file that is damaged, of another program, or of a newer Gatehouse, and for one that
 *   cannot be written
 */
export function openDb(path: string, changelog?: Changelog | 'none'): Db {
  let sqlite: Database.Database | undefined
  try {
    refuseForeignFile(path)
    endFoldsOf(path)
    inspect(path)
    keepPrivate(path)
    sqlite = new Database(path, { timeout: WAIT_MS })
    // First of all: a ledger that a power cut leaves without a table is then still known as a ledger.
    if (isEmpty(sqlite)) begin(sqlite)
    sqlite.pragma('journal_mode = WAL')
    // A verdict that left the box survives a power cut: each commit is on the disk when it returns. Folds are synced by the redo log.
    sqlite.pragma('synchronous = FULL')
    // Scans wait while the log is copied back into the file. A page that changed often in between is written once: twice
    // the usual 4 MB cost less in all, and four times as much would make the wait too long to be worth it.
    const pageBytes = sqlite.pragma('page_size', { simple: true }) as number
    sqlite.pragma(`wal_autocheckpoint = ${Math.round(LOG_BYTES / pageBytes)}`)
    // 8 MB. A cache of 32 MB made no scan quicker with a million tickets: pages that are not in this one are in the kernel's.
    sqlite.pragma('cache_size = -8192')
    sqlite.pragma('temp_store = MEMORY')
    // The change feed must see a row that a REPLACE removes as deleted.
    sqlite.pragma('recursive_triggers = ON')
    // The log of one large import must not stay on the card for as long as the box runs.
    sqlite.pragma(`journal_size_limit = ${16 * 1024 * 1024}`)
    // Before the migrations: its statements are those of the version that wrote them.
    recover(sqlite, path)
    const db = drizzle({ client: sqlite })
    bringUpToDate(sqlite, db)
    const secrets = secretsBeside(path)
    takeSecretsOut(sqlite, secrets)
    // After the migrations, which may have made tables anew, and before anything is written.
    if (changelog === 'none') removeChangelog(sqlite)
    else if (changelog) installChangelog(sqlite, changelog.publication, changelog.incarnation, changelog.token)
    else bringChangelogUpToDate(sqlite)
    return wrap(sqlite, db, secrets, { changelog: true, path })
  } catch (error) {
    sqlite?.close()
    throw error instanceof LedgerFileError ? error : asLedgerFileError(error as Error, path)
  }
}

/** The first write to a new file. */
function begin(sqlite: Database.Database): void {
  // A scan changes single rows, and a commit writes whole pages: half the usual size is less to write for each. Pages of 1 KiB took half as
  // much processor time again. A ledger keeps the size that it began with.
  sqlite.pragma(`page_size = ${PAGE_BYTES}`)
  sqlite.pragma(`application_id = ${APPLICATION_ID}`)
}

/** A ledger as it was at one moment, for reading alone. */
export interface Snapshot extends Disposable {
  readonly drizzle: BetterSQLite3Database
  readonly secrets: Secrets
}

/** A ledger for reading what is there at each moment. */
export interface Reader extends Disposable {
  readonly drizzle: BetterSQLite3Database
  /** Changes when somebody has committed. */
  dataVersion(): number
}

/**
 * Opens the ledger at `path` for many short reads, in a thread beside the box.
 * @throws LedgerFileError for a file that is not a ledger, or not of this version
 */
export function openReader(path: string): Reader {
  const sqlite = openReadOnly(path)
  if (lastMigration(sqlite) < newestKnownMigration()) {
    sqlite.close()
    throw new LedgerFileError(`${path} was made by an older Gatehouse: start this version's box on it once.`)
  }
  const version = sqlite.prepare('PRAGMA data_version').pluck()
  return {
    drizzle: drizzle({ client: sqlite }),
    dataVersion: () => version.get() as number,
    [Symbol.dispose]: () => void sqlite.close(),
  }
}

/** A reader of everything waits this long until the rows of an import are where they belong, and looks at this interval. */
const SETTLES_MS = 60_000
const LOOK_MS = 100

/**
 * Opens the ledger at `path` as it is now, for reading: what is written meanwhile is not seen, and does not wait. Nothing is
 * changed, not even the tables of an older ledger; but what a crash has left in the redo log is brought into the file. Blocks while the rows
 * of an import move in, which takes seconds.
 * @param options.orOlder for whoever reads nothing but what every version has
 * @throws LedgerFileError for a file that is not a ledger, or not of this version
 */
export function openSnapshot(path: string, { orOlder = false } = {}): Snapshot {
  const until = Date.now() + SETTLES_MS
  for (;;) {
    const snapshot = takeSnapshot(path, { orOlder })
    if (orOlder || snapshot.drizzle.get(sql`SELECT 1 FROM staged_imports WHERE entry IS NOT NULL`) === undefined) {
      return snapshot
    }
    snapshot[Symbol.dispose]()
    if (Date.now() > until) {
      throw new LedgerFileError(
        `An import into ${path} was interrupted: start the box, which finishes it, and try again.`,
      )
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS)
  }
}

function takeSnapshot(path: string, { orOlder }: { orOlder: boolean }): Snapshot {
  let sqlite: Database.Database | undefined
  try {
    sqlite = openReadOnly(path)
    if (!orOlder && lastMigration(sqlite) < newestKnownMigration()) {
      throw new LedgerFileError(`${path} was made by an older Gatehouse: start this version's box on it once.`)
    }
    sqlite.pragma('cache_size = -65536')
    // The first read takes the snapshot, and it stays until the connection is closed.
    sqlite.exec('BEGIN')
    sqlite.prepare('SELECT count(*) FROM sqlite_master').get()
    const opened = sqlite
    const secrets = secretsBeside(path)
    return { drizzle: drizzle({ client: sqlite }), secrets, [Symbol.dispose]: () => void opened.close() }
  } catch (error) {
    sqlite?.close()
    throw error instanceof LedgerFileError ? error : asLedgerFileError(error as Error, path)
  }
}

/** @throws LedgerFileError where there is no ledger, or something else */
function openReadOnly(path: string): Database.Database {
  if (isUnbegun(path))
    throw new LedgerFileError(`There is no ledger at ${path}: name the box's folder with GATEHOUSE_DATA_DIR.`)
  refuseForeignFile(path)
  inspect(path)
  bringIn(path)
  return new Database(path, { readonly: true, timeout: WAIT_MS })
}

/** A reader waits so long for the fold of a box that lives; on a disk that is full it does not end. */
const FOLD_ENDS_MS = 1_000

/**
 * Brings what a crash has left in the redo log into the file. Where that cannot be written, a reader sees the ledger without it.
 * @throws LedgerFileError as `recover`
 */
function bringIn(path: string): void {
  endFoldsOf(path)
  const reading = new Database(path, { readonly: true, timeout: WAIT_MS })
  const isMissing = isAnythingMissing(reading, path)
  reading.close()
  if (!isMissing) return
  const writing = new Database(path, { timeout: FOLD_ENDS_MS })
  try {
    recover(writing, path)
  } catch (error) {
    if (error instanceof LedgerFileError) throw error
    // A fold that does not end, a disk that is full or read-only, or a user who may only read.
  } finally {
    writing.close()
  }
}

/**
 * Copies the ledger at `path` as it is now into the new file `to`; what is written meanwhile is not in it, and does not wait.
 * Blocks while it copies, about a second for each 100 MB.
 * @throws LedgerFileError for a file that is not a ledger; whatever SQLite throws when `to` cannot be written
 */
export function copyLedger(path: string, to: string): void {
  const sqlite = openReadOnly(path)
  try {
    sqlite.prepare('VACUUM INTO ?').run(to)
    chmodSync(to, 0o600)
  } finally {
    sqlite.close()
  }
}

/**
 * Copies the write-ahead log of a ledger that nobody uses back into its file: afterwards the file alone is the whole ledger.
 * @returns false when another process has the ledger open
 */
export function settleLedger(path: string): boolean {
  if (isUnbegun(path)) return true
  const sqlite = new Database(path, { timeout: 0 })
  try {
    recover(sqlite, path)
    // SQLite gives up write-ahead logging only for the one connection to the file.
    return sqlite.pragma('journal_mode = DELETE', { simple: true }) === 'delete'
  } catch (error) {
    if (BUSY.test((error as { code?: string }).code ?? '')) return false
    throw error
  } finally {
    sqlite.close()
  }
}

/** See `TransactionsOptions`. */
export function wrap(
  sqlite: Database.Database,
  db: BetterSQLite3Database,
  secrets: Secrets,
  options: TransactionsOptions,
): Db {
  const transactions = new Transactions(sqlite, options)
  return {
    drizzle: db,
    secrets,
    dataVersion: () => transactions.dataVersion(),
    get undone() {
      return transactions.undone
    },
    get isBehind() {
      return transactions.isBehind
    },
    get inTransaction() {
      return transactions.isUnderWay
    },
    transaction: (work, options = { wait: true }) => transactions.run(work, options),
    savepoint: (work) => transactions.savepoint(work),
    settle: () => transactions.endFold(),
    close: () => transactions.close(),
  }
}
