import type { EntryKind } from '../../src/ledger/entries.ts'

/** Kinds of journal entries that came after the golden files: each is to have an entry in newer files beside them. */
export const NEWER: readonly EntryKind[] = [
  'admin_token',
  'answers',
  'api_token',
  'event_edited',
  'incident_note',
  'look_up',
  'paper',
  'passkey',
  'rehearsal',
  'sale',
  'session',
  'staff',
  'ticket_edited',
  'ticket_forgotten',
  'ticket_reissued',
]
