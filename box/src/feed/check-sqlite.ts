/** Checks that a SQLite database can be followed as configured. Opens it read-only. */
import Sqlite from 'better-sqlite3'
import { outOfStep, shapesOf } from '../ledger/changelog.ts'
import type { Finding } from './check.ts'
import { looksFollowed } from './sources/sqlite/database.ts'
import type { SqliteOptions } from './sources/sqlite/options.ts'
import { Slot } from './sources/sqlite/slot.ts'

/** Never throws for what is wrong with the database. */
export function checkSqlite(options: SqliteOptions): Finding[] {
  const { path } = options
  try {
    const followed = looksFollowed(path)
    const db = new Sqlite(path, { readonly: true })
    try {
      const own = [tables(db, options), changeLog(db, options, followed), journalMode(db)]
      return followed ? [...own, slot(db, options)] : own
    } finally {
      db.close()
    }
  } catch (error) {
    return [{ level: 'unknown', about: 'source, database', text: (error as Error).message }]
  }
}

function tables(db: Sqlite.Database, { path, tables }: SqliteOptions): Finding {
  const about = 'source, tables'
  try {
    const names = shapesOf(db, tables).map(({ table, columns }) => `${table.name} (${columns.join(', ')})`)
    return { level: 'ok', about, text: names.join('; ') }
  } catch (error) {
    return { level: 'error', about, text: `${path}: ${(error as Error).message}` }
  }
}

function changeLog(db: Sqlite.Database, options: SqliteOptions, followed: boolean): Finding {
  const about = 'source, change log'
  let problem: string | undefined
  try {
    problem = outOfStep(db, options)
  } catch {
    return { level: 'ok', about, text: 'it depends on the tables' }
  }
  if (problem === undefined) return { level: 'ok', about, text: 'it is there, and as configured' }
  if (options.create) return { level: 'ok', about, text: followed ? 'it will be brought in step' : 'it will be made' }
  return { level: 'error', about, text: `${problem}. Set create, or let the owner of ${options.path} do it` }
}

function slot(db: Sqlite.Database, { onSlotLost }: SqliteOptions): Finding {
  const about = 'source, slot'
  const { lost } = new Slot(db).read()
  if (!lost) return { level: 'ok', about, text: 'nothing is lost' }
  const text = 'changes that nobody took for too long were dropped: read the tables anew'
  if (onSlotLost === 'recreate') return { level: 'warning', about, text: `${text}; the feed goes on from now` }
  return { level: 'error', about, text: `${text}, and set onSlotLost to recreate` }
}

function journalMode(db: Sqlite.Database): Finding {
  const mode = db.pragma('journal_mode', { simple: true })
  const about = 'source, journal mode'
  if (mode === 'wal') return { level: 'ok', about, text: 'it is wal' }
  const text = `it is ${mode}, in which the feed and the writers hold each other up: PRAGMA journal_mode = WAL`
  return { level: 'warning', about, text }
}
