/** The change log inside a SQLite database: installs it, keeps it in step with what is to be published, and removes it. */
import type { Database } from 'better-sqlite3'
import { bringChangelogUpToDate, COMMITS } from './changelog-forms.ts'
import { LOG, NOW, type PublishedTable, quoted, type Shape, SLOT, SNAPSHOT, TABLES, triggersFor } from './triggers.ts'

export interface Publication {
  tables: readonly PublishedTable[]
  maxRows: number
  onFull: 'drop' | 'block'
}

/** A table or column cannot be published; the message names it. */
export class PublicationError extends Error {
  override readonly name = 'PublicationError'
}

/**
 * Installs the change log, or brings it in step with a table that gained a column or a publication that the operator has
 * changed. In one transaction, so that no write passes unseen between the old triggers and the new ones.
 * @param incarnation for a new log; greater than any that changes of this database were delivered under
 * @throws PublicationError for a table or column that is not there; nothing is changed
 */
export function installChangelog(db: Database, publication: Publication, incarnation: number, token: string): void {
  db.transaction(() => {
    bringChangelogUpToDate(db)
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

/** Removes the change log, with every change in it that was not delivered. */
export function removeChangelog(db: Database): void {
  db.transaction(() => {
    for (const name of installedTriggers(db).keys()) db.exec(`DROP TRIGGER ${quoted(name)}`)
    for (const table of [LOG, COMMITS, SLOT, SNAPSHOT]) db.exec(`DROP TABLE IF EXISTS ${table}`)
  }).immediate()
}

export function hasChangelog(db: Pick<Database, 'prepare'>): boolean {
  return db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(SLOT) !== undefined
}

/** @returns how the installed log differs from `publication`; undefined when it does not @throws PublicationError */
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

/** The newest sequence number that was ever used, null for none: whoever deletes rows leaves the newest one there. */
export const LAST_SEQ = `SELECT max(seq) FROM ${LOG}`

function installedTriggers(db: Database): Map<string, string> {
  const rows = db
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'changefeed\\_%' ESCAPE '\\'`)
    .all() as { name: string; sql: string }[]
  return new Map(rows.map(({ name, sql }) => [name, sql]))
}

/** Without an INTEGER PRIMARY KEY a VACUUM may give rows other rowids, and a reference would name another row. */
function keepsRowids(db: Database, table: string): boolean {
  // Any other kind of primary key has an index of its own.
  const sql = `SELECT (SELECT wr FROM pragma_table_list($table)) = 0
    AND (SELECT count(*) FROM pragma_table_info($table) WHERE pk > 0) = 1
    AND NOT EXISTS (SELECT 1 FROM pragma_index_list($table) WHERE origin = 'pk')`
  return db.prepare(sql).pluck().get({ table }) === 1
}

/**
 * Marks where a transaction begins and ends in the change log. Triggers cannot know that; the transaction wrapper of the ledger
 * writes it into the first row, which is on a page that is written anyway. Changes of a program that writes no such mark are
 * delivered as transactions of one change each.
 */
export interface CommitMark {
  /** After the transaction has begun, before its first change. */
  begin(): void
  /**
   * Before the transaction commits.
   * @param at of the commit, for one that is run again; now when absent
   * @returns the time of the commit as it is logged, unix ms; undefined where nothing was logged
   */
  end(at?: number): number | undefined
}

/** @returns undefined when this database has no change log */
export function openCommitMark(db: Pick<Database, 'prepare'>): CommitMark | undefined {
  if (!hasChangelog(db)) return undefined
  const lastSeq = db.prepare(LAST_SEQ).pluck()
  const mark = db.prepare(`UPDATE ${LOG} SET last = ?, at = coalesce(?, ${NOW}) WHERE seq = ?`)
  const atOf = db.prepare(`SELECT at FROM ${LOG} WHERE seq = ?`).pluck()
  let before = 0
  return {
    begin() {
      before = (lastSeq.get() as number | null) ?? 0
    },
    end(at) {
      const last = (lastSeq.get() as number | null) ?? 0
      if (last === before) return undefined
      const several = last > before + 1
      if (several || at !== undefined) mark.run(several ? last : null, at ?? null, before + 1)
      return atOf.get(before + 1) as number
    },
  }
}
