import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { signal } from '@preact/signals'
import { followPairing } from './paired-mark.ts'

function storage() {
  const map = new Map<string, string>()
  return {
    map,
    getItem: (name: string) => map.get(name) ?? null,
    setItem: (name: string, text: string) => void map.set(name, text),
    removeItem: (name: string) => void map.delete(name),
  }
}

describe('the mark of a paired phone', () => {
  it('tells that the database was deleted, and how many admissions went with it', () => {
    const kept = storage()
    const unsent = signal<number | null>(0)
    assert.equal(followPairing(kept, unsent).value, null)
    unsent.value = 3
    // The page is opened again, and nothing is paired.
    const again = signal<number | null>(null)
    const deleted = followPairing(kept, again)
    assert.deepEqual(deleted.value, { unsent: 3 })
    assert.deepEqual(followPairing(kept, signal(null)).value, { unsent: 3 }, 'it says so until it is paired')
    again.value = 0
    assert.equal(deleted.value, null)
  })

  it('goes when a person unpairs the phone, and is not there on a new one', () => {
    const kept = storage()
    assert.equal(followPairing(kept, signal(null)).value, null)
    const unsent = signal<number | null>(2)
    followPairing(kept, unsent)
    unsent.value = null
    assert.equal(followPairing(kept, signal(null)).value, null)
  })

  it('is believed whatever stands in it', () => {
    for (const text of ['', '{', 'null', '7', '{"unsent":-1}', '{"unsent":"many"}']) {
      const kept = storage()
      kept.map.set('gatehouse-scanner-paired', text)
      assert.deepEqual(followPairing(kept, signal(null)).value, { unsent: 0 }, text)
    }
  })
})
