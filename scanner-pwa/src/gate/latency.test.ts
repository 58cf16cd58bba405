import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { backoffMs, deadlineMs, type Latency, measured } from './latency.ts'

describe('the deadline of a scan', () => {
  it('is a second and a half at first, then what the box has shown, within what a queue bears', () => {
    assert.equal(deadlineMs(undefined), 1500)
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 20_000, noNaN: true }), { minLength: 1 }), (samples) => {
        const latency = samples.reduce<Latency | undefined>(measured, undefined)
        const deadline = deadlineMs(latency)
        assert.ok(deadline >= 500 && deadline <= 2500)
      }),
    )
    const steady = Array.from({ length: 50 }, () => 400).reduce<Latency | undefined>(measured, undefined)
    assert.ok(deadlineMs(steady) < 600, 'a steady box is trusted to be steady')
  })
})

describe('a backoff', () => {
  it('doubles up to its most, and is never in step with another', () => {
    const bounds = { firstMs: 1000, mostMs: 30_000 }
    assert.deepEqual(
      [0, 1, 2, 5, 1000].map((n) => backoffMs(n, bounds, 0.999999).toFixed(0)),
      ['1000', '2000', '4000', '30000', '30000'],
    )
    assert.equal(backoffMs(0, bounds, 0), 500)
  })
})
