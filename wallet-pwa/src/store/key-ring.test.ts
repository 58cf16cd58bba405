import 'fake-indexeddb/auto'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forceCloseDatabase } from 'fake-indexeddb'
import { keyRing } from './key-ring.ts'

const key = () => ({ publicKey: new Uint8Array(32), seed: new Uint8Array(32) })

test('the first key of a ticket is the one that stays', async () => {
  const keys = keyRing('key-ring first')
  const [one, other] = await Promise.all([keys.holdFirst('t', key()), keys.holdFirst('t', key())])
  assert.deepEqual(one, other)
  await keys.confirm('t')
  assert.equal((await keys.of('t'))?.confirmed, true)
  await keys.drop('t')
  assert.equal(await keys.of('t'), undefined)
})

test('a database that the system has closed is opened anew, and the key is there', async (t) => {
  const opened: IDBDatabase[] = []
  const open = indexedDB.open.bind(indexedDB)
  t.mock.method(indexedDB, 'open', (name: string, version?: number) => {
    const request = open(name, version)
    request.addEventListener('success', () => opened.push(request.result))
    return request
  })
  const keys = keyRing('key-ring closed')
  await keys.holdFirst('t', key())
  // biome-ignore lint/suspicious/noExplicitAny: the types of fake-indexeddb know their own class alone
  forceCloseDatabase(opened[0] as any)
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.ok(await keys.of('t'))
  assert.equal(opened.length, 2)
})

test('a database that is ended while a key is being kept is opened anew, and keeps it', async (t) => {
  const keys = keyRing('key-ring ended')
  assert.equal(await keys.of('t'), undefined)
  const closing = () => {
    throw new DOMException('The database connection is closing.', 'InvalidStateError')
  }
  t.mock.method(IDBDatabase.prototype, 'transaction', closing, { times: 1 })
  assert.ok(await keys.holdFirst('t', key()))
  assert.ok(await keyRing('key-ring ended').of('t'))
})

test('a browser that forbids keeping keys has none, and says so only to whoever wants to keep one', async (t) => {
  t.mock.method(indexedDB, 'open', () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  })
  const keys = keyRing('key-ring forbidden')
  assert.equal(await keys.of('t'), undefined)
  await assert.rejects(keys.holdFirst('t', key()), { name: 'SecurityError' })
})
