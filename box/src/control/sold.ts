/** Number of valid tickets of each tier. Triggers update the table, so that reading it is one row for each tier. */
import type { Db } from '../ledger/db.ts'
import { sold } from '../ledger/schema.ts'

export class Sold {
  readonly #all

  constructor({ drizzle }: Db) {
    this.#all = drizzle.select().from(sold).prepare()
  }

  /** By tier id; a tier without any may be absent. */
  byTier(): ReadonlyMap<string, number> {
    return new Map(this.#all.all().map(({ tier, tickets }) => [tier, tickets]))
  }
}
