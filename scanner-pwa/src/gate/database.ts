/** What this scanner keeps on its device. One database, so that what belongs together is one transaction. */

import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import type { Incident, IncidentReport } from '@gatehouse/proto/wire/incidents.ts'
import type { OtherBox } from '@gatehouse/proto/wire/mesh.ts'
import type { ScanRequest } from '@gatehouse/proto/wire/scan.ts'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { ScanRecord, ShiftSummary } from '../model.ts'
import type { KeptOffset } from './clock.ts'
import type { Identity } from './identity.ts'
import type { Heard } from './mirror.ts'
import type { OwnPassage } from './own-passages.ts'
import type { Place } from './places.ts'
import type { StoredMirror } from './stored-mirror.ts'

/** An admission made alone, on its way to the box. */
export interface QueueItem {
  scan: ScanRequest
  record: ScanRecord
}

export interface StoredIncident {
  report: IncidentReport
  /** Unix ms. */
  at: number
  /** As the box last had it; null until it has it. */
  incident: Incident | null
  /** The box will not take it, and why. */
  refusal?: string
}

export type StoredShift = Omit<ShiftSummary, 'unsent' | 'doubles' | 'aside'>

/** Single values, by name. */
export interface Kept {
  identity: Identity
  /** Where this phone stands. */
  checkpoint: string
  operator: string
  shift: StoredShift
  clock: KeptOffset
  /** Why nothing scans any more. */
  ended: string
  /** The last reading of the logical clock that went out with an admission. */
  hlc: string
  /** Where to go on on the stream of which box. */
  position: { origin: string; id: string }
  /** The other boxes of the event, and which one home is. */
  boxes: { home: string | undefined; others: readonly OtherBox[] }
  /** The newest manifest that was taken of each box: an older one is played back. */
  newest: Record<string, { life: number; version: number }>
  mirror: StoredMirror
  places: { etag: string; places: Record<string, Place> }
  /** Unix ms: when the box last said that the mirror is its newest. */
  mirrorAsOf: number
  announcements: Announcement[]
  dismissed: string[]
}

interface Schema extends DBSchema {
  kept: { key: string; value: Kept[keyof Kept] }
  /** What was heard since the mirror was fetched as a whole, in its order. */
  heard: { key: number; value: Heard }
  /** In the order in which people were let in. */
  queue: { key: number; value: QueueItem }
  /** Scans to show, by scan id. */
  records: { key: string; value: ScanRecord }
  /** Double uses that nobody has dismissed, by scan id. */
  doubles: { key: string; value: ScanRecord }
  /** Admissions that the box will not take, by scan id. */
  aside: { key: string; value: ScanRecord }
  /** Passages that no mirror tells of yet, by scan id. */
  own: { key: string; value: OwnPassage }
  incidents: { key: string; value: StoredIncident }
}

export type Database = IDBPDatabase<Schema>
export const STORES = ['kept', 'heard', 'queue', 'records', 'doubles', 'aside', 'own', 'incidents'] as const
export type Store = (typeof STORES)[number]

export function openDatabase(name: string): Promise<Database> {
  return openDB<Schema>(name, 1, {
    upgrade(db) {
      for (const store of STORES) db.createObjectStore(store)
    },
  })
}

export async function readKept<K extends keyof Kept>(db: Database, key: K): Promise<Kept[K] | undefined> {
  return (await db.get('kept', key)) as Kept[K] | undefined
}

/** One thing to write; `undefined` deletes it. */
export type Change = {
  [S in Store]: { store: S; key: Schema[S]['key']; value: Schema[S]['value'] | undefined }
}[Store]

export function keep<K extends keyof Kept>(key: K, value: Kept[K] | undefined): Change {
  return { store: 'kept', key, value }
}

/**
 * Writes all of it or nothing.
 * @param durability `strict`: on the disk when this resolves, and not only with the operating system
 */
export async function write(
  db: Database,
  changes: readonly Change[],
  durability: 'strict' | 'relaxed' = 'relaxed',
): Promise<void> {
  if (changes.length === 0) return
  const stores = [...new Set(changes.map(({ store }) => store))]
  const tx = db.transaction(stores, 'readwrite', { durability })
  const done = changes.map(({ store, key, value }) => {
    const target = tx.objectStore(store)
    return value === undefined ? target.delete(key) : target.put(value as never, key)
  })
  await Promise.all([...done, tx.done])
}

/** Everything, in one transaction: a device that was handed back keeps nothing of the event. */
export async function wipe(db: Database): Promise<void> {
  const tx = db.transaction(STORES, 'readwrite', { durability: 'strict' })
  await Promise.all([...STORES.map((store) => tx.objectStore(store).clear()), tx.done])
}
