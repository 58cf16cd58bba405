/**
 * What this box has of another one's journal, for whoever cannot ask that one: it is cut off from there, or gone for good. Whoever
 * relays could make entries up; the other box's own seals, which come along and are held against its journal, would show it.
 */

import type { Db } from '../../db.ts'
import { and, asc, desc, eq, gte, lt, lte, max } from '../../drizzle/core.ts'
import { entryOf } from '../../ledger/ledger.ts'
import { boxes, peerJournal, peerSeals } from '../../ledger/schema.ts'
import { type Ask, EnvelopeError, encodeEnvelope, encodePage, PAGE_BYTES } from './envelope.ts'
import type { RowsOf } from './rows-of.ts'

const MOST_ENTRIES = 100

/** @throws EnvelopeError for a box of which nothing is here */
export function relayedPage(
  { drizzle }: Pick<Db, 'drizzle'>,
  rowsOf: RowsOf,
  { of: box, from, after }: Ask & { of: string },
): Uint8Array {
  const known = drizzle.select().from(boxes).where(eq(boxes.id, box)).get()
  if (!known) throw new EnvelopeError(`nothing of ${box} is here`)
  const ofBox = eq(peerJournal.box, box)
  const rows = drizzle
    .select()
    .from(peerJournal)
    .where(and(ofBox, gte(peerJournal.index, from), lt(peerJournal.index, known.heard)))
    .orderBy(asc(peerJournal.index))
    .limit(MOST_ENTRIES)
    .all()
  const seal = drizzle
    .select()
    .from(peerSeals)
    .where(and(eq(peerSeals.box, box), lte(peerSeals.size, known.heard)))
    .orderBy(desc(peerSeals.size))
    .limit(1)
    .get()
  const page = { box, size: known.heard, ...(seal && { seal: seal.note }) }
  const before = drizzle
    .select({ told: max(peerJournal.entry) })
    .from(peerJournal)
    .where(and(ofBox, lt(peerJournal.index, from)))
    .get()
  let told = before?.told ?? -1
  const entries: string[] = []
  let bytes = 0
  for (const row of rows) {
    const entry = entryOf(row as Parameters<typeof entryOf>[0])
    // Its tickets came in parts: the first with what was before it, each other one with an entry of this box, the last with itself.
    const here = { from: told - 1, upTo: row.entry }
    const found = rowsOf.heard(entry, here, entry.index === from ? after : undefined)
    const text = encodeEnvelope(entry, found.rows)
    if (entries.length > 0 && bytes + text.length > PAGE_BYTES) break
    entries.push(text)
    bytes += text.length
    if (found.more !== undefined) return encodePage({ ...page, entries, more: found.more })
    told = Math.max(told, row.entry)
  }
  return encodePage({ ...page, entries })
}
