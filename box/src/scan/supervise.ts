/** A supervisor lets a refused ticket in: the box has said what is true of the ticket, a person says what happens. */
import { format } from '@gatehouse/proto/hlc.ts'
import type { OverrideRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import { GatehouseError } from '../errors.ts'
import { type Checkpoint, localDay } from '../event/event.ts'
import type { Ticket } from '../ledger/schema.ts'
import { passageFact } from '../mesh/reconcile/passage-fact.ts'
import type { Right, Secured, Wanted } from './claim.ts'
import type { Facts } from './decide.ts'
import type { StoredScanEntry, SupervisorAdmitEntry } from './entry.ts'
import { OVERRIDE_MS, type Overrides } from './overrides.ts'
import { claimable, passageOf, type RedeemDeps, type ScanningDevice } from './redeem.ts'
import { admissions } from './right-to-enter.ts'
import { verdictFor } from './verdict.ts'
import { supervisedReason } from './words.ts'

export interface SuperviseDeps
  extends Pick<RedeemDeps, 'event' | 'clock' | 'ledger' | 'tickets' | 'scans' | 'holds' | 'claim'> {
  overrides: Overrides
}

export type SupervisingDevice = ScanningDevice & { readonly supervisor: boolean }

/**
 * Admits the ticket that a scan refused.
 * @returns the verdict as JSON text, on disk before this resolves: the same text again for the same scan, whoever asks
 * @throws GatehouseError `not_allowed` without the right, or for another device's checkpoint; `not_found`; `conflict`
 *   for a scan that cannot be admitted this way; `ledger_unavailable`
 */
export async function supervisorAdmit(
  scanId: string,
  by: OverrideRequest,
  device: SupervisingDevice,
  deps: SuperviseDeps,
): Promise<string> {
  if (!device.supervisor) {
    throw new GatehouseError(
      'not_allowed',
      'This scanner may not admit a refused ticket: call a supervisor, whose scanner may.',
    )
  }
  const seen = look(scanId, device, deps)
  if ('answered' in seen) return seen.answered
  using secured = await deps.claim.secure(() => wantedFor(seen, deps))
  const answer = await deps.ledger.commit(() => {
    // Again, in the transaction: two supervisors may look at the same refusal, and it is one admission.
    const refusal = look(scanId, device, deps)
    const isAnswered = 'answered' in refusal
    // Not thrown in there: what was asked for is given back, and that has to be on disk.
    if (isAnswered || secured.usedElsewhere || !secured.covers(() => rightOf(refusal, deps))) {
      secured.settle(null)
      return isAnswered ? refusal.answered : undefined
    }
    return record(refusal, { ...by, device, secured }, deps)
  })
  if (answer === undefined) {
    throw conflict('This ticket has been in or out at another gate since that scan: scan it again and look.')
  }
  return answer
}

/** Nothing, where the box had said that the right is used up: whoever admits the ticket all the same has read so. */
function rightOf(refusal: Refusal, deps: SuperviseDeps): Right | null {
  const { scan, ticket } = refusal
  if (scan.verdict === 'ALREADY_USED') return null
  const facts = factsOf(refusal, deps)
  return claimable(ticket.ref, facts, facts.ticket?.policy ?? 'once', scan.scan_id)
}

function wantedFor(refusal: Refusal, deps: SuperviseDeps): Wanted {
  const { scan, checkpoint } = refusal
  const { at, movements } = factsOf(refusal, deps)
  return {
    ...{ scanId: scan.scan_id, right: rightOf(refusal, deps), checkpoint: checkpoint.id, at },
    ...{ hlc: format(deps.clock.now()), occurrence: admissions(movements) + 1 },
  }
}

interface Refusal {
  scan: StoredScanEntry
  checkpoint: Checkpoint
  ticket: Ticket
}

/** The refusal that is to be overridden; or the answer, where that has been done. */
function look(
  scanId: string,
  device: ScanningDevice,
  { event, clock, ledger, tickets, scans, holds, overrides }: SuperviseDeps,
): Refusal | { answered: string } {
  const stored = scans.find(scanId)
  // Also one that another box has answered: the scanner has moved on to this one since.
  const entry = stored && passageFact(ledger.db, { entry: stored.entry, scanId, kind: 'scan' })
  if (!entry) throw new GatehouseError('not_found', 'This box knows no such scan: scan the ticket again.')
  const scan = entry.fields as StoredScanEntry
  const checkpoint = event.checkpointById.get(scan.checkpoint)
  if (!checkpoint || !device.checkpoints.has(checkpoint.id)) {
    throw new GatehouseError(
      'not_allowed',
      "That was scanned at a checkpoint that is not this scanner's: scan the ticket here, then admit it.",
    )
  }
  if (overrides.find(scanId, 'undo')) throw conflict('That admission was taken back: scan the ticket again.')
  const earlier = overrides.find(scanId, 'supervisor_admit')
  if (earlier) return { answered: earlier.response }

  if (stored.passed) throw conflict('Nobody was kept out by that scan: there is nothing to admit.')
  const ticket = scan.ticket === null ? undefined : tickets.byRef(scan.ticket)
  if (!ticket) throw conflict('That code is no ticket of this event: send the person to the ticket desk.')
  if (clock.wall() - Date.parse(scan.at) > OVERRIDE_MS) {
    throw conflict('That scan is more than 15 minutes old: scan the ticket again, then admit it.')
  }
  // Whatever a supervisor may decide about a ticket, a hold is about the crowd.
  if (checkpoint.direction === 'in' && holds.on(checkpoint.gate)) {
    throw conflict('This gate is on hold: nobody enters until the control room says so.')
  }
  // What the supervisor has seen on the screen is no longer so: the ticket may be inside by now.
  if (tickets.movementsOf(ticket.id).some(({ entry, hlc }) => entry > stored.entry || hlc > scan.hlc)) {
    throw conflict('This ticket has been in or out since that scan: scan it again and look, then admit it.')
  }
  return { scan, checkpoint, ticket }
}

function factsOf({ checkpoint, ticket }: Refusal, { event, clock, tickets }: SuperviseDeps): Facts {
  const at = clock.wall()
  const policy = event.tierById.get(ticket.tier)?.entry ?? 'once'
  return {
    ...{ at, day: localDay(event, at), checkpoint, ticket: { ...ticket, policy } },
    // The supervisor stands for the ticket, however it was shown.
    code: { kind: 'static', standing: 'opens' },
    movements: tickets.movementsOf(ticket.id),
    ...{ serving: [], everyGateHeld: false, hold: undefined, passedAlready: false },
  }
}

/** Writes the admission and what explains it. Within a transaction. */
function record(
  refusal: Refusal,
  by: OverrideRequest & { device: ScanningDevice; secured: Secured },
  deps: SuperviseDeps,
): string {
  const { scan, checkpoint, ticket } = refusal
  const { actor, reason, secured } = by
  const { confidence } = secured
  const device = by.device.id
  const facts = factsOf(refusal, deps)
  const right = rightOf(refusal, deps)
  const { slot, surplus, occurrence } = passageOf(facts, facts.ticket?.policy ?? 'once', scan.scan_id)
  const direction = 'in'
  const entry: SupervisorAdmitEntry = {
    ...{ actor, at: new Date(facts.at).toISOString(), checkpoint: checkpoint.id, code: scan.code, confidence, device },
    ...{ direction, occurrence, reason, scan_id: scan.scan_id, slot, surplus },
    ...{ ticket: ticket.ref, tier: ticket.tier, verdict: scan.verdict },
  }
  const { index, hlc } = deps.ledger.append('supervisor_admit', { ...entry })
  secured.settle(right && { right, entry: index })
  deps.tickets.recordMovement({
    ...{ ticket: ticket.id, slot, surplus, direction, occurrence, at: facts.at, hlc, scanId: scan.scan_id },
    ...{ checkpoint: checkpoint.id, from: checkpoint.from, to: checkpoint.to },
    ...{ provisional: confidence === 'provisional', entry: index },
  })
  const verdict: Verdict = {
    ...verdictFor(
      { verdict: 'ADMIT', occurrence },
      {
        ...{ scanId: scan.scan_id, event: deps.event, checkpoint, at: facts.at, ticket, hlc, confidence, occurrence },
        ...{ flag: undefined, passedAlready: false, walkingSeconds: null },
      },
    ),
    reason: supervisedReason(actor, reason),
    supervised: true,
  }
  const response = JSON.stringify(verdict)
  const scanId = scan.scan_id
  const at = facts.at
  deps.overrides.put({ scanId, kind: 'supervisor_admit', device, actor, reason, at, response, entry: index })
  return response
}

function conflict(message: string): GatehouseError {
  return new GatehouseError('conflict', message)
}
