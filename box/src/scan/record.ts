/** Writes everything that a scan changes: the journal's entry, the movement, the cases, and the answer for resends. */
import type { HybridLogicalClock } from '@gatehouse/proto/hlc.ts'
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import { signedOn } from '../ca/actor.ts'
import type { FlagListDeps } from '../cases/flag-list.ts'
import { type Flags, flagId } from '../cases/flags.ts'
import type { Overrides } from '../cases/overrides.ts'
import { flagDoubleUse } from '../cases/reconcile.ts'
import type { NewEntry } from '../ledger/entries.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { FlagKind, Ticket } from '../ledger/schema.ts'
import type { Reservation } from '../rights/reservation.ts'
import { movementOf, type PassageUse } from '../rights/right-to-enter.ts'
import type { Scans } from '../rights/scans.ts'
import { recordAnswers } from '../tickets/answers.ts'
import type { Tickets } from '../tickets/tickets.ts'
import type { Decision } from './decide.ts'
import { verdictDetails } from './details.ts'
import type { FactsDeps } from './facts.ts'
import type { Decided } from './order.ts'
import type { ShownScan } from './shown.ts'
import { verdictFor } from './verdict.ts'

/** Earlier passages that a scan adds to the case that it opens, and to one that exists. */
const MOST_EARLIER = 32
const MOST_FURTHER = 4

export interface RecordDeps extends Pick<FlagListDeps, 'event' | 'walkingSeconds'> {
  clock: HybridLogicalClock
  ledger: Ledger
  tickets: Tickets
  scans: Scans
  flags: Flags
  overrides: Overrides
}

/** A scan with its decision. */
export interface DecidedScan extends ShownScan, Decided {
  /** The right that a passage would use up; null if nobody passes. */
  use: PassageUse | null
  reservation: Reservation
}

/** The outcome of a scan, for the journal, the movements and the answer. */
interface Outcome {
  /** Somebody passed: by the decision, or because a scanner had let them through. */
  passed: boolean
  use: PassageUse | null
  confidence: Verdict['confidence']
  /** Number of admissions that the ticket now has; null for no ticket. */
  occurrence: number | null
}

/** Within a transaction. @returns the verdict as JSON text */
export function recordScan(decided: DecidedScan, deps: RecordDeps & FactsDeps): string {
  const { scan, device, checkpoint, ticket, facts, decision, reservation } = decided
  const deviceClock = deps.clock.receive(scan.device_hlc)
  const admitted = decision.verdict === 'ADMIT' || decision.verdict === 'EXIT'
  const passed = admitted || scan.offline_admitted
  const use = passed ? decided.use : null
  const right = use?.surplus === 0 ? use.right : null
  // A ticket that keeps moving is admitted in the end, without a reservation for the right that it uses.
  const confidence = admitted && !reservation.covers(right) ? 'provisional' : reservation.confidence
  const occurrence = use?.occurrence ?? ('occurrence' in decision ? decision.occurrence : null)
  const outcome: Outcome = { passed, use, confidence, occurrence }

  const recordedAt = new Date(deps.clock.wall()).toISOString()
  const { index: entry, hlc } = deps.ledger.append('scan', scanEntry(decided, outcome, recordedAt))
  if (ticket && use) {
    const at = { at: facts.at, direction: checkpoint.direction, hlc, scanId: scan.scan_id, confidence, entry }
    deps.tickets.recordMovement(movementOf(use, { ticket: ticket.id, checkpoint, ...at }))
  }
  reservation.settle(right && { right, entry })
  const flag = passed && !admitted ? flagAdmission(decided, outcome, hlc, deps) : undefined
  // Two people on one right are a case of their own, whatever else is wrong: every box that learns of both opens it.
  if (ticket && use && use.surplus > 0) flagDoubleUse(ticket.ref, use.slot, deps, MOST_FURTHER)
  if (!deviceClock.merged) flagClock(scan.scan_id, device.id, hlc, deps)

  const answered = answersOf(decided, deps)

  const response = JSON.stringify(verdictOf(decided, outcome, { hlc, flag, answered }, deps))
  deps.scans.put({ scanId: scan.scan_id, digest: decided.digest, passed, response, entry })
  return response
}

