import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { deadlineMs, type Latency, measured } from './latency.ts'

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
