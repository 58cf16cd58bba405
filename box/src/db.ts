/** Opens the ledger's file. The only file that knows the SQLite driver. */
import { chmodSync, closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import migrationIndex from '../migrations/meta/_journal.json' with { type: 'json' }
import { type BetterSQLite3Database, drizzle, migrate } from './drizzle/sqlite.ts'
import { GatehouseError } from './errors.ts'
import { installChangelog, type Publication, removeChangelog } from './feed/sources/sqlite/changelog.ts'
import { type CommitMark, openCommitMark } from './feed/sources/sqlite/commit-mark.ts'

/** `GATE`: how a ledger's file tells itself from every other SQLite database. */
const APPLICATION_ID = 0x47_41_54_45
const PAGE_BYTES = 4096
const MIGRATIONS = join(import.meta.dirname, '../migrations')

export interface Db {
  readonly drizzle: BetterSQLite3Database
  /**
   * Runs `work` in one transaction that holds the write lock from its first statement; all of it or nothing.
   * @param wait `false` to be refused at once, and not to stand still, while another process holds the lock
   * @throws LedgerBusy when another process holds the lock; GatehouseError `ledger_unavailable` when the disk cannot be
   *   written; what `work` throws
   */
  transaction<T>(work: () => T, options?: { wait: boolean }): T
  /** Changes when another connection, in this process or another, has committed. */
  dataVersion(): number
  close(): void
}

/** The file cannot be used as a ledger; the message says why and what to do. Nothing in it was changed. */
export class LedgerFileError extends Error {
  override readonly name = 'LedgerFileError'
}

/** Another process is writing to the ledger. Nothing was changed, and the same may be tried again. */
export class LedgerBusy extends GatehouseError {
  constructor(cause: unknown) {
    super('ledger_unavailable', 'Another program is writing to the ledger: wait a moment, then try again.', { cause })
  }
}

/** What the change feed is to follow in this database, and what its positions begin with where it has none yet. */
export interface Changelog {
  publication: Publication
  incarnation: number
  token: string
}

/** How long an opening, or a command, stands still for another process: an import of 100,000 tickets takes a while. */
const WAIT_MS = 30_000

/**
 * Opens the ledger at `path`, makes it when there is none, and brings its tables up to date. Only the box's own user
 * may read the file: the keys that it signs and derives with are in it.
 * @throws LedgerFileError for a file that is damaged, of another program, or of a newer Gatehouse, and for one that
 *   cannot be written
 * @param changelog what the change feed follows, or that it follows nothing; left as it is when absent
 */
export function openDb(path: string, changelog?: Changelog | 'none'): Db {
  let sqlite: Database.Database | undefined
  try {
    refuseForeignFile(path)
    inspect(path)
    keepPrivate(path)
    sqlite = new Database(path, { timeout: WAIT_MS })
    // First of all, so that a ledger cut short before it has a table is known as one.
    if (isEmpty(sqlite)) sqlite.pragma(`application_id = ${APPLICATION_ID}`)
    sqlite.pragma('journal_mode = WAL')
    // A verdict that left the box survives a power cut: each commit reaches the disk before it returns.
    sqlite.pragma('synchronous = FULL')
    // Scans wait while the log is copied back into the file. A page that changed often in between is written once: twice
    // the usual 1,000 pages cost less in all, and four times as many would make the wait too long to be worth it.
    sqlite.pragma('wal_autocheckpoint = 2000')
    sqlite.pragma('cache_size = -32768')
    sqlite.pragma('temp_store = MEMORY')
    // A row that a REPLACE removes is a deletion to the change feed too.
    sqlite.pragma('recursive_triggers = ON')
    // One large import must not keep its size on the card for as long as the box runs.
    sqlite.pragma(`journal_size_limit = ${16 * 1024 * 1024}`)
    const db = drizzle({ client: sqlite })
    bringUpToDate(sqlite, db)
    // After the tables, which a migration may have made anew, and before anything is written to them.
    if (changelog === 'none') removeChangelog(sqlite)
    else if (changelog) installChangelog(sqlite, changelog.publication, changelog.incarnation, changelog.token)
    return wrap(sqlite, db)
  } catch (error) {
    sqlite?.close()
    throw error instanceof LedgerFileError ? error : asLedgerFileError(error as Error, path)
  }
}

/** One moment of a ledger, for reading alone. */
export interface Snapshot extends Disposable {
  readonly drizzle: BetterSQLite3Database
}

/**
 * Opens the ledger at `path` as it is now, for reading: whatever is written meanwhile, by whomever, is not seen, and does
 * not wait. Nothing is changed, not even the tables of an older ledger.
 * @throws LedgerFileError for a file that is no ledger, or not of this version
 */
export function openSnapshot(path: string): Snapshot {
  let sqlite: Database.Database | undefined
  try {
    if (isUnbegun(path))
      throw new LedgerFileError(`There is no ledger at ${path}: name its folder, GATEHOUSE_DATA_DIR.`)
    refuseForeignFile(path)
    inspect(path)
    sqlite = new Database(path, { readonly: true, timeout: WAIT_MS })
    if (lastMigration(sqlite) < newestKnownMigration()) {
      throw new LedgerFileError(`${path} was made by an older Gatehouse: start this version's box on it once.`)
    }
    sqlite.pragma('cache_size = -65536')
    // The first read takes the snapshot, and it stays until the connection is closed.
    sqlite.exec('BEGIN')
    sqlite.prepare('SELECT count(*) FROM sqlite_master').get()
    const opened = sqlite
    return { drizzle: drizzle({ client: sqlite }), [Symbol.dispose]: () => void opened.close() }
  } catch (error) {
    sqlite?.close()
    throw error instanceof LedgerFileError ? error : asLedgerFileError(error as Error, path)
  }
}

/**
 * Copies the ledger at `path` as it is now into the new file `to`; whatever is written meanwhile is not in it and does not wait.
 * Blocks for as long as the copying takes: a second for each 100 MB or so.
 * @throws LedgerFileError for a file that is no ledger; whatever SQLite throws when `to` cannot be written
 */
export function copyLedger(path: string, to: string): void {
  if (isUnbegun(path)) throw new LedgerFileError(`There is no ledger at ${path}: name its folder, GATEHOUSE_DATA_DIR.`)
  refuseForeignFile(path)
  inspect(path)
  const sqlite = new Database(path, { readonly: true, timeout: WAIT_MS })
  try {
    sqlite.prepare('VACUUM INTO ?').run(to)
    chmodSync(to, 0o600)
  } finally {
    sqlite.close()
  }
}

/**
 * Takes the write-ahead log of a ledger at rest back into its file, so that the file alone is all of it.
 * @returns false when another process has the ledger open
 */
export function settleLedger(path: string): boolean {
  if (isUnbegun(path)) return true
  const sqlite = new Database(path, { timeout: 0 })
  try {
    // SQLite leaves the write-ahead log only for whoever is alone with the file.
    return sqlite.pragma('journal_mode = DELETE', { simple: true }) === 'delete'
  } catch (error) {
    if (BUSY.test((error as { code?: string }).code ?? '')) return false
    throw error
  } finally {
    sqlite.close()
  }
}

const MOVE_IT =
  'Nothing was changed. Move the file (with its -wal and -shm beside it) away and start again for an empty ledger, or restore a backup.'

function refuseForeignFile(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false })
  if (there && !there.isFile()) throw new LedgerFileError(`${path} is not a file. Name another place for the ledger.`)
  if (isUnbegun(path)) {
    refuseOrphan(`${path}-wal`)
    return
  }
  const header = Buffer.alloc(16)
  const file = openSync(path, 'r')
  try {
    readSync(file, header, 0, 16, 0)
  } finally {
    closeSync(file)
  }
  if (header.toString('latin1') !== 'SQLite format 3\0') {
    throw new LedgerFileError(`${path} is not a ledger. ${MOVE_IT}`)
  }
}

