/** How many tickets of each tier let somebody in. The table is kept by triggers: to read it is to read a row a tier. */
import type { Db } from '../db.ts'
import { sold } from '../ledger/schema.ts'

export class Sold {
  readonly #all

  constructor({ drizzle }: Db) {
    this.#all = drizzle.select().from(sold).prepare()
  }

  /** Valid tickets by tier id; a tier without any may be absent. */
  byTier(): ReadonlyMap<string, number> {
    return new Map(this.#all.all().map(({ tier, tickets }) => [tier, tickets]))
  }
}
