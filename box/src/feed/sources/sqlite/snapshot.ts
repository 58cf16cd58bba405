/**
 * The initial snapshot: every row of the published tables is logged as an insert, a page at a time and between the writer's own
 * changes. A page is read and logged in one transaction, so that a row's position in the log is the moment it was read: no
 * earlier change comes after it. A receiver that treats an insert of a row it has as that row's state ends up with exactly what
 * the tables hold.
 */
import type { Database } from 'better-sqlite3'
import { imageOf, LOG, literal, NOW, quoted, type Shape, SLOT, SNAPSHOT } from '../../../ledger/triggers.ts'
import { unlessBusy } from './database.ts'

/** Rows at a time: a writer waits no longer than that takes. */
const PAGE_ROWS = 500
/** Rows that may wait in the log: while a receiver is away, the rest stays in the tables, where it is anyway. */
const MOST_WAITING = 20_000

interface Progress {
  of: string
  /** The table that is being read; null when all of them are done. */
  tbl: string | null
  /** The key of the last row that was logged, JSON; null before the first one. */
  after: string | null
}

type Key = readonly (string | number)[]

/** A table's rows in the order of its rowid, or of its primary key where it has none. */
interface Pages {
  /** The number of columns in the key. */
  width: number
  /** The last key of the page behind `after`; undefined when nothing is behind it. */
  last(after: Key | null): Key | undefined
  log(after: Key | null, last: Key): void
}

export class Snapshot {
  readonly #db: Database
  readonly #tables: readonly Shape[]
  readonly #pages: ReadonlyMap<string, Pages>
  #progress: Progress

  /** @param of whom the rows are for, and in which incarnation: they are logged once for each */
  constructor(db: Database, shapes: readonly Shape[], of: string) {
    this.#db = db
    this.#tables = shapes
    this.#pages = new Map(shapes.map((shape) => [shape.table.name, pagesOf(db, shape)]))
    const kept = db.prepare<[], Progress>(`SELECT of, tbl, after FROM ${SNAPSHOT}`).get()
    const isKnown = kept?.of === of && (kept.tbl === null || this.#pages.has(kept.tbl))
    this.#progress = isKnown ? kept : { of, tbl: shapes[0]?.table.name ?? null, after: null }
  }

  get isDone(): boolean {
    return this.#progress.tbl === null
  }

  /**
   * Logs one more page.
   * @param waiting rows of the log that are not acknowledged yet
   * @returns true if something was logged, false if a writer holds the lock, undefined when there was no need or no room
   */
  advance(waiting: number): boolean | undefined {
    const { of, tbl, after } = this.#progress
    if (tbl === null || waiting > MOST_WAITING) return undefined
    const next = this.#db.transaction((): Progress => {
      const pages = this.#pages.get(tbl)
      const key: Key | null = after === null ? null : JSON.parse(after)
      // A table that was made anew may have another key: its rows are logged from the first one again.
      const from = key?.length === pages?.width ? key : null
      const last = pages?.last(from)
      if (last) pages?.log(from, last)
      const progress = last ? { of, tbl, after: JSON.stringify(last) } : this.#behind(of, tbl)
      this.#db
        .prepare(`INSERT OR REPLACE INTO ${SNAPSHOT} (only, of, tbl, after) VALUES (1, $of, $tbl, $after)`)
        .run(progress)
      return progress
    })
    const progress = unlessBusy(() => next.immediate())
    if (!progress) return false
    this.#progress = progress
    return true
  }

  #behind(of: string, tbl: string): Progress {
    const at = this.#tables.findIndex(({ table }) => table.name === tbl)
    return { of, tbl: this.#tables[at + 1]?.table.name ?? null, after: null }
  }
}

function pagesOf(db: Database, shape: Shape): Pages {
  const { name, appendOnly } = shape.table
  const table = quoted(name)
  const key = keyOf(db, name).map((column) => `${table}.${column}`)
  const list = key.join(', ')
  const marks = key.map(() => '?').join(', ')
  const page = (where: string) =>
    db
      .prepare<unknown[], (string | number)[]>(
        `SELECT ${list} FROM ${table} ${where} ORDER BY ${list} LIMIT ${PAGE_ROWS}`,
      )
      .raw()
  const [first, next] = [page(''), page(`WHERE (${list}) > (${marks})`)]
  const image = appendOnly ? 'NULL' : imageOf(shape, table)
  const log = (where: string) =>
    db.prepare<unknown[]>(
      `INSERT INTO ${LOG} (tbl, op, at, key, before, after)
       SELECT ${literal(name)}, 'insert', ${NOW}, ${appendOnly ? 'rowid' : 'NULL'}, NULL, ${image} FROM ${table}
       WHERE ${where} (${list}) <= (${marks}) AND (SELECT NOT lost FROM ${SLOT}) ORDER BY ${list}`,
    )
  const [logFirst, logNext] = [log(''), log(`(${list}) > (${marks}) AND`)]
  return {
    width: key.length,
    last: (after) => (after ? next.all(...after) : first.all()).at(-1),
    log: (after, last) => void (after ? logNext.run(...after, ...last) : logFirst.run(...last)),
  }
}

function keyOf(db: Database, table: string): string[] {
  const without = db.prepare(`SELECT wr FROM pragma_table_list(?) WHERE schema = 'main'`).pluck().get(table) === 1
  if (!without) return ['rowid']
  const names = db.prepare(`SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk`).pluck().all(table)
  return (names as string[]).map(quoted)
}
