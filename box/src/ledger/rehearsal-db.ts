/**
 * The ledger as a rehearsal sees it: tickets as they are, and nobody who has come in. The connection is read-only, so SQLite itself
 * refuses to write to the file; what scans write goes to tables of the same names in memory, which SQL finds first and which are gone
 * with the connection. Nothing is copied, however many tickets there are.
 */
import Database from 'better-sqlite3'
import { drizzle } from '../drizzle/sqlite.ts'
import { type Db, wrap } from './db.ts'
import { secretsBeside } from './secrets.ts'

/** Tables that a scan writes to, empty at first. The rows of an import that is moving in are not seen until they are in `tickets`. */
const IN_MEMORY = [
  'journal',
  'movements',
  'scans',
  'verdict_texts',
  'answers',
  'flags',
  'flag_scans',
  'overrides',
  'staged_imports',
  'staged_tickets',
  'staged_names',
] as const

/** @param path of a ledger that this process has open @throws the driver's error where the file cannot be read */
export function openRehearsalDb(path: string): Db {
  const sqlite = new Database(path, { readonly: true })
  try {
    sqlite.pragma('temp_store = MEMORY')
    sqlite.pragma('foreign_keys = OFF')
    sqlite.pragma('recursive_triggers = ON')
    for (const statement of statementsOf(sqlite)) sqlite.exec(statement)
    return wrap(sqlite, drizzle({ client: sqlite }), secretsBeside(path), { changelog: false })
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** Statements that make these tables and their indexes once more, as temporary ones. */
function statementsOf(sqlite: Database.Database): string[] {
  const names = IN_MEMORY.map((name) => `'${name}'`).join(', ')
  const made = sqlite.prepare(
    `SELECT type, sql FROM main.sqlite_master WHERE tbl_name IN (${names}) AND type IN ('table', 'index') AND sql IS NOT NULL ORDER BY type = 'index'`,
  )
  return (made.all() as { type: 'table' | 'index'; sql: string }[]).map(({ type, sql }) =>
    type === 'table'
      ? sql.replace(/^CREATE TABLE /i, 'CREATE TEMP TABLE ')
      : sql.replace(/^CREATE (UNIQUE )?INDEX /i, (_, unique = '') => `CREATE ${unique}INDEX temp.`),
  )
}
