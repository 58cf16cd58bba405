import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgetKeptFile, forgetOldFile, isCurrent, keepFile, readKeptFile } from './kept-file.ts'

const DAY = 86_400_000

test('a file is kept for a day, and none is from the future', () => {
  assert.equal(isCurrent({ at: 5 }, 5), true)
  assert.equal(isCurrent({ at: 5 }, 4 + DAY), true)
  assert.equal(isCurrent({ at: 5 }, 5 + DAY), false)
  assert.equal(isCurrent({ at: 5 }, 4), false)
})

test('a browser that keeps nothing says so, and breaks nothing', async () => {
  // As in a private window, which may have no IndexedDB.
  const ours = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB')
  Reflect.deleteProperty(globalThis, 'indexedDB')
  using _back = {
    [Symbol.dispose]: () => void (ours && Object.defineProperty(globalThis, 'indexedDB', ours)),
  }
  const kept = { file: new File(['a'], 'a.csv'), column: null, event: null, tiers: [], at: 0 }
  assert.equal(await keepFile(kept), false)
  assert.equal(await readKeptFile(0), undefined)
  assert.doesNotThrow(forgetKeptFile)
  await assert.doesNotReject(forgetOldFile(0))
})
