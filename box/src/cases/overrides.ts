/** Stores what people decide about a scan after the box has answered it: a supervisor's admission, or an undo. */
import type { Db } from '../ledger/db.ts'
import { overrides } from '../ledger/schema.ts'
import { allColumns, matching } from '../ledger/statements.ts'

export type Override = typeof overrides.$inferSelect

/** For this long after a scan, whoever stood there still knows what happened. */
export const OVERRIDE_MS = 15 * 60_000

export class Overrides {
  readonly #find
  readonly #put

  constructor({ drizzle }: Db) {
    this.#find = drizzle
      .select()
      .from(overrides)
      .where(matching(overrides, 'scanId', 'kind'))
      .prepare()
    this.#put = drizzle.insert(overrides).values(allColumns(overrides)).prepare()
  }

  find(scanId: string, kind: Override['kind']): Override | undefined {
    return this.#find.get({ scanId, kind })
  }

  /** Within a transaction. */
  put(override: Override): void {
    this.#put.run(override)
  }
}
