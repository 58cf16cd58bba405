/** Reads which box and event a ledger belongs to, without opening it as a box does. */
import { count } from '../drizzle/core.ts'
import { openSnapshot } from './db.ts'
import { readValue } from './identity.ts'
import { journal } from './schema.ts'

/** @throws LedgerFileError for a file that is not a ledger of this version, or of an older one */
export function ownerOf(path: string): { eventId: string; boxId: string; entries: number } {
  using snapshot = openSnapshot(path, { orOlder: true })
  const [{ entries = 0 } = {}] = snapshot.drizzle.select({ entries: count() }).from(journal).all()
  const text = (name: string) => readValue(snapshot, name)?.toString() ?? ''
  return { eventId: text('event_id'), boxId: text('box_id'), entries }
}
