/** Merges the products that came with another box's entries: of each, the version that changed it last counts at every box. */
import { products } from '../../../ledger/schema.ts'
import { excluded, matching } from '../../../ledger/statements.ts'
import { compareVersions } from '../../../tickets/versions.ts'
import type { ProductRow } from '../ticket-row.ts'
import type { TicketMergeDeps } from './tickets.ts'

/**
 * Within a transaction.
 * @param recordedBy index of the entry of this box that will record the batch
 * @returns whether one has changed
 */
export function mergeProducts(rows: readonly ProductRow[], recordedBy: number, deps: MergeDeps): boolean {
  const { drizzle } = deps.ledger.db
  const known = drizzle.select().from(products).where(matching(products, 'key')).prepare()
  const later = rows.filter((row) => {
    const ours = known.get({ key: row.key })
    if (ours && compareVersions(row, { hlc: ours.hlc, box: ours.box ?? deps.self }) <= 0) return false
    const { key, product, hlc, box } = row
    drizzle
      .insert(products)
      .values({ key, product, hlc, box: box === deps.self ? null : box, entry: recordedBy })
      .onConflictDoUpdate({ target: products.key, set: excluded(products, 'product', 'hlc', 'box', 'entry') })
      .run()
    return true
  })
  return later.length > 0
}

type MergeDeps = Pick<TicketMergeDeps, 'ledger' | 'self'>
