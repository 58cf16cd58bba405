/**
 * The journal's entries as facts: those of this box, and, where an entry of kind `heard` says so, those of the box that it was
 * heard from. Whatever counts or tells what happened at the event follows facts; whatever seals or proves follows entries.
 */
import { and, asc, eq, gte, lt } from '../drizzle/core.ts'
import { type Entry, entryOf, type Ledger } from '../ledger/ledger.ts'
import { peerJournal } from '../ledger/schema.ts'

/** The journal's fact of what another box had written: kind `heard`. Made by `mesh/reconcile/heard.ts`. */
export interface HeardEntry {
  box: string
  /** Entries `from` up to, and not including, `to` of its journal; those that an earlier entry has told already are left out. */
  from: number
  to: number
  /** SHA-256 over the leaf hashes of these entries, hex: this box's seals hold what it was told, too. */
  digest: string
  /** Indices, in that journal, of admissions and undos whose ticket has another admission here: the turnout stays as it is. */
  again: number[]
  /** Of passages and undos that this box knew already, from another box or of its own: they move nobody once more. */
  known: number[]
  /** Over all tickets, as this has left them; absent where it has changed none. */
  tickets_digest?: string
}

/** An entry; where `box` is there, another box's, with `index` of the entry by which this one heard it. */
export type Fact = Entry & {
  readonly box?: string
  /** Its place in that box's own journal. */
  readonly place?: number
  readonly again?: boolean
  readonly known?: boolean
}

/** @returns each entry, followed by what it says was heard, in the other box's order */
export function* factsIn({ db }: Pick<Ledger, 'db'>, entries: Iterable<Entry>): Generator<Fact> {
  for (const entry of entries) {
    yield entry
    if (entry.kind === 'heard') yield* heardIn(db, entry)
  }
}

/** Many follow the journal, and are handed the same entries: what one says was heard is read once for all of them. */
const read = new WeakMap<Entry, readonly Fact[]>()

/** What an entry of kind `heard` says was heard. */
export function heardIn(db: Pick<Ledger['db'], 'drizzle'>, entry: Entry): readonly Fact[] {
  const facts = read.get(entry) ?? readHeard(db, entry)
  read.set(entry, facts)
  return facts
}

function readHeard({ drizzle }: Pick<Ledger['db'], 'drizzle'>, entry: Entry): Fact[] {
  const { box, from, to, again, known } = entry.fields as HeardEntry
  const told = and(gte(peerJournal.index, from), lt(peerJournal.index, to), eq(peerJournal.entry, entry.index))
  const rows = drizzle
    .select()
    .from(peerJournal)
    .where(and(eq(peerJournal.box, box), told))
    .orderBy(asc(peerJournal.index))
    .all()
  const [agains, knowns] = [new Set(again), new Set(known)]
  return rows.map((row) => {
    const heard = entryOf(row as Parameters<typeof entryOf>[0])
    return {
      ...{ index: entry.index, hlc: heard.hlc, kind: heard.kind, bytes: heard.bytes, box, place: row.index },
      ...{ again: agains.has(row.index), known: knowns.has(row.index) },
      get fields() {
        return heard.fields
      },
    }
  })
}
