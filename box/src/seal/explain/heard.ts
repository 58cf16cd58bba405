/**
 * `peer_journal`: what other boxes wrote, as this box's own entries say that it heard it. Each entry of kind `heard` holds a hash
 * over what it brought, so the seals of this box vouch for the copies that it keeps of the others' words.
 */
import { createHash } from 'node:crypto'
import { and, asc, eq, gt, sql } from '../../drizzle/core.ts'
import { boxes, peerJournal } from '../../ledger/schema.ts'
import type { HeardEntry } from '../../mesh/facts.ts'
import { leafHash } from '../merkle.ts'
import { readEntry } from '../read-entry.ts'
import type { ExplainContext, Fact } from './explainer.ts'

/** Entries read at a time. */
const PAGE = 500

export interface HeardFacts {
  /** What this entry says was heard, each as a fact with the index of this entry. */
  after(fact: Fact): Generator<Fact>
  /** When there are no more: what nobody says was heard. */
  end(): void
}

export function heardFacts({ drizzle, problems }: ExplainContext): HeardFacts {
  const page = drizzle
    .select()
    .from(peerJournal)
    .where(
      and(
        eq(peerJournal.box, sql.placeholder('box')),
        gt(peerJournal.index, sql.placeholder('after')),
        eq(peerJournal.entry, sql.placeholder('entry')),
      ),
    )
    .orderBy(asc(peerJournal.index))
    .limit(PAGE)
    .prepare()
  const counted = new Map<string, number>()

  function* after({ index, kind, said }: Fact): Generator<Fact> {
    if (kind !== 'heard') return
    const { box, from, to, digest, again, known } = said as unknown as HeardEntry
    const [agains, knowns] = [new Set(again), new Set(known)]
    const hash = createHash('sha256')
    for (let last = from - 1; ; ) {
      const rows = page.all({ box, after: last, entry: index })
      for (const { index: place, hlc, kind, bytes } of rows) {
        last = place
        hash.update(leafHash(bytes))
        counted.set(box, (counted.get(box) ?? 0) + 1)
        const read = readEntry(bytes)
        if (!read || read.index !== place || read.hlc !== hlc || read.kind !== kind || place >= to) {
          problems.add('heard_differs', index, `entry ${place} of ${box} is not what it says of itself`)
          continue
        }
        yield { index, hlc, kind, said: read, box, place, again: agains.has(place), known: knowns.has(place) }
      }
      if (rows.length < PAGE) break
    }
    if (hash.digest('hex') !== digest) {
      problems.add('heard_differs', index, `entries ${from} to ${to - 1} of ${box} are not those that were heard`)
    }
  }

  function end(): void {
    // What is kept and not said yet moves nobody (`mesh/spread/silent.ts`), and is at the end of what is here.
    const rows = drizzle
      .select({
        box: peerJournal.box,
        rows: sql<number>`count(*)`,
        said: sql<number>`sum(${peerJournal.entry} >= 0)`,
        strange: sql<number>`sum(${peerJournal.entry} < 0 AND ${peerJournal.kind} NOT IN ('heard', 'cosign'))`,
      })
      .from(peerJournal)
      .groupBy(peerJournal.box)
      .all()
    for (const { box, said, strange } of rows) {
      const more = said - (counted.get(box) ?? 0) + strange
      if (more > 0) problems.add('heard_unexplained', null, `no entry says that ${more} entries of ${box} were heard`)
    }
    for (const { id, heard } of drizzle.select().from(boxes).all()) {
      const there = rows.find(({ box }) => box === id)?.rows ?? 0
      if (heard > there) problems.add('heard_missing', null, `of ${heard} entries of ${id}, ${there} are there`)
    }
  }

  return { after, end }
}
