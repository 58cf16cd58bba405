/** Boxes that go by another event file than this one: they know other gates, and decide by other rules. */
import { createHash } from 'node:crypto'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { and, desc, eq } from '../../drizzle/core.ts'
import { EVENT_DIGEST } from '../../event/recorded.ts'
import { readValue } from '../../ledger/identity.ts'
import { entryOf, type Ledger } from '../../ledger/ledger.ts'
import { peerJournal } from '../../ledger/schema.ts'

/** Whether the last that a box said of its event file is what this box goes by; undefined where it has said nothing yet. */
export function hasSameEvent(box: string, { db }: Pick<Ledger, 'db'>): boolean | undefined {
  const said = db.drizzle
    .select()
    .from(peerJournal)
    .where(and(eq(peerJournal.box, box), eq(peerJournal.kind, 'event')))
    .orderBy(desc(peerJournal.index))
    .limit(1)
    .get()
  if (!said) return undefined
  const { event } = entryOf(said as Parameters<typeof entryOf>[0]).fields as { event: unknown }
  const digest = createHash('sha256').update(canonicalJson(event)).digest()
  return readValue(db, EVENT_DIGEST)?.equals(digest) ?? undefined
}
