/** The shop's rows as last delivered. Only this file reads and writes their tables; writes run within transactions. */
import { and, asc, count, desc, eq, gt, isNotNull, isNull, lt, ne, sql } from '../drizzle/core.ts'
import type { Db } from '../ledger/db.ts'
import { type ShopRow, type ShopSource, shopLookups, shopRows, shopSources } from '../ledger/schema.ts'
import { allColumns, matching } from '../ledger/statements.ts'
import type { Problem } from './row-reader.ts'

/** Rows in a page: scans wait no longer than one page takes. */
const PAGE = 200

export type NewRow = Omit<ShopRow, 'id'>

/** A row, by its table and key. */
export interface RowRef {
  table: string
  key: string
}

export class RowStore {
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

  /** All rows of a table of which there are few. */
  ofTable(source: string, table: string): ShopRow[] {
    const isOfTable = and(eq(shopRows.source, source), eq(shopRows.table, table))
    return this.#db.drizzle.select().from(shopRows).where(isOfTable).orderBy(asc(shopRows.id)).all()
  }

  /** The row that this ticket was made of. */
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

  /** Ids of the rows that look this row up. */
  dependents(source: string, { table, key }: RowRef): number[] {
    return this.#statements.dependents.all({ source, table, key }).map(({ row }) => row)
  }

  /** A page of a table's rows that are not gone; of an earlier load only, where `before` is given. */
  presentPage(source: string, table: string | undefined, options: { after: number; before?: number }): ShopRow[] {
    return this.#db.drizzle
      .select()
      .from(shopRows)
      .where(
        and(
          // The `+` keeps SQLite from using the index on the source, with which each page would be sorted anew.
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

  /**
   * Rows that are not gone, and were not in the load `before` or a later one, among the next `most` of all rows.
   * @returns with the id of the last row that was looked at; undefined when there are no more
   */
  missingOf(source: string, table: string, { after, before, most }: { after: number; before: number; most: number }) {
    const next = this.#db.drizzle
      .select()
      .from(shopRows)
      .where(gt(shopRows.id, after))
      .orderBy(asc(shopRows.id))
      .limit(most)
      .all()
    const missing = next.filter((row) => {
      return row.source === source && row.table === table && row.gone === 0 && row.load < before
    })
    return { missing, last: next.at(-1)?.id }
  }

  /** A page of a source's rows, with those that are gone. @param withProblem only rows with a problem */
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

  /** Number of problems, by kind. */
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

  /** Sources whose rows were last applied with another mapping. */
  sourcesOfOtherMappings(mapping: string): string[] {
    const otherwise = ne(sql`coalesce(${shopSources.mapping}, '')`, mapping)
    return this.#db.drizzle
      .select({ source: shopSources.source })
      .from(shopSources)
      .where(otherwise)
      .all()
      .map(({ source }) => source)
  }

  /** Number of rows that look this one up and have no ticket yet: so many keys may be needed. */
  waiting(source: string, { table, key }: RowRef): number {
    return this.#statements.waiting.get({ source, table, key })?.rows ?? 0
  }
}

function prepare({ drizzle }: Db) {
  const columns = allColumns(shopRows, 'id')
  const set = Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, sql`${value}`]))
  const isLookup = matching(shopLookups, 'source', 'table', 'key')
  return {
    find: drizzle
      .select()
      .from(shopRows)
      .where(matching(shopRows, 'source', 'table', 'key'))
      .prepare(),
    byId: drizzle.select().from(shopRows).where(matching(shopRows, 'id')).prepare(),
    ofTicket: drizzle.select().from(shopRows).where(matching(shopRows, 'ticket')).prepare(),
    insert: drizzle.insert(shopRows).values(columns).prepare(),
    update: drizzle.update(shopRows).set(set).where(matching(shopRows, 'id')).prepare(),
    removeLookups: drizzle.delete(shopLookups).where(matching(shopLookups, 'row')).prepare(),
    insertLookup: drizzle.insert(shopLookups).values(allColumns(shopLookups)).onConflictDoNothing().prepare(),
    dependents: drizzle
      .select({ row: shopLookups.row })
      .from(shopLookups)
      .where(isLookup)
      .orderBy(asc(shopLookups.row))
      .prepare(),
    waiting: drizzle
      .select({ rows: count() })
      .from(shopLookups)
      .innerJoin(shopRows, eq(shopRows.id, shopLookups.row))
      .where(and(isLookup, isNull(shopRows.ticket)))
      .prepare(),
  }
}
