/** Reads the change log in order, a page at a time; a page has only what was committed when it was read. */
import type { Database } from 'better-sqlite3'
import { imageOf, LOG, quoted, type Shape } from '../../../ledger/triggers.ts'
import type { ChangeEvent } from '../../change.ts'
import { formatLsn, type Lsn } from '../../lsn.ts'

/** One change of a page; `last` for the last one of its transaction. */
export interface LoggedChange {
  seq: number
  event: ChangeEvent
  commitLsn: Lsn
  last: boolean
}

interface Row {
  seq: number
  tbl: string
  op: ChangeEvent['op']
  at: number
  key: number | null
  before: string | null
  after: string | null
  /** In the first row of a transaction of more than one: the number of its last row. */
  last: number | null
}

/** The fields that all changes of a transaction share, computed once. */
interface Transaction {
  first: number
  last: number
  commitLsn: Lsn
  text: string
  time: string
}

/** Size of an event without its images. */
const ROW_BYTES = 200

export interface PageLimit {
  events: number
  bytes: number
}

/**
 * The incarnation is the upper half and the sequence the lower one: unique across the incarnations of a database. A sequence of
 * more than 32 bits carries into the upper half, so that positions always grow.
 */
export function lsnOf(incarnation: number, seq: number): Lsn {
  return (BigInt(incarnation) << 32n) + BigInt(seq)
}

export class ChangelogReader {
  readonly #incarnation: number
  readonly #rows
  /** Of the row that was read last. */
  #transaction: Transaction | undefined
  readonly #referenced: ReadonlyMap<string, { pluck(): { get(key: number): unknown } }>

  constructor(db: Database, shapes: readonly Shape[], incarnation: number) {
    this.#incarnation = incarnation
    this.#rows = db.prepare<[number], Row>(`SELECT * FROM ${LOG} WHERE seq > ? ORDER BY seq`)
    const appendOnly = shapes.filter(({ table }) => table.appendOnly)
    this.#referenced = new Map(
      appendOnly.map((shape) => {
        const table = quoted(shape.table.name)
        return [shape.table.name, db.prepare(`SELECT ${imageOf(shape, table)} FROM ${table} WHERE rowid = ?`)]
      }),
    )
  }

  /**
   * The changes after `seq`, up to the limit: at least one, however large it is.
   * @param seq the last one of a transaction (whatever is confirmed is), or the last one that was read
   */
  read(seq: number, limit: PageLimit): LoggedChange[] {
    const page: LoggedChange[] = []
    let bytes = 0
    const before = this.#transaction
    let transaction = before && before.first <= seq && seq < before.last ? before : undefined
    for (const row of this.#rows.iterate(seq)) {
      if (!transaction || row.seq > transaction.last) transaction = this.#transactionOf(row)
      const event = this.#eventOf(row, transaction)
      page.push({ seq: row.seq, event, commitLsn: transaction.commitLsn, last: row.seq === transaction.last })
      bytes += event.bytes
      if (page.length >= limit.events || bytes >= limit.bytes) break
    }
    this.#transaction = transaction
    return page
  }

  /** @param row the first one of its transaction */
  #transactionOf({ seq: first, at, last: marked }: Row): Transaction {
    const last = marked ?? first
    const commitLsn = lsnOf(this.#incarnation, last)
    return { first, last, commitLsn, text: formatLsn(commitLsn), time: new Date(at).toISOString() }
  }

  #referencedBy(table: string, key: number): unknown {
    const image = this.#referenced.get(table)
    // An event without its image would be wrong.
    if (!image)
      throw new Error(`${table} was logged as appendOnly, and is not configured so: start again with the same`)
    return image.pluck().get(key)
  }

  #eventOf(row: Row, { first, commitLsn, text, time }: Transaction): ChangeEvent {
    const index = row.seq - first
    const after = row.key === null ? row.after : this.#referencedBy(row.tbl, row.key)
    const beforeJson = row.before ?? ''
    const afterJson = (after as string | null | undefined) ?? ''
    return {
      id: `${text}:${index}`,
      lsn: formatLsn(lsnOf(this.#incarnation, row.seq)),
      commitLsn: text,
      commitTime: time,
      schema: 'main',
      table: row.tbl,
      op: row.op,
      beforeJson,
      afterJson,
      position: { commitLsn, index },
      bytes: ROW_BYTES + beforeJson.length + afterJson.length,
    }
  }
}
