import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { backoffMs } from './backoff.ts'

describe('a backoff', () => {
  it('doubles up to its longest wait, and is never in step with another', () => {
    const backoff = { initialMs: 1000, maxMs: 30_000 }
    assert.deepEqual(
      [0, 1, 2, 5, 1000].map((n) => backoffMs(n, backoff, 0.999999).toFixed(0)),
      ['1000', '2000', '4000', '30000', '30000'],
    )
    assert.equal(backoffMs(0, backoff, 0), 500)
  })

  it('grows by its factor, and waits no less and no more than its jitter allows', () => {
    const backoff = { initialMs: 500, maxMs: 30_000, factor: 2, jitter: [0.8, 1.2] as const }
    const waits = Array.from({ length: 9 }, (_, i) => backoffMs(i, backoff, 0.5))
    assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
    assert.equal(backoffMs(0, backoff, 0), 400)
    assert.equal(Math.round(backoffMs(0, backoff, 1 - Number.EPSILON)), 600)
    const failures = fc.nat({ max: 2_000_000 })
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(failures, random, (n, r) => {
        const wait = backoffMs(n, backoff, r)
        assert.ok(wait >= 400 && wait <= 36_000, `${n} failures: ${wait} ms`)
      }),
    )
  })
})
