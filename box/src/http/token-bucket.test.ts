import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { GatehouseError } from '../errors.ts'
import { TokenBuckets } from './token-bucket.ts'

function buckets(perSecond: number, burst: number) {
  const clock = { now: 0 }
  return { clock, buckets: new TokenBuckets({ perSecond, burst, now: () => clock.now }) }
}

describe('a token bucket', () => {
  it('lets a burst through, then one for each token, and says when', () => {
    const { clock, buckets: b } = buckets(20, 3)
    assert.deepEqual(
      [1, 2, 3].map(() => b.take('a')),
      [0, 0, 0],
    )
    assert.equal(b.take('a'), 0.05)
    clock.now += 50
    assert.equal(b.take('a'), 0)
    assert.ok(b.take('a') > 0)
  })

  it('refuses with the code of the contract', () => {
    const { buckets: b } = buckets(1, 1)
    b.require('a', 'Wait.')
    assert.throws(
      () => b.require('a', 'Wait.'),
      (error: GatehouseError) =>
        error.code === 'rate_limited' && error.retryAfterSeconds === 1 && error.message === 'Wait.',
    )
  })

  it('refuses unread whoever was refused and comes back too early', () => {
    const { clock, buckets: b } = buckets(10, 20)
    const early = () => b.requireWaited('a', 'Wait.')
    early()
    b.take('a', 15)
    early()
    assert.equal(b.take('a', 15), 1)
    clock.now += 900
    assert.throws(early, (error: GatehouseError) => Math.abs((error.retryAfterSeconds ?? 0) - 0.1) < 1e-6)
    clock.now += 100
    early()
    assert.equal(b.take('a', 15), 0)
    early()
  })

  it('one key never notices another', () => {
    const { buckets: b } = buckets(1, 2)
    for (let i = 0; i < 10_000; i++) b.take('noisy')
    assert.equal(b.take('quiet'), 0)
  })

  const perSecond = fc.integer({ min: 1, max: 50 })
  const burst = fc.integer({ min: 1, max: 50 })
  const requests = fc.array(
    fc.record({ key: fc.constantFrom('a', 'b', 'c'), after: fc.integer({ min: 0, max: 4000 }) }),
    { maxLength: 200 },
  )

  it('law: in any stretch of time, no more than the burst and what the stretch brings', () => {
    fc.assert(
      fc.property(perSecond, burst, requests, (rate, most, asked) => {
        const { clock, buckets: b } = buckets(rate, most)
        const passed = asked.flatMap(({ key, after }) => {
          clock.now += after
          return b.take(key) === 0 ? [{ key, at: clock.now }] : []
        })
        for (const key of ['a', 'b', 'c']) {
          const times = passed.filter((p) => p.key === key).map((p) => p.at)
          times.forEach((from, i) => {
            times.slice(i).forEach((to, n) => {
              assert.ok(n + 1 <= most + ((to - from) / 1000) * rate + 1e-6)
            })
          })
        }
      }),
    )
  })

  it('law: whoever waits as long as it is told gets through', () => {
    fc.assert(
      fc.property(perSecond, burst, requests, (rate, most, asked) => {
        const { clock, buckets: b } = buckets(rate, most)
        for (const { key, after } of asked) {
          clock.now += after
          const wait = b.take(key)
          if (wait === 0) continue
          clock.now += Math.ceil(wait * 1000)
          assert.equal(b.take(key), 0)
        }
      }),
    )
  })
})
