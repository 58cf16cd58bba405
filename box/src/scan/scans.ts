/** The first answer to every scan id. */

import type { Db } from '../db.ts'
import { eq, sql } from '../drizzle/core.ts'
import { scans } from '../ledger/schema.ts'

export type StoredScan = typeof scans.$inferSelect

export class Scans {
  readonly #find
  readonly #put

  constructor({ drizzle }: Db) {
    const { placeholder } = sql
    this.#find = drizzle
      .select()
      .from(scans)
      .where(eq(scans.scanId, placeholder('scanId')))
      .prepare()
    const columns = {
      digest: placeholder('digest'),
      passed: placeholder('passed'),
      response: placeholder('response'),
      entry: placeholder('entry'),
    }
    this.#put = drizzle
      .insert(scans)
      .values({ scanId: placeholder('scanId'), ...columns })
      .onConflictDoUpdate({
        target: scans.scanId,
        set: {
          digest: sql`excluded.digest`,
          passed: sql`excluded.passed`,
          response: sql`excluded.response`,
          entry: sql`excluded.entry`,
        },
      })
      .prepare()
  }

  find(scanId: string): StoredScan | undefined {
    return this.#find.get({ scanId })
  }

  /** Within a transaction. A second answer replaces the first only when a refused person turns out to be inside. */
  put(scan: StoredScan): void {
    this.#put.run({ ...scan, passed: scan.passed ? 1 : 0 })
  }
}
