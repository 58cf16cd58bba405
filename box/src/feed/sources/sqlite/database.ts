/** Opens the database file that is followed, and recognises it. */
import { existsSync, statSync } from 'node:fs'
import Sqlite, { type Database } from 'better-sqlite3'
import { hasChangelog } from '../../../ledger/changelog.ts'

/** @throws with advice when the file is missing: SQLite would make an empty database of a misspelt path */
export function requireFile(path: string): void {
  if (existsSync(path)) return
  throw new Error(`${path} is not there: name the database file, or start what writes it first.`)
}

/** @throws when it is missing, or is not a database */
export function openDatabase(path: string): Database {
  requireFile(path)
  const db = new Sqlite(path)
  try {
    // Rows that a power cut undoes here are only delivered again; and a sync of our own would delay the writer's next one.
    db.pragma('synchronous = NORMAL')
    return db
  } catch (error) {
    db.close()
    throw withAdvice(error as Error & { code?: string }, path)
  }
}

/** For a feed that is another user than the writer, and finds nobody who has the database open, or no right to write to it. */
function withAdvice(error: Error & { code?: string }, path: string): Error {
  if (!/^SQLITE_(CANTOPEN|READONLY)/.test(error.code ?? '')) return error
  const advice = 'start what writes it first, and let the user of the feed write to it, its -wal and its -shm'
  return new Error(`${path} cannot be followed (${error.message}): ${advice}.`, { cause: error })
}

/** The file that has this name now, and its present state; undefined when there is none. */
export function fileAt(path: string): { file: string; state: string } | undefined {
  const there = statSync(path, { throwIfNoEntry: false })
  if (!there) return undefined
  const file = `${there.dev}/${there.ino}`
  return { file, state: `${file} ${there.size} ${there.mtimeMs}` }
}

/** @returns what `work` does; undefined where a writer holds the lock */
export function unlessBusy<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (/^SQLITE_BUSY/.test((error as { code?: string }).code ?? '')) return undefined
    throw error
  }
}

/** Tells if a database has a change log: `changefeed check` asks this first. */
export function looksFollowed(path: string): boolean {
  const db = openDatabase(path)
  try {
    return hasChangelog(db)
  } finally {
    db.close()
  }
}
