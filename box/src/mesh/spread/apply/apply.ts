/** What another box's entry changes here, by its kind. Cases are reconciled after the whole batch (`mesh/reconcile/`). */
import type { EntryKind } from '../../../ledger/ledger.ts'
import { forgetRows } from '../../../tickets/forget.ts'
import type { PeerEntry } from '../envelope.ts'
import { hearAnnouncement } from './announcements.ts'
import { hearDevice } from './devices.ts'
import type { Hearing } from './hearing.ts'
import { hearHold } from './holds.ts'
import { hearIncident, hearIncidentAction } from './incidents.ts'
import { hearScan, hearSupervisorAdmit, hearUndo } from './passages.ts'

/**
 * Kinds that are not here change nothing at another box, or all that they change are tickets, which travel as rows. What a newer
 * box writes is kept, and changes nothing here.
 */
const EFFECTS: Partial<Record<EntryKind, (entry: PeerEntry, hearing: Hearing) => void>> = {
  announcement: hearAnnouncement,
  device_revoked: hearDevice,
  enrolment: hearDevice,
  erasure: (_, { ledger }) => forgetRows(ledger.db),
  hold: hearHold,
  hold_released: hearHold,
  incident: hearIncident,
  incident_action: hearIncidentAction,
  scan: hearScan,
  supervisor_admit: hearSupervisorAdmit,
  undo: hearUndo,
}

/** Within the transaction that keeps the entry. */
export function apply(entry: PeerEntry, hearing: Hearing): void {
  if (Object.hasOwn(EFFECTS, entry.kind)) EFFECTS[entry.kind]?.(entry, hearing)
}
