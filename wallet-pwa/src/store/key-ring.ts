/**
 * The keys of claimed tickets, in IndexedDB: the one store that takes a key which cannot be exported. A key is stored before its
 * claim is sent, because a claim whose key is lost can only be undone by the organiser.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { KeptKey } from '../wallet/ed25519.ts'

export interface HeldKey {
  key: KeptKey
  /** The box has confirmed the claim. Until then the claim is sent again. */
  confirmed: boolean
}

export interface KeyRing {
  /** Undefined also where this browser stores nothing. */
  of(ticketId: string): Promise<HeldKey | undefined>
  /**
   * Stores `key` unless there is one already, and returns the stored one: two tabs that claim at the same time use one key.
   * @throws when this browser stores nothing, as in some private windows
   */
  holdFirst(ticketId: string, key: KeptKey): Promise<HeldKey>
  confirm(ticketId: string): Promise<void>
  drop(ticketId: string): Promise<void>
}

interface Schema extends DBSchema {
  keys: { key: string; value: HeldKey }
}

/** The database is opened when it is first used. */
export function keyRing(name = 'gatehouse-wallet'): KeyRing {
  let opened: Promise<IDBPDatabase<Schema>> | undefined
  // Async, so that a browser which forbids it, and throws in the call itself, rejects like any other failure.
  const open = async () =>
    openDB<Schema>(name, 1, {
      upgrade: (db) => void db.createObjectStore('keys'),
      // iOS ends the process that keeps it at times: the keys are there again in one that is opened anew.
      terminated: () => {
        opened = undefined
      },
    })
  const database = () => {
    opened ??= open()
    // A browser that refused once may allow it later.
    opened.catch(() => {
      opened = undefined
    })
    return opened
  }
  /** Once more on a database that is opened anew: the browser may have closed this one, and its event comes later. */
  const twice = async <T>(work: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T> => {
    const db = await database()
    try {
      return await work(db)
    } catch {
      db.close()
      opened = undefined
      return work(await database())
    }
  }
  return {
    async of(ticketId) {
      const held = await database()
        .then((db) => db.get('keys', ticketId))
        .catch(() => undefined)
      return isHeld(held) ? held : undefined
    },
    holdFirst: (ticketId, key) =>
      twice(async (db) => {
        const { store, done } = db.transaction('keys', 'readwrite')
        const earlier = await store.get(ticketId)
        const held = isHeld(earlier) ? earlier : { key, confirmed: false }
        if (held !== earlier) await store.put(held, ticketId)
        await done
        return held
      }),
    confirm: (ticketId) =>
      twice(async (db) => {
        const { store, done } = db.transaction('keys', 'readwrite')
        const held = await store.get(ticketId)
        if (isHeld(held)) await store.put({ ...held, confirmed: true }, ticketId)
        await done
      }),
    drop: (ticketId) => twice((db) => db.delete('keys', ticketId)),
  }
}

function isHeld(held: HeldKey | undefined): held is HeldKey {
  return (
    held?.key?.publicKey instanceof Uint8Array &&
    typeof held.confirmed === 'boolean' &&
    ('seed' in held.key || 'privateKey' in held.key)
  )
}
