/** The other tickets of a ticket's order: who is inside, who may enter now, and which add-on a checkpoint redeems in its place. */
import { MOST_IN_GROUP } from '@gatehouse/proto/group.ts'
import type { OrderState } from '@gatehouse/proto/wire/scan.ts'
import type { Movement, Ticket } from '../ledger/schema.ts'
import { type Decision, decide, isForElsewhere } from './decide.ts'
import { type FactsDeps, factsOf, type ReadFacts } from './facts.ts'
import { companionOf, type ShownScan } from './shown.ts'

/** Others that are looked at for one verdict: of a coach party, those that are let in later are offered later. */
const MOST_LOOKED_AT = 2 * MOST_IN_GROUP
const MOST_CODE = 100

/** A ticket with what was decided about it. */
export interface Decided extends ReadFacts {
  ticket: Ticket | undefined
  decision: Decision
}

export interface Order {
  code: string
  /** Every ticket that people enter with and that was not revoked, the scanned one among them. */
  members: readonly Ticket[]
  /** Tickets that belong to the scanned one. */
  addons: readonly Ticket[]
}

/** @returns undefined for a ticket without an order, or of a very large one; costs one statement */
export function orderOf(ticket: Ticket, { tickets }: Pick<FactsDeps, 'tickets'>): Order | undefined {
  if (ticket.orderCode === null) return undefined
  const all = tickets.details.ticketsOfSmallOrder(ticket.orderCode)
  if (!all) return undefined
  return {
    code: ticket.orderCode,
    members: all.filter(({ addonTo, revokedAt }) => addonTo === null && revokedAt === null),
    addons: ticket.position === null ? [] : all.filter(({ addonTo }) => addonTo === ticket.position),
  }
}

/**
 * "4 of 5 of this order are inside", and how many others could come in with the ticket that this scan has admitted. Undefined for a
 * ticket that is alone in its order, and for an add-on.
 */
export function orderState(order: Order, shown: ShownScan, decided: Decided, deps: FactsDeps): OrderState | undefined {
  const { ticket, decision } = decided
  const { code, members } = order
  if (!ticket || ticket.addonTo !== null || members.length < 2) return undefined
  const inside = members.filter(({ id }) => isInside(deps.tickets.movementsOf(id))).length
  const state = { code: code.slice(0, MOST_CODE), inside, of: members.length }
  if (decision.verdict !== 'ADMIT' || shown.companion) return state
  const { may, needOwn } = companions(order, shown, ticket, deps)
  return { ...state, ...(may.length > 0 && { more: may.length }), ...(needOwn > 0 && { own_scan: needOwn }) }
}

/**
 * The others of the order that may enter here on this scan, by position, as many as one request admits; and how many of those that
 * are not in would be refused: not paid, with questions of their own, only with the code on their phone.
 */
export function companions(
  { members }: Order,
  { scan, device, checkpoint }: ShownScan,
  leader: Ticket,
  deps: FactsDeps,
): { may: Ticket[]; needOwn: number } {
  const may: Ticket[] = []
  let needOwn = 0
  for (const other of members.filter(({ id }) => id !== leader.id).slice(0, MOST_LOOKED_AT)) {
    if (may.length === MOST_IN_GROUP) break
    const shown = companionOf(scan, { ref: other.ref, of: scan.scan_id }, { device, checkpoint })
    const { facts } = factsOf(other, shown, deps)
    // One that enters at will is always admitted: those who are here already are not offered again.
    if (facts.ticket?.policy === 'unlimited' && zoneOf(facts.movements) === checkpoint.to) continue
    const { verdict } = decide(facts)
    if (verdict === 'ADMIT') may.push(other)
    else if (verdict !== 'ALREADY_USED') needOwn++
  }
  return { may, needOwn }
}

/**
 * Where the checkpoint does not serve the ticket that was shown, but serves an add-on of the same position in the same order, the code
 * redeems that add-on: parking, camping, a cloakroom. Of several the first that may enter, or that is inside and leaves.
 */
export function addonInstead(shown: ShownScan, own: Decided, deps: FactsDeps): Decided | undefined {
  const { ticket, decision, facts } = own
  const { checkpoint } = shown
  if (!ticket || checkpoint.tiers.includes(ticket.tier)) return undefined
  if (decision.verdict !== 'EXIT' && !isForElsewhere(decision)) return undefined
  const { orderCode, position } = ticket
  if (orderCode === null || position === null) return undefined
  const addons = deps.tickets.details.addonsOf(orderCode, position)
  const served = addons.filter(({ tier }) => checkpoint.tiers.includes(tier))
  const all = served.map((addon) => {
    // The code that was shown is one that opens: whatever is wrong with it was decided before the place.
    const read = factsOf(addon, shown, deps, facts.code)
    return { ...read, decision: decide(read.facts) }
  })
  const isWanted = ({ decision: { verdict }, facts: { movements } }: Decided) =>
    verdict === 'EXIT' ? isInside(movements) : verdict === 'ADMIT'
  return all.find(isWanted) ?? all[0]
}

/** By its last passage, which going on into an inner zone is, too. */
function isInside(movements: readonly Movement[]): boolean {
  return zoneOf(movements) !== null
}

function zoneOf(movements: readonly Movement[]): string | null {
  return movements.at(-1)?.to ?? null
}
