/**
 * A walk-up sale as an order of pretix, and its void. The order's code follows from the sale's id, and pretix takes each code once: a sale
 * that is sent again after a crash finds its own order. The tickets keep the codes that were printed at the desk, so that the order
 * which comes down is about the tickets that are here.
 */
import { createHash } from 'node:crypto'
import { amountOf } from '../../../event/money.ts'
import type { EntryFields } from '../../../ledger/entries.ts'
import type { Answer, Next, Refusal } from './next-step.ts'

export type Sale = EntryFields<'sale'>

/** A ticket of a sale, as the ledger has it. */
export interface SoldTicket {
  readonly code: string
  readonly holderName: string | null
}

/** A tier as pretix sells it; `subevent` is the date of a series. */
export interface SoldAs {
  readonly item: number
  readonly variation: number | null
  readonly subevent: number | null
}

/** pretix takes no other letters. */
const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const SIGNS_OF_HASH = 14

/** At most 16 letters: 14 of 24 are 64 bits. */
export function orderCodeOf(event: string, sale: string): string {
  const hash = createHash('sha256').update(`${event}\0${sale}\0order`).digest()
  return `GH${Array.from(hash.subarray(0, SIGNS_OF_HASH), (byte) => SIGNS[byte % SIGNS.length]).join('')}`
}

/** The body of `orders/`: paid, over every quota, because the people are here, and without a mail to anybody. */
export function orderOf(
  { sale, receipt, box, price, currency }: Sale,
  { event, tickets, as }: { event: string; tickets: readonly SoldTicket[]; as: SoldAs },
): { positions: readonly object[] } {
  const amount = amountOf(price, currency)
  return {
    ...{ code: orderCodeOf(event, sale), status: 'p', payment_provider: price === 0 ? 'free' : 'manual' },
    ...{ force: true, send_email: false, comment: `Gatehouse: receipt ${box}/${receipt}` },
    positions: tickets.map(({ code, holderName }, index) => ({
      ...{ positionid: index + 1, ...as, price: amount, secret: code, answers: [] },
      ...(holderName !== null && { attendee_name: holderName }),
    })),
  }
}

const NO_USE = { usedAt: null, usedBy: null }
const parked = (reason: string): Next => ({ next: 'park', refusal: { reason, ...NO_USE } satisfies Refusal })

export const NO_PRODUCT: Next = parked('sale_no_product')
export const NO_DATE: Next = parked('sale_no_date')

/** Decides what follows from an answer to either. What no rule of the push in general decides waits for a person, and holds up nothing else. */
export function afterSale(action: Sale['action'], answer: Answer): Next {
  const { status, body } = answer
  const said = typeof body === 'object' && body !== null ? body : {}
  // Its own order: an answer was lost. Void already: the same, or somebody has cancelled it there.
  if (status === 400 && (action === 'voided' || 'code' in said)) return { next: 'done' }
  if (status === 403) return parked('sale_forbidden')
  const [field = ''] = Object.keys(said)
  return parked(/^[a-z_]{1,20}$/.test(field) ? `sale_${field}` : 'sale_refused')
}
