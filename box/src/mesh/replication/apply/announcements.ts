/** Applies announcements of other boxes, corrections and withdrawals among them. A row never changes, and its signature is made with the event's key. */
import { announcements } from '../../../ledger/schema.ts'
import type { PeerEntry } from '../envelope.ts'
import type { ApplyContext } from './context.ts'

export function applyAnnouncement(
  { fields, rows }: PeerEntry<'announcement'>,
  { ledger, recordedBy: entry }: ApplyContext,
): void {
  const row = rows.announcement
  if (!row || row.id !== fields.id) return
  ledger.db.drizzle
    .insert(announcements)
    .values({ ...row, signature: Buffer.from(row.signature, 'base64'), entry })
    .onConflictDoNothing()
    .run()
}
