/** Opens a ledger a second time, in a thread beside the one that scans. */
import { sql } from '../drizzle/core.ts'
import { type Db, LOG_BYTES, openDb } from './db.ts'
import { type Identity, openIdentity } from './identity.ts'

/**
 * For much writing that nobody waits for. Its commits are not synced one by one: a power cut may take the last ones, never one before
 * another. A whole transaction of another connection syncs them with its own, and while an import writes there are no folds. Pages are copied back into the file here,
 * before a scan would have to, and as late as that allows: a page that has changed often meanwhile is copied once.
 * @throws LedgerFileError
 */
export function openBeside(path: string, eventId: string): { db: Db; identity: Identity } {
  const db = openDb(path)
  try {
    db.drizzle.run(sql`PRAGMA synchronous = NORMAL`)
    const page = db.drizzle.get<{ page_size: number }>(sql`PRAGMA page_size`)
    db.drizzle.run(sql.raw(`PRAGMA wal_autocheckpoint = ${Math.round(((3 / 4) * LOG_BYTES) / page.page_size)}`))
    return { db, identity: openIdentity(db, eventId, Date.now) }
  } catch (error) {
    db.close()
    throw error
  }
}
