/** Begins another incarnation of the change log in a database that was put back from a backup. */
import Sqlite from 'better-sqlite3'
import { SLOT } from '../../../ledger/triggers.ts'
import { nextIncarnation } from './incarnation.ts'
import { Slot } from './slot.ts'

/**
 * Positions of the incarnation before mean nothing in this one, whatever a feed remembers. Does nothing where there is no
 * change log.
 * @param now unix ms
 */
export function beginIncarnation(path: string, now: number): void {
  const db = new Sqlite(path)
  try {
    if (!db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(SLOT)) return
    const slot = new Slot(db)
    slot.setIncarnation(nextIncarnation(now, slot.read().incarnation))
  } finally {
    db.close()
  }
}
