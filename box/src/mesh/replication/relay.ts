/**
 * Relays another box's journal, as far as it was replicated here, to a box that cannot reach that one. A relay could invent
 * entries; the other box's own seals, which come along and are checked against its journal, would show it.
 */
import { and, asc, desc, eq, gte, lt, lte, max } from '../../drizzle/core.ts'
import type { Db } from '../../ledger/db.ts'
import { entryOf } from '../../ledger/entries.ts'
import { boxes, peerJournal, peerSeals } from '../../ledger/schema.ts'
import { EnvelopeError, encodeEnvelope, encodePage, PAGE_BYTES, type PullRequest } from './envelope.ts'
import type { RowReader } from './row-reader.ts'

const MOST_ENTRIES = 100

/** @throws EnvelopeError for a box of whose journal nothing is here */
export function relayedPage(
  { drizzle }: Pick<Db, 'drizzle'>,
  reader: RowReader,
  { of: box, from, after }: PullRequest & { of: string },
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
    .select({ recordedBy: max(peerJournal.entry) })
    .from(peerJournal)
    .where(and(ofBox, lt(peerJournal.index, from)))
    .get()
  let recordedBy = before?.recordedBy ?? -1
  const entries: string[] = []
  let bytes = 0
  for (const row of rows) {
    const entry = entryOf(row)
    // Its tickets arrived in parts: the first was recorded with the entry before it, each further one by an entry of this box, and
    // the last with the entry itself.
    const here = { from: recordedBy - 1, upTo: row.entry }
    const found = reader.ofReplicated(entry, here, entry.index === from ? after : undefined)
    const envelope = encodeEnvelope(entry, found.rows)
    if (entries.length > 0 && bytes + envelope.length > PAGE_BYTES) break
    entries.push(envelope)
    bytes += envelope.length
    if (found.more !== undefined) return encodePage({ ...page, entries, more: found.more })
    recordedBy = Math.max(recordedBy, row.entry)
  }
  return encodePage({ ...page, entries })
}
