import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPreferences } from './preferences.ts'

function storage(text?: string) {
  const kept = new Map(text === undefined ? [] : [['gatehouse-scanner', text]])
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
}

test('what was set is there after a reload', () => {
  const kept = storage()
  const before = openPreferences(kept)
  before.volume.value = 0.4
  before.camera.value = 'front'
  before.vibration.value = false
  const after = openPreferences(kept)
  assert.equal(after.volume.value, 0.4)
  assert.equal(after.camera.value, 'front')
  assert.equal(after.vibration.value, false)
})

test('a phone without any, or with a damaged one, is loud and uses the camera at its back', () => {
  for (const text of [undefined, '', '{', 'null', '[]', '"x"', '{"volume":7,"camera":3}', '{"volume":"1"}']) {
    const { volume, vibration, camera } = openPreferences(storage(text))
    assert.deepEqual([volume.value, vibration.value, camera.value], [1, true, null])
  }
})
