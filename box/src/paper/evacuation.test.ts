/** Groups of people that the figures leave out: each in a sentence, and the same as a code. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAID } from '@gatehouse/proto/said.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import type { Event } from '../event/event.ts'
import { evacuationOf } from './evacuation.ts'

const EVENT = {
  zones: [
    { id: 'arena', name: 'Arena' },
    { id: 'lounge', name: 'Lounge' },
  ],
  checkpoints: [{ direction: 'out', from: 'lounge' }],
} as unknown as Pick<Event, 'zones' | 'checkpoints'>

function statsOf(over: object): Stats {
  const stats = { as_of: '2026-07-04T12:00:00Z', event_name: 'Test Fair', zones: [], scanners: [], ...over }
  return stats as Partial<Stats> as Stats
}

const box = (over: object) => ({ self: false, heard: true, behind: 0, last_heard: null, role: 'core', ...over })

test('every code is given with its values, one for each sentence and in their order', () => {
  const stats = statsOf({
    scanners: [
      { name: 'North', state: 'quiet', unsent: 3 },
      { name: 'South', state: 'lost', unsent: 1 },
      { name: 'West', state: 'live', unsent: null },
    ],
    mesh: {
      boxes: [
        box({ name: 'Own', self: true, behind: 9 }),
        box({ name: 'Hall', heard: false }),
        box({ name: 'Yard', behind: 2 }),
        box({ name: 'Third vote', role: 'voter', heard: false }),
      ],
    },
  })
  const { not_counted, not_counted_coded } = evacuationOf(stats, EVENT, 'not_allowed')
  assert.deepEqual(not_counted_coded, [
    { code: 'unscanned' },
    { code: 'no_way_out', values: { zone: 'Arena' } },
    { code: 'scanners_silent', values: { n: 2, names: 'North, South' } },
    { code: 'unsent', values: { n: 4 } },
    { code: 'box_silent', values: { name: 'Hall' } },
    { code: 'box_behind', values: { n: 2, name: 'Yard' } },
    { code: 'passed_back' },
  ])
  assert.deepEqual(
    not_counted_coded?.map(({ code }) => code),
    Object.keys(SAID.evacuation),
  )
  assert.deepEqual(not_counted, [
    'Anybody who came in without a scan: crew and artists without tickets, and people let through an open door.',
    'People who left Arena and went to no other zone: nobody is scanned on the way out, so they still count as inside.',
    '2 scanners are silent: North, South. "At most" includes an estimate of the people they may have let in.',
    '4 scans have not reached a box yet.',
    'People scanned at box Hall since it was last heard: ask there too.',
    '2 entries of box Yard that are still on the way.',
    'Tickets that were passed back and used twice, and people on paper lists that have not been typed in yet.',
  ])
})

test('only what concerns every event is said where nothing is silent or on its way', () => {
  const { not_counted_coded } = evacuationOf(statsOf({}), { ...EVENT, zones: [] }, 'not_allowed')
  assert.deepEqual(not_counted_coded, [{ code: 'unscanned' }, { code: 'passed_back' }])
})
