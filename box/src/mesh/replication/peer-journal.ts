/** The copies of other boxes' journals: the rows of `peer_journal` as replication writes them. */
import { and, asc, desc, eq, gte, lt } from '../../drizzle/core.ts'
import { type Entry, entryOf } from '../../ledger/entries.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { peerJournal } from '../../ledger/schema.ts'
import type { PeerEntry } from './envelope.ts'

type Deps = { ledger: Ledger }

/** In the column `entry`: stored, but not recorded yet. The next record about that box includes it. */
export const UNRECORDED = -1

/** A box's journal says something else than it said before. Nothing more is taken from that box. */
export class ForkError extends Error {
  override readonly name = 'ForkError'
}

/** The entries that are not here yet. @throws ForkError where one is here and says something else */
export function newEntries(box: string, entries: readonly PeerEntry[], { ledger }: Deps): PeerEntry[] {
  const [first, last] = [entries[0], entries.at(-1)]
  if (!first || !last) return []
  const stored = ledger.db.drizzle
    .select({ index: peerJournal.index, bytes: peerJournal.bytes })
    .from(peerJournal)
    .where(and(eq(peerJournal.box, box), gte(peerJournal.index, first.index), lt(peerJournal.index, last.index + 1)))
    .all()
  const bytesAt = new Map(stored.map(({ index, bytes }) => [index, bytes]))
  return entries.filter(({ index, bytes }) => {
    const there = bytesAt.get(index)
    if (there && !there.equals(bytes))
      throw new ForkError(`${box} says another thing of its entry ${index} than before`)
    return !there
  })
}

/** @param entry index of this box's entry that records them, or `UNRECORDED` */
export function storeEntries(box: string, fresh: readonly PeerEntry[], entry: number, { ledger }: Deps): void {
  if (fresh.length === 0) return
  const rows = fresh.map(({ index, hlc, kind, bytes }) => ({ box, index, hlc, kind, bytes, entry }))
  ledger.db.drizzle.insert(peerJournal).values(rows).run()
}

/** Size of the journal here up to the first gap: an urgent entry may have come ahead of those before it. */
export function contiguousSize(box: string, from: number, { ledger }: Deps): number {
  const stored = ledger.db.drizzle
    .select({ index: peerJournal.index })
    .from(peerJournal)
    .where(and(eq(peerJournal.box, box), gte(peerJournal.index, from)))
    .orderBy(asc(peerJournal.index))
    .all()
  let size = from
  for (const { index } of stored) if (index === size) size++
  return size
}

/**
 * Marks stored entries below `end` that no entry of this box records yet as recorded by `entry`.
 * @returns these entries
 */
export function recordPending(box: string, end: number, entry: number, { ledger }: Deps): Entry[] {
  const { drizzle } = ledger.db
  const ofBox = and(eq(peerJournal.box, box), lt(peerJournal.index, end))
  const last = drizzle
    .select({ index: peerJournal.index })
    .from(peerJournal)
    .where(and(ofBox, gte(peerJournal.entry, 0), lt(peerJournal.entry, entry)))
    .orderBy(desc(peerJournal.index))
    .limit(1)
    .get()
  const pending = and(ofBox, gte(peerJournal.index, (last?.index ?? -1) + 1), eq(peerJournal.entry, UNRECORDED))
  const rows = drizzle.select().from(peerJournal).where(pending).orderBy(asc(peerJournal.index)).all()
  if (rows.length > 0) drizzle.update(peerJournal).set({ entry }).where(pending).run()
  return rows.map(entryOf)
}
