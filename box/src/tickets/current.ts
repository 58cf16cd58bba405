/** Picks the fields of a ticket that count now: the desk's where the desk has written something, else the shop's. Pure. */
import type { Ticket } from '../ledger/schema.ts'

/** The printed code that opens the ticket. */
export function printedCodeOf({ code, deskCode }: Pick<Ticket, 'code' | 'deskCode'>): string {
  return deskCode ?? code
}

/** The ticket id of the attendee tier: whoever knows it may see the ticket. */
export function ticketIdOf({ capability, deskLink }: Pick<Ticket, 'capability' | 'deskLink'>): string {
  return deskLink ?? capability
}

export function holderOf({ holderName, deskHolder }: Pick<Ticket, 'holderName' | 'deskHolder'>): string | null {
  return deskHolder?.text ?? holderName
}
