/** Finds the entry that a passage rests on: in this box's journal, or in the replicated journal of another box. */

import { and, eq, gte, lt, sql } from '../drizzle/core.ts'
import type { Db } from '../ledger/db.ts'
import { type Entry, type EntryOf, entryOf, isOfKind } from '../ledger/entries.ts'
import { journal, peerJournal } from '../ledger/schema.ts'

type PassageKind = 'scan' | 'supervisor_admit' | 'undo'

/** An entry about a scan, and the box that wrote it: null for this one. */
export type PassageFact<K extends PassageKind> = EntryOf<K> & { readonly box: string | null }

/**
 * @param entry index in this box's journal, as a row has it: of the entry itself, or of the one that replicates it
 * @returns undefined where that entry has nothing of this kind about the scan
 */
export function passageFact<K extends PassageKind>(
  { drizzle }: Pick<Db, 'drizzle'>,
  { entry, scanId, kind }: { entry: number; scanId: string; kind: K },
): PassageFact<K> | undefined {
  const row = drizzle.select().from(journal).where(eq(journal.index, entry)).get()
  if (!row) return undefined
  const own = entryOf(row)
  const isAsked = (found: Entry): found is EntryOf<K> => isOfKind(found, kind) && isAbout(found, scanId)
  if (own.kind !== 'heard') return isAsked(own) ? Object.assign(own, { box: null }) : undefined
  const { box, from, to } = own.fields
  const replicated = and(eq(peerJournal.box, box), gte(peerJournal.index, from), lt(peerJournal.index, to))
  const named = sql`instr(${peerJournal.bytes}, cast(${JSON.stringify(scanId)} as blob)) > 0`
  const rows = drizzle
    .select()
    .from(peerJournal)
    .where(and(replicated, eq(peerJournal.kind, kind), named))
    .orderBy(peerJournal.index)
    .all()
    .map(entryOf)
  // The last one: a refusal may be followed by a later answer to the same scan.
  const found = rows.findLast(isAsked)
  return found && Object.assign(found, { box })
}

function isAbout({ fields }: EntryOf<PassageKind>, scanId: string): boolean {
  return fields.scan_id === scanId
}
