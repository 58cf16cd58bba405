/** The pairing of this device: its key, which cannot be exported, and the session that is worth nothing without it. In IndexedDB, the one place that keeps such a key. */
import type { NewSession } from '@gatehouse/proto/wire/staff.ts'

export interface Pairing {
  key: CryptoKey
  opened: NewSession
}

const STORE = 'kept'
const ONE = 'pairing'

/** Undefined on a device that is not paired. */
export async function readPairing(): Promise<Pairing | undefined> {
  return inStore('readonly', (store) => store.get(ONE)) as Promise<Pairing | undefined>
}

/** @param pairing undefined to forget it */
export async function writePairing(pairing: Pairing | undefined): Promise<void> {
  await inStore('readwrite', (store) => (pairing ? store.put(pairing, ONE) : store.delete(ONE)))
}

async function inStore(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const opening = indexedDB.open('gatehouse-dashboard', 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
  const db = (await settled(opening)) as IDBDatabase
  try {
    return await settled(work(db.transaction(STORE, mode).objectStore(STORE)))
  } finally {
    db.close()
  }
}

function settled(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
