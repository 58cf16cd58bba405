/**
 * Gates that are held or released at other boxes. Holds only come, and each only ends: a gate that two boxes hold is held until
 * both holds have ended, in whatever order that is heard of.
 */
import { eq } from '../../../drizzle/core.ts'
import type { HoldEntry, HoldReleasedEntry } from '../../../incidents/entry.ts'
import { type HoldRow, holds } from '../../../ledger/schema.ts'
import type { PeerEntry } from '../envelope.ts'
import type { Hearing } from './hearing.ts'

export function hearHold({ kind, fields, rows }: PeerEntry, { ledger, heard: entry }: Hearing): void {
  const named = fields as HoldReleasedEntry & Partial<HoldEntry>
  const ended: End = { releasedAt: Date.parse(named.at), releasedBy: named.actor }
  const { drizzle } = ledger.db
  for (const { releasedAt: _, releasedBy: __, ...row } of rows.holds ?? []) {
    if (row.id !== named.hold && row.id !== named.replaces) continue
    // The row is as it stands there now, which may be ahead of this entry: how it ends is for the entry that ends it.
    const begins = kind === 'hold' && row.id === named.hold
    const there = drizzle.select().from(holds).where(eq(holds.id, row.id)).get()
    if (!there) {
      drizzle
        .insert(holds)
        .values({ ...row, ...(begins ? STANDING : ended), entry })
        .run()
      continue
    }
    const end = begins ? there : firstEnd(there, ended)
    if (end.releasedAt === there.releasedAt && end.releasedBy === there.releasedBy) continue
    drizzle
      .update(holds)
      .set({ ...end, entry })
      .where(eq(holds.id, row.id))
      .run()
  }
}

const STANDING: End = { releasedAt: null, releasedBy: null }

type End = Pick<HoldRow, 'releasedAt' | 'releasedBy'>

/** Two who release a gate at once: the earlier one, and of two at one moment the same one at every box. */
function firstEnd(a: End, b: End): End {
  const [first] = [a, b]
    .filter(({ releasedAt }) => releasedAt !== null)
    .sort((x, y) => (x.releasedAt ?? 0) - (y.releasedAt ?? 0) || ((x.releasedBy ?? '') < (y.releasedBy ?? '') ? -1 : 1))
  const { releasedAt, releasedBy } = first ?? a
  return { releasedAt, releasedBy }
}
