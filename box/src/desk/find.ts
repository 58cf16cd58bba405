/** Finds the ticket that somebody shows at the desk: its code on paper or on a phone, its link, or its reference from a list. */
import type { Ticket } from '../ledger/schema.ts'
import { noSuchTicket, type TicketDeps } from '../tickets/tickets.ts'

/** @throws GatehouseError `not_found` */
export function ticketShown(shown: string, { tickets, codes }: Pick<TicketDeps, 'tickets' | 'codes'>): Ticket {
  const link = ticketIdIn(shown)
  const found =
    link === undefined
      ? (tickets.lookUp(shown.trim(), codes) ?? tickets.openedBy(codes.read(shown)))
      : tickets.byTicketId(link)
  if (!found) throw noSuchTicket()
  return found
}

/** The ticket id in a ticket's link, `...#t=<ticket id>&k=<key>`. */
function ticketIdIn(shown: string): string | undefined {
  const hash = URL.canParse(shown) ? new URL(shown).hash : ''
  return new URLSearchParams(hash.slice(1)).get('t') ?? undefined
}
