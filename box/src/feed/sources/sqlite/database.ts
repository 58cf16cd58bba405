/** The database file that is followed: opening it, and knowing it again. */
import { existsSync, statSync } from 'node:fs'
import Sqlite, { type Database } from 'better-sqlite3'
import { hasChangelog } from './changelog.ts'

/** @throws when there is none, with advice: SQLite would make an empty database of a misspelt path */
export function requireFile(path: string): void {
  if (existsSync(path)) return
  throw new Error(`${path} is not there: name the database file, or start what writes it first.`)
}

/** @throws when it is not there, or is no database */
export function openDatabase(path: string): Database {
  requireFile(path)
  const db = new Sqlite(path)
  // What a power cut takes back here is told again; and a sync of our own would hold up the writer's next one.
  db.pragma('synchronous = NORMAL')
  return db
}

/** Which file has this name now, and how it is at the moment; undefined when there is none. */
export function fileAt(path: string): { file: string; state: string } | undefined {
  const there = statSync(path, { throwIfNoEntry: false })
  if (!there) return undefined
  const file = `${there.dev}/${there.ino}`
  return { file, state: `${file} ${there.size} ${there.mtimeMs}` }
}

/** Whether a database has a change log at all: what `changefeed check` asks first. */
export function looksFollowed(path: string): boolean {
  const db = openDatabase(path)
  try {
    return hasChangelog(db)
  } finally {
    db.close()
  }
}
