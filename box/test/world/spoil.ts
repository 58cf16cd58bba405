/** Damages a record as somebody with access to the disk would, while its box runs. */
import { join } from 'node:path'
import { sql } from '../../src/drizzle/core.ts'
import { openDb } from '../../src/ledger/db.ts'

/** Every seal has another root: `verify` says so, and nothing more is sealed. @param dataDir of the box */
export function spoilSeals(dataDir: string): void {
  const db = openDb(join(dataDir, 'ledger.db'))
  try {
    db.drizzle.run(sql.raw('UPDATE seals SET root = zeroblob(32)'))
  } finally {
    db.close()
  }
}
