import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INCIDENT_STATES } from '@gatehouse/proto/wire/incidents.ts'
import { incident } from '../../test-samples.ts'
import { columnsOf, meanwhile, stepsFrom, stepsSince, stepText, teamsIn } from './steps.ts'

const step = (action: 'acknowledge' | 'assign' | 'resolve' | 'cancel', more = {}) => ({
  action,
  actor: 'Ana',
  at: '2026-07-17T19:01:00.000Z',
  hlc: '1.0',
  ...more,
})

test('the steps that the box would take, and none that it would refuse', () => {
  // box/docs/control-room.md: the table of incidents.
  assert.deepEqual(Object.fromEntries(INCIDENT_STATES.map((state) => [state, stepsFrom(state)])), {
    open: ['acknowledge', 'assign', 'resolve', 'cancel'],
    acknowledged: ['assign', 'resolve', 'cancel'],
    assigned: ['assign', 'resolve', 'cancel'],
    resolved: [],
    cancelled: [],
  })
})

test('each in its column; a state of a newer box where nobody can miss it', () => {
  const all = [
    ...INCIDENT_STATES.map((state) => incident({ incident_id: state, state })),
    { ...incident({ incident_id: 'new' }), state: 'escalated' as 'open' },
  ]
  const columns = columnsOf(all)
  assert.deepEqual(
    Object.fromEntries(Object.entries(columns).map(([name, some]) => [name, some.map((one) => one.incident_id)])),
    { open: ['open', 'new'], acknowledged: ['acknowledged'], assigned: ['assigned'], over: ['resolved', 'cancelled'] },
  )
  assert.deepEqual(stepsFrom('escalated' as 'open'), [])
})

test('of what is over, the last thirty', () => {
  const over = Array.from({ length: 40 }, (_, i) =>
    incident({
      incident_id: `${i}`,
      state: 'resolved',
      actions: [step('resolve', { at: new Date(1_784_314_800_000 + i * 1000).toISOString() })],
    }),
  )
  const ids = columnsOf(over).over.map(({ incident_id }) => Number(incident_id))
  assert.deepEqual(
    ids,
    Array.from({ length: 30 }, (_, i) => 39 - i),
  )
})

test('who was quicker, and what they did', () => {
  const now = incident({
    version: 3,
    actions: [step('acknowledge'), step('assign', { actor: 'Ben', assignee: 'Team 2' })],
  })
  assert.equal(stepsSince(now, 1).length, 2)
  assert.equal(stepsSince(now, 3).length, 0)
  assert.match(meanwhile(now, 2), /Ben sent Team 2/)
  assert.doesNotMatch(meanwhile(now, 2), /Ana/)
  assert.notEqual(meanwhile(now, 3), '')
})

test("the box's own reason is in the words of the screen, and a person's stays", () => {
  const cancelled = step('cancel', { actor: 'North 1', reason: 'In the box’s English' })
  const coded = (code: string) => stepText({ ...cancelled, reason_coded: { code } })
  assert.equal(coded('withdrawn'), 'North 1 closed it as a false alarm: Withdrawn at the gate.')
  assert.equal(coded('of_a_newer_box'), stepText(cancelled))
  assert.match(stepText(cancelled), /In the box’s English/)
  const both = incident({ actions: [step('acknowledge'), { ...cancelled, reason_coded: { code: 'withdrawn' } }] })
  assert.match(meanwhile(both, 1), /Withdrawn at the gate\./)
})

test('teams that were sent before are a press away, the latest first, each once', () => {
  const sent = (assignee: string, minute: number) =>
    step('assign', { assignee, at: `2026-07-17T19:0${minute}:00.000Z` })
  const all = [
    incident({ actions: [sent('Team 1', 1), sent('Medics', 4)] }),
    incident({ actions: [step('acknowledge'), sent('Team 1', 5)] }),
  ]
  assert.deepEqual(teamsIn(all), ['Team 1', 'Medics'])
})
