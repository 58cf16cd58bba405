/**
 * The journal's entries as facts: those of this box, and, where an entry of kind `heard` says so, those of the box that it was
 * heard from. Whatever counts or tells what happened at the event follows facts; whatever seals or proves follows entries.
 */
import { and, asc, eq, gte, lt } from 'drizzle-orm'
import { type Entry, entryOf, type Ledger } from '../ledger/ledger.ts'
import { peerJournal } from '../ledger/schema.ts'

/** The journal's fact of what another box had written: kind `heard`. */
export interface HeardEntry {
  box: string
  /** Entries `from` up to, and not including, `to` of its journal. */
  from: number
  to: number
  /** Scans among them whose ticket this box knew to be inside by another admission: they are no ticket's first, here. */
  again: string[]
}

/** An entry; where `box` is there, another box's, with `index` of the entry by which this one heard it. */
export type Fact = Entry & { readonly box?: string; readonly again?: boolean }

/** @returns each entry, followed by what it says was heard, in the other box's order */
export function* factsIn({ db }: Pick<Ledger, 'db'>, entries: Iterable<Entry>): Generator<Fact> {
  for (const entry of entries) {
    yield entry
    if (entry.kind === 'heard') yield* heardIn(db, entry)
  }
}

function* heardIn({ drizzle }: Ledger['db'], entry: Entry): Generator<Fact> {
  const { box, from, to, again } = entry.fields as HeardEntry
  const rows = drizzle
    .select()
    .from(peerJournal)
    .where(and(eq(peerJournal.box, box), gte(peerJournal.index, from), lt(peerJournal.index, to)))
    .orderBy(asc(peerJournal.index))
    .all()
  for (const row of rows) {
    const heard = entryOf(row as Parameters<typeof entryOf>[0])
    yield {
      ...{ index: entry.index, hlc: heard.hlc, kind: heard.kind, bytes: heard.bytes, box },
      get fields() {
        return heard.fields
      },
      get again() {
        return again.includes((heard.fields as { scan_id?: string }).scan_id ?? '')
      },
    }
  }
}
