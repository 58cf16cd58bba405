/** The shop's rows as they were last heard of: the one file that reads and writes their tables. Within transactions. */

import type { Db } from '../../db.ts'
import { and, asc, count, desc, eq, gt, isNotNull, isNull, lt, ne, sql } from '../../drizzle/core.ts'
import { type ShopRow, type ShopSource, shopLookups, shopRows, shopSources } from '../../ledger/schema.ts'
import type { Problem } from './reading.ts'

/** Rows dealt with at a time where many are: scans wait no longer than one page. */
const PAGE = 200

export type NewRow = Omit<ShopRow, 'id'>

/** Another row, by its table and key. */
export interface RowRef {
  table: string
  key: string
}

export class ShopRows {
  readonly #db: Db
  readonly #statements: ReturnType<typeof prepare>

  constructor(db: Db) {
    this.#db = db
    this.#statements = prepare(db)
  }

  find(source: string, { table, key }: RowRef): ShopRow | undefined {
    return this.#statements.find.get({ source, table, key })
  }

  byId(id: number): ShopRow | undefined {
    return this.#statements.byId.get({ id })
  }

  /** The row that this ticket is. */
  ofTicket(ticket: number): ShopRow | undefined {
    return this.#statements.ofTicket.get({ ticket })
  }

  insert(row: NewRow): ShopRow {
    const { lastInsertRowid } = this.#statements.insert.run(row)
    return { ...row, id: Number(lastInsertRowid) }
  }

  save(row: ShopRow): void {
    this.#statements.update.run({ ...row })
  }

  remove(id: number): void {
    this.#db.drizzle.delete(shopRows).where(eq(shopRows.id, id)).run()
    this.#statements.removeLookups.run({ row: id })
  }

  setLookups(source: string, row: number, refs: readonly RowRef[]): void {
    this.#statements.removeLookups.run({ row })
    for (const { table, key } of refs) this.#statements.insertLookup.run({ source, table, key, row })
  }

  /** Ids of the rows that look this one up. */
  dependents(source: string, { table, key }: RowRef): number[] {
    return this.#statements.dependents.all({ source, table, key }).map(({ row }) => row)
  }

  /** A page of a table's rows that are not gone; of an earlier load only, where `before` is given. */
  standing(source: string, table: string | undefined, options: { after: number; before?: number }): ShopRow[] {
    return this.#db.drizzle
      .select()
      .from(shopRows)
      .where(
        and(
          // By their ids and not by an index: each page would be sorted anew.
          sql`+${shopRows.source} = ${source}`,
          table === undefined ? undefined : eq(shopRows.table, table),
          eq(shopRows.gone, 0),
          gt(shopRows.id, options.after),
          options.before === undefined ? undefined : lt(shopRows.load, options.before),
        ),
      )
      .orderBy(asc(shopRows.id))
      .limit(PAGE)
      .all()
  }

  /** A page of a source's rows, gone ones too; only those with a problem, when told so. */
  page(source: string, after: number, withProblem: boolean): ShopRow[] {
    const problem = withProblem ? isNotNull(shopRows.problem) : undefined
    return this.#db.drizzle
      .select()
      .from(shopRows)
      .where(and(eq(shopRows.source, source), gt(shopRows.id, after), problem))
      .orderBy(asc(shopRows.id))
      .limit(PAGE)
      .all()
  }

  /** Rows that could not be applied, the newest first. */
  problems(limit: number): (ShopRow & { problem: NonNullable<ShopRow['problem']> })[] {
    return this.#db.drizzle
      .select()
      .from(shopRows)
      .where(isNotNull(shopRows.problem))
      .orderBy(desc(shopRows.problemAt), desc(shopRows.id))
      .limit(limit)
      .all() as (ShopRow & { problem: Problem['kind'] })[]
  }

