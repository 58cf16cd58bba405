/** Finds boxes with another event file than this one: they know other gates, and decide by other rules. */
import { createHash } from 'node:crypto'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { and, desc, eq } from '../../drizzle/core.ts'
import { EVENT_DIGEST } from '../../event/recorded.ts'
import { entryOf } from '../../ledger/entries.ts'
import { readValue } from '../../ledger/identity.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { peerJournal } from '../../ledger/schema.ts'

/** True if the newest event entry of a box is of this box's event file; undefined where none has been replicated yet. */
export function hasSameEvent(box: string, { db }: Pick<Ledger, 'db'>): boolean | undefined {
  const newest = db.drizzle
    .select()
    .from(peerJournal)
    .where(and(eq(peerJournal.box, box), eq(peerJournal.kind, 'event')))
    .orderBy(desc(peerJournal.index))
    .limit(1)
    .get()
  if (!newest) return undefined
  const entry = entryOf(newest)
  if (entry.kind !== 'event') return undefined
  const digest = createHash('sha256').update(canonicalJson(entry.fields.event)).digest()
  return readValue(db, EVENT_DIGEST)?.equals(digest) ?? undefined
}
