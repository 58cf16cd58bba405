/** What the other boxes are still to be told about rights: the one file that reads and writes that table. */
import { and, asc, count, eq, sql } from '../../drizzle/core.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { claimQueue } from '../../ledger/schema.ts'

export type Owed = typeof claimQueue.$inferSelect

export class ClaimQueue {
  readonly #ledger: Ledger
  readonly #statements: ReturnType<typeof prepare>
  #length: number | undefined

  constructor(ledger: Ledger) {
    this.#ledger = ledger
    this.#statements = prepare(ledger.db)
  }

  /** Rights that are owed, as of the last look: never fewer than there are. */
  get length(): number {
    this.#length ??= this.#statements.count.get()?.owed ?? 0
    return this.#length
  }

  /** Within a transaction, which may be run twice. */
  put(owed: Owed): void {
    this.#statements.put.run(owed)
    this.#length = undefined
  }

  /** As `put`, where nothing is owed about that scan and right yet. */
  putNew(owed: Owed): void {
    this.#statements.putNew.run(owed)
    this.#length = undefined
  }

  /** The oldest, in the order of the journal. */
  oldest(most: number): Owed[] {
    return this.#statements.oldest.all({ most })
  }

  /** What is answered is no longer owed. One that was put in again meanwhile stays. */
  async answered(owed: readonly Owed[]): Promise<void> {
    if (owed.length === 0) return
    await this.#ledger.commit(() => {
      for (const { scanId, slot, entry } of owed) this.#statements.remove.run({ scanId, slot, entry })
    })
    this.#length = undefined
  }
}

function prepare({ drizzle }: Ledger['db']) {
  const { placeholder } = sql
  const [scanId, slot, entry] = [placeholder('scanId'), placeholder('slot'), placeholder('entry')]
  const insert = () => drizzle.insert(claimQueue).values({ scanId, ticketRef: placeholder('ticketRef'), slot, entry })
  return {
    count: drizzle.select({ owed: count() }).from(claimQueue).prepare(),
    putNew: insert().onConflictDoNothing().prepare(),
    put: insert()
      .onConflictDoUpdate({ target: [claimQueue.scanId, claimQueue.slot], set: { entry: sql`excluded.entry` } })
      .prepare(),
    oldest: drizzle
      .select()
      .from(claimQueue)
      .orderBy(asc(claimQueue.entry), asc(claimQueue.scanId))
      .limit(placeholder('most'))
      .prepare(),
    remove: drizzle
      .delete(claimQueue)
      .where(and(eq(claimQueue.scanId, scanId), eq(claimQueue.slot, slot), eq(claimQueue.entry, entry)))
      .prepare(),
  }
}
