/**
 * Imports that count already, and whose rows are still moving into `tickets`. Whoever asks for one of these tickets moves it first, so
 * that from the entry in the journal on every reader of one ticket sees all of the import. Readers of many wait (`settled`).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, gte, isNotNull, isNull, lt, lte } from '../../drizzle/core.ts'
import type { Db } from '../../ledger/db.ts'
import { stagedImports, stagedTickets } from '../../ledger/schema.ts'
import { fixedLimit } from '../../ledger/statements.ts'
import type { TicketFields } from '../tickets.ts'
import { type NamedRow, nameFinder, removeNames, rowsIn, runsAfter, type StagedName } from './names.ts'
import { afterRun, beforeRow, nextRow } from './progress.ts'
import { prepareMoves } from './statements.ts'

/** Row numbers of an import are below this. */
export const ROWS = 2 ** 32
/** Interval at which `settled` looks. */
const LOOK_MS = 20
/** A run has about so many names. */
const NAMES = 125
/** Runs of names that are removed at a time. */
const RUNS = 100

/** An import that counts. */
export interface VisibleImport {
  id: number
  /** Its place in the journal. */
  entry: number
  /** New tickets get the ids after this one. */
  lastId: number
  /** Progress of its rows: `progress.ts`. */
  done: Buffer | null
}

/** Makes one change. Within a transaction. */
export type Change = (ticket: number, fields: TicketFields, entry: number) => void

export class StagedImports {
  readonly #db: Db
  readonly #change: Change
  readonly #visible: () => VisibleImport | undefined
  readonly #find: ReturnType<typeof nameFinder>
  readonly #statements: ReturnType<typeof prepareMoves>

  constructor(db: Db, change: Change) {
    this.#db = db
    this.#change = change
    this.#visible = visibleImports(db)
    this.#find = nameFinder(db)
    this.#statements = prepareMoves(db)
  }

  /** The import whose rows are moving; undefined for none, and there is never a second one. */
  visible(): VisibleImport | undefined {
    return this.#visible()
  }

