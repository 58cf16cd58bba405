/** One ticket as the desk sees it. */

import type { DeskTicket, FoundTicket, OrderTicket } from '@gatehouse/proto/wire/desk.ts'
import { type Product, textIn } from '@gatehouse/proto/wire/ticket-details.ts'
import { isoOrNull } from '../clock/iso.ts'
import type { Event } from '../event/event.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Ticket } from '../ledger/schema.ts'
import { admissions } from '../rights/right-to-enter.ts'
import { holderOf } from '../tickets/current.ts'
import type { Details } from '../tickets/details.ts'
import type { Tickets } from '../tickets/tickets.ts'
import { historyOf, MOST_ROWS } from './history.ts'
import type { FoundTicket as FoundId } from './index-file.ts'
import type { SearchThread } from './search-thread.ts'

/** Of one order. */
const MOST_OTHERS = 50

export interface PageDeps {
  event: Event
  ledger: Ledger
  tickets: Tickets
  details: Details
  searchThread: SearchThread
}

/** @throws GatehouseError `ledger_unavailable` where its history cannot be read now */
export async function pageOf({ ref }: Pick<Ticket, 'ref'>, deps: PageDeps): Promise<DeskTicket> {
  const places = await deps.searchThread.entriesOf(ref, MOST_ROWS)
  // Read after the wait: what is shown is one moment, with the version that an action names.
  const ticket = deps.tickets.byRef(ref)
  if (!ticket) throw new Error('A ticket is gone.')
  const movements = deps.tickets.movementsOf(ticket.id)
  const { id, entry, validFrom, validUntil, claimedAt, email, deskHolder, deskNote, deskCode } = ticket
  return {
    ticket: ref,
    version: entry,
    ...stateOf(ticket),
    revoked_here: ticket.revokedAt !== null,
    ...kindOf(ticket, deps),
    valid_from: isoOrNull(validFrom),
    valid_until: isoOrNull(validUntil),
    holder: holderOf(ticket),
    holder_changed: deskHolder !== null,
    email,
    ...detailsOf(ticket, deps),
    claimed_at: isoOrNull(claimedAt),
    reissued: deskCode !== null,
    note: deskNote?.text ?? null,
    forgotten: ticket.forgottenAt !== null,
    inside: isInside(id, deps),
    admissions: admissions(movements),
    history: historyOf(ref, places, deps),
  }
}

/** A ticket in a list of results; undefined for one that is not there any more. */
export function resultOf({ id, by }: FoundId, deps: Pick<PageDeps, 'event' | 'tickets'>): FoundTicket | undefined {
  const ticket = deps.tickets.byId(id)
  return (
    ticket && {
      ticket: ticket.ref,
      found_by: by,
      holder: holderOf(ticket),
      ...kindOf(ticket, deps),
      order: ticket.orderCode,
      state: stateOf(ticket).state,
      inside: isInside(id, deps),
    }
  )
}

/** Fields that the shop gives beyond those a gate needs. */
function detailsOf(ticket: Ticket, deps: PageDeps) {
  const { order, product, price, attention, extras, personal } = deps.details.detailsOf(ticket)
  const others = order === null ? [] : deps.details.ticketsOfOrder(order.code).filter(({ id }) => id !== ticket.id)
  const { company = null, phone = null, note, answers = {} } = personal
  const all = { ...answers, ...deps.tickets.answers.of(ticket.ref) }
  const questions = new Map(product?.questions.map(({ id, text }) => [id, textIn(text)]))
  return {
    order: order?.code ?? null,
    others: others.slice(0, MOST_OTHERS).map((other) => otherOf(other, deps)),
    product: product && nameOf(product),
    price,
    extras: extras.map(({ key, product: extra }) => (extra ? nameOf(extra) : key)),
    attention,
    ...{ company, phone },
    shop_notes: [product?.note, note].filter((text) => text !== undefined),
    answers: Object.entries(all).map(([id, answer]) => ({ question: questions.get(id) ?? id, answer })),
  }
}

function otherOf(ticket: Ticket, deps: PageDeps): OrderTicket {
  const { id, ref, position, tier, seat } = ticket
  return {
    ticket: ref,
    position,
    holder: holderOf(ticket),
    tier_name: deps.event.tierById.get(tier)?.name ?? tier,
    seat,
    state: stateOf(ticket).state,
    inside: isInside(id, deps),
  }
}

function nameOf({ name, variation }: Product): string {
  return variation === undefined ? name : `${name}, ${variation}`
}

function stateOf({ revokedAt, revokedReason, status, statusDetail }: Ticket) {
  const isRevoked = revokedAt !== null
  return { state: isRevoked ? ('revoked' as const) : status, reason: isRevoked ? revokedReason : statusDetail }
}

function kindOf({ tier, seat }: Ticket, { event }: Pick<PageDeps, 'event'>) {
  return { tier, tier_name: event.tierById.get(tier)?.name ?? tier, seat }
}

/** By its last passage. */
function isInside(id: number, { tickets }: Pick<PageDeps, 'tickets'>): boolean {
  return tickets.movementsOf(id).at(-1)?.direction === 'in'
}
