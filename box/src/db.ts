/** Opens the ledger's file. The only file that knows the SQLite driver. */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate } from 'drizzle-orm/better-sqlite3/migrator'
import migrationIndex from '../migrations/meta/_journal.json' with { type: 'json' }
import { GatehouseError } from './errors.ts'

/** `GATE`: how a ledger's file tells itself from every other SQLite database. */
const APPLICATION_ID = 0x47_41_54_45
const MIGRATIONS = join(import.meta.dirname, '../migrations')

export interface Db {
  readonly drizzle: BetterSQLite3Database
  /** Runs `work` in one transaction that holds the write lock from its first statement; all of it or nothing. */
  transaction<T>(work: () => T): T
  /** Changes when another connection, in this process or another, has committed. */
  dataVersion(): number
  close(): void
}

/** The file cannot be used as a ledger; the message says why and what to do. Nothing in it was changed. */
export class LedgerFileError extends Error {
  override readonly name = 'LedgerFileError'
}

/**
 * Opens the ledger at `path`, makes it when there is none, and brings its tables up to date.
 * @throws LedgerFileError for a file that is damaged, of another program, or of a newer Gatehouse
 */
export function openDb(path: string): Db {
  refuseForeignFile(path)
  let sqlite: Database.Database | undefined
  try {
    sqlite = new Database(path, { timeout: 5_000 })
    const isNew = sqlite.pragma('schema_version', { simple: true }) === 0
    if (!isNew) {
      const id = sqlite.pragma('application_id', { simple: true })
      if (id !== APPLICATION_ID) throw new LedgerFileError(`${path} is a database of another program. ${MOVE_IT}`)
      refuseTruncatedFile(sqlite, path)
    }
    sqlite.pragma('journal_mode = WAL')
    // A verdict that left the box survives a power cut: each commit reaches the disk before it returns.
    sqlite.pragma('synchronous = FULL')
    sqlite.pragma('cache_size = -32768')
    sqlite.pragma('temp_store = MEMORY')
    if (isNew) sqlite.pragma(`application_id = ${APPLICATION_ID}`)
    const db = drizzle({ client: sqlite })
    refuseNewerLedger(sqlite, path)
    migrate(db, { migrationsFolder: MIGRATIONS })
    return wrap(sqlite, db)
  } catch (error) {
    sqlite?.close()
    if (error instanceof LedgerFileError) throw error
    throw new LedgerFileError(`${path} cannot be opened as a ledger: ${(error as Error).message}. ${MOVE_IT}`, {
      cause: error,
    })
  }
}

const MOVE_IT =
  'Nothing was changed. Move the file (with its -wal and -shm beside it) away and start again for an empty ledger, or restore a backup.'

/** SQLite would take an empty or a foreign file for its own and write into it: look before it does. */
function refuseForeignFile(path: string): void {
  if (!existsSync(path)) return
  if (!statSync(path).isFile()) throw new LedgerFileError(`${path} is not a file. Name another place for the ledger.`)
  const header = Buffer.alloc(16)
  const file = openSync(path, 'r')
  try {
    const read = readSync(file, header, 0, 16, 0)
    // A power cut during the very first opening leaves an empty file: there is nothing in it to lose.
    if (read === 0) return
  } finally {
    closeSync(file)
  }
  if (header.toString('latin1') !== 'SQLite format 3\0')
    throw new LedgerFileError(`${path} is not a ledger. ${MOVE_IT}`)
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
  const known = readJournalOfMigrations()
  const table = sqlite.prepare(`SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations'`).get()
  if (!table) return
  const { last } = sqlite.prepare('SELECT max(created_at) AS last FROM __drizzle_migrations').get() as {
    last: number | null
  }
  if (last !== null && last > known) {
    throw new LedgerFileError(`${path} was made by a newer Gatehouse. Start that version, or restore an older backup.`)
  }
}

function readJournalOfMigrations(): number {
  const { entries } = migrationIndex as { entries: { when: number }[] }
  return Math.max(...entries.map((entry) => entry.when))
}

function wrap(sqlite: Database.Database, db: BetterSQLite3Database): Db {
  const version = sqlite.prepare('PRAGMA data_version').pluck()
  const begin = sqlite.prepare('BEGIN IMMEDIATE')
  const commit = sqlite.prepare('COMMIT')
  const rollback = sqlite.prepare('ROLLBACK')
  return {
    drizzle: db,
    dataVersion: () => version.get() as number,
    transaction(work) {
      try {
        begin.run()
        const result = work()
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

/** A disk that is full, read-only or failing: the request is not answered, and may be sent again. */
const CANNOT_WRITE = /^SQLITE_(FULL|READONLY|IOERR|BUSY|CANTOPEN|LOCKED)/

function asGatehouseError(error: unknown): unknown {
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string' || !CANNOT_WRITE.test(code)) return error
  return new GatehouseError(
    'ledger_unavailable',
    'The box cannot write to its disk. Nobody was admitted by this answer: call the control room, then scan again.',
    { cause: error },
  )
}
