/** What the organiser has told everybody at another box. It never changes, and carries the signature that all boxes share. */
import { announcements } from '../../../ledger/schema.ts'
import type { PeerEntry } from '../envelope.ts'
import type { Hearing } from './hearing.ts'

export function hearAnnouncement({ fields, rows }: PeerEntry, { ledger, heard: entry }: Hearing): void {
  const row = rows.announcement
  if (!row || row.id !== (fields as { id: string }).id) return
  ledger.db.drizzle
    .insert(announcements)
    .values({ ...row, signature: Buffer.from(row.signature, 'base64'), entry })
    .onConflictDoNothing()
    .run()
}
