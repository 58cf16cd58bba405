/** The change log inside a SQLite database: making it, keeping it in step with what is to be published, taking it away. */
import type { Database } from 'better-sqlite3'
import type { PublishedTable } from './options.ts'
import { COMMITS, LOG, quoted, type Shape, SLOT, SNAPSHOT, TABLES, triggersFor } from './triggers.ts'

export interface Publication {
  tables: readonly PublishedTable[]
  maxRows: number
  onFull: 'drop' | 'block'
}

/** What is published cannot be; the message names the table or column. */
export class PublicationError extends Error {
  override readonly name = 'PublicationError'
}

/**
 * Makes the change log, or brings it in step: a table that gained a column, a publication that the operator has changed. In
 * one transaction, so that no write goes by between the old triggers and the new ones.
 * @param incarnation for a new log; greater than any that this database's changes were told under
 * @throws PublicationError for a table or column that is not there; nothing is changed
 */
export function installChangelog(db: Database, publication: Publication, incarnation: number, token: string): void {
  db.transaction(() => {
    db.exec(TABLES)
    const { onFull, maxRows } = publication
    const wanted = triggersFor(shapesOf(db, publication.tables), onFull)
    const there = installedTriggers(db)
    for (const name of there.keys()) if (wanted.get(name) !== there.get(name)) db.exec(`DROP TRIGGER ${quoted(name)}`)
    for (const [name, sql] of wanted) if (there.get(name) !== sql) db.exec(sql)
    db.prepare(
      `INSERT INTO ${SLOT} (only, incarnation, confirmed, token, max_rows) VALUES (1, ?, coalesce((${LAST_SEQ}), 0), ?, ?)
       ON CONFLICT DO UPDATE SET max_rows = excluded.max_rows`,
    ).run(incarnation, token, maxRows)
  }).immediate()
}

/** Takes the change log away, with everything that nobody has taken. */
export function removeChangelog(db: Database): void {
  db.transaction(() => {
    for (const name of installedTriggers(db).keys()) db.exec(`DROP TRIGGER ${quoted(name)}`)
    for (const table of [LOG, COMMITS, SLOT, SNAPSHOT]) db.exec(`DROP TABLE IF EXISTS ${table}`)
  }).immediate()
}

export function hasChangelog(db: Database): boolean {
  return db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(SLOT) !== undefined
}

/** What keeps the log from being in step with `publication`; undefined when nothing does. @throws PublicationError */
export function outOfStep(db: Database, { tables, onFull }: Publication): string | undefined {
  if (!hasChangelog(db)) return 'there is no change log in this database'
  const wanted = triggersFor(shapesOf(db, tables), onFull)
  const there = installedTriggers(db)
  const differing = [...new Set([...wanted.keys(), ...there.keys()])].filter(
    (name) => wanted.get(name) !== there.get(name),
  )
  return differing.length > 0 ? `these triggers are missing or differ: ${differing.join(', ')}` : undefined
}

/** @throws PublicationError */
export function shapesOf(db: Database, tables: readonly PublishedTable[]): Shape[] {
  const twice = tables.find(({ name }, i) => tables.findIndex((table) => table.name === name) < i)
  if (twice) throw new PublicationError(`the table ${twice.name} is published twice`)
  return tables.map((table) => {
    const columns = db.prepare(`SELECT name FROM pragma_table_info(?)`).pluck().all(table.name) as string[]
    if (columns.length === 0) throw new PublicationError(`there is no table ${table.name}`)
    const unknown = [...(table.columns ?? []), ...(table.text ?? [])].find((name) => !columns.includes(name))
    if (unknown !== undefined) throw new PublicationError(`the table ${table.name} has no column ${unknown}`)
    if (table.appendOnly && !keepsRowids(db, table.name)) {
      throw new PublicationError(`the table ${table.name} has no INTEGER PRIMARY KEY: leave appendOnly out`)
    }
    return { table, columns: table.columns ? columns.filter((name) => table.columns?.includes(name)) : columns }
  })
}

/** The newest sequence that was ever given out: rows are taken away, and their numbers are not used again. */
export const LAST_SEQ = `SELECT seq FROM sqlite_sequence WHERE name = '${LOG}'`

function installedTriggers(db: Database): Map<string, string> {
  const rows = db
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'changefeed\\_%' ESCAPE '\\'`)
    .all() as { name: string; sql: string }[]
  return new Map(rows.map(({ name, sql }) => [name, sql]))
}

/** Without an INTEGER PRIMARY KEY, rows may have other rowids after a VACUUM, and a reference would lead to another row. */
function keepsRowids(db: Database, table: string): boolean {
  // Any other kind of primary key has an index of its own.
  const sql = `SELECT (SELECT wr FROM pragma_table_list($table)) = 0
    AND (SELECT count(*) FROM pragma_table_info($table) WHERE pk > 0) = 1
    AND NOT EXISTS (SELECT 1 FROM pragma_index_list($table) WHERE origin = 'pk')`
  return db.prepare(sql).pluck().get({ table }) === 1
}
