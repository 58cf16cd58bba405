import type { Db } from '../../src/ledger/db.ts'
import { scans } from '../../src/ledger/schema.ts'
import { prepareFind, type StoredScan } from '../../src/rights/scans.ts'

/** Every stored answer of a ledger. */
export function storedScans(db: Pick<Db, 'drizzle'>): StoredScan[] {
  const find = prepareFind(db)
  const ids = db.drizzle.select({ scanId: scans.scanId }).from(scans).all()
  return ids.map(({ scanId }) => find(scanId) as StoredScan)
}
