import type { TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createForms } from '../widgets/forms.ts'
import { openSession, type Session } from './session.ts'

const BOX = 'https://box.example'
const NOON = Date.parse('2026-07-04T12:00:00Z')

/** Answers a request of IndexedDB in a later turn. */
function later(act: () => unknown): IDBRequest {
  const request = { result: undefined as unknown, onsuccess: () => undefined, onupgradeneeded: () => undefined }
  void turn().then(() => {
    request.result = act()
    request.onupgradeneeded()
    request.onsuccess()
  })
  return request as unknown as IDBRequest
}

/** As much of IndexedDB as the file needs: one value for each database. */
function fakeIndexedDB() {
  const databases = new Map<string, { value?: unknown }>()
  const open = (name: string) =>
    later(() => {
      const held = databases.get(name) ?? {}
      databases.set(name, held)
      const objectStore = () => ({
        get: () => later(() => held.value),
        put: (value: unknown) => later(() => (held.value = value)),
      })
      const transaction = () => {
        const made = { objectStore, oncomplete: () => undefined }
        void turn()
          .then(() => turn())
          .then(() => made.oncomplete())
        return made
      }
      return { createObjectStore: () => undefined, close: () => undefined, transaction }
    })
  return {
    open,
    deleteDatabase: (name: string) => later(() => databases.delete(name)),
    databases: async () => [...databases.keys()].map((name) => ({ name })),
  }
}

/** A control room in a browser at noon, with a box that answers every request alike: first as one that takes every admin token. */
export function sessionAtNoon(context: TestContext): { session: Session; box: { status: number } } {
  context.mock.timers.enable({ apis: ['Date', 'setInterval'], now: NOON })
  const stored = new Map<string, string>()
  const sessionStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
  const box = { status: 200 }
  const fetch = async () =>
    new Response('{"holds":[]}', { status: box.status, headers: { 'content-type': 'application/json' } })
  const globals = { sessionStorage, indexedDB: fakeIndexedDB(), addEventListener: () => undefined, fetch }
  for (const [name, value] of Object.entries(globals)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name)
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
    context.after(() => {
      if (before) Object.defineProperty(globalThis, name, before)
      else Reflect.deleteProperty(globalThis, name)
    })
  }
  return { session: openSession(BOX, createForms()), box }
}

/** Everything that has been begun is done. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 50; i++) await turn()
}
