/**
 * The slot of a change log: how far it is confirmed, and its incarnation. It is written beside the application's writer, which
 * must not wait: each write is small, tries for the lock once, and is repeated a moment later when the lock is held.
 */
import type { Database } from 'better-sqlite3'
import { LAST_SEQ } from '../../../ledger/changelog.ts'
import { LOG, SLOT } from '../../../ledger/triggers.ts'
import { unlessBusy } from './database.ts'

export interface SlotRow {
  incarnation: number
  /** The last sequence that is acknowledged. */
  confirmed: number
  /** Renewed from time to time: an older copy of this database has an older one. */
  token: string
  /** Changes were dropped: the log after `confirmed` is not complete. */
  lost: boolean
}

/** Rows deleted at a time: a writer waits no longer than that takes. */
const PRUNE_ROWS = 1000

export class Slot {
  readonly #db: Database
  readonly #read
  readonly #lastSeq
  readonly #confirm
  readonly #pruneLog

  constructor(db: Database) {
    this.#db = db
    this.#read = db.prepare<[], Omit<SlotRow, 'lost'> & { lost: number }>(
      `SELECT incarnation, confirmed, token, lost FROM ${SLOT}`,
    )
    this.#lastSeq = db.prepare<[], number | null>(LAST_SEQ).pluck()
    this.#confirm = db.prepare<{ seq: number; token: string }>(
      `UPDATE ${SLOT} SET confirmed = max(confirmed, $seq) WHERE token = $token AND (${LAST_SEQ}) >= $seq`,
    )
    this.#pruneLog = db.prepare<[number]>(
      // The newest row stays: the next number is the one after it.
      `DELETE FROM ${LOG} WHERE seq IN (
        SELECT seq FROM ${LOG} WHERE seq <= ? AND seq < (${LAST_SEQ}) ORDER BY seq LIMIT ${PRUNE_ROWS})`,
    )
  }

  /** @throws when the slot row is gone */
  read(): SlotRow {
    const row = this.#read.get()
    if (!row) throw new Error('the change log has lost its slot: run "changefeed check"')
    return { ...row, lost: row.lost === 1 }
  }

  /** The newest sequence that was ever given out. */
  lastSeq(): number {
    return this.#lastSeq.get() ?? 0
  }

  /** Rows that are not confirmed, and about how many bytes they take. */
  retained(): { rows: number; bytes: number } {
    const [first, last] = [this.#edge('ASC'), this.#edge('DESC')]
    if (!first || !last) return { rows: 0, bytes: 0 }
    const rows = last.seq - first.seq + 1
    return { rows, bytes: rows * Math.ceil((first.bytes + last.bytes) / 2) }
  }

  /**
   * Confirms everything up to `seq`, and deletes a part of it.
   * @param token of the slot that was read; with another one this is another copy of the database, whose changes are not delivered
   * @returns whether more is left to delete; undefined when nothing was done, because a writer holds the lock or the token differs
   */
  confirm(seq: number, token: string): boolean | undefined {
    return this.#write(() => {
      if (this.#confirm.run({ seq, token }).changes === 0) return undefined
      return this.#pruneLog.run(seq).changes === PRUNE_ROWS
    })
  }

  /** @param from the token that is replaced. @returns whether it was written */
  setToken(token: string, from: string): boolean {
    const update = this.#db.prepare(`UPDATE ${SLOT} SET token = ? WHERE token = ?`)
    return this.#write(() => update.run(token, from).changes === 1) ?? false
  }

  /** Begins another incarnation: the same sequences may belong to other changes now. @returns whether it was written */
  setIncarnation(incarnation: number): boolean {
    return this.#write(() => this.#db.prepare(`UPDATE ${SLOT} SET incarnation = ?`).run(incarnation)) !== undefined
  }

  /**
   * Gives up what was dropped, and logs again from the next change on, in another incarnation: ids and the source's identity
   * show that something is missing in between. @returns whether it was written
   */
  recreate(incarnation: number): boolean {
    const sql = `UPDATE ${SLOT} SET lost = 0, confirmed = coalesce((${LAST_SEQ}), 0), incarnation = ?`
    return this.#write(() => this.#db.prepare(sql).run(incarnation)) !== undefined
  }

  #edge(order: 'ASC' | 'DESC'): { seq: number; bytes: number } | undefined {
    return this.#db
      .prepare<[], { seq: number; bytes: number }>(
        `SELECT seq, 40 + ifnull(length(before), 0) + ifnull(length(after), 0) AS bytes FROM ${LOG}
         WHERE seq > (SELECT confirmed FROM ${SLOT}) ORDER BY seq ${order} LIMIT 1`,
      )
      .get()
  }

  #write<T>(work: () => T): T | undefined {
    return unlessBusy(() => this.#db.transaction(work).immediate())
  }
}
