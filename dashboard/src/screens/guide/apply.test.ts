import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gatehouseClient } from '@gatehouse/proto/client.ts'
import { applyEvent } from './apply.ts'

const MARK = 'gatehouse-restart-asked'

test('a box that begins anew, or whose answer is lost, is marked in this tab; one that does not is not', async (context) => {
  const stored = new Map<string, string>()
  const sessionStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
  const before = Object.getOwnPropertyDescriptor(globalThis, 'sessionStorage')
  Object.defineProperty(globalThis, 'sessionStorage', { value: sessionStorage, configurable: true })
  context.after(() => {
    if (before) Object.defineProperty(globalThis, 'sessionStorage', before)
    else Reflect.deleteProperty(globalThis, 'sessionStorage')
  })
  const sessionOf = (answer: () => Response) => ({
    withActor: async () => 'Ana',
    client: gatehouseClient({ baseUrl: 'https://box.example', fetch: async () => answer() }),
  })
  const says = (restarting: boolean) => () => Response.json({ restarting })
  const lost = () => {
    throw new TypeError('fetch failed')
  }
  assert.equal(await applyEvent(sessionOf(says(true)), true), true)
  assert.ok(Math.abs(Number(stored.get(MARK)) - Date.now()) < 60_000)
  assert.equal(await applyEvent(sessionOf(says(false)), true), false)
  assert.ok(!stored.has(MARK))
  await assert.rejects(applyEvent(sessionOf(lost), true))
  assert.ok(stored.has(MARK))
})
