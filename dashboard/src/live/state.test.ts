import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { incident, stats, zone } from '../test-samples.ts'
import { byUrgency, isOver, NOTHING, next, withBoard, withIncidents } from './state.ts'

const at = (second: number) => `2026-07-17T19:00:${String(second).padStart(2, '0')}.000Z`

test('the latest figures stand, and an answer that was overtaken does not', () => {
  const one = next(NOTHING, { kind: 'stats', stats: stats({ as_of: at(1), exits: 1 }) }, 0)
  const two = next(one, { kind: 'stats', stats: stats({ as_of: at(2), exits: 2 }) }, 1_000)
  assert.equal(two.stats?.exits, 2)
  assert.equal(next(two, { kind: 'stats', stats: stats({ as_of: at(1), exits: 1 }) }, 2_000).stats?.exits, 2)
})

test('a box whose clock was set back is believed', () => {
  const before = next(NOTHING, { kind: 'stats', stats: stats({ as_of: at(50), exits: 1 }) }, 0)
  const hourAgo = stats({ as_of: '2026-07-17T18:00:00.000Z', exits: 2 })
  assert.equal(next(before, { kind: 'stats', stats: hourAgo }, 1_000).stats?.exits, 2)
})

test('another event leaves nothing of the one before', () => {
  const before = next(
    next(NOTHING, { kind: 'incident', incident: incident() }, 0),
    { kind: 'stats', stats: stats({ as_of: at(5) }) },
    0,
  )
  const after = next(
    before,
    { kind: 'stats', stats: stats({ event: 'other', as_of: at(1), zones: [zone({ id: 'hall' })] }) },
    1,
  )
  assert.equal(after.incidents.size, 0)
  assert.deepEqual([...after.history.keys()], ['hall'])
  assert.equal(after.stats?.event, 'other')
})

test('of an incident the highest version stands, in whatever order they come', () => {
  const versions = [1, 2, 3, 4].map((version) => incident({ version, state: version === 4 ? 'resolved' : 'assigned' }))
  fc.assert(
    fc.property(fc.shuffledSubarray(versions, { minLength: 4 }), fc.boolean(), (order, board) => {
      const after = board
        ? withBoard(NOTHING, order)
        : order.reduce((state, one) => next(state, { kind: 'incident', incident: one }, 0), NOTHING)
      return after.incidents.get('i1')?.version === 4
    }),
  )
})

test('a board that says nothing of alerts does not take one back; the next step does', () => {
  const rung = withIncidents(new Map(), [incident({ alert: 3 })])
  assert.equal(withIncidents(rung, [incident()]).get('i1')?.alert, 3)
  assert.equal(withIncidents(rung, [incident({ version: 2, state: 'acknowledged' })]).get('i1')?.alert, undefined)
})

test('what nobody has answered comes first, an emergency before it all, what is over last', () => {
  const order = [
    incident({ incident_id: 'fire', emergency: true }),
    incident({ incident_id: 'late', reported_at: at(9) }),
    incident({ incident_id: 'early', reported_at: at(3) }),
    incident({ incident_id: 'seen', emergency: true, state: 'acknowledged' }),
    incident({ incident_id: 'sent', state: 'assigned' }),
    incident({ incident_id: 'over', emergency: true, state: 'resolved' }),
  ]
  fc.assert(
    fc.property(fc.shuffledSubarray(order, { minLength: order.length }), (mixed) =>
      assert.deepEqual(mixed.sort(byUrgency), order),
    ),
  )
})

test('a thousand are kept, and what is over goes first', () => {
  const old = Array.from({ length: 1_000 }, (_, i) => incident({ incident_id: `o${i}`, state: 'resolved' }))
  const after = withIncidents(withIncidents(new Map(), old), [incident({ incident_id: 'new' })])
  assert.equal(after.size, 1_000)
  assert.ok(after.has('new'))
  assert.equal([...after.values()].filter(isOver).length, 999)
})
