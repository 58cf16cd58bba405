/** What people decided about a scan after the box had answered it: a supervisor's admission, and an admission undone. */

import type { Db } from '../db.ts'
import { and, eq, sql } from '../drizzle/core.ts'
import { overrides } from '../ledger/schema.ts'

export type Override = typeof overrides.$inferSelect

/** So long after a scan somebody who stood there can still tell what happened. */
export const OVERRIDE_MS = 15 * 60_000

export class Overrides {
  readonly #find
  readonly #put

  constructor({ drizzle }: Db) {
    const { placeholder } = sql
    this.#find = drizzle
      .select()
      .from(overrides)
      .where(and(eq(overrides.scanId, placeholder('scanId')), eq(overrides.kind, placeholder('kind'))))
      .prepare()
    this.#put = drizzle
      .insert(overrides)
      .values({
        scanId: placeholder('scanId'),
        kind: placeholder('kind'),
        device: placeholder('device'),
        actor: placeholder('actor'),
        reason: placeholder('reason'),
        at: placeholder('at'),
        response: placeholder('response'),
        entry: placeholder('entry'),
      })
      .prepare()
  }

  find(scanId: string, kind: Override['kind']): Override | undefined {
    return this.#find.get({ scanId, kind })
  }

  /** Within a transaction. */
  put(override: Override): void {
    this.#put.run(override)
  }
}
