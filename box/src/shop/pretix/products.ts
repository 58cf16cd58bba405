/** The products of pretix's catalog as the box keeps them. */
import { inArray } from '../../drizzle/core.ts'
import type { Db } from '../../ledger/db.ts'
import { products } from '../../ledger/schema.ts'
import { productText } from '../../tickets/import/details.ts'
import { id, objects } from '../../tickets/import/pretix-json.ts'
import type { ShopCatalog } from './catalog.ts'

/** Keys of the catalog's products: `item:12/34` for a variation, `item:12` for an item without. */
export function productKeys({
  items,
}: Pick<ShopCatalog, 'items'>): { key: string; item: string; variation?: string }[] {
  return items.flatMap((one) => {
    const item = id(one.id)
    if (item === undefined) return []
    const variations = objects(one.variations).flatMap((entry) => id(entry.id) ?? [])
    if (variations.length === 0) return [{ key: `item:${item}`, item }]
    return variations.map((variation) => ({ key: `item:${item}/${variation}`, item, variation }))
  })
}

/** Those that tickets here were sold as, as canonical JSON by key. */
export function productsOf(shop: ShopCatalog, db: Pick<Db, 'drizzle'>): Map<string, string> {
  const keys = productKeys(shop)
  const known = db.drizzle
    .select({ key: products.key })
    .from(products)
    .where(
      inArray(
        products.key,
        keys.map(({ key }) => key),
      ),
    )
    .all()
  const there = new Set(known.map(({ key }) => key))
  return new Map(
    keys.flatMap(({ key, item, variation }): [string, string][] => {
      const product = there.has(key) ? shop.catalog.product(item, variation) : undefined
      return product ? [[key, productText(product, () => {})]] : []
    }),
  )
}
