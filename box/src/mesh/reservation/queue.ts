/** Rights whose use or release is not in the reservation stream yet. The only file that reads and writes their table. */
import { asc, count, sql } from '../../drizzle/core.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { reservationQueue } from '../../ledger/schema.ts'
import { allColumns, excluded, matching } from '../../ledger/statements.ts'

export type QueuedRight = typeof reservationQueue.$inferSelect

export class ReservationQueue {
  readonly #ledger: Ledger
  readonly #statements: ReturnType<typeof prepare>
  #length: number | undefined

  constructor(ledger: Ledger) {
    this.#ledger = ledger
    this.#statements = prepare(ledger.db)
  }

  /** Number of rights that are queued. Read once and then cached: it may be too high for a moment, and is never too low. */
  get length(): number {
    this.#length ??= this.#statements.count.get()?.queued ?? 0
    return this.#length
  }

  /** Within a transaction, which may be run twice. */
  put(queued: QueuedRight): void {
    this.#statements.put.run(queued)
    this.#length = undefined
  }

  /** As `put`, unless something is queued already for that scan and right. */
  putNew(queued: QueuedRight): void {
    this.#statements.putNew.run(queued)
    this.#length = undefined
  }

  /** The oldest ones, in the order of the journal. */
  oldest(most: number): QueuedRight[] {
    return this.#statements.oldest.all({ most })
  }

  /** Removes what the stream holds now. One that was queued again meanwhile stays. */
  async remove(done: readonly QueuedRight[]): Promise<void> {
    if (done.length === 0) return
    await this.#ledger.commit(() => {
      for (const { scanId, slot, entry } of done) this.#statements.remove.run({ scanId, slot, entry })
    })
    this.#length = undefined
  }
}

function prepare({ drizzle }: Ledger['db']) {
  const insert = () => drizzle.insert(reservationQueue).values(allColumns(reservationQueue))
  return {
    count: drizzle.select({ queued: count() }).from(reservationQueue).prepare(),
    putNew: insert().onConflictDoNothing().prepare(),
    put: insert()
      .onConflictDoUpdate({
        target: [reservationQueue.scanId, reservationQueue.slot],
        set: excluded(reservationQueue, 'entry'),
      })
      .prepare(),
    oldest: drizzle
      .select()
      .from(reservationQueue)
      .orderBy(asc(reservationQueue.entry), asc(reservationQueue.scanId))
      .limit(sql.placeholder('most'))
      .prepare(),
    remove: drizzle
      .delete(reservationQueue)
      .where(matching(reservationQueue, 'scanId', 'slot', 'entry'))
      .prepare(),
  }
}
