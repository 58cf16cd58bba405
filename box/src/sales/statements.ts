/** Reads and writes `sales`. */
import { and, asc, eq, gte, isNull, lt, sql } from '../drizzle/core.ts'
import type { Db } from '../ledger/db.ts'
import { readValue, writeValue } from '../ledger/identity.ts'
import { type SaleRow, sales } from '../ledger/schema.ts'
import { allColumns, matching } from '../ledger/statements.ts'

/** Number of the last receipt of this box, among the values of its identity. It does not follow from rows: other boxes send some. */
const RECEIPTS = 'receipts'

export class SalesTable {
  readonly #db: Db
  readonly #self: string
  readonly #statements: ReturnType<typeof prepare>

  /** @param self the id of this box */
  constructor(db: Db, self: string) {
    this.#db = db
    this.#self = self
    this.#statements = prepare(db)
  }

  /** The sale with this id: this box's own, or else the one of the first box by its id that has made one. */
  find(id: string): SaleRow | undefined {
    const rows = this.#statements.byId.all({ id })
    return rows.find(({ homeBox }) => homeBox === this.#self) ?? rows[0]
  }

  /** The sale that this box has made. */
  own(id: string): SaleRow | undefined {
    return this.#statements.byId.all({ id }).find(({ homeBox }) => homeBox === this.#self)
  }

  /** Sold between two times, unix ms, oldest first. */
  between(from: number, until: number): SaleRow[] {
    return this.#statements.between.all({ from, until })
  }

  /** Tickets of a tier, without those of sales that were voided. */
  soldOf(tier: string): number {
    return this.#statements.soldOf.get({ tier })?.tickets ?? 0
  }

  /** Takes the next number. Within the transaction of the sale: a number that was taken is a receipt, and there is no gap. */
  nextReceipt(): number {
    const next = Number(readValue(this.#db, RECEIPTS)?.toString() ?? 0) + 1
    writeValue(this.#db, RECEIPTS, Buffer.from(String(next)))
    return next
  }

  insert(row: SaleRow): void {
    this.#statements.insert.run({ ...row, tickets: row.tickets })
  }

  voidSale({ id, homeBox }: SaleRow, set: Pick<SaleRow, 'voidedAt' | 'voidedBy' | 'voidReason' | 'entry'>): void {
    this.#db.drizzle
      .update(sales)
      .set(set)
      .where(and(eq(sales.id, id), eq(sales.homeBox, homeBox)))
      .run()
  }
}

function prepare({ drizzle }: Db) {
  const { placeholder } = sql
  return {
    byId: drizzle.select().from(sales).where(matching(sales, 'id')).orderBy(asc(sales.homeBox)).prepare(),
    between: drizzle
      .select()
      .from(sales)
      .where(and(gte(sales.soldAt, placeholder('from')), lt(sales.soldAt, placeholder('until'))))
      .orderBy(asc(sales.soldAt), asc(sales.homeBox), asc(sales.receipt))
      .prepare(),
    soldOf: drizzle
      .select({ tickets: sql<number>`coalesce(sum(json_array_length(${sales.tickets})), 0)` })
      .from(sales)
      .where(and(matching(sales, 'tier'), isNull(sales.voidedAt)))
      .prepare(),
    insert: drizzle.insert(sales).values(allColumns(sales)).prepare(),
  }
}
