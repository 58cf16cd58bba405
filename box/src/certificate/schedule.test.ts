import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Attempts, afterFailure, isDue, NO_ATTEMPTS } from './schedule.ts'

const DAY = 86_400_000
const NOW = 1_800_000_000_000
const held = { notBefore: NOW - 60 * DAY, notAfter: NOW + 30 * DAY }

describe('when a certificate is due', () => {
  it('without one, at once; with one, when a third of its life is left', () => {
    assert.equal(isDue(undefined, NO_ATTEMPTS, NOW), true)
    assert.equal(isDue(held, NO_ATTEMPTS, NOW - 1), false)
    assert.equal(isDue(held, NO_ATTEMPTS, NOW), true)
  })

  it('not before the next attempt, unless the clock was set back since', () => {
    const attempts: Attempts = { failures: 1, nextAt: NOW, problem: 'x' }
    assert.equal(isDue(undefined, attempts, NOW - 1), false)
    assert.equal(isDue(undefined, attempts, NOW), true)
    assert.equal(isDue(undefined, attempts, NOW - 30 * DAY), true)
  })

  it('whatever failed, the next attempt is later, within a week and its jitter, and due then', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 10_000 }),
        fc.boolean(),
        fc.option(fc.nat(), { nil: undefined }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (failures, reached, retryAfterMs, random) => {
          const failure = { problem: 'x', reached, retryAfterMs }
          const after = afterFailure({ ...NO_ATTEMPTS, failures }, failure, { now: NOW, random })
          assert.ok(after.nextAt !== null && after.nextAt > NOW && after.nextAt <= NOW + 7 * DAY)
          assert.equal(isDue(undefined, after, NOW), false)
          assert.equal(isDue(undefined, after, after.nextAt), true)
        },
      ),
    )
  })

  it('without network the box tries again within a quarter of an hour, and an authority is left alone for longer', () => {
    const far = { ...NO_ATTEMPTS, failures: 30 }
    const wait = (reached: boolean, retryAfterMs?: number) =>
      (afterFailure(far, { problem: 'x', reached, retryAfterMs }, { now: NOW, random: 0.5 }).nextAt ?? 0) - NOW
    assert.equal(wait(false), 15 * 60_000)
    assert.equal(wait(true), 12 * 3_600_000)
    assert.equal(wait(true, 2 * DAY), 2 * DAY)
    assert.equal(wait(true, 400 * DAY), 7 * DAY)
  })
})
