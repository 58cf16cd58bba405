/**
 * What was there before the log: every row of the published tables, told once more as an insert, a page at a time and between
 * the writer's own changes. A page is read and logged in one transaction, so a row's place in the log is the moment it was
 * read at: no change before it comes after it. A receiver that takes an insert of a row it has as that row's state ends up
 * with exactly what the tables hold.
 */
import type { Database } from 'better-sqlite3'
import { imageOf, LOG, literal, NOW, quoted, type Shape, SLOT, SNAPSHOT } from './triggers.ts'

/** Rows at a time: a writer waits no longer than that takes. */
const PAGE_ROWS = 500
/** Rows that may wait in the log: with a receiver that is away, the rest waits in the tables, where it is anyway. */
const MOST_WAITING = 20_000

interface Progress {
  of: string
  /** The table that is being told; null once all of them are. */
  tbl: string | null
  /** Its last row that was told. */
  after: number
}

export class Snapshot {
  readonly #db: Database
  readonly #tables: readonly Shape[]
  readonly #pages: ReadonlyMap<string, { last(after: number): number | null; log(after: number, last: number): void }>
  #progress: Progress

  /** @param of who the rows are for, and in which incarnation: told once for each */
  constructor(db: Database, shapes: readonly Shape[], of: string) {
    this.#db = db
    this.#tables = shapes
    this.#pages = new Map(shapes.map((shape) => [shape.table.name, pagesOf(db, shape)]))
    const kept = db.prepare<[], Progress>(`SELECT of, tbl, after FROM ${SNAPSHOT}`).get()
    const isKnown = kept?.of === of && (kept.tbl === null || this.#pages.has(kept.tbl))
    this.#progress = isKnown ? kept : { of, tbl: shapes[0]?.table.name ?? null, after: Number.MIN_SAFE_INTEGER }
  }

  get isDone(): boolean {
    return this.#progress.tbl === null
  }

  /**
   * Logs one more page.
   * @param waiting rows of the log that nobody has taken yet
   * @returns whether something was logged; undefined when there was no need or no room, or a writer holds the lock
   */
  advance(waiting: number): boolean | undefined {
    const { of, tbl, after } = this.#progress
    if (tbl === null || waiting > MOST_WAITING) return undefined
    try {
      const next = this.#db.transaction((): Progress => {
        const last = this.#pages.get(tbl)?.last(after) ?? null
        if (last !== null) this.#pages.get(tbl)?.log(after, last)
        const progress = last !== null ? { of, tbl, after: last } : this.#behind(of, tbl)
        this.#db
          .prepare(`INSERT OR REPLACE INTO ${SNAPSHOT} (only, of, tbl, after) VALUES (1, $of, $tbl, $after)`)
          .run(progress)
        return progress
      })
      this.#progress = next.immediate()
      return true
    } catch (error) {
      if (/^SQLITE_BUSY/.test((error as { code?: string }).code ?? '')) return undefined
      throw error
    }
  }

  #behind(of: string, tbl: string): Progress {
    const at = this.#tables.findIndex(({ table }) => table.name === tbl)
    return { of, tbl: this.#tables[at + 1]?.table.name ?? null, after: Number.MIN_SAFE_INTEGER }
  }
}

function pagesOf(db: Database, shape: Shape) {
  const { name, appendOnly } = shape.table
  const table = quoted(name)
  const last = db
    .prepare<[number], number | null>(
      `SELECT max(r) FROM (SELECT rowid AS r FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE_ROWS})`,
    )
    .pluck()
  const image = appendOnly ? 'NULL' : imageOf(shape, table)
  const log = db.prepare<[number, number]>(
    `INSERT INTO ${LOG} (tbl, op, at, key, before, after)
     SELECT ${literal(name)}, 'insert', ${NOW}, ${appendOnly ? 'rowid' : 'NULL'}, NULL, ${image} FROM ${table}
     WHERE rowid > ? AND rowid <= ? AND (SELECT NOT lost FROM ${SLOT}) ORDER BY rowid`,
  )
  return {
    last: (after: number) => last.get(after) ?? null,
    log: (after: number, to: number) => void log.run(after, to),
  }
}
