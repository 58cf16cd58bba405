/**
 * `peer_journal`: the entries of other boxes. Each entry of kind `heard` has a digest of those that it brought, so the seals of this
 * box also cover its copies of them.
 */
import { createHash } from 'node:crypto'
import { and, asc, gt, sql } from '../../drizzle/core.ts'
import { boxes, peerJournal } from '../../ledger/schema.ts'
import { matching } from '../../ledger/statements.ts'
import { type Fact, factOf, readEntry } from '../fact.ts'
import { leafHash } from '../merkle.ts'
import type { ExplainContext } from './explainer.ts'

/** Entries read at a time. */
const PAGE = 500

export class ReplicatedEntries {
  readonly #context: ExplainContext
  readonly #page: ReturnType<typeof preparePage>
  /** By box, those that entries of kind `heard` have brought. */
  readonly #counts = new Map<string, number>()

  constructor(context: ExplainContext) {
    this.#context = context
    this.#page = preparePage(context)
  }

  /** Yields what an entry of kind `heard` has brought, with the index of that entry. */
  *after({ index, kind, fields }: Fact): Generator<Fact> {
    if (kind !== 'heard') return
    const { box, from, to, digest, again, known } = fields
    const [agains, knowns] = [new Set(again), new Set(known)]
    const hash = createHash('sha256')
    for (let last = from - 1; ; ) {
      const rows = this.#page.all({ box, after: last, entry: index })
      for (const { index: place, hlc, kind, bytes } of rows) {
        last = place
        hash.update(leafHash(bytes))
        this.#counts.set(box, (this.#counts.get(box) ?? 0) + 1)
        const read = readEntry(bytes)
        if (!read || read.index !== place || read.hlc !== hlc || read.kind !== kind || place >= to) {
          this.#differs(index, `entry ${place} of ${box} is not what it says of itself`)
          continue
        }
        yield factOf({ index, hlc, kind }, read, { box, place, again: agains.has(place), known: knowns.has(place) })
      }
      if (rows.length < PAGE) break
    }
    if (hash.digest('hex') !== digest) {
      this.#differs(index, `entries ${from} to ${to - 1} of ${box} are not those that were heard`)
    }
  }

  /** After the last entry: reports entries that none has brought, and entries that are missing. */
  finish(): void {
    const { drizzle, problems } = this.#context
    // The newest may have no entry of kind `heard` yet (-1), if they are only bookkeeping (`mesh/replication/bookkeeping.ts`).
    const rows = drizzle
      .select({
        box: peerJournal.box,
        rows: sql<number>`count(*)`,
        brought: sql<number>`sum(${peerJournal.entry} >= 0)`,
        strange: sql<number>`sum(${peerJournal.entry} < 0 AND ${peerJournal.kind} NOT IN ('heard', 'cosign'))`,
      })
      .from(peerJournal)
      .groupBy(peerJournal.box)
      .all()
    for (const { box, brought, strange } of rows) {
      const more = brought - (this.#counts.get(box) ?? 0) + strange
      if (more > 0) problems.add('heard_unexplained', null, `no entry says that ${more} entries of ${box} were heard`)
    }
    for (const { id, heard } of drizzle.select().from(boxes).all()) {
      const there = rows.find(({ box }) => box === id)?.rows ?? 0
      if (heard > there) problems.add('heard_missing', null, `of ${heard} entries of ${id}, ${there} are there`)
    }
  }

  #differs(index: number, detail: string): void {
    this.#context.problems.add('heard_differs', index, detail)
  }
}

function preparePage({ drizzle }: Pick<ExplainContext, 'drizzle'>) {
  return drizzle
    .select()
    .from(peerJournal)
    .where(and(matching(peerJournal, 'box', 'entry'), gt(peerJournal.index, sql.placeholder('after'))))
    .orderBy(asc(peerJournal.index))
    .limit(PAGE)
    .prepare()
}
