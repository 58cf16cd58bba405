/**
 * Gates that are held or released at other boxes. Holds only come, and each only ends: a gate that two boxes hold is held until
 * both holds have ended, in whatever order that is heard of.
 */
import { eq } from 'drizzle-orm'
import type { HoldEntry, HoldReleasedEntry } from '../../../incidents/entry.ts'
import { type HoldRow, holds } from '../../../ledger/schema.ts'
import type { PeerEntry } from '../envelope.ts'
import type { Hearing } from './hearing.ts'

export function hearHold({ fields, rows }: PeerEntry, { ledger, heard: entry }: Hearing): void {
  const named = fields as HoldReleasedEntry & Partial<HoldEntry>
  const { drizzle } = ledger.db
  for (const row of rows.holds ?? []) {
    if (row.id !== named.hold && row.id !== named.replaces) continue
    const there = drizzle.select().from(holds).where(eq(holds.id, row.id)).get()
    if (!there) {
      drizzle
        .insert(holds)
        .values({ ...row, entry })
        .run()
      continue
    }
    const end = firstEnd(there, row)
    if (end.releasedAt === there.releasedAt && end.releasedBy === there.releasedBy) continue
    drizzle
      .update(holds)
      .set({ ...end, entry })
      .where(eq(holds.id, row.id))
      .run()
  }
}

type End = Pick<HoldRow, 'releasedAt' | 'releasedBy'>

/** Two who release a gate at once: the earlier one, and of two at one moment the same one at every box. */
function firstEnd(a: End, b: End): End {
  const [first] = [a, b]
    .filter(({ releasedAt }) => releasedAt !== null)
    .sort((x, y) => (x.releasedAt ?? 0) - (y.releasedAt ?? 0) || ((x.releasedBy ?? '') < (y.releasedBy ?? '') ? -1 : 1))
  const { releasedAt, releasedBy } = first ?? a
  return { releasedAt, releasedBy }
}
