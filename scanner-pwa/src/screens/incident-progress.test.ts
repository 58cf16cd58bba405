import '../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INCIDENT_KINDS } from '@gatehouse/proto/wire/incidents.ts'
import type { IncidentState } from '../gate/model.ts'
import { INCIDENT_ICONS } from './incident-icons.ts'
import { placeAndTime, progressOf, sorted, waitingOf } from './incident-progress.ts'

const PRESSED = new Date(2026, 6, 4, 19, 4).getTime()
const own: IncidentState = { id: 'i', kind: 'need_staff', at: PRESSED, progress: 'sending', incident: null }
type Known = NonNullable<IncidentState['incident']>
const known = (over: Partial<Known>) =>
  ({ gate: 'n', gate_name: 'Gate North', state: 'open', reported_by: 'me', actions: [], ...over }) as unknown as Known
const step = (over: Partial<Known['actions'][number]>) => ({
  action: 'acknowledge',
  actor: 'Kim',
  at: '',
  hlc: '',
  ...over,
})
const titleOf = (over: Partial<IncidentState>) => progressOf({ ...own, ...over }).title

test('a report says how far it has come, and never that help comes before somebody said so', () => {
  assert.equal(titleOf({}), 'Sending…')
  assert.equal(titleOf({ progress: 'unsent' }), 'NOT SENT. Use the radio.')
  assert.equal(titleOf({ progress: 'received', incident: known({}) }), 'Received. Nobody has seen it yet.')
  const acknowledged = known({ state: 'acknowledged', actions: [step({}) as Known['actions'][number]] })
  assert.equal(titleOf({ progress: 'seen', incident: acknowledged }), 'Seen by Kim.')
  const cancelled = known({
    state: 'cancelled',
    actions: [step({ action: 'cancel', reason: 'Drill' }) as Known['actions'][number]],
  })
  assert.equal(titleOf({ progress: 'seen', incident: cancelled }), 'Closed as a false alarm. "Drill"')
  const withdrawn = (code: string) =>
    known({
      state: 'cancelled',
      actions: [
        step({ action: 'cancel', reason: 'In the box’s English', reason_coded: { code } }) as Known['actions'][number],
      ],
    })
  assert.equal(
    titleOf({ progress: 'seen', incident: withdrawn('withdrawn') }),
    'Closed as a false alarm. Withdrawn at the gate.',
  )
  assert.match(titleOf({ progress: 'seen', incident: withdrawn('of_a_newer_box') }), /In the box’s English/)
})

test('only what nobody knows of is amber, with what happens next', () => {
  const tones = (['sending', 'unsent', 'received', 'seen'] as const).map(
    (progress) => progressOf({ ...own, progress }).tone,
  )
  assert.deepEqual(tones, ['plain', 'alert', 'info', 'good'])
  assert.match(progressOf({ ...own, progress: 'unsent' }).text, /keeps trying/)
  const refused = progressOf({ ...own, progress: 'received', refusal: 'No such gate.' })
  assert.deepEqual(
    [refused.tone, refused.title, refused.text],
    ['alert', 'NOT SENT. Use the radio.', 'The box rejected it: No such gate.'],
  )
})

test('the press is told apart from the arrival, and a place that is not known leaves no gap', () => {
  assert.equal(placeAndTime(own), '19:04')
  const arrived = (ms: number) => known({ reported_at: new Date(PRESSED + ms).toISOString() })
  assert.equal(placeAndTime({ ...own, incident: arrived(900) }), 'Gate North, 19:04')
  assert.equal(placeAndTime({ ...own, incident: arrived(7 * 60_000) }), 'Gate North, pressed 19:04, received 19:11')
})

test('what others report here is here, and elsewhere is another gate', () => {
  const from = (id: string, gate: string, reported_by: string) => ({
    ...own,
    id,
    incident: known({ gate, reported_by }),
  })
  const parts = sorted([own, from('a', 'n', 'other'), from('b', 's', 'other'), from('c', 's', 'me')], 'me', 'n')
  const ids = Object.entries(parts).map(([part, incidents]) => [part, incidents.map(({ id }) => id)])
  assert.deepEqual(Object.fromEntries(ids), { own: ['i', 'c'], here: ['a'], elsewhere: ['b'] })
})

test('one press stays one press: another one means the report that still waits', () => {
  assert.equal(waitingOf('need_staff', [own])?.id, 'i')
  assert.equal(waitingOf('fire', [own]), undefined)
  assert.equal(waitingOf('need_staff', [{ ...own, refusal: 'No.' }]), undefined)
  assert.equal(waitingOf('need_staff', [{ ...own, progress: 'received', incident: known({}) }]), undefined)
})

test('every kind has a drawing of its own', () => {
  const paths = INCIDENT_KINDS.map((kind) => INCIDENT_ICONS[kind])
  assert.equal(new Set(paths).size, INCIDENT_KINDS.length)
})
