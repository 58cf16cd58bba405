/** Lets a supervisor admit a refused ticket: the verdict says what is true of the ticket, a person decides what happens. */
import { format } from '@gatehouse/proto/hlc.ts'
import type { OverrideRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import { signedOn } from '../ca/actor.ts'
import type { ScanningDevice } from '../ca/roster.ts'
import { OVERRIDE_MS } from '../cases/overrides.ts'
import { passageFact } from '../cases/passage-fact.ts'
import { GatehouseError, type RefusalOptions } from '../errors.ts'
import { type Checkpoint, localDay } from '../event/event.ts'
import type { EntryFields, NewEntry } from '../ledger/entries.ts'
import type { Ticket } from '../ledger/schema.ts'
import { type Reservation, type ReservationRequest, type Right, reserveNow, unused } from '../rights/reservation.ts'
import { movementOf, type PassageUse, passageUse } from '../rights/right-to-enter.ts'
import { supervisedDetails } from './details.ts'
import { supervisedReason } from './reasons.ts'
import type { RedeemDeps } from './redeem.ts'
import { verdictFor } from './verdict.ts'

export type SuperviseDeps = Pick<
  RedeemDeps,
  'event' | 'clock' | 'ledger' | 'tickets' | 'scans' | 'holds' | 'reservations' | 'overrides'
>

/**
 * Admits the ticket that a scan refused.
 * @param device a supervisor's: the table in proto/operations.ts has let no other one ask
 * @returns the verdict as JSON text, on disk before this resolves: the same text again for the same scan, whoever asks
 * @throws GatehouseError `not_allowed` for another device's checkpoint; `not_found`; `conflict`
 *   for a scan that cannot be admitted this way; `ledger_unavailable`
 */
export async function supervisorAdmit(
  scanId: string,
  by: OverrideRequest,
  device: ScanningDevice,
  deps: SuperviseDeps,
): Promise<string> {
  const seen = findRefusal(scanId, device, deps)
  if ('answered' in seen) return seen.answered
  using reservation = await reserveNow(deps.reservations, () => requestFor(seen, deps))
  const answer = await deps.ledger.commit(() => {
    // Again, in the transaction: two supervisors may look at the same refusal, and it is one admission.
    const refusal = findRefusal(scanId, device, deps)
    // Errors are not thrown in there: what was reserved is given back, and that has to be on disk.
    if ('answered' in refusal) return unused(reservation, refusal.answered)
    const admission = admissionOf(refusal, deps)
    if (reservation.usedElsewhere || !reservation.covers(admission.right)) return unused(reservation, undefined)
    const actor = device.by?.name ?? by.actor
    return record(refusal, admission, { ...by, actor, device, reservation }, deps)
  })
  if (answer === undefined) {
    throw conflict('This ticket has been in or out at another gate since that scan: scan it again and look.', {
      reason: 'ticket_moved_since',
    })
  }
  return answer
}

function requestFor(refusal: Refusal, deps: SuperviseDeps): ReservationRequest {
  const { scan, checkpoint } = refusal
  const { at, use, right } = admissionOf(refusal, deps)
  return {
    scanId: scan.scan_id,
    right,
    checkpoint: checkpoint.id,
    at,
    hlc: format(deps.clock.now()),
    occurrence: use.occurrence,
  }
}

interface Refusal {
  scan: EntryFields<'scan'>
  checkpoint: Checkpoint
  ticket: Ticket
}

/** The refusal that is to be overridden; or the answer, where that has been done. */
function findRefusal(
  scanId: string,
  device: ScanningDevice,
  { event, clock, ledger, tickets, scans, holds, overrides }: SuperviseDeps,
): Refusal | { answered: string } {
  const stored = scans.find(scanId)
  // Another box may have answered it: the scanner has moved on to this one since.
  const entry = stored && passageFact(ledger.db, { entry: stored.entry, scanId, kind: 'scan' })
  if (!entry)
    throw new GatehouseError('not_found', 'This box knows no such scan: scan the ticket again.', {
      reason: 'scan_unknown',
    })
  const scan = entry.fields
  const checkpoint = event.checkpointById.get(scan.checkpoint)
  if (!checkpoint || !device.checkpoints.has(checkpoint.id)) {
    throw new GatehouseError(
      'not_allowed',
      "That was scanned at a checkpoint that is not this scanner's: scan the ticket here, then admit it.",
      { reason: 'scan_of_other' },
    )
  }
  if (overrides.find(scanId, 'undo'))
    throw conflict('That admission was taken back: scan the ticket again.', { reason: 'admission_taken_back' })
  const earlier = overrides.find(scanId, 'supervisor_admit')
  if (earlier) return { answered: earlier.response }

  if (stored.passed)
    throw conflict('Nobody was kept out by that scan: there is nothing to admit.', { reason: 'nothing_to_admit' })
  const ticket = scan.ticket === null ? undefined : tickets.byRef(scan.ticket)
  if (!ticket)
    throw conflict('That code is not a ticket of this event: send the person to the ticket desk.', {
      reason: 'not_a_ticket',
    })
  if (clock.wall() - Date.parse(scan.at) > OVERRIDE_MS) {
    throw conflict('That scan is more than 15 minutes old: scan the ticket again, then admit it.', {
      reason: 'scan_too_old',
      values: { minutes: 15 },
    })
  }
  // A supervisor decides about a ticket. A hold is about the crowd.
  if (checkpoint.direction === 'in' && holds.on(checkpoint.gate)) {
    throw conflict('This gate is on hold: nobody enters until the control room says so.', { reason: 'gate_on_hold' })
  }
  // The screen of the supervisor is out of date: the ticket may be inside by now.
  if (tickets.movementsOf(ticket.id).some(({ entry, hlc }) => entry > stored.entry || hlc > scan.hlc)) {
    throw conflict('This ticket has been in or out since that scan: scan it again and look, then admit it.', {
      reason: 'ticket_moved_since',
    })
  }
  return { scan, checkpoint, ticket }
}

/** The admission as it would be recorded now. */
interface Admission {
  /** Unix ms. */
  at: number
  use: PassageUse
  /** The right to reserve at the other gates: none if the supervisor's screen says that the right is used up already. */
  right: Right | null
}

function admissionOf({ scan, checkpoint, ticket }: Refusal, { event, clock, tickets }: SuperviseDeps): Admission {
  const at = clock.wall()
  const policy = event.tierById.get(ticket.tier)?.entry ?? 'once'
  const movements = tickets.movementsOf(ticket.id)
  const use = passageUse({ ref: ticket.ref, policy }, { checkpoint, day: localDay(event, at), movements }, scan.scan_id)
  return { at, use, right: scan.verdict === 'ALREADY_USED' ? null : use.right }
}

/** The supervisor's decision, and what was reserved for it. */
interface Override extends OverrideRequest {
  device: Pick<ScanningDevice, 'id' | 'by'>
  reservation: Reservation
}

/** Writes the admission and what explains it. Within a transaction. @returns the verdict as JSON text */
function record(refusal: Refusal, admission: Admission, by: Override, deps: SuperviseDeps): string {
  const { scan, checkpoint, ticket } = refusal
  const { at, use, right } = admission
  const { actor, reason, device, reservation } = by
  const { confidence } = reservation
  const { index: entry, hlc } = deps.ledger.append('supervisor_admit', admitEntry(refusal, admission, by))
  reservation.settle(right && { right, entry })
  const scanId = scan.scan_id
  deps.tickets.recordMovement(
    movementOf(use, { ticket: ticket.id, checkpoint, direction: 'in', at, hlc, scanId, confidence, entry }),
  )
  const { occurrence } = use
  const admitted = verdictFor(
    { verdict: 'ADMIT', occurrence },
    {
      scanId,
      event: deps.event,
      checkpoint,
      at,
      ticket,
      hlc,
      confidence,
      occurrence,
      flag: undefined,
      passedAlready: false,
      walkingSeconds: null,
      details: supervisedDetails(ticket, deps),
    },
  )
  const verdict: Verdict = {
    ...admitted,
    reason: supervisedReason(actor, reason),
    supervised: true,
    supervision: { actor, reason },
  }
  const response = JSON.stringify(verdict)
  deps.overrides.put({ scanId, kind: 'supervisor_admit', device: device.id, actor, reason, at, response, entry })
  return response
}

function admitEntry(
  { scan, checkpoint, ticket }: Refusal,
  { at, use }: Admission,
  { actor, reason, device, reservation }: Override,
): NewEntry<'supervisor_admit'> {
  return {
    actor,
    at: new Date(at).toISOString(),
    checkpoint: checkpoint.id,
    code: scan.code,
    confidence: reservation.confidence,
    device: device.id,
    ...signedOn(device),
    direction: 'in',
    occurrence: use.occurrence,
    reason,
    scan_id: scan.scan_id,
    slot: use.slot,
    surplus: use.surplus,
    ticket: ticket.ref,
    tier: ticket.tier,
    verdict: scan.verdict,
  }
}

export function conflict(message: string, options?: RefusalOptions): GatehouseError {
  return new GatehouseError('conflict', message, options)
}
