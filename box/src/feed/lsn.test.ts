import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { comparePositions, eventId, formatLsn, type Position, parseEventId, parseLsn } from './lsn.ts'

const lsns = fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn })
const positions = fc.record({ commitLsn: lsns, index: fc.nat() })

describe('positions', () => {
  it('are written as PostgreSQL writes them', () => {
    for (const text of ['0/0', '0/A', '16/B374D848', 'FFFFFFFF/FFFFFFFF']) {
      assert.equal(formatLsn(parseLsn(text) ?? -1n), text)
    }
    assert.equal(parseLsn('00000000/0000000a'), 10n)
  })

  it('are read back as they were', () => {
    fc.assert(fc.property(lsns, (lsn) => parseLsn(formatLsn(lsn)) === lsn))
    fc.assert(
      fc.property(positions, (position) => {
        assert.deepEqual(parseEventId(eventId(position)), { ...position })
      }),
    )
  })

  it('are nothing else', () => {
    for (const text of [
      '',
      '/',
      '0',
      '0/',
      '/0',
      '0/G',
      '-1/0',
      '0/0/0',
      '123456789/0',
      '0/123456789',
      ' 0/0',
      '0/0\n',
    ]) {
      assert.equal(parseLsn(text), undefined, text)
    }
    for (const text of [
      '',
      '0/0',
      '0/0:',
      ':0',
      '0/0:-1',
      '0/0:01',
      '0/0:1.5',
      '0/0:1e3',
      'x:1',
      `0/0:${'9'.repeat(16)}`,
    ]) {
      assert.equal(parseEventId(text), undefined, text)
    }
    fc.assert(fc.property(fc.string(), (text) => [undefined, 'object'].includes(parseEventId(text) && 'object')))
  })

  // 14 of the list of faults in issue 5.
  it('come in the order of their numbers, not of their text', () => {
    const order = ['0/9:0', '0/9:2', '0/9:10', '0/A:0', '0/10:0', '0/FFFFFFFF:5', '1/0:0', 'A/0:0', '10/0:0']
    const read = (id: string): Position => parseEventId(id) ?? assert.fail(id)
    assert.deepEqual(
      order.toReversed().sort((a, b) => comparePositions(read(a), read(b))),
      order,
    )
    fc.assert(
      fc.property(positions, positions, (a, b) => {
        const sign = Math.sign(comparePositions(a, b))
        assert.equal(sign, -Math.sign(comparePositions(b, a)) + 0)
        assert.equal(sign === 0, eventId(a) === eventId(b))
        if (a.commitLsn !== b.commitLsn) assert.equal(sign < 0, a.commitLsn < b.commitLsn)
      }),
    )
  })
})
