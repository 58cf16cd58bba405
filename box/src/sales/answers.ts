/** Sales as the desk gets them, with what a person needs to hand a ticket over. */
import type { Sale, SaleRow as SaleAnswer, SoldTicket } from '@gatehouse/proto/wire/sales.ts'
import QRCode from 'qrcode'
import { iso, isoOrNull } from '../clock/iso.ts'
import type { SaleRow, Ticket } from '../ledger/schema.ts'
import { holderOf, printedCodeOf, ticketIdOf } from '../tickets/current.ts'
import { ticketLink } from '../tickets/link.ts'
import { printedOpens } from '../tickets/printed-code.ts'
import { receiptOf, type SalesDeps } from './sell.ts'

export interface AnswerDeps extends SalesDeps {
  /** Address of the wallet. */
  walletUrl: () => string
  verifierKey: string
}

export function saleAnswer(row: SaleRow, { tickets, event }: Pick<SalesDeps, 'tickets' | 'event'>): SaleAnswer {
  const known = ticketsOf(row, tickets)
  return {
    sale_id: row.id,
    receipt: receiptOf(row),
    tier: row.tier,
    tier_name: event.tierById.get(row.tier)?.name ?? row.tier,
    tickets: row.tickets,
    admitted: known.filter(({ id }) => tickets.movementsOf(id).length > 0).length,
    name: known[0] ? holderOf(known[0]) : null,
    paid: row.paid,
    price: row.price,
    total: row.price * row.tickets.length,
    currency: row.currency,
    sold_by: row.soldBy,
    sold_at: iso(row.soldAt),
    override_reason: row.overrideReason,
    voided_at: isoOrNull(row.voidedAt),
    voided_by: row.voidedBy,
    void_reason: row.voidReason,
  }
}

export async function wholeSale(row: SaleRow, deps: AnswerDeps): Promise<Sale> {
  const made = ticketsOf(row, deps.tickets).map((ticket) => soldTicket(ticket, deps))
  return { ...saleAnswer(row, deps), made: await Promise.all(made) }
}

function ticketsOf(row: SaleRow, tickets: SalesDeps['tickets']): Ticket[] {
  return row.tickets.flatMap((ref) => tickets.byRef(ref) ?? [])
}

/** A code that opens nothing, of a tier for phones alone or of a claimed ticket, is not shown: the link is what helps. */
async function soldTicket(ticket: Ticket, { event, walletUrl, verifierKey }: AnswerDeps): Promise<SoldTicket> {
  const link = ticketLink({ walletUrl: walletUrl(), ticketId: ticketIdOf(ticket), verifierKey })
  const code = printedOpens(event)(ticket) ? printedCodeOf(ticket) : null
  const qr_svg = await QRCode.toString(code ?? link, { type: 'svg', errorCorrectionLevel: 'M' })
  return { ref: ticket.ref, code, link, qr_svg }
}
