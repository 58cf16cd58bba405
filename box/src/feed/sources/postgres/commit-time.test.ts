import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { commitTime, serverTime } from './commit-time.ts'

describe('the time of a commit', () => {
  it('keeps its microseconds', () => {
    assert.equal(commitTime(0n), '2000-01-01T00:00:00.000000Z')
    assert.equal(commitTime(1n), '2000-01-01T00:00:00.000001Z')
    assert.equal(commitTime(-1n), '1999-12-31T23:59:59.999999Z')
    assert.equal(commitTime(-946_684_800_000_001n), '1969-12-31T23:59:59.999999Z')
    assert.equal(commitTime(848_436_725_600_856n), '2026-11-19T20:52:05.600856Z')
  })

  it('is that of the server, to the microsecond', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 17n }), (micros) => {
        const text = commitTime(micros)
        const [, whole = '', rest = ''] = /^(.*\.\d{3})(\d{3})Z$/.exec(text) ?? []
        assert.equal(serverTime(Date.parse(`${whole}Z`)) + BigInt(rest), micros)
      }),
    )
  })

  it('is not a time at all outside of the calendar', () => {
    assert.throws(() => commitTime(2n ** 63n - 1n), RangeError)
    assert.throws(() => commitTime(-(2n ** 63n)), RangeError)
  })
})
