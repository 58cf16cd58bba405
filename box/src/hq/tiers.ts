/** Reads the tiers of a box's event from the journal's entries, so that views need not read a box's JSON. */
import { sql } from '../drizzle/core.ts'
import type { HqTransaction } from './database.ts'
import type { HqEvent } from './event.ts'
import { tiers } from './schema.ts'

type TierRow = Pick<typeof tiers.$inferInsert, 'tier' | 'name' | 'entry' | 'atEntry'>

export async function writeTiers(
  tx: HqTransaction,
  of: { box: string; history: number },
  fresh: readonly HqEvent[],
): Promise<void> {
  // The last entry of a batch that defines a tier counts.
  const rows = new Map(fresh.flatMap(tiersIn).map((row) => [row.tier, row]))
  if (rows.size === 0) return
  await tx
    .insert(tiers)
    .values([...rows.values()].map((row) => ({ ...of, ...row })))
    .onConflictDoUpdate({
      target: [tiers.box, tiers.history, tiers.tier],
      set: { name: sql`excluded.name`, entry: sql`excluded.entry`, atEntry: sql`excluded.at_entry` },
      setWhere: sql`${tiers.atEntry} <= excluded.at_entry`,
    })
}

/** @returns an empty list for an entry of another form */
function tiersIn({ table, after }: HqEvent): TierRow[] {
  if (table !== 'journal' || after?.kind !== 'event') return []
  try {
    const { event } = JSON.parse(after.bytes ?? '') as { event: { tiers: unknown[] } }
    return event.tiers.flatMap((tier) => {
      const { id, name, entry } = tier as Record<string, unknown>
      const isTier = [id, name, entry].every(
        (text) => typeof text === 'string' && text.isWellFormed() && !text.includes('\0'),
      )
      return isTier
        ? [{ tier: id as string, name: name as string, entry: entry as string, atEntry: Number(after.idx) }]
        : []
    })
  } catch {
    return []
  }
}
