import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { format } from '@gatehouse/proto/hlc.ts'
import fc from 'fast-check'
import { inOrder, type Placed } from './order.ts'

const at = (time: string) => Date.parse(`2026-07-04T${time}Z`)
const hlcAt = (time: string) => format({ ms: at(time), count: 0 })

/** A box was asked. */
const asked = (scanId: string, box: string, time: string, confirmed = false): Placed => {
  return { scanId, box, hlc: hlcAt(time), confirmed, aloneAt: null }
}
/** Nobody was: the box was told later. */
const alone = (scanId: string, box: string, time: string, told: string): Placed => {
  return { scanId, box, hlc: hlcAt(told), confirmed: false, aloneAt: at(time) }
}
const told = (...records: Placed[]) => {
  const { sorted, certain } = inOrder(records)
  return [certain ? 'certain' : 'uncertain', ...sorted.map(({ scanId }) => scanId)]
}

describe('who was first', () => {
  it('is who the boxes say, unless their clocks are too close', () => {
    assert.deepEqual(told(asked('b', 'B', '18:00:05.001'), asked('a', 'A', '18:00:00')), ['certain', 'a', 'b'])
    assert.deepEqual(told(asked('b', 'B', '18:00:05'), asked('a', 'A', '18:00:00')), ['uncertain', 'a', 'b'])
    assert.deepEqual(told(asked('b', 'A', '18:00:01'), asked('a', 'A', '18:00:00')), ['certain', 'a', 'b'])
  })

  it('is not who was uploaded first', () => {
    const [a, b] = [alone('a', 'A', '18:00:00', '18:12:00'), alone('b', 'B', '18:03:00', '18:10:00')]
    assert.deepEqual(told(b, a), ['uncertain', 'a', 'b'])
    assert.deepEqual(told(alone('b', 'A', '18:03:00', '18:10:00'), a), ['uncertain', 'a', 'b'])
    const between = asked('c', 'C', '18:01:00')
    assert.deepEqual(told(between, b, a), ['uncertain', 'a', 'c', 'b'])
  })

  it('is nobody for certain while a scanner that was alone may have been earlier than it says', () => {
    const two = [asked('a', 'A', '18:00:00'), asked('b', 'B', '18:01:00')]
    assert.deepEqual(told(...two), ['certain', 'a', 'b'])
    assert.deepEqual(told(...two, alone('c', 'C', '18:02:00', '18:10:00')), ['uncertain', 'a', 'b', 'c'])
  })

  it('is whom all boxes confirmed, whatever a clock says', () => {
    const [a, b] = [alone('a', 'A', '18:00:00', '18:12:00'), asked('b', 'B', '18:03:00', true)]
    assert.deepEqual(told(a, b), ['certain', 'b', 'a'])
  })

  it('is the only one', () => assert.deepEqual(told(alone('a', 'A', '18:00:00', '18:12:00')), ['certain', 'a']))

  const moment = fc.constantFrom('18:00:00', '18:00:03', '18:00:06', '18:10:00')
  const record = fc
    .record({
      box: fc.constantFrom('A', 'B'),
      time: moment,
      told: moment,
      confirmed: fc.boolean(),
      wasAlone: fc.boolean(),
    })
    .map(({ box, time, told, confirmed, wasAlone }) => {
      return wasAlone ? alone('', box, time, told) : asked('', box, time, confirmed)
    })
  it('is the same in whatever order a box has heard of them, and at whichever box a scanner that was alone has told', () => {
    const shuffled = fc.array(record, { minLength: 1, maxLength: 6 }).chain((records) => {
      const named = records.map((one, i) => ({ ...one, scanId: `s${i}` }))
      return fc.tuple(fc.constant(named), fc.shuffledSubarray(named, { minLength: named.length }))
    })
    fc.assert(
      fc.property(shuffled, ([records, others]) => {
        assert.deepEqual(inOrder(others), inOrder(records))
        const elsewhere = others.map((one) =>
          one.aloneAt === null ? one : { ...one, box: 'C', hlc: hlcAt('18:20:00') },
        )
        assert.deepEqual(told(...elsewhere), told(...records))
      }),
    )
  })
})
