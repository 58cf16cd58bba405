import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Occupancy } from '@gatehouse/proto/wire/stats.ts'
import { zone } from '../../test-samples.ts'
import { peakOf, pointsOf, rowsOf } from './occupancy.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')
const iso = (seconds: number) => new Date(NOON + seconds * 1000).toISOString()
const asked = (people: number[], asOf = (people.length - 1) * 300 - 100): Occupancy => ({
  as_of: iso(asOf),
  from: iso(0),
  step_seconds: 300,
  time_zone: 'Europe/Lisbon',
  zones: [{ id: 'arena', name: 'Arena', capacity: 500, people }],
})
const after = (seconds: number) => NOON / 1000 + seconds

test('a line of the steps, whose last point is of the moment of the answer', () => {
  const points = pointsOf(asked([0, 40, 90]), 'arena', null)
  assert.deepEqual(points, {
    name: 'Arena',
    capacity: 500,
    times: [after(0), after(300), after(500)],
    people: [0, 40, 90],
  })
})

test('newer figures end the line, and older ones do not', () => {
  const live = (seconds: number) => ({ as_of: iso(seconds), zones: [zone({ occupancy: 120 })] })
  assert.deepEqual(pointsOf(asked([0, 40, 90]), 'arena', live(550))?.people, [0, 40, 90, 120])
  assert.deepEqual(pointsOf(asked([0, 40, 90]), 'arena', live(499))?.people, [0, 40, 90])
  assert.equal(pointsOf(asked([0, 40, 90]), 'gone', null), undefined)
})

test('the table has the newest first, and no more rows than a person reads', () => {
  const people = Array.from({ length: 289 }, (_, i) => i)
  const points = pointsOf(asked(people), 'arena', null) ?? assert.fail()
  const rows = rowsOf(points)
  assert.ok(rows.length <= 24)
  assert.deepEqual([rows[0]?.people, rows[0]?.at], [288, NOON + (288 * 300 - 100) * 1000])
  assert.deepEqual(
    rows.map(({ people }) => people),
    rows.map(({ people }) => people).sort((a, b) => b - a),
  )
})

test('the peak is the first moment with the most people', () => {
  const points = pointsOf(asked([0, 70, 20, 70]), 'arena', null) ?? assert.fail()
  assert.deepEqual(peakOf(points), { at: NOON + 300_000, people: 70 })
})