/** SQLite throws a WAL away that has no database to it: the last verdicts of a ledger that somebody moved without it. */
function refuseOrphan(wal: string): void {
  if (!statSync(wal, { throwIfNoEntry: false })?.size) return
  throw new LedgerFileError(`${wal} is there without its ledger. Put the ledger back, or move this file away to it.`)
}

/** Looks at what is there through a connection that cannot write: even closing another one may change the file. */
function inspect(path: string): void {
  if (isUnbegun(path)) return
  const sqlite = new Database(path, { readonly: true, timeout: WAIT_MS })
  try {
    if (isEmpty(sqlite)) return
    const id = sqlite.pragma('application_id', { simple: true })
    if (id !== APPLICATION_ID) throw new LedgerFileError(`${path} is a database of another program. ${MOVE_IT}`)
    refuseTruncatedFile(sqlite, path)
    refuseNewerLedger(sqlite, path)
  } finally {
    sqlite.close()
  }
}

/** Nothing that could be lost: no file, an empty one, or its very first page, that a power cut kept from being written. */
function isUnbegun(path: string): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return size === 0 || (size <= PAGE_BYTES && existsSync(`${path}-journal`))
}

function isEmpty(sqlite: Database.Database): boolean {
  return sqlite.pragma('schema_version', { simple: true }) === 0
}

