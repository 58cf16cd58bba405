/** Kinds of entry that explain a change of tickets: of one that the entry names, or of as many as an import has. */
import type { EntryKind } from '../ledger/entries.ts'

const CHANGES: Readonly<Record<EntryKind, 'one' | 'many' | null>> = {
  admin_token: null,
  announcement: null,
  // They stand beside the ticket, and change nothing that a gate decides by but whether it asks again.
  answers: null,
  api_token: null,
  backup: null,
  claim: 'one',
  clock_fence: null,
  clock_set: null,
  cosign: null,
  device_revoked: null,
  enrolment: null,
  erasure: null,
  event: null,
  event_edited: null,
  export: null,
  flag: null,
  flag_resolved: null,
  heard: 'many',
  hold: null,
  hold_released: null,
  import: 'many',
  incident: null,
  incident_action: null,
  incident_note: null,
  invite: null,
  look_up: null,
  mesh: null,
  mode: null,
  paper: null,
  passkey: null,
  rehearsal: null,
  release: 'one',
  restart: null,
  restore: null,
  rollback: null,
  sale: 'many',
  // A scan moves its ticket, and changes nothing of it.
  scan: null,
  seal: null,
  session: null,
  shop: 'many',
  shop_certificate: null,
  shop_certificate_revoked: null,
  staff: null,
  supervisor_admit: null,
  ticket_edited: 'one',
  ticket_forgotten: 'one',
  ticket_reinstated: 'one',
  ticket_reissued: 'one',
  ticket_revoked: 'one',
  undo: null,
  update: null,
}

/** True where an entry of this kind changes one ticket, which it names. */
export function changesOneTicket(kind: EntryKind): boolean {
  return CHANGES[kind] === 'one'
}

/** The kinds of entries that may change any number of tickets: an import, the shop's feed, or what another box replicated. */
export const CHANGE_MANY_TICKETS: readonly EntryKind[] = (Object.keys(CHANGES) as EntryKind[]).filter(
  changesManyTickets,
)

/** True where an entry of this kind is one of `CHANGE_MANY_TICKETS`. */
export function changesManyTickets(kind: EntryKind): boolean {
  return CHANGES[kind] === 'many'
}
