import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { backoffMs } from './backoff.ts'

const backoff = { initialMs: 500, maxMs: 30_000, factor: 2, jitter: 0.2 }

test('waits double up to the longest', () => {
  const waits = Array.from({ length: 9 }, (_, i) => backoffMs(i + 1, backoff, () => 0.5))
  assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
})

test('the jitter makes a wait shorter or longer by its part, and no more', () => {
  assert.equal(
    backoffMs(1, backoff, () => 0),
    400,
  )
  const almostOne = 1 - Number.EPSILON
  assert.equal(Math.round(backoffMs(1, backoff, () => almostOne)), 600)
  const failures = fc.integer({ min: 1, max: 2_000_000 })
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(failures, random, (n, r) => {
      const wait = backoffMs(n, backoff, () => r)
      assert.ok(wait >= 400 && wait <= 36_000, `${n} failures: ${wait} ms`)
    }),
  )
})
