/**
 * The stretches of journals that a copy contains, in the order in which the copied box counted them: its own journal, and at each
 * place where it had replicated another box's entries, those. Counted in this order, they come to the same figures.
 */
import { and, asc, gte, lt, sql } from '../../../drizzle/core.ts'
import type { Db } from '../../../ledger/db.ts'
import { type Entry, entryOf, type NewEntry } from '../../../ledger/entries.ts'
import { journal, peerJournal } from '../../../ledger/schema.ts'
import { matching } from '../../../ledger/statements.ts'
import { digestOf, PassageMarks } from '../../replication/replicated-passages.ts'
import type { CopiedBox } from './identity.ts'

/** Readers of the journal read all entries of one record at once. */
const MOST_IN_RECORD = 1000

export interface Stretch {
  /** The new box's `heard` entry for it. */
  record: NewEntry<'heard'>
  /** True if it is of the copied box's own journal. */
  own: boolean
}

export function stretchesOf(db: Db, { boxId, entries }: CopiedBox): Stretch[] {
  const stretches: Stretch[] = []
  const marks = newMarks()
  const statements = prepare(db)
  const addOwn = (own: readonly Entry[]) => {
    const marked = { again: [] as number[], known: [] as number[] }
    for (const entry of own) {
      const mark = marks.mark(entry)
      if (mark !== undefined) marked[mark].push(entry.index)
    }
    const [first, last] = [own[0], own.at(-1)]
    if (!first || !last) return
    const record = { box: boxId, from: first.index, to: last.index + 1, digest: digestOf(own), ...marked }
    stretches.push({ record, own: true })
  }
  for (let from = 0; from < entries; from += MOST_IN_RECORD) {
    let own: Entry[] = []
    for (const entry of statements.own.all({ from, to: from + MOST_IN_RECORD }).map(entryOf)) {
      own.push(entry)
      if (entry.kind !== 'heard') continue
      addOwn(own)
      own = []
      const { box, from: first, to, digest, again, known } = entry.fields
      for (const row of statements.recordedBy.all({ box, entry: entry.index })) marks.mark(entryOf(row))
      stretches.push({ record: { box, from: first, to, digest, again, known }, own: false })
    }
    addOwn(own)
  }
  return stretches
}

/** The journal starts with an empty site: the stretches contain everything that the marks depend on. */
function newMarks(): PassageMarks {
  return new PassageMarks({
    tickets: { byRef: () => undefined, movementsOf: () => [] },
    scans: { find: () => undefined },
    overrides: { find: () => undefined },
  })
}

function prepare({ drizzle }: Db) {
  return {
    own: drizzle
      .select()
      .from(journal)
      .where(and(gte(journal.index, sql.placeholder('from')), lt(journal.index, sql.placeholder('to'))))
      .orderBy(asc(journal.index))
      .prepare(),
    recordedBy: drizzle
      .select()
      .from(peerJournal)
      .where(matching(peerJournal, 'box', 'entry'))
      .orderBy(asc(peerJournal.index))
      .prepare(),
  }
}
