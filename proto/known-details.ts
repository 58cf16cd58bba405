/**
 * Details of refusals that Gatehouse words itself, each under a code that phones put into their own language. What a shop or a person
 * has typed has no code. The texts are on disk, in tickets and in answers: a text that changes leaves its old spelling in here.
 */
const TEXTS = {
  blocked: ['blocked by the ticket shop', 'blocked by the organiser', 'blocked in pretix'],
  cancelled: ['cancelled', 'cancelled in pretix', 'removed from the shop', 'removed from the order in pretix'],
  cancelled_by_organiser: ['revoked by the organiser'],
  claimed: ['this ticket was claimed on a phone: ask for the code there, not the printed one'],
  claimed_elsewhere: ['this ticket was claimed on another phone: ask for that one'],
  code_replaced: ['the ticket shop has replaced this code: ask for the new ticket', 'its code was withdrawn in pretix'],
  every_gate_held: ['every gate for this ticket is on hold'],
  no_gate: ['no gate of this event serves this kind of ticket'],
  no_order: ['no order in pretix has this code'],
  not_a_ticket: ['no longer a ticket in the shop', 'no longer a ticket in pretix'],
  not_approved: ['not approved by the organiser in pretix, and not paid'],
  not_paid: ['the order is not paid', 'not paid', 'not paid in pretix'],
  order_expired: ['the order expired in pretix before it was paid'],
  other_date: ['for another date in pretix'],
  phone_only: ['this ticket enters with the code on the phone, not a printed one'],
  refunded: ['refunded', 'refunded in pretix'],
  reissued: ['this ticket was issued again at the ticket desk: ask for the new code'],
  released: ['this phone no longer has this ticket: ask for its link to be opened again'],
} as const

export type KnownDetail = keyof typeof TEXTS

export const KNOWN_DETAILS = Object.keys(TEXTS) as KnownDetail[]

const CODES = new Map<string, KnownDetail>(KNOWN_DETAILS.flatMap((code) => TEXTS[code].map((text) => [text, code])))

/** @returns the code of a text; undefined for a text that somebody else has worded, and for none */
export function knownDetail(text: string | null | undefined): KnownDetail | undefined {
  return CODES.get(text ?? '')
}
