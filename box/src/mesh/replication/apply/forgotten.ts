/** Another box has erased what names the holder of one ticket. */
import { eraseHolder } from '../../../tickets/forget-holder.ts'
import type { PeerEntry } from '../envelope.ts'
import type { ApplyContext } from './context.ts'

/** A ticket that is not here yet arrives without its holder, as the boxes that know of the erasure send it. */
export function applyForgotten(
  { fields }: PeerEntry<'ticket_forgotten'>,
  { ledger, tickets, recordedBy }: ApplyContext,
) {
  const ticket = tickets.byRef(fields.ticket)
  const at = Date.parse(fields.at)
  if (ticket && (ticket.forgottenAt === null || at < ticket.forgottenAt))
    eraseHolder(ledger.db, ticket.id, at, recordedBy)
}
