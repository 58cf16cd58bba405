/** The first answer to every scan id, so that a resend gets it again. */
import type { Db } from '../ledger/db.ts'
import { packId } from '../ledger/packed-id.ts'
import { scans } from '../ledger/schema.ts'
import { allColumns, excluded, matching } from '../ledger/statements.ts'

export type StoredScan = typeof scans.$inferSelect

export class Scans {
  readonly #find
  readonly #put

  constructor({ drizzle }: Db) {
    this.#find = drizzle.select().from(scans).where(matching(scans, 'scanId')).prepare()
    const set = excluded(scans, 'digest', 'passed', 'response', 'entry')
    const insert = drizzle.insert(scans).values(allColumns(scans))
    this.#put = insert.onConflictDoUpdate({ target: scans.scanId, set }).prepare()
  }

  find(scanId: string): StoredScan | undefined {
    return this.#find.get({ scanId: packId(scanId) })
  }

  /** Within a transaction. A second answer replaces the first only when a refused person turns out to be inside. */
  put(scan: StoredScan): void {
    this.#put.run({ ...scan, passed: scan.passed ? 1 : 0 })
  }
}
