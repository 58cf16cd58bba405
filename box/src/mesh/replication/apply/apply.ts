/** Applies an entry of another box, by its kind. Cases are reconciled after the whole batch (`cases/reconcile.ts`). */
import type { EntryKind } from '../../../ledger/entries.ts'
import { eraseRows } from '../../../tickets/erasure.ts'
import type { PeerEntry } from '../envelope.ts'
import { applyAnnouncement } from './announcements.ts'
import { applyAnswers } from './answers.ts'
import type { ApplyContext } from './context.ts'
import { applyDevice } from './devices.ts'
import { applyForgotten } from './forgotten.ts'
import { applyHold } from './holds.ts'
import { applyIncidentNote } from './incident-notes.ts'
import { applyIncident, applyIncidentAction } from './incidents.ts'
import { applyScan, applySupervisorAdmit, applyUndo } from './passages.ts'
import { applySale } from './sales.ts'
import { applySignOn } from './sign-ons.ts'
import { applyAdminToken, applyApiToken, applyPasskey, applyPerson } from './staff.ts'

type Effect<K extends EntryKind> = (entry: PeerEntry<K>, context: ApplyContext) => void

/**
 * Null for a kind that changes nothing at another box, or nothing but tickets: those travel as rows and are merged before. A kind
 * whose entry needs rows has them from `row-reader.ts`.
 */
const EFFECTS: { readonly [K in EntryKind]: Effect<K> | null } = {
  admin_token: applyAdminToken,
  announcement: applyAnnouncement,
  answers: applyAnswers,
  api_token: applyApiToken,
  backup: null,
  claim: null,
  clock_fence: null,
  clock_set: null,
  // Stored before anything is applied, because a batch of nothing else gets no `heard` entry.
  cosign: null,
  device_revoked: applyDevice,
  enrolment: applyDevice,
  erasure: (_, { ledger }) => eraseRows(ledger.db),
  event: null,
  event_edited: null,
  export: null,
  // Cases are reconciled after the whole batch.
  flag: null,
  flag_resolved: null,
  heard: null,
  hold: applyHold,
  hold_released: applyHold,
  import: null,
  incident: applyIncident,
  incident_action: applyIncidentAction,
  incident_note: applyIncidentNote,
  invite: null,
  look_up: null,
  mesh: null,
  mode: null,
  paper: null,
  passkey: applyPasskey,
  rehearsal: null,
  release: null,
  restart: null,
  restore: null,
  rollback: null,
  sale: applySale,
  scan: applyScan,
  seal: null,
  session: applySignOn,
  shop: null,
  shop_certificate: null,
  shop_certificate_revoked: null,
  staff: applyPerson,
  supervisor_admit: applySupervisorAdmit,
  ticket_edited: null,
  // Here too, and not with the row alone: a box of version 0.1 sends the row on without it.
  ticket_forgotten: applyForgotten,
  ticket_reinstated: null,
  ticket_reissued: null,
  ticket_revoked: null,
  undo: applyUndo,
  update: null,
}

/** Within the transaction that stores the entry. A kind that only a newer box knows is stored, and changes nothing here. */
export function apply(entry: PeerEntry, context: ApplyContext): void {
  if (Object.hasOwn(EFFECTS, entry.kind)) effectOf(entry.kind)?.(entry, context)
}

/** The compiler cannot follow through the table that an entry and its effect are of the same kind. */
function effectOf(kind: EntryKind): Effect<EntryKind> | null {
  return EFFECTS[kind] as Effect<EntryKind> | null
}
