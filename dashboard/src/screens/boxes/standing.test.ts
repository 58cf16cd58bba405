import assert from 'node:assert/strict'
import { test } from 'node:test'
import { box } from '../../test-samples.ts'
import { hearingOf, promotable, replaced, votesOf, warningsOf } from './standing.ts'

test('a box is heard, behind or not heard, and this one is none of them', () => {
  assert.equal(hearingOf(box({ self: true, heard: false })), 'self')
  assert.equal(hearingOf(box({ behind: 100 })), 'heard')
  assert.equal(hearingOf(box({ behind: 101 })), 'behind')
  assert.equal(hearingOf(box({ heard: false, behind: 5_000 })), 'unheard')
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
  assert.match(gone?.text ?? '', /than it told this box/)
})
