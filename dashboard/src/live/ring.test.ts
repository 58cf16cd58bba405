import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rings, tuneOf } from './ring.ts'
import { TONES } from './tunes.ts'

test('an emergency is heard over a call, and nothing rings for nothing', () => {
  assert.equal(tuneOf([]), null)
  assert.equal(tuneOf([{ emergency: false }]), 'call')
  assert.equal(tuneOf([{ emergency: false }, { emergency: true }]), 'emergency')
})

test('at once, and then every so often', () => {
  assert.equal(rings(null, null, 0), false)
  assert.equal(rings('call', null, 0), true)
  assert.equal(rings('call', { tune: 'call', at: 0 }, 11_999), false)
  assert.equal(rings('call', { tune: 'call', at: 0 }, 12_000), true)
  assert.equal(rings('emergency', { tune: 'emergency', at: 0 }, 4_000), true)
  // It does not wait for the end of a call's pause.
  assert.equal(rings('emergency', { tune: 'call', at: 0 }, 1), true)
  assert.equal(rings('call', { tune: 'emergency', at: 0 }, 1), false)
})

test('the two do not sound alike', () => {
  const pitches = (tune: 'emergency' | 'call') => TONES[tune].map(({ hz }) => hz).join()
  assert.notEqual(pitches('emergency'), pitches('call'))
})
