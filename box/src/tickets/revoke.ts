/** Takes a ticket's right away at this box: a chargeback, a theft. */

import type { Revoked } from '@gatehouse/proto/wire/admin.ts'
import type { Static } from 'typebox'
import type { By } from '../http/actor.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { CodeReader } from './codes.ts'
import { noSuchTicket, type Tickets } from './tickets.ts'

/**
 * @param id the ticket's ref, its printed code, or its ticket id
 * @throws GatehouseError `not_found`, `ledger_unavailable`
 */
export function revokeTicket(
  id: string,
  { actor, address, reason }: By & { reason: string },
  { ledger, tickets, codes, now }: { ledger: Ledger; tickets: Tickets; codes: CodeReader; now: () => number },
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
