/** Revokes a ticket at this box, after a chargeback or a theft, and reinstates it after a mistake. */
import type { Reinstated, Revoked } from '@gatehouse/proto/wire/admin.ts'
import type { Static } from 'typebox'
import { type By, whoOf } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'
import { noSuchTicket, type TicketAction, type TicketDeps } from './tickets.ts'

/**
 * @param id the ticket's ref, its printed code, or its ticket id
 * @throws GatehouseError `not_found`, `ledger_unavailable`
 */
export function revokeTicket(
  id: string,
  { reason, expect, ...who }: By & TicketAction,
  { ledger, tickets, codes, now }: TicketDeps,
): Promise<Static<typeof Revoked>> {
  return ledger.commit(() => {
    const ticket = tickets.lookUp(id, codes)
    if (!ticket) throw noSuchTicket()
    expect?.(ticket)
    // The first revocation stands, with its time and reason.
    const revokedAt = ticket.revokedAt ?? now()
    const revokedReason = ticket.revokedReason ?? reason
    if (ticket.revokedAt === null) {
      const { index } = ledger.append('ticket_revoked', { ...whoOf(who), reason, ticket: ticket.ref })
      tickets.revoke(ticket.id, revokedAt, reason, index)
    }
    return { id: ticket.ref, revoked_at: new Date(revokedAt).toISOString(), revoked_reason: revokedReason }
  })
}

/**
 * Reverses the box's revocation. What the shop says of the ticket stays as it is.
 * @param id the ticket's ref, its printed code, or its ticket id
 * @throws GatehouseError `not_found`; `conflict` for a ticket that this box has not revoked; `ledger_unavailable`
 */
export function reinstateTicket(
  id: string,
  { reason, expect, ...who }: By & TicketAction,
  { ledger, tickets, codes, now }: TicketDeps,
): Promise<Static<typeof Reinstated>> {
  return ledger.commit(() => {
    const ticket = tickets.lookUp(id, codes)
    if (!ticket) throw noSuchTicket()
    expect?.(ticket)
    if (ticket.revokedAt === null) {
      throw new GatehouseError(
        'conflict',
        ticket.status === 'revoked'
          ? 'The shop cancelled this ticket, not this box: change it in the shop, then import its tickets again.'
          : 'This ticket is not revoked: there is nothing to take back.',
      )
    }
    const { index } = ledger.append('ticket_reinstated', { ...whoOf(who), reason, ticket: ticket.ref })
    tickets.reinstate(ticket.id, index)
    return { id: ticket.ref, reinstated_at: new Date(now()).toISOString(), status: ticket.status }
  })
}
