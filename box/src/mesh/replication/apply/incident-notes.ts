/**
 * Applies notes that scanners added to their reports at other boxes. The text travels beside the entry, which has its hash. A scanner
 * whose box does not answer sends its note to another one: the note that was recorded first counts, at every box.
 */
import { eq } from '../../../drizzle/core.ts'
import { type IncidentNoteRow, incidentNotes } from '../../../ledger/schema.ts'
import { namesErased } from '../../../tickets/erasure.ts'
import type { PeerEntry } from '../envelope.ts'
import type { ApplyContext } from './context.ts'

export function applyIncidentNote(
  { fields, hlc, rows }: PeerEntry<'incident_note'>,
  { ledger, recordedBy: entry }: ApplyContext,
): void {
  const { note: id, incident, device, at } = fields
  // After an erasure no note comes back: another box may not have replicated the erasure yet.
  const kept = rows.note && !namesErased(ledger.db) ? rows.note : null
  const text = { note: kept?.note ?? null, noteSalt: kept && Buffer.from(kept.salt, 'base64') }
  const row = { id, incident, device, ...text, at: Date.parse(at), hlc, entry }
  const { drizzle } = ledger.db
  const there = drizzle.select().from(incidentNotes).where(eq(incidentNotes.id, id)).get()
  if (there && placeOf(there) <= placeOf(row)) return
  drizzle.insert(incidentNotes).values(row).onConflictDoUpdate({ target: incidentNotes.id, set: row }).run()
}

function placeOf({ hlc, incident, device, noteSalt }: Omit<IncidentNoteRow, 'entry'>): string {
  return JSON.stringify([hlc, incident, device, noteSalt?.toString('base64')])
}
