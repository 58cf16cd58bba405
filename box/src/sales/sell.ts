/**
 * Makes tickets at the desk: sold to somebody who came without one, or for a guest. A sale is one transaction with its entry, its
 * receipt number and its tickets; its id comes from the client, so that a lost answer costs nobody a second ticket.
 *
 * Anybody with the role of the desk may call it. A forged request makes tickets that are named in the journal with its address, and that one
 * void revokes at every box. It is bounded by 20 tickets a request, whose keys are made outside the transaction.
 */
import { randomInt } from 'node:crypto'
import type { SaleRequest } from '@gatehouse/proto/wire/sales.ts'
import type { TicketPersonal } from '@gatehouse/proto/wire/ticket-details.ts'
import type { By } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'
import type { Event } from '../event/event.ts'
import { priceOf } from '../event/money.ts'
import { writeValue } from '../ledger/identity.ts'
import type { SaleRow } from '../ledger/schema.ts'
import { NO_DETAILS } from '../tickets/details.ts'
import { namesErased } from '../tickets/erasure.ts'
import { newKey } from '../tickets/key.ts'
import { currentSum, TICKET_SUM } from '../tickets/staging/publish.ts'
import type { NewTicket, TicketDeps } from '../tickets/tickets.ts'
import { type Limit, overCapacity } from './capacity.ts'
import type { SalesTable } from './statements.ts'

export interface SalesDeps extends TicketDeps {
  event: Event
  salesTable: SalesTable
  /** The id of this box. */
  boxId: string
  /** People in a zone. */
  occupancyOf: (zone: string) => number
}

export type WantedSale = Omit<SaleRequest, 'actor' | 'override_reason'> & {
  /** The reason to sell over a capacity; undefined where nobody has given one. */
  overrideReason: string | undefined
}

/** Names the number of a sale among those of its box, as people say it: `box-1a2b3c4d/17`. It is the order of its tickets. */
export function receiptOf({ homeBox, receipt }: Pick<SaleRow, 'homeBox' | 'receipt'>): string {
  return `${homeBox}/${receipt}`
}

export function currencyOf({ currency = 'EUR' }: Pick<Event, 'currency'>): string {
  return currency
}

/** Letters and digits that nobody mistakes for others; 16 of 31 are 79 bits, and a QR code of them stays small. */
const SIGNS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const CODE_SIGNS = 16

/**
 * @returns the sale, also where this id has made it before
 * @throws GatehouseError `bad_request`; `conflict` for an id of another sale; `over_capacity` without a reason; `ledger_unavailable`
 */
export async function sell(wanted: WantedSale, by: By, deps: SalesDeps): Promise<SaleRow> {
  const { ledger, salesTable } = deps
  const known = salesTable.own(wanted.sale_id)
  if (known) return sameSale(known, wanted)
  requireSellable(wanted, deps)
  const made = await Promise.all(Array.from({ length: wanted.tickets }, () => newTicket(wanted, deps)))
  return ledger.commit(() => {
    const earlier = salesTable.own(wanted.sale_id)
    if (earlier) return sameSale(earlier, wanted)
    const full = overCapacity(new Map([[wanted.tier, wanted.tickets]]), {
      ...deps,
      soldOf: (tier) => salesTable.soldOf(tier),
    })
    if (full.length > 0 && wanted.overrideReason === undefined) throw overCapacityError(full)
    return record(wanted, made, { by, reason: full.length > 0 ? (wanted.overrideReason ?? null) : null }, deps)
  })
}

export function overCapacityError(full: readonly Limit[]): GatehouseError {
  return new GatehouseError(
    'over_capacity',
    `${full.map(({ text }) => text).join(' ')} To go ahead anyway, give a reason.`,
    { coded: full.map(({ coded }) => coded) },
  )
}

function requireSellable({ tier, paid, price }: WantedSale, { event }: SalesDeps): void {
  if (!event.tierById.has(tier)) {
    throw new GatehouseError(
      'bad_request',
      'This event has no such ticket type: load the page again, and choose another one.',
      { reason: 'tier_unknown' },
    )
  }
  if (paid === 'free' && price !== 0) {
    throw new GatehouseError('bad_request', 'A free ticket has no price: set it to 0, or choose how it is paid.', {
      reason: 'free_has_price',
    })
  }
}

function sameSale(known: SaleRow, { tier, tickets, paid, price }: WantedSale): SaleRow {
  const isSame = known.tier === tier && known.tickets.length === tickets && known.paid === paid && known.price === price
  if (isSame) return known
  throw new GatehouseError('conflict', 'This sale was made already, with other tickets: begin a new sale.', {
    reason: 'sale_again',
  })
}

