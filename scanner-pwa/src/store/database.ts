/** The scanner's storage on its device. One database, so that changes that belong together are one transaction. */

import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import type { Incident, IncidentReport } from '@gatehouse/proto/wire/incidents.ts'
import type { OtherBox } from '@gatehouse/proto/wire/mesh.ts'
import type { ScanRequest } from '@gatehouse/proto/wire/scan.ts'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { KeptOffset } from '../box/clock.ts'
import type { ScanRecord, ShiftSummary } from '../gate/model.ts'
import type { OwnPassage } from '../gate/own-passages.ts'
import type { Place } from '../gate/places.ts'
import type { StoredSignOn } from '../gate/sign-on.ts'
import type { MirrorChange } from '../mirror/changes.ts'
import type { StoredMirror } from '../mirror/stored-mirror.ts'
import type { Identity } from '../pairing/identity.ts'

/** An offline admission, on its way to the box. */
export interface QueueItem {
  scan: ScanRequest
  record: ScanRecord
  /** Origin of the box that asked for the answers of the scan: another one may not know the fields. */
  asker?: string
}

export interface StoredIncident {
  report: IncidentReport
  /** Unix ms. */
  at: number
  /** As the box last sent it; null until the box has the report. */
  incident: Incident | null
  /** The box refuses the report: its reason. */
  refusal?: string
}

export type StoredShift = Omit<ShiftSummary, 'unsent' | 'doubles' | 'aside'>

/** Single values, by name. */
export interface Kept {
  identity: Identity
  /** Id of the checkpoint at which this phone stands. */
  checkpoint: string
  /** A box of this event says more of tickets than their tier. */
  described: boolean
  operator: string
  /** The person who is signed on here, where the event wants it; and the names of those who have been. */
  signedOn: StoredSignOn
  people: string[]
  shift: StoredShift
  clock: KeptOffset
  /** Reason for which this scanner may no longer scan. */
  ended: string
  /** The last reading of the logical clock that went out with an admission. */
  hlc: string
  /** The last event of a box's stream that was applied. */
  position: { origin: string; id: string }
  /** The other boxes of the event, and which one home is. */
  boxes: { home: string | undefined; others: readonly OtherBox[] }
  /** The newest manifest that was taken of each box: an older one is a replay. */
  newest: Record<string, { life: number; version: number }>
  mirror: StoredMirror
  places: { etag: string; places: Record<string, Place> }
  /** Unix ms: when the box last confirmed that the mirror is up to date. */
  mirrorAsOf: number
  /** The rehearsal that the box has announced; `until`: unix ms. */
  rehearsal: { id: string; until: number; left?: boolean }
  announcements: Announcement[]
  dismissed: string[]
}

interface Schema extends DBSchema {
  kept: { key: string; value: Kept[keyof Kept] }
  /** Changes since the last whole manifest, in their order. */
  heard: { key: number; value: MirrorChange }
  /** In the order in which people were let in. */
  queue: { key: number; value: QueueItem }
  /** Scans to show, by scan id. */
  records: { key: string; value: ScanRecord }
  /** Double uses that nobody has dismissed, by scan id. */
  doubles: { key: string; value: ScanRecord }
  /** Admissions that the box refuses, by scan id. */
  aside: { key: string; value: ScanRecord }
  /** Passages that the mirror does not contain yet, by scan id. */
  own: { key: string; value: OwnPassage }
  incidents: { key: string; value: StoredIncident }
}

export type Database = IDBPDatabase<Schema>
export const STORES = ['kept', 'heard', 'queue', 'records', 'doubles', 'aside', 'own', 'incidents'] as const
export type Store = (typeof STORES)[number]

/** @param lost called when the browser takes the open database away: it was deleted, or iOS has ended the process that kept it */
export function openDatabase(name: string, lost = () => {}): Promise<Database> {
  return openDB<Schema>(name, 1, {
    terminated: lost,
    upgrade(db) {
      for (const store of STORES) db.createObjectStore(store)
    },
  })
}

/** Stores a key and removes it again, in one transaction. @throws whatever the browser throws where it cannot store keys */
export async function tryStoring(db: Database, key: CryptoKey): Promise<void> {
  const { store, done } = db.transaction('kept', 'readwrite')
  await Promise.all([store.put(key as unknown as Kept[keyof Kept], 'trial'), store.delete('trial'), done])
}

export async function readKept<K extends keyof Kept>(db: Database, key: K): Promise<Kept[K] | undefined> {
  return (await db.get('kept', key)) as Kept[K] | undefined
}

/** One value to write; `undefined` deletes it. */
export type Change = {
  [S in Store]: { store: S; key: Schema[S]['key']; value: Schema[S]['value'] | undefined }
}[Store]

export function keep<K extends keyof Kept>(key: K, value: Kept[K] | undefined): Change {
  return { store: 'kept', key, value }
}

/**
 * Writes all of the changes or none of them.
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

/** Writes in the background. A disk that is full loses the changes, and not the scanner. */
export function writeLater(db: Database, changes: readonly Change[]): void {
  void write(db, changes).catch(() => {})
}

/** Deletes everything in one transaction: a device that is handed back keeps nothing of the event. */
export async function wipe(db: Database): Promise<void> {
  const tx = db.transaction(STORES, 'readwrite', { durability: 'strict' })
  await Promise.all([...STORES.map((store) => tx.objectStore(store).clear()), tx.done])
}
