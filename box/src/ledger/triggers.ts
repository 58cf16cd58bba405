/**
 * The SQL of a change log: triggers that log every change of a published table in the writer's own transaction, whichever
 * program writes. Pure: text in, text out.
 *
 * Values are logged as text, so that nothing is rounded. SQLite fires no delete trigger for the rows that a REPLACE removes
 * unless the writer has set `PRAGMA recursive_triggers`: without it such a change is logged as an insert alone.
 */

export const LOG = 'changefeed_log'
export const SLOT = 'changefeed_slot'
export const SNAPSHOT = 'changefeed_snapshot'

/** Unix ms. Not `unixepoch('subsec')`: a program with an older SQLite must be able to write too. */
export const NOW = `CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)`

/**
 * `last` is in the first row of a transaction of more than one change: the number of its last one; the `at` of that row is when it was
 * committed. Numbers go up by one, and are never used again, because the newest row is never deleted.
 */
export const TABLES = `
CREATE TABLE IF NOT EXISTS ${LOG} (
  seq INTEGER PRIMARY KEY,
  tbl TEXT NOT NULL,
  op TEXT NOT NULL,
  at INTEGER NOT NULL,
  key INTEGER,
  before TEXT,
  after TEXT,
  last INTEGER
);
CREATE TABLE IF NOT EXISTS ${SLOT} (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  incarnation INTEGER NOT NULL,
  confirmed INTEGER NOT NULL,
  token TEXT NOT NULL,
  lost INTEGER NOT NULL DEFAULT 0,
  max_rows INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS ${SNAPSHOT} (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  of TEXT NOT NULL,
  tbl TEXT,
  after TEXT
);`

/** A table that the change feed follows. */
export interface PublishedTable {
  readonly name: string
  /** Every column when absent. */
  readonly columns?: readonly string[]
  /** Columns that are declared as blobs and hold text: logged as that text, not in hexadecimal. */
  readonly text?: readonly string[]
  /** Rows are only ever inserted: the log then refers to the row and holds no copy of it. */
  readonly appendOnly?: boolean
}

/** The published columns of a table, in the table's own order. */
export interface Shape {
  table: PublishedTable
  columns: readonly string[]
}

/** Every trigger of a publication by its name. */
export function triggersFor(shapes: readonly Shape[], onFull: 'drop' | 'block'): Map<string, string> {
  const triggers = new Map([[`${LOG}_full`, fullTrigger(onFull)]])
  for (const shape of shapes) {
    for (const op of shape.table.appendOnly ? (['insert'] as const) : (['insert', 'update', 'delete'] as const)) {
      const name = `changefeed_${shape.table.name}_${op}`
      triggers.set(name, changeTrigger(name, shape, op))
    }
  }
  return triggers
}

/** One row's published columns as a JSON object of text, null or hexadecimal. @param row `NEW`, `OLD` or a table's name */
export function imageOf({ table, columns }: Shape, row: string): string {
  const pairs = columns.map((column) => {
    const value = `${row}.${quoted(column)}`
    return `${literal(column)}, ${table.text?.includes(column) ? `CAST(${value} AS TEXT)` : textOf(value)}`
  })
  return `json_object(${pairs.join(', ')})`
}

function changeTrigger(name: string, shape: Shape, op: 'insert' | 'update' | 'delete'): string {
  const { table, columns } = shape
  const conditions = [`(SELECT NOT lost FROM ${SLOT})`]
  // A change of other columns is not published, nor that there was one.
  if (op === 'update')
    conditions.push(`(${columns.map((c) => `OLD.${quoted(c)} IS NOT NEW.${quoted(c)}`).join(' OR ')})`)
  const key = table.appendOnly ? 'NEW.rowid' : 'NULL'
  const before = op === 'insert' ? 'NULL' : imageOf(shape, 'OLD')
  const after = op === 'delete' || table.appendOnly ? 'NULL' : imageOf(shape, 'NEW')
  return `CREATE TRIGGER ${quoted(name)} AFTER ${op.toUpperCase()} ON ${quoted(table.name)}
WHEN ${conditions.join(' AND ')}
BEGIN
  INSERT INTO ${LOG} (tbl, op, at, key, before, after)
  VALUES (${literal(table.name)}, '${op}', ${NOW}, ${key}, ${before}, ${after});
END`
}

/**
 * Acts when changes were not delivered for so long that the log would fill the disk. The writer's own transaction checks this,
 * because the feed may not be running.
 */
function fullTrigger(onFull: 'drop' | 'block'): string {
  const full = `NEW.seq - (SELECT confirmed FROM ${SLOT}) > (SELECT max_rows FROM ${SLOT})`
  const action =
    onFull === 'drop'
      ? `UPDATE ${SLOT} SET lost = 1`
      : `SELECT RAISE(ABORT, 'the change log is full: start the change feed, or raise maxRows')`
  return `CREATE TRIGGER ${LOG}_full AFTER INSERT ON ${LOG} WHEN ${full} BEGIN ${action}; END`
}

/** Integers of any size exactly, reals so that they read back as the same number, blobs as PostgreSQL writes a bytea. */
function textOf(value: string): string {
  return `CASE typeof(${value}) WHEN 'blob' THEN '\\x' || lower(hex(${value})) WHEN 'real' THEN printf('%!.17g', ${value}) ELSE CAST(${value} AS TEXT) END`
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
