/**
 * Applies holds and releases of gates at other boxes. A hold is added once and ends once, so their order makes no difference: a
 * gate that two boxes hold is held until both holds have ended.
 */
import { eq } from '../../../drizzle/core.ts'
import { type HoldRow, holds } from '../../../ledger/schema.ts'
import type { PeerEntry } from '../envelope.ts'
import type { ApplyContext } from './context.ts'

export function applyHold(
  { fields, rows }: PeerEntry<'hold' | 'hold_released'>,
  { ledger, recordedBy: entry }: ApplyContext,
): void {
  const placed = fields.kind === 'hold' ? fields.hold : undefined
  const ends = fields.kind === 'hold' ? fields.replaces : fields.hold
  const ended: End = { releasedAt: Date.parse(fields.at), releasedBy: fields.actor }
  const { drizzle } = ledger.db
  for (const { releasedAt: _, releasedBy: __, ...row } of rows.holds ?? []) {
    if (row.id !== placed && row.id !== ends) continue
    // The row is as it is at that box now, which may be later than this entry. Its end is applied with the entry that ends it.
    const begins = row.id === placed
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

/** Where two people release a gate, the earlier release counts; of two at one moment, every box takes the same one. */
function firstEnd(a: End, b: End): End {
  const [first] = [a, b]
    .filter(({ releasedAt }) => releasedAt !== null)
    .sort((x, y) => (x.releasedAt ?? 0) - (y.releasedAt ?? 0) || ((x.releasedBy ?? '') < (y.releasedBy ?? '') ? -1 : 1))
  const { releasedAt, releasedBy } = first ?? a
  return { releasedAt, releasedBy }
}
