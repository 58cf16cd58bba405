/** Answers a scan: identify it, reserve the right, then decide and record in one transaction. */
import { format } from '@gatehouse/proto/hlc.ts'
import type { ScanRequest } from '@gatehouse/proto/wire/scan.ts'
import type { ScanningDevice } from '../ca/roster.ts'
import { passageFact } from '../cases/passage-fact.ts'
import { GatehouseError } from '../errors.ts'
import type { TokenBuckets } from '../http/token-bucket.ts'
import type { Ticket } from '../ledger/schema.ts'
import {
  type Reservation,
  type ReservationRequest,
  type Reservations,
  reserveNow,
  unused,
} from '../rights/reservation.ts'
import { admissions, type PassageUse, passageUse } from '../rights/right-to-enter.ts'
import type { StoredScan } from '../rights/scans.ts'
import type { LateTickets } from '../tickets/late-tickets.ts'
import { storeLate } from './answers.ts'
import { type Decision, decide, type Facts } from './decide.ts'
import { withHolder } from './details.ts'
import { type FactsDeps, readFacts } from './facts.ts'
import { addonInstead, type Decided } from './order.ts'
import { type RecordDeps, recordScan } from './record.ts'
import { identify, isSameScan, type ShownDeps, type ShownScan } from './shown.ts'

export interface RedeemDeps extends ShownDeps, FactsDeps, RecordDeps {
  reservations: Reservations
  /** By device and ticket, for tickets with very many passages: one scanner must not make every further scan of one slower. */
  passageBuckets?: Pick<TokenBuckets, 'take'>
  lateTickets?: LateTickets
}

/** A ticket with so many passages gains further ones slowly. A crew's common code has fewer in an evening. */
const VERY_MANY = 1_000

/** Number of times that a scan reserves another right, when its ticket keeps moving, before it is admitted unconfirmed. */
const MOST_TRIES = 5

/**
 * Answers one scan.
 * @returns the verdict as JSON text, on disk before this resolves: the same text again for the same `scan_id`
 * @throws GatehouseError `not_found`, `not_allowed` for the checkpoint; `scan_id_reused`; `ledger_unavailable`
 */
export async function redeem(scan: ScanRequest, device: ScanningDevice, deps: RedeemDeps): Promise<string> {
  return redeemShown(identify(scan, device, deps), deps)
}

/** The same for a scan that is identified already. @throws GatehouseError `scan_id_reused`, `ledger_unavailable` */
export async function redeemShown(shown: ShownScan, deps: RedeemDeps): Promise<string> {
  const { scan } = shown
  const late = shown.code?.kind === 'static' ? deps.lateTickets?.bring(scan.payload) : undefined
  if (late) await late
  for (let tries = 1; ; tries++) {
    // Nothing is awaited for a passage that has happened already: scans that are uploaded together are written in order.
    using reservation = scan.offline_admitted
      ? deps.reservations.reserveLater(scan.scan_id)
      : await reserveNow(deps.reservations, () => requestFor(shown, deps))
    const answer = await deps.ledger.commit(
      () => answerScan(shown, { reservation, isLastTry: tries >= MOST_TRIES }, deps),
      // The person has passed: nobody waits at the gate for this answer, and somebody does for others.
      // Answers name people: they are to be in the ledger alone, where they can be erased.
      { patient: scan.offline_admitted, redo: scan.answers === undefined },
    )
    if (answer === 'reserve again') continue
    if (typeof answer === 'object' && 'retryAfterSeconds' in answer) {
      throw new GatehouseError('rate_limited', 'This ticket was scanned a thousand times: wait a moment.', answer)
    }
    if (answer === 'scan id reused') {
      throw new GatehouseError('scan_id_reused', 'This scan id was used for another scan: scan the code again.')
    }
    return answer.text
  }
}

/** Requests no right for a refusal, for an exit, and for a scan that was answered before. */
function requestFor(shown: ShownScan, deps: RedeemDeps): ReservationRequest {
  const { scan_id: scanId, checkpoint } = shown.scan
  const { facts, decision, use } = assess(shown, deps)
  const admits = decision.verdict === 'ADMIT' && !deps.scans.find(scanId)
  return {
    scanId,
    right: admits && use ? use.right : null,
    checkpoint,
    at: facts.at,
    hlc: format(deps.clock.now()),
    occurrence: admissions(facts.movements) + 1,
  }
}

type Answer = { text: string } | { retryAfterSeconds: number } | 'reserve again' | 'scan id reused'

/**
 * Decides with what the ledger says at the moment of the commit, and records the scan. Within a transaction, which may be
 * run twice. Errors are returned: one that is thrown in there would roll back every scan that shares the commit.
 */