  /** How many, by kind. */
  problemCounts(): Map<string, number> {
    const rows = this.#db.drizzle
      .select({ problem: shopRows.problem, rows: count() })
      .from(shopRows)
      .where(isNotNull(shopRows.problem))
      .groupBy(shopRows.problem)
      .all()
    return new Map(rows.map(({ problem, rows }) => [problem ?? '', rows]))
  }

  source(source: string): ShopSource {
    const { drizzle } = this.#db
    const find = () => drizzle.select().from(shopSources).where(eq(shopSources.source, source)).get()
    const there = find()
    if (there) return there
    drizzle.insert(shopSources).values({ source }).onConflictDoNothing().run()
    return find() as ShopSource
  }

  sources(): ShopSource[] {
    return this.#db.drizzle.select().from(shopSources).orderBy(asc(shopSources.source)).all()
  }

  saveSource({ source, ...fields }: ShopSource): void {
    this.#db.drizzle.update(shopSources).set(fields).where(eq(shopSources.source, source)).run()
  }

  /** Sources whose rows were last read by another mapping than this one. */
  sourcesReadOtherwise(mapping: string): string[] {
    const otherwise = ne(sql`coalesce(${shopSources.mapping}, '')`, mapping)
    return this.#db.drizzle
      .select({ source: shopSources.source })
      .from(shopSources)
      .where(otherwise)
      .all()
      .map(({ source }) => source)
  }

  /** How many rows of this table wait for a ticket of their own: for so many, a key will be needed. */
  waiting(source: string, { table, key }: RowRef): number {
    return this.#statements.waiting.get({ source, table, key })?.rows ?? 0
  }
}

function prepare({ drizzle }: Db) {
  const { placeholder } = sql
  const fields = {
    source: placeholder('source'),
    table: placeholder('table'),
    key: placeholder('key'),
    image: placeholder('image'),
    personal: placeholder('personal'),
    gone: placeholder('gone'),
    ticket: placeholder('ticket'),
    problem: placeholder('problem'),
    reason: placeholder('reason'),
    problemAt: placeholder('problemAt'),
    load: placeholder('load'),
  }
  const lookedUp = and(
    eq(shopLookups.source, placeholder('source')),
    eq(shopLookups.table, placeholder('table')),
    eq(shopLookups.key, placeholder('key')),
  )
  return {
    find: drizzle
      .select()
      .from(shopRows)
      .where(
        and(
          eq(shopRows.source, placeholder('source')),
          eq(shopRows.table, placeholder('table')),
          eq(shopRows.key, placeholder('key')),
        ),
      )
      .prepare(),
    byId: drizzle
      .select()
      .from(shopRows)
      .where(eq(shopRows.id, placeholder('id')))
      .prepare(),
    ofTicket: drizzle
      .select()
      .from(shopRows)
      .where(eq(shopRows.ticket, placeholder('ticket')))
      .prepare(),
    insert: drizzle.insert(shopRows).values(fields).prepare(),
    update: drizzle
      .update(shopRows)
      .set(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, sql`${value}`])))
      .where(eq(shopRows.id, placeholder('id')))
      .prepare(),
    removeLookups: drizzle
      .delete(shopLookups)
      .where(eq(shopLookups.row, placeholder('row')))
      .prepare(),
    insertLookup: drizzle
      .insert(shopLookups)
      .values({
        source: placeholder('source'),
        table: placeholder('table'),
        key: placeholder('key'),
        row: placeholder('row'),
      })
      .onConflictDoNothing()
      .prepare(),
    dependents: drizzle
      .select({ row: shopLookups.row })
      .from(shopLookups)
      .where(lookedUp)
      .orderBy(asc(shopLookups.row))
      .prepare(),
    waiting: drizzle
      .select({ rows: count() })
      .from(shopLookups)
      .innerJoin(shopRows, eq(shopRows.id, shopLookups.row))
      .where(and(lookedUp, isNull(shopRows.ticket)))
      .prepare(),
  }
}
