/** A sale as an entry tells it. Two boxes may void one sale: the earlier void counts, at every box. Pure. */
import type { EntryFields } from '../ledger/entries.ts'
import type { SaleRow } from '../ledger/schema.ts'

/** A row of `sales` without its place in this box's journal. */
export type SaleFact = Omit<SaleRow, 'entry'>

/**
 * The row that this entry alone would make.
 * @param origin the box whose journal has it; undefined for this one. No box makes a sale in the name of another
 */
export function saleIn(fields: EntryFields<'sale'>, origin: string | undefined): SaleFact {
  const { sale, receipt, tier, tickets, paid, price, currency, sold_by, sold_at, action, actor, at, reason } = fields
  const isVoid = action === 'voided'
  const homeBox = isVoid ? fields.box : (origin ?? fields.box)
  return {
    ...{ id: sale, homeBox, receipt, tier, tickets: [...tickets], paid, price, currency },
    soldBy: sold_by,
    soldAt: Date.parse(sold_at),
    overrideReason: isVoid ? null : reason,
    voidedAt: isVoid ? Date.parse(at) : null,
    voidedBy: isVoid ? actor : null,
    voidReason: isVoid ? reason : null,
  }
}

/** The entries of a sale, in whichever order they come. What it is of, the entry says that made it. */
export function mergeSale(known: SaleFact | undefined, next: SaleFact): SaleFact {
  if (!known) return next
  const [first] = [known, next].filter(({ voidedAt }) => voidedAt !== null).sort(byVoid)
  const made = next.voidedAt === null ? next : known
  const { voidedAt, voidedBy, voidReason } = first ?? made
  return { ...made, voidedAt, voidedBy, voidReason }
}

function byVoid(a: SaleFact, b: SaleFact): number {
  return (a.voidedAt ?? 0) - (b.voidedAt ?? 0) || ((a.voidedBy ?? '') < (b.voidedBy ?? '') ? -1 : 1)
}