/** Stores the answers of somebody who comes in, or who is asked for more. @returns how many there are */
function answersOf({ scan, device, ticket, decision, asking }: DecidedScan, deps: RecordDeps): number {
  const isTaken = decision.verdict === 'ADMIT' || (decision.verdict === 'BLOCKED' && decision.asks === true)
  if (!isTaken || !asking || !ticket) return 0
  return recordAnswers(asking.given, { scanId: scan.scan_id, ticket, device }, deps)
}

/** @param at when the box learned of the scan, ISO 8601 */
function scanEntry(
  { scan, device, checkpoint, code, ticket, decision, companion }: DecidedScan,
  { use, confidence, occurrence }: Outcome,
  at: string,
): NewEntry<'scan'> {
  return {
    at,
    checkpoint: checkpoint.id,
    code: code?.codeHash.toString('hex') ?? null,
    confidence,
    device: device.id,
    ...signedOn(device),
    device_hlc: scan.device_hlc,
    direction: checkpoint.direction,
    observed_at: scan.observed_at,
    occurrence,
    offline_admitted: scan.offline_admitted,
    scan_id: scan.scan_id,
    slot: use?.slot ?? null,
    surplus: use?.surplus ?? null,
    ticket: ticket?.ref ?? null,
    tier: ticket?.tier ?? null,
    verdict: decision.verdict,
    ...(companion && { with: companion.of }),
  }
}

function verdictOf(
  decided: DecidedScan,
  { confidence, occurrence }: Outcome,
  { hlc, flag, answered }: { hlc: string; flag: string | undefined; answered: number },
  deps: RecordDeps & FactsDeps,
): Verdict {
  const { scan, checkpoint, ticket, facts, decision, reservation } = decided
  return verdictFor(decision, {
    scanId: scan.scan_id,
    event: deps.event,
    checkpoint,
    at: facts.at,
    ticket,
    hlc,
    confidence,
    why: confidence === 'provisional' ? reservation.why : undefined,
    said: ticket?.status === 'valid' ? ticket.statusDetail : null,
    occurrence,
    flag,
    passedAlready: scan.offline_admitted,
    walkingSeconds: decision.verdict === 'REDIRECT' ? deps.walkingSeconds(checkpoint, decision.to) : null,
    details: { ...verdictDetails(decided, deps), ...(answered > 0 && { answered }) },
  })
}

/** Opens the case of somebody whom a scanner let in and the box would have refused. @returns its id */
function flagAdmission(
  { decision, facts, scan, ticket, device }: DecidedScan,
  { use, occurrence }: Outcome,
  hlc: string,
  deps: RecordDeps,
): string {
  const slot = use?.slot ?? null
  const usedBy = decision.verdict === 'ALREADY_USED' ? decision.earlier : undefined
  const kind = flagKind(decision, ticket)
  const about = ticket ? `${ticket.ref}/${slot}` : scan.scan_id
  // A case that exists has those before: each was added when it happened.
  const most = deps.flags.find(flagId(kind, about)) ? MOST_FURTHER : MOST_EARLIER
  const earlier = lastOf(facts.movements, (m) => m.slot === slot || m === usedBy, most).map((m) => m.scanId)
  return deps.flags.open({
    kind,
    about,
    ticketRef: ticket?.ref ?? null,
    device: device.id,
    occurrence,
    scanIds: [...earlier, scan.scan_id],
    since: hlc,
  })
}

/** The last `most` that match, in their order. */
function lastOf<T>(items: readonly T[], matches: (item: T) => boolean, most: number): T[] {
  const found: T[] = []
  for (let i = items.length - 1; i >= 0 && found.length < most; i--) {
    const item = items[i] as T
    if (matches(item)) found.unshift(item)
  }
  return found
}

function flagKind({ verdict }: Decision, ticket: Ticket | undefined): FlagKind {
  if (verdict === 'ALREADY_USED') return 'double_use'
  if (verdict === 'REVOKED') return 'revoked_admission'
  return ticket ? 'refused_admission' : 'unknown_admission'
}

/** Opens a case, once a device, for a clock that is implausibly far ahead. */
function flagClock(scanId: string, device: string, hlc: string, deps: RecordDeps): void {
  deps.flags.open({
    kind: 'clock_skew',
    about: device,
    ticketRef: null,
    device,
    occurrence: null,
    scanIds: [scanId],
    since: hlc,
    onlyFirst: true,
  })
}
