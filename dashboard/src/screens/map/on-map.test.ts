import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { View } from '@gatehouse/proto/venue-drawing.ts'
import type { VenueMap, VenuePlan } from '@gatehouse/proto/wire/venue.ts'
import { incident, stats, zone } from '../../test-samples.ts'
import { looksOf, marksOf, planWith, ZOOMS, zoomed } from './on-map.ts'

const place = (id: string, x: number) => ({
  id,
  at: [x, 0] as [number, number],
  level: 0,
  node: 0,
  metres: 0,
  seconds: 0,
  step_free: true,
})
const map: VenueMap = {
  bounds: [0, 0, 1, 1],
  zones: [],
  paths: [],
  nodes: [],
  edges: [],
  gates: [place('north', 10)],
  checkpoints: [place('north-in', 20)],
  amenities: [{ ...place('wc', 5), category: 'restroom', name: 'WC', zone: null }],
}
const plan: VenuePlan = {
  event_id: 'quay',
  checkpoints: [],
  map,
  zones: [{ id: 'arena', name: 'Arena', capacity: 1_000 }],
  gates: [{ id: 'north', name: 'North' }],
}
const view: View = { height: 100, pixelsPerMetre: 1, at: ([x, y]) => [x, y] }

test('names say how full and how busy', () => {
  const drawn = planWith(plan, stats({ zones: [zone({ occupancy: 250 })] }))
  assert.equal(drawn.zones[0]?.name, 'Arena 25 %')
  assert.equal(drawn.gates[0]?.name, 'North 3/min')
  assert.deepEqual(drawn.map?.amenities, [])
  assert.equal(planWith(plan, stats({ zones: [zone({ occupancy: 250 })] }), { brief: true }).zones[0]?.name, '25 %')
})

test('a gate on hold says so, and nothing is said before there are figures', () => {
  const [gate] = stats().gates
  assert.ok(gate)
  const held = stats({ gates: [{ ...gate, hold: { gate: 'north', reason: 'crowd', expires_at: null } }] })
  assert.match(planWith(plan, held).gates[0]?.name ?? '', /HOLD/)
  assert.deepEqual(planWith(plan, null).zones, plan.zones)
})

test('a look for every zone that is counted', () => {
  assert.deepEqual(Object.keys(looksOf([zone(), zone({ id: 'hall' })], false)), ['arena', 'hall'])
})

test('the zoom goes in and out by steps, and no further than they are', () => {
  const into = ZOOMS.map((zoom) => zoomed(zoom, 1))
  assert.deepEqual(into, [...ZOOMS.slice(1), ZOOMS.at(-1)])
  assert.deepEqual(
    ZOOMS.map((zoom) => zoomed(zoom, -1)),
    [1, ...ZOOMS.slice(0, -1)],
  )
})

test('incidents stand at their checkpoint, else at their gate, side by side; what is over or nowhere is not drawn', () => {
  const marks = marksOf(
    [
      incident({ incident_id: 'a' }),
      incident({ incident_id: 'b' }),
      incident({ incident_id: 'c', checkpoint: 'gone' }),
      incident({ incident_id: 'd', checkpoint: 'gone', gate: 'gone' }),
      incident({ incident_id: 'e', state: 'resolved' }),
    ],
    map,
    view,
  )
  assert.deepEqual(
    marks.map(({ incident: { incident_id }, at: [x] }) => [incident_id, x]),
    [
      ['a', 20],
      ['b', 44],
      ['c', 10],
    ],
  )
})
