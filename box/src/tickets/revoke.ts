/** Takes a ticket's right away at this box, for a chargeback or a theft; and gives it back, for a mistake. */
import type { Reinstated, Revoked } from '@gatehouse/proto/wire/admin.ts'
import type { Static } from 'typebox'
import { GatehouseError } from '../errors.ts'
import type { By } from '../http/actor.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { CodeReader } from './codes.ts'
import { noSuchTicket, type Tickets } from './tickets.ts'

export interface RevokeDeps {
  ledger: Ledger
  tickets: Tickets
  codes: CodeReader
  /** Unix ms. */
  now: () => number
}

/**
 * @param id the ticket's ref, its printed code, or its ticket id
 * @throws GatehouseError `not_found`, `ledger_unavailable`
 */
export function revokeTicket(
  id: string,
  { actor, address, reason }: By & { reason: string },
  { ledger, tickets, codes, now }: RevokeDeps,
): Promise<Static<typeof Revoked>> {
  return ledger.commit(() => {
    const ticket = tickets.named(id, codes)
    if (!ticket) throw noSuchTicket()
    // The first revocation stands, with its time and reason.
    const revokedAt = ticket.revokedAt ?? now()
    const revokedReason = ticket.revokedReason ?? reason
    if (ticket.revokedAt === null) {
      const { index } = ledger.append('ticket_revoked', { actor, address, reason, ticket: ticket.ref })
      tickets.revoke(ticket.id, revokedAt, reason, index)
    }
    return { id: ticket.ref, revoked_at: new Date(revokedAt).toISOString(), revoked_reason: revokedReason }
  })
}

/**
 * Takes the box's revocation back. What the shop says of the ticket is not touched.
 * @param id the ticket's ref, its printed code, or its ticket id
 * @throws GatehouseError `not_found`; `conflict` for a ticket that this box has not revoked; `ledger_unavailable`
 */
export function reinstateTicket(
  id: string,
  { actor, address, reason }: By & { reason: string },
  { ledger, tickets, codes, now }: RevokeDeps,
): Promise<Static<typeof Reinstated>> {
  return ledger.commit(() => {
    const ticket = tickets.named(id, codes)
    if (!ticket) throw noSuchTicket()
    if (ticket.revokedAt === null) {
      throw new GatehouseError(
        'conflict',
        ticket.status === 'revoked'
          ? 'The shop cancelled this ticket, not this box: change it in the shop, then import its tickets again.'
          : 'This ticket is not revoked: there is nothing to take back.',
      )
    }
    const { index } = ledger.append('ticket_reinstated', { actor, address, reason, ticket: ticket.ref })
    tickets.reinstate(ticket.id, index)
    return { id: ticket.ref, reinstated_at: new Date(now()).toISOString(), status: ticket.status }
  })
}
