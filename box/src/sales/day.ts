/** The sales of a festival day: the list, and its totals. Pure. */
import type { SalesTotal } from '@gatehouse/proto/wire/sales.ts'
import { type Event, localDay } from '../event/event.ts'
import { amountOf } from '../event/money.ts'
import type { SaleRow } from '../ledger/schema.ts'
import { csvOf } from './csv.ts'

const HOUR = 3_600_000

/** Times between which a festival day lies, in every time zone, unix ms. */
export function around(day: string): { from: number; until: number } {
  const noon = Date.parse(`${day}T12:00:00Z`)
  return { from: noon - 40 * HOUR, until: noon + 64 * HOUR }
}

export function salesOfDay(rows: readonly SaleRow[], day: string, event: Event): SaleRow[] {
  return rows.filter(({ soldAt }) => localDay(event, soldAt) === day)
}

/** By box, tier, form of payment and currency, without what was voided. */
export function totalsOf(rows: readonly SaleRow[], event: Pick<Event, 'tierById'>): SalesTotal[] {
  const totals = new Map<string, SalesTotal>()
  for (const { homeBox: box, tier, paid, currency, tickets, price, voidedAt } of rows) {
    if (voidedAt !== null) continue
    const key = JSON.stringify([box, tier, paid, currency])
    const fresh = { box, tier, tier_name: event.tierById.get(tier)?.name ?? tier, paid, currency }
    const total = totals.get(key) ?? { ...fresh, sales: 0, tickets: 0, total: 0 }
    total.sales++
    total.tickets += tickets.length
    total.total += tickets.length * price
    totals.set(key, total)
  }
  return [...totals.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total)
}

const HEADER = [
  ...['receipt', 'box', 'sold_at', 'sold_by', 'tier', 'tickets', 'price', 'total', 'currency', 'paid'],
  ...['override_reason', 'voided_at', 'voided_by', 'void_reason'],
]

/** One line a sale, the voided ones too, with what they were; no name of a holder. */
export function daysCsv(rows: readonly SaleRow[], event: Pick<Event, 'tierById'>): string {
  const time = (at: number | null) => (at === null ? '' : new Date(at).toISOString())
  return csvOf(
    HEADER,
    rows.map((row) => [
      row.receipt,
      row.homeBox,
      time(row.soldAt),
      row.soldBy,
      event.tierById.get(row.tier)?.name ?? row.tier,
      row.tickets.length,
      amountOf(row.price, row.currency),
      amountOf(row.voidedAt === null ? row.price * row.tickets.length : 0, row.currency),
      row.currency,
      row.paid,
      row.overrideReason ?? '',
      time(row.voidedAt),
      row.voidedBy ?? '',
      row.voidReason ?? '',
    ]),
  )
}
