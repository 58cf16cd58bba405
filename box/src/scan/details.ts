/**
 * Fields of a verdict beside the ticket's tier: product, attention, add-ons, open questions; and, where the event lets scanners see
 * them, the holder's name and the note for the door. Name and note are no part of the stored answer: they are added as it goes out.
 */
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { Event } from '../event/event.ts'
import type { Ticket } from '../ledger/schema.ts'
import { holderOf } from '../tickets/current.ts'
import { hasDetails, type TicketDetails } from '../tickets/details.ts'
import type { Tickets } from '../tickets/tickets.ts'
import { codeOpens, type Decision } from './decide.ts'
import type { FactsDeps } from './facts.ts'
import { type Decided, orderOf, orderState } from './order.ts'
import { askedQuestions } from './questions.ts'
import type { ShownScan } from './shown.ts'

/** The other boxes take no stored answer of more than 16,384 characters: each text has its share. */
const MOST_NAME = 200
const MOST_NOTE = 1_000
const MOST_ADDONS = 20

export type VerdictDetails = Pick<Verdict, 'product' | 'attention' | 'addons' | 'order' | 'questions' | 'answered'>

/**
 * The part without personal data. Only for a code that opens the ticket, at an entrance, while the person is there. Within the
 * transaction that has recorded the scan: one statement for an order, and one for each of its tickets.
 */
export function verdictDetails(scan: ShownScan & Decided, deps: FactsDeps): VerdictDetails {
  const { ticket, facts, details } = scan
  if (!ticket || !details || facts.passedAlready || !codeOpens(facts.code)) return {}
  const order = orderOf(ticket, deps)
  const state = order && orderState(order, scan, scan, deps)
  const questions = scan.asking && asksNow(scan.decision) ? askedQuestions(scan.asking) : []
  return {
    ...ofTicket(details, order?.addons ?? [], deps),
    ...(state && { order: state }),
    ...(questions.length > 0 && { questions }),
  }
}

/** Of a refused ticket that a supervisor admits: what is on it. Within a transaction. */
export function supervisedDetails(ticket: Ticket, deps: Pick<FactsDeps, 'tickets' | 'event'>): VerdictDetails {
  if (!hasDetails(ticket)) return {}
  return ofTicket(deps.tickets.details.detailsOf(ticket), orderOf(ticket, deps)?.addons ?? [], deps)
}

function addonName({ product, tier }: Ticket, { tickets, event }: Pick<FactsDeps, 'tickets' | 'event'>): string {
  const sold = product === null ? null : tickets.details.productOf(product)
  return sold ? nameOf(sold) : (event.tierById.get(tier)?.name ?? tier)
}

function ofTicket(
  { product, attention, extras }: TicketDetails,
  addons: readonly Ticket[],
  deps: Pick<FactsDeps, 'tickets' | 'event'>,
): VerdictDetails {
  const names = [
    ...extras.map((extra) => (extra.product ? nameOf(extra.product) : extra.key)),
    ...addons.map((addon) => addonName(addon, deps)),
  ]
  return {
    ...(product && { product: cut(nameOf(product), MOST_NAME) }),
    ...(attention && { attention: { ...(product?.note && { text: cut(product.note, MOST_NOTE) }) } }),
    ...(names.length > 0 && { addons: names.slice(0, MOST_ADDONS).map((name) => cut(name, MOST_NAME / 2)) }),
  }
}

/** Before an admission that waits for answers; and once, with the first admission, those that may be left out. */
function asksNow(decision: Decision): boolean {
  if (decision.verdict === 'BLOCKED') return decision.asks === true
  return decision.verdict === 'ADMIT' && decision.occurrence === 1
}

function nameOf({ name, variation }: NonNullable<TicketDetails['product']>): string {
  return variation ? `${name}: ${variation}` : name
}

/** Verdicts with which a scanner is told who holds the ticket. A code that is out of date or not the ticket's own is not among them. */
function isOfHolder({ verdict, direction, questions }: Verdict): boolean {
  switch (verdict) {
    case 'ADMIT':
    case 'ALREADY_USED':
    case 'REDIRECT':
    case 'NOT_VALID_NOW':
    case 'NOT_PAID':
      return direction === 'in'
    case 'BLOCKED':
      return questions !== undefined
    default:
      return false
  }
}

/**
 * Adds what the event lets scanners see of the holder, as it is now: after an erasure nothing, also to a scan that is sent again.
 * @param response the stored answer, JSON @param ticketOf the ticket that it is about; read only where something may be shown
 */
export function withHolder(
  response: string,
  ticketOf: () => Ticket | undefined,
  { event, tickets }: { event: Event; tickets: Pick<Tickets, 'details'> },
): string {
  const { scanners_see: see } = event
  if (see === 'none' || !isOfHolder(JSON.parse(response) as Verdict)) return response
  const ticket = ticketOf()
  if (!ticket) return response
  const holder = holderOf(ticket)
  const { note } =
    see === 'name_and_notes' && ticket.personal !== null ? tickets.details.detailsOf(ticket).personal : {}
  const added: Pick<Verdict, 'holder' | 'note'> = {
    ...(holder !== null && { holder: cut(holder, MOST_NAME) }),
    ...(note && { note: cut(note, MOST_NOTE) }),
  }
  const text = JSON.stringify(added)
  return text === '{}' ? response : `${response.slice(0, -1)},${text.slice(1)}`
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 3).toWellFormed()}...`
}
