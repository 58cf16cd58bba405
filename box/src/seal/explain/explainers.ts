/** Every table that the journal explains. Tables that only save time are no part of the record, and are missing here. */
import type { EntryKind } from '../../ledger/entries.ts'
import type { NoteKey } from '../note.ts'
import { explainAnnouncements } from './announcements.ts'
import { explainDevices, explainInvites } from './devices.ts'
import type { ExplainContext, Explainer } from './explainer.ts'
import { explainFlags } from './flags.ts'
import { explainHolds } from './holds.ts'
import { explainIncidentNotes } from './incident-notes.ts'
import { explainIncidents } from './incidents.ts'
import { explainMode } from './mode.ts'
import { MovementExplainer } from './movements.ts'
import { explainOverrides } from './overrides.ts'
import { explainSales } from './sales.ts'
import { explainScans } from './scans.ts'
import { explainShopCertificates } from './shop.ts'
import { explainAdminTokens, explainApiTokens, explainPasskeys, explainPeople } from './staff.ts'
import { TicketExplainer } from './tickets.ts'

/** A table that the journal explains. */
export type ExplainedTable = keyof ReturnType<typeof explainersOf>

/** The tables that an entry of each kind affects; none if it affects no table. */
const EXPLAINS: Readonly<Record<EntryKind, readonly ExplainedTable[]>> = {
  admin_token: ['admin_tokens'],
  announcement: ['announcements'],
  // Personal, and erased: the record is that answers were given.
  answers: [],
  api_token: ['api_tokens'],
  backup: [],
  claim: ['tickets'],
  clock_fence: [],
  clock_set: [],
  cosign: [],
  device_revoked: ['devices'],
  enrolment: ['devices', 'invites'],
  erasure: ['flags', 'incidents', 'incident_notes'],
  event: ['movements'],
  event_edited: [],
  export: [],
  flag: ['flags'],
  flag_resolved: ['flags'],
  heard: ['tickets'],
  hold: ['holds'],
  hold_released: ['holds'],
  import: ['tickets'],
  incident: ['incidents'],
  incident_action: ['incidents'],
  incident_note: ['incident_notes'],
  invite: ['invites'],
  look_up: [],
  mesh: [],
  mode: ['mode'],
  paper: [],
  passkey: ['passkeys'],
  rehearsal: [],
  release: ['tickets'],
  restart: [],
  restore: [],
  rollback: [],
  sale: ['tickets', 'sales'],
  scan: ['scans', 'movements'],
  seal: [],
  session: [],
  shop: ['tickets'],
  shop_certificate: ['shop_certificates'],
  shop_certificate_revoked: ['shop_certificates'],
  staff: ['people'],
  supervisor_admit: ['movements', 'overrides'],
  ticket_edited: ['tickets'],
  ticket_forgotten: ['tickets'],
  ticket_reinstated: ['tickets'],
  ticket_reissued: ['tickets'],
  ticket_revoked: ['tickets'],
  undo: ['movements', 'overrides'],
  update: [],
}

/** By table. @param key the event's public key */
export function explainersOf(context: ExplainContext, key: NoteKey) {
  return {
    scans: explainScans(context),
    movements: new MovementExplainer(context),
    overrides: explainOverrides(context),
    flags: explainFlags(context),
    incidents: explainIncidents(context),
    incident_notes: explainIncidentNotes(context),
    holds: explainHolds(context),
    devices: explainDevices(context),
    invites: explainInvites(context),
    sales: explainSales(context),
    shop_certificates: explainShopCertificates(context),
    tickets: new TicketExplainer(context),
    people: explainPeople(context),
    api_tokens: explainApiTokens(context),
    passkeys: explainPasskeys(context),
    admin_tokens: explainAdminTokens(context),
    announcements: explainAnnouncements(context, key),
    mode: explainMode(context),
  } satisfies Record<string, Explainer>
}

/** The tables that entries of this kind are about; none for a kind that a newer version has written. */
export function explainedBy(kind: EntryKind): readonly ExplainedTable[] {
  return Object.hasOwn(EXPLAINS, kind) ? EXPLAINS[kind] : []
}
