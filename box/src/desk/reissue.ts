/** Issues a ticket again: a new code, link and key, and whoever has the old ones has nothing. */
import { randomBytes } from 'node:crypto'
import { type By, whoOf } from '../ca/actor.ts'
import type { Ticket } from '../ledger/schema.ts'
import { DeskChanges } from '../tickets/desk-changes.ts'
import { newKey } from '../tickets/key.ts'
import { noSuchTicket, type TicketAction, type TicketDeps } from '../tickets/tickets.ts'

/** Crockford's: without letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * @param ref the ticket's
 * @returns the ticket as it is now
 * @throws GatehouseError `not_found`, `ledger_unavailable`, and what `expect` throws
 */
export async function reissueTicket(
  ref: string,
  { reason, expect, ...who }: By & TicketAction,
  { ledger, tickets, codes }: TicketDeps,
): Promise<Ticket> {
  const key = await newKey(codes)
  const deskCode = newCode()
  const codeHash = codes.hash(deskCode)
  const deskLink = randomBytes(16).toString('base64url')
  return ledger.commit(() => {
    const ticket = tickets.byRef(ref)
    if (!ticket) throw noSuchTicket()
    expect?.(ticket)
    const hashes = { code: codeHash.toString('hex'), key: key.keyHash.toString('hex') }
    const { index } = ledger.append('ticket_reissued', { ...whoOf(who), reason, ticket: ref, ...hashes })
    new DeskChanges(ledger.db, tickets).reissue(ticket, { ...key, deskCode, codeHash, deskLink }, index)
    return tickets.byId(ticket.id) ?? ticket
  })
}

/** 125 random bits in the letters of a QR code's dense form. */
export function newCode(random: (size: number) => Buffer = randomBytes): string {
  return `DESK-${[...random(25)].map((byte) => ALPHABET[byte % 32]).join('')}`
}
