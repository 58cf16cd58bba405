/** Changes a ticket's holder, and its note for the staff. The journal has a salted hash of what was written. */
import { randomBytes } from 'node:crypto'
import { type By, whoOf } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'
import { noteHash, SALT_BYTES } from '../ledger/note-hash.ts'
import { DeskChanges } from '../tickets/desk-changes.ts'
import { namesErased } from '../tickets/erasure.ts'
import { noSuchTicket, type TicketAction, type TicketDeps } from '../tickets/tickets.ts'

export interface Written {
  what: 'holder' | 'note'
  /** Null to go by the shop's name again, or to have no note. */
  text: string | null
}

/**
 * @param ref the ticket's
 * @throws GatehouseError `not_found`; `conflict` where there is nothing to change, and after an erasure; `ledger_unavailable`; and what
 *   `expect` throws
 */
export function writeOnTicket(
  ref: string,
  { what, text }: Written,
  { reason, expect, ...who }: By & TicketAction,
  { ledger, tickets }: Pick<TicketDeps, 'ledger' | 'tickets'>,
): Promise<void> {
  const salt = randomBytes(SALT_BYTES)
  return ledger.commit(() => {
    const ticket = tickets.byRef(ref)
    if (!ticket) throw noSuchTicket()
    expect?.(ticket)
    const before = what === 'holder' ? ticket.deskHolder : ticket.deskNote
    if ((before?.text ?? null) === text)
      throw new GatehouseError('conflict', 'The ticket says that already.', { reason: 'note_same' })
    if (text !== null && (ticket.forgottenAt !== null || namesErased(ledger.db))) {
      throw new GatehouseError('conflict', 'Names and notes were erased here: no new ones are stored.', {
        reason: 'names_erased',
      })
    }
    const text_hash = text === null ? null : noteHash(text, salt)
    const { index } = ledger.append('ticket_edited', { ...whoOf(who), reason, ticket: ref, what, text_hash })
    const salted = text === null ? null : { text, salt: salt.toString('hex') }
    new DeskChanges(ledger.db, tickets).write(ticket, what, salted, index)
  })
}
