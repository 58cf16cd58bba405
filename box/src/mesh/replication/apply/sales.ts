/** Applies sales of other boxes. A sale is made once and voided once: whichever entry comes first brings the row, in any order. */

import { mergeSale, saleIn } from '../../../cases/sale-fact.ts'
import { and, eq } from '../../../drizzle/core.ts'
import { type SaleRow, sales } from '../../../ledger/schema.ts'
import type { PeerEntry } from '../envelope.ts'
import type { ApplyContext } from './context.ts'

export function applySale({ fields }: PeerEntry<'sale'>, { ledger, recordedBy: entry, box }: ApplyContext): void {
  const { drizzle } = ledger.db
  const said = saleIn(fields, box)
  const same = and(eq(sales.id, said.id), eq(sales.homeBox, said.homeBox))
  const there: SaleRow | undefined = drizzle.select().from(sales).where(same).get()
  const row = { ...mergeSale(there, said), entry }
  drizzle
    .insert(sales)
    .values(row)
    .onConflictDoUpdate({ target: [sales.id, sales.homeBox], set: row })
    .run()
}