/** Its order and position come with the receipt. */
async function newTicket(wanted: WantedSale, { codes, tickets, event }: SalesDeps): Promise<NewTicket> {
  const { tier, name, note, price, paid } = wanted
  const code = newCode()
  const capability = tickets.capabilityOf(code)
  return {
    ...{ tier, seat: null, holderName: name ?? null, email: null, validFrom: null, validUntil: null },
    ...{ status: 'valid' as const, statusDetail: null, ...NO_DETAILS },
    price: paid === 'free' ? null : priceOf(price, currencyOf(event)),
    personal: note === undefined ? null : JSON.stringify({ note } satisfies TicketPersonal),
    ...{ ref: tickets.refOf(capability), capability, code, codeHash: codes.hash(code) },
    ...(await newKey(codes)),
  }
}

function newCode(): string {
  return Array.from({ length: CODE_SIGNS }, () => SIGNS[randomInt(SIGNS.length)]).join('')
}

/** Within a transaction, which may be run twice. */
function record(
  wanted: WantedSale,
  made: readonly NewTicket[],
  { by, reason }: { by: By; reason: string | null },
  deps: SalesDeps,
): SaleRow {
  const { event, ledger, tickets, salesTable, boxId, now } = deps
  const { sale_id: id, tier, paid, price } = wanted
  const soldAt = now()
  const currency = currencyOf(event)
  const receipt = salesTable.nextReceipt()
  // Names may have been erased since they were asked for.
  const forgotten = namesErased(ledger.db) ? { holderName: null, personal: null } : {}
  const orderCode = receiptOf({ homeBox: boxId, receipt })
  const whole = made.map((ticket, i) => ({ ...ticket, orderCode, position: i + 1, ...forgotten }))
  const sum = currentSum(deps)
  for (const ticket of whole) sum.add(ticket)
  const at = new Date(soldAt).toISOString()
  const refs = made.map(({ ref }) => ref)
  const { index: entry } = ledger.append('sale', {
    ...by,
    ...{ action: 'made', at, sale: id, box: boxId, receipt, tier, tickets: refs, paid, price, currency, reason },
    ...{ sold_by: by.actor, sold_at: at, tickets_digest: sum.digest() },
  })
  for (const ticket of whole) tickets.insert(ticket, entry)
  writeValue(ledger.db, TICKET_SUM, sum.bytes())
  const row: SaleRow = {
    ...{ id, homeBox: boxId, receipt, tier, tickets: refs, paid, price, currency, soldBy: by.actor, soldAt },
    ...{ overrideReason: reason, voidedAt: null, voidedBy: null, voidReason: null, entry },
  }
  salesTable.insert(row)
  return row
}

/**
 * Voids a sale: its tickets are revoked at every box. Voiding it again changes nothing.
 * @throws GatehouseError `not_found`, `ledger_unavailable`
 */
export function voidSale(id: string, { reason, ...by }: By & { reason: string }, deps: SalesDeps): Promise<SaleRow> {
  const { ledger, tickets, salesTable, now } = deps
  return ledger.commit(() => {
    const sale = salesTable.find(id)
    if (!sale)
      throw new GatehouseError('not_found', 'There is no such sale: look for it in the list of the day.', {
        reason: 'sale_unknown',
      })
    if (sale.voidedAt !== null) return sale
    const voidedAt = now()
    for (const ref of sale.tickets) {
      const ticket = tickets.byRef(ref)
      if (!ticket || ticket.revokedAt !== null) continue
      const { index } = ledger.append('ticket_revoked', { ...by, reason, ticket: ref })
      tickets.revoke(ticket.id, voidedAt, reason, index)
    }
    const { homeBox: box, receipt, tier, paid, price, currency, soldBy: sold_by, soldAt } = sale
    const { index: entry } = ledger.append('sale', {
      ...by,
      ...{
        action: 'voided',
        at: new Date(voidedAt).toISOString(),
        sale: id,
        box,
        receipt,
        tier,
        tickets: sale.tickets,
      },
      ...{ paid, price, currency, sold_by, sold_at: new Date(soldAt).toISOString(), reason, tickets_digest: null },
    })
    const voided = { voidedAt, voidedBy: by.actor, voidReason: reason, entry }
    salesTable.voidSale(sale, voided)
    return { ...sale, ...voided }
  })
}
