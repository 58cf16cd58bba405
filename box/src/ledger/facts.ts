/**
 * The journal's entries as facts: those of this box, and after an entry of kind `heard`, the other box's entries that it says were
 * replicated. What counts or reports what happened at the event follows facts; what seals or proves follows entries.
 */
import { and, asc, eq, gte, lt } from '../drizzle/core.ts'
import { type Entry, type EntryOf, entryOf } from './entries.ts'
import type { Ledger } from './ledger.ts'
import { peerJournal } from './schema.ts'

/** An entry of this box; with `box`, one of that box, and `index` is then the place of the `heard` entry that brought it. */
export type Fact = Entry & {
  readonly box?: string
  /** Its place in that box's own journal. */
  readonly place?: number
  /** Its ticket has another admission here: it changes nothing of how many tickets have come. */
  readonly again?: boolean
  /** A passage or an undo that this box knew already: it moves nobody once more. */
  readonly known?: boolean
}

/** @returns each entry, followed by the entries that it says were replicated, in the other box's order */
export function* factsIn({ db }: Pick<Ledger, 'db'>, entries: Iterable<Entry>): Generator<Fact> {
  for (const entry of entries) {
    yield entry
    if (entry.kind === 'heard') yield* replicatedIn(db, entry)
  }
}

/** Many subscribers are given the same entries: what one of them brought is read from the file once for all. */
const read = new WeakMap<Entry, readonly Fact[]>()

/** The other box's entries that a `heard` entry says were replicated. */
export function replicatedIn(db: Pick<Ledger['db'], 'drizzle'>, entry: EntryOf<'heard'>): readonly Fact[] {
  const facts = read.get(entry) ?? readReplicated(db, entry)
  read.set(entry, facts)
  return facts
}

function readReplicated({ drizzle }: Pick<Ledger['db'], 'drizzle'>, entry: EntryOf<'heard'>): Fact[] {
  const { box, from, to, again, known } = entry.fields
  const ofEntry = and(gte(peerJournal.index, from), lt(peerJournal.index, to), eq(peerJournal.entry, entry.index))
  const rows = drizzle
    .select()
    .from(peerJournal)
    .where(and(eq(peerJournal.box, box), ofEntry))
    .orderBy(asc(peerJournal.index))
    .all()
  const [agains, knowns] = [new Set(again), new Set(known)]
  return rows.map(({ index: place, ...row }) =>
    Object.assign(entryOf({ ...row, index: entry.index }), {
      box,
      place,
      again: agains.has(place),
      known: knowns.has(place),
    }),
  )
}