/** The files beside it get the mode of the ledger when SQLite makes them; a restored backup may have any. */
function keepPrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const there = statSync(file, { throwIfNoEntry: false })
    if (there && (there.mode & 0o077) !== 0) chmodSync(file, 0o600)
  }
}

function refuseTruncatedFile(sqlite: Database.Database, path: string): void {
  const pages = sqlite.pragma('page_count', { simple: true }) as number
  const size = sqlite.pragma('page_size', { simple: true }) as number
  // A page count above the file's size is normal while the WAL holds the rest.
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (wal === 0 && statSync(path).size < pages * size) throw new LedgerFileError(`${path} is cut short. ${MOVE_IT}`)
  // The whole check reads every page; on a large ledger that would cost a gate its first minute.
  if (pages * size > 32 * 1024 * 1024) return
  const verdict = sqlite.pragma('quick_check(1)', { simple: true })
  if (verdict !== 'ok') throw new LedgerFileError(`${path} is damaged (${verdict}). ${MOVE_IT}`)
}

function refuseNewerLedger(sqlite: Database.Database, path: string): void {
  if (lastMigration(sqlite) > newestKnownMigration()) {
    throw new LedgerFileError(`${path} was made by a newer Gatehouse. Start that version, or restore an older backup.`)
  }
}

function bringUpToDate(sqlite: Database.Database, db: BetterSQLite3Database): void {
  try {
    migrate(db, { migrationsFolder: MIGRATIONS })
  } catch (error) {
    // The box and a command may make a new ledger at the same moment: whoever comes second finds it done.
    if (lastMigration(sqlite) !== newestKnownMigration()) throw error
  }
}

/** 0 when there was none. */
function lastMigration(sqlite: Database.Database): number {
  const table = sqlite.prepare(`SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations'`).get()
  if (!table) return 0
  const last = sqlite.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck().get() as number | null
  return last ?? 0
}

function newestKnownMigration(): number {
  const { entries } = migrationIndex as { entries: { when: number }[] }
  return Math.max(...entries.map((entry) => entry.when))
}

function asLedgerFileError(error: Error, path: string): LedgerFileError {
  const { code = '' } = error as NodeJS.ErrnoException
  const advice = BUSY.test(code)
    ? 'Another program is writing to it: try again when that has finished.'
    : CANNOT_WRITE.test(code) || /^E[A-Z]+$/.test(code)
      ? "Look at the disk: it may be full, read-only, or another user's."
      : MOVE_IT
  return new LedgerFileError(`${path} cannot be opened as a ledger: ${error.message}. ${advice}`, { cause: error })
}

function wrap(sqlite: Database.Database, db: BetterSQLite3Database): Db {
  const version = sqlite.prepare('PRAGMA data_version').pluck()
  const begin = sqlite.prepare('BEGIN IMMEDIATE')
  const commit = sqlite.prepare('COMMIT')
  const rollback = sqlite.prepare('ROLLBACK')
  // The feed may come later than this connection.
  let mark: CommitMark | undefined

  function beginAtOnce() {
    // Not prepared: SQLite carries this pragma out when it reads it.
    sqlite.exec('PRAGMA busy_timeout = 0')
    try {
      begin.run()
    } finally {
      sqlite.exec(`PRAGMA busy_timeout = ${WAIT_MS}`)
    }
  }

  return {
    drizzle: db,
    dataVersion: () => version.get() as number,
    transaction(work, { wait } = { wait: true }) {
      try {
        if (wait) begin.run()
        else beginAtOnce()
        mark ??= openCommitMark(sqlite)
        mark?.begin()
        const result = work()
        mark?.end()
        commit.run()
        return result
      } catch (error) {
        // SQLite has rolled back by itself when the disk was full; asking again would hide the first error.
        if (sqlite.inTransaction) rollback.run()
        throw asGatehouseError(error)
      }
    },
    close: () => sqlite.close(),
  }
}

const BUSY = /^SQLITE_(BUSY|PROTOCOL)/
/** A disk that is full, read-only or failing: the request is not answered, and may be sent again. */
const CANNOT_WRITE = /^SQLITE_(FULL|READONLY|IOERR|CANTOPEN|PERM)/

function asGatehouseError(error: unknown): unknown {
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string') return error
  if (BUSY.test(code)) return new LedgerBusy(error)
  if (!CANNOT_WRITE.test(code)) return error
  return new GatehouseError(
    'ledger_unavailable',
    'The box cannot write to its disk. Nobody was admitted by this answer: call the control room, then scan again.',
    { cause: error },
  )
}
