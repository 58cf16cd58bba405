/** The entry that a passage rests on: in this box's journal, or in that of the box that it was heard from. */

import type { Db } from '../../db.ts'
import { and, eq, gte, lt, sql } from '../../drizzle/core.ts'
import { type Entry, type EntryKind, entryOf } from '../../ledger/ledger.ts'
import { journal, peerJournal } from '../../ledger/schema.ts'
import type { HeardEntry } from '../facts.ts'

/** An entry about a scan, and the box that wrote it: null for this one. */
export type PassageFact = Entry & { readonly box: string | null }

/**
 * @param entry index in this box's journal, as a row has it: the entry itself, or the one that says that it was heard
 * @returns undefined where that entry tells nothing of this kind about the scan
 */
export function passageFact(
  { drizzle }: Pick<Db, 'drizzle'>,
  { entry, scanId, kind }: { entry: number; scanId: string; kind: EntryKind },
): PassageFact | undefined {
  const row = drizzle.select().from(journal).where(eq(journal.index, entry)).get()
  if (!row) return undefined
  const own = entryOf(row)
  if (own.kind !== 'heard') return own.kind === kind && isAbout(own, scanId) ? withBox(own, null) : undefined
  const { box, from, to } = own.fields as HeardEntry
  const told = and(eq(peerJournal.box, box), gte(peerJournal.index, from), lt(peerJournal.index, to))
  const named = sql`instr(${peerJournal.bytes}, cast(${JSON.stringify(scanId)} as blob)) > 0`
  const rows = drizzle
    .select()
    .from(peerJournal)
    .where(and(told, eq(peerJournal.kind, kind), named))
    .orderBy(peerJournal.index)
    .all()
    .map((heard) => entryOf(heard as Parameters<typeof entryOf>[0]))
  // A refusal may give way to a later answer to the same scan.
  const found = rows.findLast((heard) => isAbout(heard, scanId))
  return found && withBox(found, box)
}

function isAbout({ fields }: Entry, scanId: string): boolean {
  return (fields as { scan_id?: unknown }).scan_id === scanId
}

function withBox(entry: Entry, box: string | null): PassageFact {
  const { index, hlc, kind, bytes, fields } = entry
  return { index, hlc, kind, bytes, fields, box }
}
