/**
 * The table of products as this box changes it. Each is a last-writer-wins register among the boxes, ordered by clock and then by
 * box; `mesh/replication/apply/products.ts` merges those of other boxes.
 */
import { format, parse, tick } from '@gatehouse/proto/hlc.ts'
import type { Db } from '../ledger/db.ts'
import { type ProductRow, products } from '../ledger/schema.ts'
import { allColumns, excluded, matching } from '../ledger/statements.ts'

/** `product` is `Product` as canonical JSON. */
export type NewProduct = Pick<ProductRow, 'key' | 'product'>

export class Products {
  readonly #statements: ReturnType<typeof prepare>

  constructor(db: Pick<Db, 'drizzle'>) {
    this.#statements = prepare(db)
  }

  /** Those that are not here, or otherwise. */
  changed(wanted: ReadonlyMap<string, string>): NewProduct[] {
    return [...wanted].flatMap(([key, product]) => (this.#of(key)?.product === product ? [] : [{ key, product }]))
  }

  /**
   * This box's changes. Within the transaction of the entry that explains them. Each is later than the version before, even than
   * one by a box whose clock runs ahead.
   */
  change(wanted: readonly NewProduct[], entry: { index: number; hlc: string }): void {
    for (const { key, product } of wanted) {
      const before = this.#of(key)
      if (before?.product === product) continue
      const known = before && parse(before.hlc)
      const after = known ? format(tick(known, 0)) : ''
      const hlc = entry.hlc > after ? entry.hlc : after
      this.#statements.put.run({ key, product, hlc, box: null, entry: entry.index })
    }
  }

  #of(key: string): ProductRow | undefined {
    return this.#statements.one.get({ key })
  }
}

function prepare({ drizzle }: Pick<Db, 'drizzle'>) {
  return {
    one: drizzle.select().from(products).where(matching(products, 'key')).prepare(),
    put: drizzle
      .insert(products)
      .values(allColumns(products))
      .onConflictDoUpdate({ target: products.key, set: excluded(products, 'product', 'hlc', 'box', 'entry') })
      .prepare(),
  }
}
