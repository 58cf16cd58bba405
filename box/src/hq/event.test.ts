import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { BadBatch, readBatch } from './event.ts'

const GOOD = {
  $typeName: 'changefeed.v1.ChangeEvent' as const,
  id: '5/10:3',
  lsn: '5/F',
  commitLsn: '5/10',
  commitTime: '2026-07-01T10:00:00.000001Z',
  schema: 'main',
  table: 'tickets',
  op: 'insert',
  beforeJson: '',
  afterJson: '{"id":"1","seat":null}',
}

describe('a batch off the wire', () => {
  it('is every event once, in the order of the commits as numbers', () => {
    const events = ['5/10:3', '5/A:0', '5/9:12', '5/9:2', '5/a:0', '6/1:0'].map((id) => ({
      ...GOOD,
      id,
      commitLsn: id.split(':')[0] ?? '',
    }))
    assert.deepEqual(
      readBatch(events).map(({ history, sequence, index }) => [history, sequence, index]),
      [
        [5, 9, 2],
        [5, 9, 12],
        [5, 10, 0],
        [5, 16, 3],
        [6, 1, 0],
      ],
    )
  })

  it('keeps images as they came, and reads them as text', () => {
    const afterJson = '{"id": "9007199254740993", "seat":null, "n": 1.10, "o": {"a":[1]}}'
    const [event] = readBatch([{ ...GOOD, afterJson }])
    assert.equal(event?.afterJson, afterJson)
    assert.deepEqual(event?.after, { id: '9007199254740993', seat: null, n: '1.1', o: '{"a":[1]}' })
    assert.equal(event?.beforeJson, null)
    assert.equal(event?.committedAt, GOOD.commitTime)
    assert.equal(readBatch([{ ...GOOD, commitTime: '+275760-01-01T00:00:00Z' }])[0]?.committedAt, null)
  })

  it('is refused as a whole for one event that cannot be what it says', () => {
    const wrong: [object, RegExp][] = [
      [{ id: '5/10' }, /no position/],
      [{ id: '5/11:0' }, /no position that agrees/],
      [{ id: '5/10:4294967296' }, /no position/],
      [{ lsn: 'x' }, /has no lsn/],
      [{ op: 'INSERT' }, /which is none/],
      [{ table: '' }, /no name of a table/],
      [{ table: 'x'.repeat(201) }, /no name of a table/],
      [{ afterJson: '' }, /without a row, and says insert/],
      [{ op: 'delete', afterJson: '' }, /without a row, and says delete/],
      [{ afterJson: '"text"' }, /not an object/],
      [{ afterJson: '{"id":"1"' }, /not JSON/],
    ]
    for (const [more, message] of wrong) {
      assert.throws(
        () => readBatch([GOOD, { ...GOOD, ...more }]),
        (error: Error) => {
          assert.ok(error instanceof BadBatch)
          assert.match(error.message, message)
          return true
        },
      )
    }
  })

  it('never throws anything else, whatever it is sent', () => {
    const text = fc.oneof(fc.string(), fc.json(), fc.constantFrom('5/10:0', '5/10', 'insert', 'truncate'))
    const event = fc.record({
      id: text,
      lsn: text,
      commitLsn: text,
      commitTime: text,
      table: text,
      op: text,
      beforeJson: text,
      afterJson: text,
    })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 3 }), (events) => {
        try {
          readBatch(events.map((one) => ({ ...GOOD, ...one })))
        } catch (error) {
          assert.ok(error instanceof BadBatch)
        }
      }),
    )
  })
})