  /** Moves the row with this name, if there is one, in the transaction that is under way or in its own. */
  settle(name: StagedName): void {
    const of = this.#visible()
    const row = of && this.#find(of.id, name)
    if (!row || this.#hasMoved(of, row)) return
    const move = () => this.#moveAll(of, row)
    if (this.#db.inTransaction) move()
    else this.#db.transaction(move)
  }

  /** True if an import has a row with this name, moved or not. */
  has(ofImport: number, name: StagedName): boolean {
    return this.#find(ofImport, name) !== undefined
  }

  /** Moves the row of an import's last new ticket: tickets that are made from now on get later ids. Within a transaction. */
  settleLast(of: VisibleImport, last: Pick<NamedRow, 'n' | 'place'>): void {
    this.#moveAll(of, { kind: 'ref', ...last })
  }

  /**
   * Moves the next rows, about `most` of them, or what as many names stand for, in the order of the table or index that they are
   * written to, so that few pages change in each transaction. Within a transaction.
   * @returns whether there is more to do
   */
  settleSome(most: number): boolean {
    const of = this.#visible()
    if (!of) return false
    const done = this.#moveTickets(of, most) ?? this.#moveNames(of, most)
    const { drizzle } = this.#db
    const ofIt = eq(stagedImports.id, of.id)
    if (done) drizzle.update(stagedImports).set({ done }).where(ofIt).run()
    if (done || this.#removeRows(of.id, most) || removeNames(this.#db, of.id, RUNS)) return true
    drizzle.delete(stagedImports).where(ofIt).run()
    return this.#visible() !== undefined
  }

  /** Moves everything, in transactions of its own or in the one that is under way: for a box that nobody scans with. */
  settleAll(): void {
    const some = () => this.settleSome(1000)
    while (this.#visible()) this.#db.inTransaction ? some() : this.#db.transaction(some)
  }

  /** Resolves when no rows are moving. */
  async settled(): Promise<void> {
    while (this.#visible()) await sleep(LOOK_MS)
  }

  /** Removes rows of an import that never came to count, at most `most`. Within a transaction. @returns whether there is more to do */
  discardSome(id: number, most: number): boolean {
    // Its process may have made it count a moment ago.
    if (this.#visible()?.id === id) return false
    if (this.#removeRows(id, most) || removeNames(this.#db, id, RUNS)) return true
    const unseen = and(eq(stagedImports.id, id), isNull(stagedImports.entry))
    this.#db.drizzle.delete(stagedImports).where(unseen).run()
    return false
  }

  /** New tickets, in the order of the file. @returns how far it has come; undefined when there are no more */
  #moveTickets({ id, entry, lastId, done }: VisibleImport, most: number): Buffer | undefined {
    const next = nextRow(done)
    if (!next) return undefined
    const from = id * ROWS + next.n
    const some = this.#statements.newRows.get({ from, end: (id + 1) * ROWS, most })
    if (!some?.last) return undefined
    this.#statements.insertTickets.run({ from, last: some.last, entry, before: lastId + next.places })
    return beforeRow(id, { n: some.last + 1 - id * ROWS, places: next.places + some.count })
  }

  /** Codes and changes. @returns how far it has come; undefined when there are no more */
  #moveNames(of: VisibleImport, most: number): Buffer | undefined {
    const runs = runsAfter(this.#db, of.id, of.done, Math.ceil(most / NAMES))
    for (const { names } of runs) for (const row of rowsIn(names)) if (row.kind !== 'ref') this.#move(of, row)
    const last = runs.at(-1)
    return last && afterRun(last.first)
  }

  /** Removes the first rows that are still here, at most `most`. @returns whether there were any */
  #removeRows(id: number, most: number): boolean {
    const { drizzle } = this.#db
    const from = gte(stagedTickets.key, id * ROWS)
    const page = drizzle.select({ key: stagedTickets.key }).from(stagedTickets)
    const ofIt = and(from, lt(stagedTickets.key, (id + 1) * ROWS))
    const last = page.where(ofIt).orderBy(stagedTickets.key).limit(most).all().at(-1)
    if (!last) return false
    drizzle
      .delete(stagedTickets)
      .where(and(from, lte(stagedTickets.key, last.key)))
      .run()
    return true
  }

  /** A change that was made has no row any more. */
  #hasMoved({ id, lastId }: VisibleImport, { kind, n, place }: NamedRow): boolean {
    const row = this.#statements.row.get({ key: id * ROWS + n })
    if (!row || kind === 'ticket') return row === undefined
    const ticket = lastId + place
    return (
      this.#statements.ticketOf.get({ ticket }) !== undefined && this.#statements.codesOf.all({ ticket }).length > 1
    )
  }

  /** Everything that follows from a row, as far as it is not there. */
  #moveAll(of: VisibleImport, row: Pick<NamedRow, 'kind' | 'n' | 'place'>): void {
    const staged = this.#statements.row.get({ key: of.id * ROWS + row.n })
    if (!staged) return
    const { codeHash, keyHash } = staged
    this.#move(of, { ...row, kind: row.kind === 'ticket' ? 'ticket' : 'ref', name: NO_NAME })
    if (codeHash) this.#move(of, { ...row, kind: 'printed', name: codeHash })
    if (keyHash) this.#move(of, { ...row, kind: 'key', name: keyHash })
  }

  /** The part of a row that the kind of its name stands for. */
  #move({ id, entry, lastId }: VisibleImport, { kind, name, n, place }: NamedRow): void {
    const key = id * ROWS + n
    const ticket = lastId + place
    if (kind === 'ticket') this.#makeChange(key, entry)
    else if (kind === 'ref') this.#statements.insertTicket.run({ ticket, entry, key })
    else this.#statements.insertCode.run({ codeHash: name, ticket, kind: kind === 'key' ? 'key' : 'static' })
  }

  #makeChange(key: number, entry: number): void {
    const row = this.#statements.row.get({ key })
    if (!row || row.ticket === null) return
    const { ticket, ...fields } = row
    this.#change(ticket, fields, entry)
    // Not again: what changes the ticket from now on is later.
    this.#db.drizzle.delete(stagedTickets).where(eq(stagedTickets.key, key)).run()
  }
}

const NO_NAME = Buffer.alloc(0)

/** @returns the import that counts and whose rows are still moving */
export function visibleImports({ drizzle }: Pick<Db, 'drizzle'>): () => VisibleImport | undefined {
  const { id, entry, lastId, done } = stagedImports
  const counting = drizzle.select({ id, entry, lastId, done }).from(stagedImports).where(isNotNull(entry))
  const visible = counting.limit(fixedLimit(1)).prepare()
  return () => visible.get() as VisibleImport | undefined
}
