/** A scanner's database as text: every store with all its keys and values. */
import { type Change, type Database, STORES, write } from '../../../scanner-pwa/src/store/database.ts'

/** JSON has no bytes and no keys: these stand for them. */
const BYTES = '$bytes'
const KEY = '$key'

export async function dumpStores(db: Database): Promise<string> {
  const stores: Record<string, unknown> = {}
  for (const name of STORES) {
    const tx = db.transaction(name)
    const [keys, values] = await Promise.all([tx.store.getAllKeys(), tx.store.getAll()])
    stores[name] = await Promise.all(keys.map(async (key, i) => [key, await plain(values[i])]))
  }
  return `${JSON.stringify(stores, null, 1)}\n`
}

export async function loadStores(db: Database, text: string): Promise<void> {
  const stores = JSON.parse(text) as Record<string, [string | number, unknown][]>
  for (const [store, rows] of Object.entries(stores)) {
    // In the shape of its time: the test is of what the code makes of it.
    for (const [key, value] of rows) await write(db, [{ store, key, value: await stored(value) } as Change])
  }
}

async function plain(value: unknown): Promise<unknown> {
  if (value instanceof Uint8Array) return { [BYTES]: Buffer.from(value).toString('base64') }
  if (value instanceof CryptoKey) return { [KEY]: await crypto.subtle.exportKey('jwk', value) }
  if (Array.isArray(value)) return Promise.all(value.map(plain))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    await Promise.all(Object.entries(value).map(async ([name, each]) => [name, await plain(each)] as const)),
  )
}

async function stored(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(stored))
  if (typeof value !== 'object' || value === null) return value
  const { [BYTES]: bytes, [KEY]: key } = value as Record<string, unknown>
  if (typeof bytes === 'string') return new Uint8Array(Buffer.from(bytes, 'base64'))
  // To be dumped again it has to be readable; that of a real phone is not.
  if (key !== undefined) {
    return crypto.subtle.importKey('jwk', key as JsonWebKey, { name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])
  }
  return Object.fromEntries(
    await Promise.all(Object.entries(value).map(async ([name, each]) => [name, await stored(each)] as const)),
  )
}
