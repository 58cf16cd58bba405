import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceOffset } from './device-offset.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')

test('a scan by hand, with a reading of zero, has no clock that could be 56 years slow', () => {
  assert.equal(deviceOffset('0.0', NOON), null)
  assert.equal(deviceOffset(undefined, NOON), null)
  assert.equal(deviceOffset('nonsense', NOON), null)
})

test('any other reading tells how far the clock is off', () => {
  assert.equal(deviceOffset(`${NOON + 1500}.0`, NOON), 1500)
  assert.equal(deviceOffset(`${NOON - 90_000}.3`, NOON), -90_000)
})
