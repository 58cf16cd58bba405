import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import fc from 'fast-check'
import { transaction } from '../../../test/feed/scripted-source.ts'
import { EventRing } from './event-stream-ring.ts'

const events = transaction(
  16n,
  Array.from({ length: 50 }, () => 'row'),
).events
const bytes = events[0]?.bytes ?? 0

describe('a ring', () => {
  it('holds so many events and so many bytes, and one event at the least', () => {
    const byEvents = new EventRing({ maxEvents: 10, maxBytes: 1e9 })
    for (const event of events) byEvents.push(event)
    assert.deepEqual([byEvents.size, byEvents.first, byEvents.end], [10, 40, 50])
    const byBytes = new EventRing({ maxEvents: 1000, maxBytes: bytes * 3 + 10 })
    for (const event of events) byBytes.push(event)
    assert.equal(byBytes.size, 3)
    const small = new EventRing({ maxEvents: 1000, maxBytes: 1 })
    for (const event of events) small.push(event)
    assert.equal(small.size, 1)
  })

  it('knows the place behind each event that it holds, and behind the last that it let go', () => {
    const ring = new EventRing({ maxEvents: 10, maxBytes: 1e9 })
    for (const event of events) ring.push(event)
    assert.equal(ring.placeAfter('0/10:49'), 50)
    assert.equal(ring.placeAfter('0/10:40'), 41)
    assert.equal(ring.placeAfter('0/10:39'), 40, 'nothing was missed after it')
    assert.equal(ring.placeAfter('0/10:38'), undefined)
    assert.equal(ring.placeAfter('0/11:0'), undefined)
    assert.deepEqual([ring.oldestId, ring.newestId], ['0/10:40', '0/10:49'])
  })

  it('keeps a gap in its place', () => {
    const ring = new EventRing({ maxEvents: 3, maxBytes: 1e9 })
    const [a, b, c] = events
    assert.ok(a && b && c)
    ring.push(a)
    ring.pushGap({ missing: 7 })
    ring.push(b)
    assert.deepEqual([ring.at(0), ring.at(1), ring.at(2)], [a, { missing: 7 }, b])
    ring.push(c)
    assert.equal(ring.placeAfter(a.id), 1)
    ring.push(c)
    assert.equal(ring.placeAfter(a.id), undefined, 'the gap behind it is not there any more')
    assert.equal(ring.oldestId, b.id)
  })
})

test('what it holds is the end of what was pushed', () => {
  fc.assert(
    fc.property(fc.nat(49), fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 }), (n, maxEvents, rows) => {
      const ring = new EventRing({ maxEvents, maxBytes: rows * bytes })
      for (const event of events.slice(0, n)) ring.push(event)
      const held = Array.from({ length: ring.size }, (_, i) => ring.at(ring.first + i))
      assert.deepEqual(held, events.slice(n - ring.size, n))
      assert.equal(
        ring.bytes,
        events.slice(n - ring.size, n).reduce((sum, event) => sum + event.bytes, 0),
      )
    }),
  )
})
