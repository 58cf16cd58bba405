/**
 * Calls for pretix, read from the journals of all boxes of the event in the order of their clocks. Nothing is written for
 * it when a scan is recorded: the journal is the outbox, and a place in each box's journal says how far it was sent.
 */
import { and, asc, eq, gte, inArray, lt, max, ne } from '../../../drizzle/core.ts'
import type { Db } from '../../../ledger/db.ts'
import { entryOf } from '../../../ledger/entries.ts'
import { boxes, journal, peerJournal } from '../../../ledger/schema.ts'
import { PUSHED_KINDS, type PushedFact } from './call.ts'

/** By box: the place of its first entry that was not taken yet. */
export type Places = Readonly<Record<string, number>>

export interface TakenFacts {
  /** In the order of their clocks; of one box always in the order of its journal. */
  readonly facts: readonly PushedFact[]
  /** Places from which to go on. */
  readonly places: Places
}

/** @returns at most `limit` facts from these places on */
export function readFacts(db: Db, own: string, from: Places, limit: number): TakenFacts {
  const read = readBoxes(db, own, from, limit)
  const facts = merged(read.map(({ facts }) => facts)).slice(0, limit)
  const taken = new Set(facts)
  const places = read.map(({ box, facts, end }) => [box, facts.find((fact) => !taken.has(fact))?.place ?? end])
  return { facts, places: { ...from, ...Object.fromEntries(places) } }
}

/** True where other boxes of the event are known. */
export function hasPeers({ drizzle }: Db, own: string): boolean {
  return drizzle.select({ id: boxes.id }).from(boxes).where(ne(boxes.id, own)).limit(1).get() !== undefined
}

/** @returns by box, the place after everything that `readFacts` could take from these places on */
export function mostTaken(db: Db, own: string, from: Places, limit: number): Places {
  return Object.fromEntries(readBoxes(db, own, from, limit).map(({ box, end }) => [box, end]))
}

function readBoxes(db: Db, own: string, from: Places, limit: number): BoxFacts[] {
  const read = [ownFacts(db, own, from[own] ?? 0, limit)]
  for (const { id, heard } of db.drizzle.select().from(boxes).orderBy(boxes.id).all()) {
    if (id !== own) read.push(peerFacts(db, id, { from: from[id] ?? 0, end: heard }, limit))
  }
  return read
}

/** @returns undefined where that entry is not here, or is of another kind */
export function readFact(db: Db, own: string, box: string, place: number): PushedFact | undefined {
  const read = box === own ? ownFacts(db, own, place, 1) : peerFacts(db, box, { from: place, end: place + 1 }, 1)
  return read.facts.find((fact) => fact.place === place)
}

interface BoxFacts {
  box: string
  facts: PushedFact[]
  /** The place after everything that was looked at. */
  end: number
}

function ownFacts({ drizzle }: Db, box: string, from: number, limit: number): BoxFacts {
  const newest =
    drizzle
      .select({ last: max(journal.index) })
      .from(journal)
      .get()?.last ?? -1
  const rows = drizzle
    .select()
    .from(journal)
    .where(and(gte(journal.index, from), inArray(journal.kind, [...PUSHED_KINDS])))
    .orderBy(asc(journal.index))
    .limit(limit)
    .all()
  return factsOf(box, rows, { limit, end: Math.max(newest + 1, from) })
}

function peerFacts(
  { drizzle }: Db,
  box: string,
  { from, end }: { from: number; end: number },
  limit: number,
): BoxFacts {
  const rows = drizzle
    .select()
    .from(peerJournal)
    .where(
      and(
        eq(peerJournal.box, box),
        gte(peerJournal.index, from),
        lt(peerJournal.index, end),
        inArray(peerJournal.kind, [...PUSHED_KINDS]),
      ),
    )
    .orderBy(asc(peerJournal.index))
    .limit(limit)
    .all()
  const known = knownPlaces(drizzle, rows)
  const read = factsOf(box, rows, { limit, end: Math.max(end, from) })
  // A passage that this box had already when the other box's entry came is the same passage, and was told already.
  return { ...read, facts: read.facts.filter(({ place }) => !known.has(place)) }
}

function factsOf(
  box: string,
  rows: readonly (typeof journal.$inferSelect)[],
  { limit, end }: { limit: number; end: number },
): BoxFacts {
  const facts = rows.map((row) => ({
    box,
    place: row.index,
    hlc: row.hlc,
    entry: entryOf(row) as PushedFact['entry'],
  }))
  const last = facts.at(-1)
  return { box, facts, end: last && facts.length === limit ? last.place + 1 : end }
}

/** Places of those rows that the `heard` entry which brought them names as known. */
function knownPlaces(drizzle: Db['drizzle'], rows: readonly (typeof peerJournal.$inferSelect)[]): Set<number> {
  const heard = [...new Set(rows.map(({ entry }) => entry))]
  if (heard.length === 0) return new Set()
  const entries = drizzle.select().from(journal).where(inArray(journal.index, heard)).all().map(entryOf)
  const boxesPlaces = entries.flatMap((entry) => (entry.kind === 'heard' ? entry.fields.known : []))
  return new Set(boxesPlaces)
}

/** Merges lists that are each in order. A box whose clock was set back keeps the order of its journal. */
function merged(lists: readonly (readonly PushedFact[])[]): PushedFact[] {
  const heads = lists.map((list) => ({ list, at: 0 }))
  const facts: PushedFact[] = []
  for (;;) {
    let first: (typeof heads)[number] | undefined
    for (const head of heads) {
      const fact = head.list[head.at]
      const best = first?.list[first.at]
      if (fact && (!best || fact.hlc < best.hlc)) first = head
    }
    const next = first?.list[first.at]
    if (!first || !next) return facts
    facts.push(next)
    first.at += 1
  }
}
