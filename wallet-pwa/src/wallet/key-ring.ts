/**
 * The keys of claimed tickets, in IndexedDB: the one store that takes a key which cannot be exported. A key is here before
 * the box hears of it, because a claim whose key was lost could only be undone by the organiser.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { KeptKey } from './ed25519.ts'

export interface HeldKey {
  key: KeptKey
  /** The box has said that the ticket is this key's. Until then the claim is sent again. */
  confirmed: boolean
}

export interface KeyRing {
  /** Undefined also where this browser keeps nothing. */
  of(ticketId: string): Promise<HeldKey | undefined>
  /**
   * Keeps `key` unless there is one already, and answers with the one that is kept: two tabs that claim at once claim with
   * one key. @throws when this browser keeps nothing, as some private windows do
   */
  holdFirst(ticketId: string, key: KeptKey): Promise<HeldKey>
  confirm(ticketId: string): Promise<void>
  drop(ticketId: string): Promise<void>
}

interface Schema extends DBSchema {
  keys: { key: string; value: HeldKey }
}

/** Opened with the first question. */
export function keyRing(name = 'gatehouse-wallet'): KeyRing {
  let opened: Promise<IDBPDatabase<Schema>> | undefined
  // Async: where the browser forbids it the very call throws, and this has to be a refusal like any other.
  const open = async () => openDB<Schema>(name, 1, { upgrade: (db) => void db.createObjectStore('keys') })
  const database = () => {
    opened ??= open()
    // A browser that refused once may allow it later: the next question asks again.
    opened.catch(() => {
      opened = undefined
    })
    return opened
  }
  return {
    async of(ticketId) {
      const held = await database()
        .then((db) => db.get('keys', ticketId))
        .catch(() => undefined)
      return isHeld(held) ? held : undefined
    },
    async holdFirst(ticketId, key) {
      const { store, done } = (await database()).transaction('keys', 'readwrite')
      const earlier = await store.get(ticketId)
      const held = isHeld(earlier) ? earlier : { key, confirmed: false }
      if (held !== earlier) await store.put(held, ticketId)
      await done
      return held
    },
    async confirm(ticketId) {
      const { store, done } = (await database()).transaction('keys', 'readwrite')
      const held = await store.get(ticketId)
      if (isHeld(held)) await store.put({ ...held, confirmed: true }, ticketId)
      await done
    },
    async drop(ticketId) {
      await (await database()).delete('keys', ticketId)
    },
  }
}

function isHeld(held: HeldKey | undefined): held is HeldKey {
  return (
    held?.key?.publicKey instanceof Uint8Array &&
    typeof held.confirmed === 'boolean' &&
    ('seed' in held.key || 'privateKey' in held.key)
  )
}
