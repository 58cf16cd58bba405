/** Reads from the ledger what a decision rests on. */
import { FRESH_SLOTS, freshness } from '@gatehouse/proto/code.ts'
import type { HybridLogicalClock } from '@gatehouse/proto/hlc.ts'
import { isServed, servingCheckpoints } from '@gatehouse/proto/serving.ts'
import type { ScanRequest } from '@gatehouse/proto/wire/scan.ts'
import { type Checkpoint, type Event, localDay, type Tier } from '../event/event.ts'
import type { Holds } from '../gates/holds.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Ticket } from '../ledger/schema.ts'
import type { Scans } from '../rights/scans.ts'
import type { CodeReader, ShownCode } from '../tickets/codes.ts'
import { printedCodeOf } from '../tickets/current.ts'
import { hasDetails, type TicketDetails } from '../tickets/details.ts'
import { namesErased } from '../tickets/erasure.ts'
import { type PrintedCodeStatus, printedCodeStatus } from '../tickets/printed-code.ts'
import type { Tickets } from '../tickets/tickets.ts'
import { askedAt } from './asked-at.ts'
import type { CodeFacts, Facts } from './decide.ts'
import { type Asking, askingOf, unansweredTexts } from './questions.ts'
import { momentOf, type ShownScan } from './shown.ts'

export interface FactsDeps {
  event: Event
  clock: HybridLogicalClock
  tickets: Tickets
  holds: Holds
  codes: CodeReader
  ledger: Ledger
  scans: Scans
  /** True if the box's own clock may be trusted with fifteen-second slots. */
  timeQuality: () => 'synced' | 'unsynced'
}

/** Facts of the ledger now. */
export interface ReadFacts {
  ticket: Ticket | undefined
  facts: Facts
  /** Undefined for a ticket of which its shop says nothing more, and where nobody enters. */
  details: TicketDetails | undefined
  /** Undefined for a ticket without questions. */
  asking: Asking | undefined
}

/** @returns the ticket that the code opens, and the facts about it as the ledger has them now */
export function readFacts(shown: ShownScan, deps: FactsDeps): ReadFacts {
  const { companion, code } = shown
  return factsOf(companion ? deps.tickets.byRef(companion.ref) : deps.tickets.openedBy(code), shown, deps)
}

/** @param code where the ticket is not the one whose code was shown: the form in which it counts as shown */
export function factsOf(ticket: Ticket | undefined, shown: ShownScan, deps: FactsDeps, code?: CodeFacts): ReadFacts {
  const { scan, checkpoint } = shown
  const { event, tickets, holds } = deps
  const at = momentOf(scan, deps.clock)
  const tier = ticket && event.tierById.get(ticket.tier)
  // A ticket without details costs no statement here.
  const isRead = ticket && checkpoint.direction === 'in' && hasDetails(ticket)
  const details = isRead ? deps.tickets.details.detailsOf(ticket) : undefined
  const asking = ticket && details && askingFor(ticket, details, { scan, deps })
  const facts: Facts = {
    at,
    day: localDay(event, at),
    checkpoint,
    // A ticket whose tier has left the event file stays known: no checkpoint admits its tier.
    ticket: ticket && { ...ticket, policy: tier?.entry ?? 'once' },
    code: code ?? codeFacts(shown, at, { ticket, tier }, deps),
    movements: ticket ? tickets.movementsOf(ticket.id) : [],
    ...servingFacts(ticket, { checkpoint, at }, deps),
    hold: scan.offline_admitted ? holds.at(checkpoint.gate, at) : holds.on(checkpoint.gate),
    passedAlready: scan.offline_admitted,
    unanswered: asking ? unansweredTexts(asking) : [],
  }
  return { ticket, facts, details, asking }
}

/** Questions of the ticket's shop. None is asked again of somebody who was erased. */
function askingFor(
  { ref, forgottenAt }: Ticket,
  { product, personal }: TicketDetails,
  { scan, deps }: { scan: ScanRequest; deps: FactsDeps },
): Asking | undefined {
  if (!product || product.questions.length === 0 || forgottenAt !== null || namesErased(deps.ledger.db))
    return undefined
  return askingOf(product.questions, { ...personal.answers, ...deps.tickets.answers.of(ref) }, scan.answers)
}

function codeFacts(
  shown: ShownScan,
  at: number,
  { ticket, tier }: { ticket: Ticket | undefined; tier: Tier | undefined },
  deps: FactsDeps,
): CodeFacts {
  const { scan, code, steady, companion, onPaper } = shown
  if (onPaper) return { kind: 'static', state: 'opens' }
  // A ticket that comes in with another one of its order counts as if its printed code were shown: a phone's own code cannot be.
  if (companion) return { kind: 'static', state: printedCodeStatus(tier, ticket?.claimedAt ?? null) }
  if (code?.kind !== 'rotating') return { kind: 'static', state: printedState(code, ticket, tier, deps.codes) }
  const isRetired = ticket !== undefined && !ticket.publicKey.equals(code.publicKey)
  return {
    kind: 'rotating',
    retired: isRetired && retiredBy(ticket),
    ...freshness(code.slot, askedAt(shown, at, deps) ?? at, freshSlots(scan, deps)),
    steady,
  }
}

/** The reason why the key of a code is no longer the ticket's. */
function retiredBy({ claimedAt, deskCode }: Ticket): 'claimed' | 'reissued' | 'released' {
  if (claimedAt !== null) return 'claimed'
  return deskCode === null ? 'released' : 'reissued'
}

/** A printed code that the shop or the desk has replaced is still known, and opens nothing. */
function printedState(
  code: ShownCode,
  ticket: Ticket | undefined,
  tier: Tier | undefined,
  codes: CodeReader,
): PrintedCodeStatus {
  const isReplaced = code && ticket && !codes.hash(printedCodeOf(ticket)).equals(code.codeHash)
  if (isReplaced) return ticket.deskCode === null ? 'replaced' : 'reissued'
  return printedCodeStatus(tier, ticket?.claimedAt ?? null)
}

/** Other checkpoints that would admit the ticket. Looked up only if this one does not. */
function servingFacts(
  ticket: Ticket | undefined,
  { checkpoint, at }: { checkpoint: Checkpoint; at: number },
  { event, holds }: FactsDeps,
): Pick<Facts, 'serving' | 'everyGateHeld'> {
  if (!ticket || checkpoint.tiers.includes(ticket.tier)) return { serving: [], everyGateHeld: false }
  const isHeld = (gate: string) => holds.on(gate) !== undefined
  const serving = servingCheckpoints(event.checkpoints, ticket.tier, checkpoint, { at, isHeld })
  return { serving, everyGateHeld: serving.length === 0 && isServed(event.checkpoints, ticket.tier) }
}

function freshSlots(scan: ScanRequest, deps: FactsDeps): number {
  return FRESH_SLOTS[scan.offline_admitted ? 'unsynced' : deps.timeQuality()]
}
