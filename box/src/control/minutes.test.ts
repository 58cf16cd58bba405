import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { countMinute, type Minutes, perMinute, SPARKLINE, sparklineOf } from './minutes.ts'

const MINUTE = 60_000
const NOON = Date.parse('2026-07-04T12:00:00Z')

describe('counts by minute', () => {
  it('put each person where they stood, when that was within the hour', () => {
    const minutes: Minutes = new Map()
    countMinute(minutes, { at: NOON, observedAt: NOON })
    countMinute(minutes, { at: NOON + 30_000, observedAt: NOON + 30_000 })
    countMinute(minutes, { at: NOON, observedAt: NOON - 10 * MINUTE })
    countMinute(minutes, { at: NOON, observedAt: NOON - 60 * MINUTE })
    const line = sparklineOf(minutes, NOON)
    assert.deepEqual([line.length, line.at(-1), line.at(-11), line.reduce((a, b) => a + b)], [60, 2, 1, 3])
    assert.deepEqual([perMinute(minutes, NOON, 5), perMinute(minutes, NOON + 5 * MINUTE, 5)], [0.4, 0])
  })

  it('believe a scanner no later than the box itself', () => {
    const minutes: Minutes = new Map()
    countMinute(minutes, { at: NOON, observedAt: NOON + 30 * MINUTE })
    countMinute(minutes, { at: NOON, observedAt: Number.NaN })
    assert.deepEqual([...minutes.values()], [1])
    assert.equal(sparklineOf(minutes, NOON).at(-1), 1)
  })

  it('outlive a box whose clock was in another year', () => {
    const minutes: Minutes = new Map()
    countMinute(minutes, { at: NOON + 1e11, observedAt: NOON + 1e11 })
    countMinute(minutes, { at: NOON, observedAt: NOON })
    assert.deepEqual([...minutes.values()], [1])
    // Set back by seconds over the full minute: what was counted in it is not lost.
    countMinute(minutes, { at: NOON - 1000, observedAt: NOON - 1000 })
    assert.equal(minutes.size, 2)
  })

  it('are the last hour of everybody who ever came, whatever the order of the last minutes', () => {
    const people = fc.array(fc.record({ after: fc.nat(20 * MINUTE), late: fc.nat(90 * MINUTE) }), { maxLength: 200 })
    fc.assert(
      fc.property(people, (came) => {
        const minutes: Minutes = new Map()
        const all: { at: number; observedAt: number }[] = []
        let at = NOON
        for (const { after, late } of came) {
          at += after
          all.push({ at, observedAt: at - late })
          countMinute(minutes, { at, observedAt: at - late })
        }
        const [first] = [Math.floor(at / MINUTE) - SPARKLINE + 1]
        const counted = all.filter(({ observedAt, at }) => {
          const minute = Math.floor(observedAt / MINUTE)
          return minute >= first && minute > Math.floor(at / MINUTE) - SPARKLINE
        })
        assert.equal(
          sparklineOf(minutes, at).reduce((sum, n) => sum + n, 0),
          counted.length,
        )
        assert.ok(minutes.size <= 2 * SPARKLINE)
      }),
    )
  })
})
