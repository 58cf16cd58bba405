/** Whose ledger a file is, without opening it as a box does. */

import { openSnapshot } from '../db.ts'
import { count } from '../drizzle/core.ts'
import { readValue } from './identity.ts'
import { journal } from './schema.ts'

/** @throws LedgerFileError for a file that is no ledger of this version */
export function ownerOf(path: string): { eventId: string; boxId: string; entries: number } {
  using snapshot = openSnapshot(path)
  const [{ entries = 0 } = {}] = snapshot.drizzle.select({ entries: count() }).from(journal).all()
  const text = (name: string) => readValue(snapshot, name)?.toString() ?? ''
  return { eventId: text('event_id'), boxId: text('box_id'), entries }
}
