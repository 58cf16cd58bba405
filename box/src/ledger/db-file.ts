/**
 * Checks a file before it is opened as a ledger, and brings its tables up to date. A file that exists is opened by SQLite alone: a process
 * that closes a file by any other way ends all of its locks on it, also those of its other connections.
 */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import migrationIndex from '../../migrations/meta/_journal.json' with { type: 'json' }
import { type BetterSQLite3Database, migrate } from '../drizzle/sqlite.ts'
import { LedgerFileError, MOVE_IT } from './db-errors.ts'
import { redoPath } from './redo/redo-log.ts'
import { SECRETS_FILE } from './secrets.ts'

/** `GATE`: tells a ledger's file from every other SQLite database. */
export const APPLICATION_ID = 0x47_41_54_45
const PAGE_BYTES = 4096
/** An opening, or a command, waits this long for another process: an import of 100,000 tickets takes a while. */
export const WAIT_MS = 30_000
const MIGRATIONS = join(import.meta.dirname, '../../migrations')

/** @throws LedgerFileError for what is no file, and for a log without its ledger */
export function refuseForeignFile(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false })
  if (there && !there.isFile()) throw new LedgerFileError(`${path} is not a file. Name another place for the ledger.`)
  const redo = lstatSync(redoPath(path), { throwIfNoEntry: false })
  if (redo && !redo.isFile()) throw new LedgerFileError(`${redoPath(path)} is not a file. Move it away.`)
  if (isUnbegun(path)) for (const log of [`${path}-wal`, redoPath(path)]) refuseOrphan(log)
}

/** In it are the last verdicts of a ledger that somebody moved without it. SQLite discards a WAL without its database. */
function refuseOrphan(log: string): void {
  if (!statSync(log, { throwIfNoEntry: false })?.size) return
  throw new LedgerFileError(`${log} is there without its ledger. Put the ledger back, or move this file away to it.`)
}

/**
 * Looks at the file through a connection that cannot write: closing any other one may change the file.
 * @throws LedgerFileError for a database of another program or of a newer Gatehouse, and for one that is cut short or damaged
 */
export function inspect(path: string): void {
  if (isUnbegun(path)) return
  const sqlite = new Database(path, { readonly: true, timeout: WAIT_MS })
  try {
    if (isEmpty(sqlite)) return
    const id = sqlite.pragma('application_id', { simple: true })
    if (id !== APPLICATION_ID) throw new LedgerFileError(`${path} is a database of another program. ${MOVE_IT}`)
    refuseTruncatedFile(sqlite, path)
    refuseNewerLedger(sqlite, path)
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_NOTADB') throw error
    throw new LedgerFileError(`${path} is not a ledger. ${MOVE_IT}`)
  } finally {
    sqlite.close()
  }
}

/** True if there is nothing to lose: no file, an empty one, or a first page that was not written because of a power cut. */
export function isUnbegun(path: string): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return size === 0 || (size <= PAGE_BYTES && existsSync(`${path}-journal`))
}

export function isEmpty(sqlite: Database.Database): boolean {
  return sqlite.pragma('schema_version', { simple: true }) === 0
}

/** SQLite gives the files beside the ledger the mode of the ledger; those of a restored backup may have any. */
export function keepPrivate(path: string): void {
  if (existsSync(path)) accessSync(path, constants.W_OK)
  else closeSync(openSync(path, 'a', 0o600))
  for (const file of [path, `${path}-wal`, `${path}-shm`, redoPath(path), join(dirname(path), SECRETS_FILE)]) {
    const there = statSync(file, { throwIfNoEntry: false })
    if (there && (there.mode & 0o077) !== 0 && !isShared(file, there)) chmodSync(file, 0o600)
  }
}

/** The box has shared it with the change feed's user (`feed/shared-ledger.ts`): a command beside the box leaves it so. */
function isShared(file: string, { mode, gid }: Stats): boolean {
  return (mode & 0o077) === 0o060 && gid !== process.getgid?.() && !file.endsWith(SECRETS_FILE)
}

function refuseTruncatedFile(sqlite: Database.Database, path: string): void {
  const pages = sqlite.pragma('page_count', { simple: true }) as number
  const size = sqlite.pragma('page_size', { simple: true }) as number
  // A page count above the file's size is normal while the WAL holds the rest.
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (wal === 0 && statSync(path).size < pages * size) throw new LedgerFileError(`${path} is cut short. ${MOVE_IT}`)
  // The check reads every page: on a large ledger a gate would wait a minute for it.
  if (pages * size > 32 * 1024 * 1024) return
  const verdict = sqlite.pragma('quick_check(1)', { simple: true })
  if (verdict !== 'ok') throw new LedgerFileError(`${path} is damaged (${verdict}). ${MOVE_IT}`)
}

function refuseNewerLedger(sqlite: Database.Database, path: string): void {
  if (lastMigration(sqlite) > newestKnownMigration()) {
    throw new LedgerFileError(`${path} was made by a newer Gatehouse. Start that version, or restore an older backup.`)
  }
}

/** Applies the migrations that this file has not seen. */
export function bringUpToDate(sqlite: Database.Database, db: BetterSQLite3Database): void {
  try {
    migrate(db, { migrationsFolder: MIGRATIONS })
  } catch (error) {
    // The box and a command may make a new ledger at the same moment: the second one finds it done.
    if (lastMigration(sqlite) !== newestKnownMigration()) throw error
  }
}

/** @returns when the last migration of this file was made, unix ms; 0 when it has none */
export function lastMigration(sqlite: Database.Database): number {
  const table = sqlite.prepare(`SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations'`).get()
  if (!table) return 0
  const last = sqlite.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck().get() as number | null
  return last ?? 0
}

export function newestKnownMigration(): number {
  const { entries } = migrationIndex as { entries: { when: number }[] }
  return Math.max(...entries.map((entry) => entry.when))
}
