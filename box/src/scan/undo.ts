/** An admission is taken back by whoever gave it: the wrong button, or somebody who turned round at the gate. */
import type { OverrideRequest, Undone } from '@gatehouse/proto/wire/scan.ts'
import { GatehouseError } from '../errors.ts'
import { passageFact } from '../mesh/reconcile/passage-fact.ts'
import type { ScanEntry, SupervisorAdmitEntry, UndoEntry } from './entry.ts'
import { OVERRIDE_MS } from './overrides.ts'
import type { ScanningDevice } from './redeem.ts'
import { admissions } from './right-to-enter.ts'
import type { SuperviseDeps } from './supervise.ts'

/**
 * Takes back the admission that a scan, or a supervisor after it, gave: the right is the ticket's again.
 * @returns the answer as JSON text, on disk before this resolves: the same text again for the same scan
 * @throws GatehouseError `not_found`, also where the box that answered was not heard since; `not_allowed` for another
 *   device's admission; `conflict` where nobody was admitted, where it is too late, and where a later passage rests on it;
 *   `ledger_unavailable`
 */
export function undo(
  scanId: string,
  { actor, reason }: OverrideRequest,
  device: ScanningDevice,
  deps: SuperviseDeps,
): Promise<string> {
  const { claim, clock, event, ledger, tickets, scans, overrides } = deps
  return ledger.commit(() => {
    const stored = scans.find(scanId)
    const supervised = overrides.find(scanId, 'supervisor_admit')
    const undone = supervised?.entry ?? stored?.entry
    const kind = supervised ? 'supervisor_admit' : 'scan'
    // Also one that another box gave: the scanner has moved on to this one since.
    const admission = undone === undefined ? undefined : passageFact(ledger.db, { entry: undone, scanId, kind })
    if (undone === undefined || !admission) {
      throw new GatehouseError(
        'not_found',
        'This box knows no such scan: there is nothing to take back, or the box that answered it was not heard since.',
      )
    }
    const admitted = admission.fields as ScanEntry | SupervisorAdmitEntry
    if (admitted.device !== device.id) {
      throw new GatehouseError('not_allowed', 'Another scanner admitted this ticket: take it back there.')
    }
    const earlier = overrides.find(scanId, 'undo')
    if (earlier) return earlier.response

    const { checkpoint, slot, surplus, ticket: ref, direction } = admitted
    const ticket = ref === null ? undefined : tickets.byRef(ref)
    if (!ticket || slot === null || surplus === null) {
      throw conflict('Nobody was admitted by that scan: there is nothing to take back.')
    }
    if (direction === 'out') {
      throw conflict('An exit cannot be taken back: scan the ticket at an entry when the person comes in again.')
    }
    const movements = tickets.movementsOf(ticket.id)
    const movement = movements.find((one) => one.scanId === scanId)
    if (!movement || movements.at(-1) !== movement) {
      throw conflict('This ticket has been in or out since: what came after rests on that admission, so it stays.')
    }
    const at = clock.wall()
    // From when the person went in, also where the box was told late.
    if (at - movement.at > OVERRIDE_MS) {
      throw conflict('That admission is more than 15 minutes old: it stays. Call the control room.')
    }
    const occurrence = admissions(movements) - 1
    const entry: UndoEntry = {
      ...{ actor, at: new Date(at).toISOString(), checkpoint, device: device.id, direction, occurrence, reason },
      ...{ scan_id: scanId, slot, surplus, supervised: supervised !== undefined },
      ...{ ticket: ticket.ref, tier: admitted.tier ?? ticket.tier, undone },
    }
    const { index, hlc } = ledger.append('undo', { ...entry })
    tickets.removeMovement(movement)
    const atWill = event.tierById.get(entry.tier)?.entry === 'unlimited'
    if (!atWill && surplus === 0) claim.giveBack(scanId, { ticket: ticket.ref, slot }, index)
    const answer: Undone = { scan_id: scanId, undone: true, undone_at: entry.at, occurrence, hlc }
    const response = JSON.stringify(answer)
    overrides.put({ scanId, kind: 'undo', device: device.id, actor, reason, at, response, entry: index })
    return response
  })
}

function conflict(message: string): GatehouseError {
  return new GatehouseError('conflict', message)
}
