import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reimporting } from './reimport.ts'

const script = new URL('./verdict-class.ts', import.meta.url).href

test('what did not arrive is asked for under an address that has not failed', async () => {
  let asked = 0
  const load = reimporting<typeof import('./verdict-class.ts')>(async () => {
    asked++
    throw new TypeError(`Failed to fetch dynamically imported module: ${script}`)
  })
  await assert.rejects(load(), TypeError)
  assert.equal((await load()).verdictClass('ADMIT'), 'admit')
  assert.equal(asked, 1)
})

test('each try has an address of its own', async () => {
  const gone = new URL('./not-there.ts', import.meta.url).href
  const load = reimporting(async () => {
    throw new TypeError(`error loading dynamically imported module: ${gone}`)
  })
  await assert.rejects(load())
  await assert.rejects(load(), /not-there\.ts/)
  await assert.rejects(load(), /not-there\.ts/)
})

test('a browser that does not name it is asked the same again', async () => {
  let asked = 0
  const load = reimporting(async () => {
    if (++asked === 1) throw new TypeError('Importing a module script failed.')
    return { here: true }
  })
  await assert.rejects(load())
  assert.deepEqual(await load(), { here: true })
})
