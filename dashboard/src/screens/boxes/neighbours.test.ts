import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { box } from '../../test-samples.ts'
import { promotable, reachabilityOf, replaced, votesOf, warningsOf } from './neighbours.ts'

test('a box is heard, behind or not heard, and this one is none of them', () => {
  assert.equal(reachabilityOf(box({ self: true, heard: false })), 'self')
  assert.equal(reachabilityOf(box({ behind: 100 })), 'heard')
  assert.equal(reachabilityOf(box({ behind: 101 })), 'behind')
  assert.equal(reachabilityOf(box({ heard: false, behind: 5_000 })), 'unheard')
})

test('of those that vote, more than half have to be heard', () => {
  const [north, south, west] = [box({ self: true }), box({ heard: false }), box({ role: 'voter' as const })]
  const leaf = box({ role: 'leaf', heard: false })
  assert.deepEqual(votesOf({ boxes: [north, south, west, leaf] }), { heard: 2, of: 3, needed: 2 })
  assert.deepEqual(votesOf({ boxes: [north, leaf] }), { heard: 1, of: 1, needed: 1 })
})

test('a vote can be given to a box at the venue that has none, and is taken from one that has', () => {
  const boxes = [box({ box_id: 'a' }), box({ box_id: 'b', role: 'leaf' }), box({ box_id: 'c', role: 'leaf' })]
  assert.deepEqual(
    promotable({ boxes }, new Set(['c'])).map(({ box_id }) => box_id),
    ['b'],
  )
  assert.deepEqual(
    replaced({ boxes }).map(({ box_id }) => box_id),
    ['a'],
  )
})

test('messages that no box has signed are said to be refused, under the name that they came by', () => {
  const boxes = [box({ self: true })]
  const last = '2026-07-17T18:00:00.000Z'
  const refused = [
    { what: 'message' as const, delivered_by: 'box-1', name: 'South', why: 'unsigned' as const, count: 3, last },
    { what: 'message' as const, delivered_by: 'voter-1', name: null, why: 'stranger' as const, count: 1, last },
    { what: 'message' as const, delivered_by: null, name: null, why: 'forged' as const, count: 2, last },
  ]
  const kept = {
    what: 'reservation' as const,
    delivered_by: 'voter-1',
    name: 'Laptop',
    why: 'forged' as const,
    count: 1,
    last,
  }
  const [reservation] = warningsOf({ boxes, refused: [kept] })
  assert.match(reservation?.text ?? '', /^1 reservation refused .*: no box has signed it\. Laptop delivered it\./)
  const [unsigned, stranger, forged] = warningsOf({ boxes, refused }).map(({ text }) => text)
  assert.match(unsigned ?? '', /^3 messages in the name of South refused \(last at .*\): not signed.*update it/)
  assert.match(stranger ?? '', /^1 message in the name of voter-1 refused/)
  assert.match(forged ?? '', /^2 messages refused/)
  assert.equal(new Set(warningsOf({ boxes, refused }).map(({ box }) => box)).size, 3)
})

test('a box that keeps all in clear is named, and what to do about it', () => {
  const boxes = [box({ self: true }), box({ box_id: 'b', name: 'South', unencrypted: true }), box({ box_id: 'c' })]
  const [warning, ...more] = warningsOf({ boxes })
  assert.equal(more.length, 0)
  assert.match(warning?.text ?? '', /^South still runs Gatehouse 0\.1\. .*Update South now\.$/)
})

test('a box that signed two records is said to have, in words that tell what to do, and once', () => {
  const boxes = [box({ self: true }), box({ box_id: 'b', name: 'South', problem: 'it has signed two seals' })]
  assert.deepEqual(warningsOf({ boxes }), [{ box: 'b', text: 'South: it has signed two seals' }])
  const at = '2026-07-17T18:00:00.000Z'
  const found = { box: 'b', name: 'South', size: 40, why: 'two_seals' as const, at }
  const [warning, ...more] = warningsOf({ boxes }, [found])
  assert.equal(more.length, 0)
  assert.match(
    warning?.text ?? '',
    /^South has signed two different records of its first 40 entries: .*Keep both boxes/,
  )
  // Also one that has left.
  const [gone] = warningsOf({ boxes: [box({ self: true })] }, [{ ...found, why: 'root' }])
  assert.match(gone?.text ?? '', /from the one it sent this box/)
})
