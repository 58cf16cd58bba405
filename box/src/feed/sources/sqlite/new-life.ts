/** Says in a database that was put back from a backup that its change log begins another life. */
import Sqlite from 'better-sqlite3'
import { nextIncarnation } from './lives.ts'
import { Slot } from './slot.ts'
import { SLOT } from './triggers.ts'

/**
 * Positions of the life before mean nothing in this one, whatever a feed remembers. Without a change log there is nothing to do.
 * @param now unix ms
 */
export function beginNewLife(path: string, now: number): void {
  const db = new Sqlite(path)
  try {
    if (!db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(SLOT)) return
    const slot = new Slot(db)
    slot.setIncarnation(nextIncarnation(now, slot.read().incarnation))
  } finally {
    db.close()
  }
}
