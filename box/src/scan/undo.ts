/** Undoes an admission on the scanner that gave it: for a wrong button, or somebody who turned round at the gate. */
import type { OverrideRequest, Undone } from '@gatehouse/proto/wire/scan.ts'
import { signedOn } from '../ca/actor.ts'
import type { ScanningDevice } from '../ca/roster.ts'
import { OVERRIDE_MS } from '../cases/overrides.ts'
import { passageFact } from '../cases/passage-fact.ts'
import { GatehouseError } from '../errors.ts'
import type { EntryFields, NewEntry } from '../ledger/entries.ts'
import { admissions } from '../rights/right-to-enter.ts'
import { conflict, type SuperviseDeps } from './supervise.ts'

/**
 * Takes back the admission that a scan, or a supervisor after it, gave: the right is the ticket's again.
 * @returns the answer as JSON text, on disk before this resolves: the same text again for the same scan
 * @throws GatehouseError `not_found`, also while the journal of the box that answered is not replicated here;
 *   `not_allowed` for another device's admission; `conflict` where nobody was admitted, where it is too late, and where a
 *   later passage rests on it; `ledger_unavailable`
 */
export function undo(
  scanId: string,
  { actor: said, reason }: OverrideRequest,
  device: ScanningDevice,
  deps: SuperviseDeps,
): Promise<string> {
  const { reservations, clock, event, ledger, tickets, overrides } = deps
  const actor = device.by?.name ?? said
  return ledger.commit(() => {
    const admission = findAdmission(scanId, device, deps)
    const earlier = overrides.find(scanId, 'undo')
    if (earlier) return earlier.response

    const { fields, supervised, undone } = admission
    const { ticket, slot, surplus, movement, occurrence } = undoable(fields, scanId, deps)
    const at = clock.wall()
    // Counted from when the person went in, also where the scanner reported it late.
    if (at - movement.at > OVERRIDE_MS) {
      throw conflict('That admission is more than 15 minutes old: it stays. Call the control room.', {
        reason: 'undo_too_old',
        values: { minutes: 15 },
      })
    }
    const entry: NewEntry<'undo'> = {
      actor,
      at: new Date(at).toISOString(),
      checkpoint: fields.checkpoint,
      device: device.id,
      ...signedOn(device),
      direction: 'in',
      occurrence,
      reason,
      scan_id: scanId,
      slot,
      surplus,
      supervised,
      ticket: ticket.ref,
      tier: fields.tier ?? ticket.tier,
      undone,
    }
    const { index, hlc } = ledger.append('undo', entry)
    tickets.removeMovement(movement)
    const atWill = event.tierById.get(entry.tier)?.entry === 'unlimited'
    if (!atWill && surplus === 0) reservations.release(scanId, { ticket: ticket.ref, slot }, index)
    const answer: Undone = { scan_id: scanId, undone: true, undone_at: entry.at, occurrence, hlc }
    const response = JSON.stringify(answer)
    overrides.put({ scanId, kind: 'undo', device: device.id, actor, reason, at, response, entry: index })
    return response
  })
}

type AdmissionFields = EntryFields<'scan' | 'supervisor_admit'>

/** The answer to the scan, by a box or afterwards by a supervisor; at this box or at another. */
function findAdmission(
  scanId: string,
  device: ScanningDevice,
  { ledger, scans, overrides }: SuperviseDeps,
): { fields: AdmissionFields; supervised: boolean; undone: number } {
  const supervised = overrides.find(scanId, 'supervisor_admit')
  const undone = supervised?.entry ?? scans.find(scanId)?.entry
  const kind = supervised ? 'supervisor_admit' : 'scan'
  const admission = undone === undefined ? undefined : passageFact(ledger.db, { entry: undone, scanId, kind })
  if (undone === undefined || !admission) {
    throw new GatehouseError(
      'not_found',
      'This box knows no such scan: there is nothing to take back, or the box that answered it was not heard since.',
      { reason: 'scan_unknown' },
    )
  }
  if (admission.fields.device !== device.id) {
    throw new GatehouseError('not_allowed', 'Another scanner admitted this ticket: take it back there.', {
      reason: 'scan_of_other',
    })
  }
  return { fields: admission.fields, supervised: supervised !== undefined, undone }
}

/** The movement that is to be removed, and what it used. `occurrence`: how many admissions the ticket then has. */
function undoable({ ticket: ref, slot, surplus, direction }: AdmissionFields, scanId: string, deps: SuperviseDeps) {
  const ticket = ref === null ? undefined : deps.tickets.byRef(ref)
  if (!ticket || slot === null || surplus === null) {
    throw conflict('Nobody was admitted by that scan: there is nothing to take back.', { reason: 'nothing_to_undo' })
  }
  if (direction === 'out') {
    throw conflict('An exit cannot be taken back: scan the ticket at an entry when the person comes in again.', {
      reason: 'exit_stays',
    })
  }
  const movements = deps.tickets.movementsOf(ticket.id)
  const movement = movements.find((one) => one.scanId === scanId)
  if (!movement || movements.at(-1) !== movement) {
    throw conflict('This ticket has been in or out since: what came after rests on that admission, so it stays.', {
      reason: 'undo_moved_since',
    })
  }
  return { ticket, slot, surplus, movement, occurrence: admissions(movements) - 1 }
}
