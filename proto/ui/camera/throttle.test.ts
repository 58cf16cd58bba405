import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pauseAfter } from './throttle.ts'

test('a fast decoder sees nearly every frame, a slow one works half of the time', () => {
  assert.equal(pauseAfter(3, 0), 3)
  assert.equal(pauseAfter(120, 0), 120)
})

test('a long stall is not paid for twice', () => {
  assert.equal(pauseAfter(5000, 0), 250)
})

test('nobody there: less often, and at once again when somebody comes', () => {
  assert.equal(pauseAfter(3, 60_000), 100)
  assert.equal(pauseAfter(3, 59_999), 3)
})

test('the pause is never negative and never long', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (decodeMs, idleMs) => {
      const pause = pauseAfter(decodeMs, idleMs)
      assert.ok(pause >= 0 && pause <= 250)
    }),
  )
})
