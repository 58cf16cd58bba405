import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { format } from '@gatehouse/proto/hlc.ts'
import fc from 'fast-check'
import { type OrderedRecord, sortRecords } from './record-order.ts'

const at = (time: string) => Date.parse(`2026-07-04T${time}Z`)
const hlcAt = (time: string) => format({ ms: at(time), count: 0 })

/** A box was asked. */
const asked = (scanId: string, box: string, time: string, confirmed = false): OrderedRecord => {
  return { scanId, box, hlc: hlcAt(time), confirmed, offlineAt: null }
}
/** An offline admission, uploaded later. */
const offline = (scanId: string, box: string, time: string, uploadedAt: string): OrderedRecord => {
  return { scanId, box, hlc: hlcAt(uploadedAt), confirmed: false, offlineAt: at(time) }
}
const orderOf = (...records: OrderedRecord[]) => {
  const { sorted, certain } = sortRecords(records)
  return [certain ? 'certain' : 'uncertain', ...sorted.map(({ scanId }) => scanId)]
}

describe('who was first', () => {
  it('is who the boxes say, unless their clocks are too close', () => {
    assert.deepEqual(orderOf(asked('b', 'B', '18:00:05.001'), asked('a', 'A', '18:00:00')), ['certain', 'a', 'b'])
    assert.deepEqual(orderOf(asked('b', 'B', '18:00:05'), asked('a', 'A', '18:00:00')), ['uncertain', 'a', 'b'])
    assert.deepEqual(orderOf(asked('b', 'A', '18:00:01'), asked('a', 'A', '18:00:00')), ['certain', 'a', 'b'])
  })

  it('is not who was uploaded first', () => {
    const [a, b] = [offline('a', 'A', '18:00:00', '18:12:00'), offline('b', 'B', '18:03:00', '18:10:00')]
    assert.deepEqual(orderOf(b, a), ['uncertain', 'a', 'b'])
    assert.deepEqual(orderOf(offline('b', 'A', '18:03:00', '18:10:00'), a), ['uncertain', 'a', 'b'])
    const between = asked('c', 'C', '18:01:00')
    assert.deepEqual(orderOf(between, b, a), ['uncertain', 'a', 'c', 'b'])
  })

  it('is nobody for certain while a scanner that was alone may have been earlier than it says', () => {
    const two = [asked('a', 'A', '18:00:00'), asked('b', 'B', '18:01:00')]
    assert.deepEqual(orderOf(...two), ['certain', 'a', 'b'])
    assert.deepEqual(orderOf(...two, offline('c', 'C', '18:02:00', '18:10:00')), ['uncertain', 'a', 'b', 'c'])
  })

  it('is whom all boxes confirmed, whatever a clock says', () => {
    const [a, b] = [offline('a', 'A', '18:00:00', '18:12:00'), asked('b', 'B', '18:03:00', true)]
    assert.deepEqual(orderOf(a, b), ['certain', 'b', 'a'])
  })

  it('is the only one', () => assert.deepEqual(orderOf(offline('a', 'A', '18:00:00', '18:12:00')), ['certain', 'a']))

  const moment = fc.constantFrom('18:00:00', '18:00:03', '18:00:06', '18:10:00')
  const record = fc
    .record({
      box: fc.constantFrom('A', 'B'),
      time: moment,
      uploadedAt: moment,
      confirmed: fc.boolean(),
      wasOffline: fc.boolean(),
    })
    .map(({ box, time, uploadedAt, confirmed, wasOffline }) => {
      return wasOffline ? offline('', box, time, uploadedAt) : asked('', box, time, confirmed)
    })
  it('is the same in whatever order a box has heard of them, and at whichever box a scanner that was alone has told', () => {
    const shuffled = fc.array(record, { minLength: 1, maxLength: 6 }).chain((records) => {
      const named = records.map((one, i) => ({ ...one, scanId: `s${i}` }))
      return fc.tuple(fc.constant(named), fc.shuffledSubarray(named, { minLength: named.length }))
    })
    fc.assert(
      fc.property(shuffled, ([records, others]) => {
        assert.deepEqual(sortRecords(others), sortRecords(records))
        const elsewhere = others.map((one) =>
          one.offlineAt === null ? one : { ...one, box: 'C', hlc: hlcAt('18:20:00') },
        )
        assert.deepEqual(orderOf(...elsewhere), orderOf(...records))
      }),
    )
  })
})