function answerScan(
  shown: ShownScan,
  { reservation, isLastTry }: { reservation: Reservation; isLastTry: boolean },
  deps: RedeemDeps,
): Answer {
  const { scan } = shown
  const earlier = deps.scans.find(scan.scan_id)
  const observedAt = () => observedAtOf(scan.scan_id, earlier, deps)
  if (earlier && !isSameScan(shown, earlier.digest, observedAt)) return unused(reservation, 'scan id reused')
  // A resend gets the first answer and no second admission. The exception is a scanner that never received our refusal
  // and has let the person in meanwhile: they are counted, and the answer says what is true of the ticket.
  if (earlier && (earlier.passed || !scan.offline_admitted)) {
    return unused(reservation, { text: answerAgain(earlier, shown, deps) })
  }

  const { decision: local, use, ...read } = assess(shown, deps)
  const { ticket, facts } = read
  // A supervisor has admitted the refused ticket on this very scan: the person is counted already.
  if (earlier && facts.movements.some(({ scanId }) => scanId === scan.scan_id)) {
    return unused(reservation, { text: answerAgain(earlier, shown, deps) })
  }
  const retryAfterSeconds = use && ticket ? waitOf(shown, { ticket, facts }, deps) : 0
  if (retryAfterSeconds > 0) return unused(reservation, { retryAfterSeconds })
  const isCovered = reservation.covers(use?.right ?? null)
  // An exit or an undo was recorded since the right was reserved: the admission needs another right.
  if (local.verdict === 'ADMIT' && !isCovered && !isLastTry) return unused(reservation, 'reserve again')
  const decision = isCovered ? withAdmissionElsewhere(local, reservation) : local
  const text = recordScan({ ...shown, ...read, decision, use, reservation }, deps)
  return { text: scan.offline_admitted ? text : withHolder(text, () => ticket, deps) }
}

/** The first answer; with the holder's name only while somebody waits at the gate for it. An upload may bring answers to questions. */
function answerAgain(earlier: StoredScan, shown: ShownScan, deps: RedeemDeps): string {
  const { scan_id: scanId, offline_admitted: isUpload, answers } = shown.scan
  const fields = () => passageFact(deps.ledger.db, { entry: earlier.entry, scanId, kind: 'scan' })?.fields
  const ticketOf = (ref: string | null | undefined) => (ref ? deps.tickets.byRef(ref) : undefined)
  if (!isUpload) return withHolder(earlier.response, () => ticketOf(fields()?.ticket), deps)
  const first = answers && fields()
  const ticket = first?.verdict === 'ADMIT' ? ticketOf(first.ticket) : undefined
  if (ticket) storeLate(shown, ticket, deps)
  return earlier.response
}

/** When an earlier scan says that it was made, as its device wrote it. */
function observedAtOf(scanId: string, earlier: StoredScan | undefined, { ledger }: RedeemDeps): string | undefined {
  const fact = earlier && passageFact(ledger.db, { entry: earlier.entry, scanId, kind: 'scan' })
  return fact?.fields.observed_at
}

/** @returns how long this scanner has to wait with this ticket, seconds */
function waitOf(
  { device }: ShownScan,
  { ticket, facts }: { ticket: Ticket; facts: Facts },
  { passageBuckets }: RedeemDeps,
): number {
  if (facts.movements.length < VERY_MANY) return 0
  return passageBuckets?.take(`${device.id} ${ticket.id}`) ?? 0
}

/** The ledger's present facts about a scan. */
interface Assessment extends Decided {
  /** Null when nobody passes: a refusal that no scanner has overtaken, or a code that opens no ticket. */
  use: PassageUse | null
}

function assess(shown: ShownScan, deps: FactsDeps): Assessment {
  const read = readFacts(shown, deps)
  const own = { ...read, decision: decide(read.facts) }
  const decided = addonInstead(shown, own, deps) ?? own
  const { ticket, facts, decision } = decided
  const passes = decision.verdict === 'ADMIT' || decision.verdict === 'EXIT' || facts.passedAlready
  const policy = facts.ticket?.policy
  const use = passes && ticket && policy ? passageUse({ ref: ticket.ref, policy }, facts, shown.scan.scan_id) : null
  return { ...decided, use }
}

/** An admission becomes a refusal where another box has admitted somebody on the right. */
function withAdmissionElsewhere(local: Decision, { usedElsewhere }: Reservation): Decision {
  if (local.verdict !== 'ADMIT' || !usedElsewhere) return local
  const occurrence = Math.max(local.occurrence - 1, usedElsewhere.occurrence)
  return { verdict: 'ALREADY_USED', occurrence, earlier: usedElsewhere }
}
