import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import type { ScanRecord } from '../../gate/model.ts'
import { noticesOf, type Situation } from './notices.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')
const calm: Situation = {
  now: NOON,
  deviceId: 'me',
  hold: null,
  doubles: [],
  aside: [],
  announcements: [],
  incidents: [],
  checkpoint: {
    id: 'n-in',
    name: 'North entry',
    gate: 'n',
    gate_name: 'Gate North',
    direction: 'in',
    from: null,
    to: 'arena',
    tiers: ['day'],
  },
  link: { state: 'reachable', heardAt: NOON, away: null },
  boxes: [{ name: 'South', origin: 'https://10.0.0.2:8443', open: true }],
  mirror: { version: 7, asOf: NOON, tickets: 100, stale: false },
}
const incident = (over: Partial<Incident>): Incident => ({
  incident_id: 'i',
  kind: 'medical',
  state: 'open',
  emergency: true,
  checkpoint: 's-in',
  gate: 's',
  zone: null,
  gate_name: 'Gate South',
  queue_rate_per_min: 0,
  scans: 0,
  refusals: 0,
  idle_seconds: null,
  queue: null,
  occupancy: null,
  note: null,
  version: 1,
  hlc: '1.0',
  reported_by: 'other',
  reported_by_name: 'Sam',
  actions: [],
  observed_at: '2026-07-04T11:59:00Z',
  reported_at: '2026-07-04T11:59:00Z',
  ...over,
})
const titles = (over: Partial<Situation>) => noticesOf({ ...calm, ...over }).map(({ title }) => title)

test('nothing is said when all is well', () => {
  assert.deepEqual(noticesOf(calm), [])
})

test('alone: for how long, and loudly when the list is old or there is none', () => {
  const alone = { state: 'offline', heardAt: NOON - 200_000, away: null } as const
  assert.deepEqual(titles({ link: alone }), ['Offline for 3 min: this phone decides'])
  assert.deepEqual(titles({ link: { state: 'offline', heardAt: null, away: null } }), ['Offline: this phone decides'])
  const stale = noticesOf({
    ...calm,
    link: alone,
    mirror: { version: 7, asOf: NOON - 7_260_000, tickets: 1, stale: true },
  })
  assert.deepEqual(
    stale.map(({ title, tone }) => [title, tone]),
    [
      ['Ticket list is 2 h 1 min old', 'bad'],
      ['Offline for 3 min: this phone decides', 'warn'],
    ],
  )
  assert.deepEqual(titles({ link: alone, mirror: null }), ['No ticket list on this phone'])
})

test('at another box: which one, until that is gone as well', () => {
  const away = { state: 'reachable', heardAt: NOON, away: 'South' } as const
  assert.deepEqual(titles({ link: away }), ['Your box is down: South answers'])
  const alone = { ...away, state: 'offline', heardAt: NOON - 60_000 } as const
  assert.deepEqual(titles({ link: alone }), ['Offline for 1 min: this phone decides'])
})

test('a box that has joined is said, last and dismissible: this page may not ask it before a restart', () => {
  const boxes = [{ name: 'West', origin: 'https://10.0.0.3:8443', open: false }, ...calm.boxes]
  const [notice] = noticesOf({ ...calm, boxes })
  assert.equal(notice?.title, 'West has joined')
  assert.deepEqual([notice?.tone, notice?.dismiss], ['info', { kind: 'notice' }])
})

test('a hold comes before everything and cannot be dismissed', () => {
  const [first] = noticesOf({
    ...calm,
    hold: { gate: 'n', reason: 'Stairs are full.', expiresAt: null },
    incidents: [{ id: 'i', kind: 'crush', at: NOON, progress: 'seen', incident: incident({ kind: 'crush' }) }],
  })
  assert.deepEqual(
    [first?.title, first?.text, first?.dismiss],
    ['Gate North is on hold', 'Stairs are full.', undefined],
  )
})

test('a reason without a full stop does not run into the time', () => {
  const [hold] = noticesOf({ ...calm, hold: { gate: 'n', reason: 'too many inside', expiresAt: NOON } })
  assert.match(hold?.text ?? '', /^Too many inside\. Until \d\d:\d\d\.$/)
})

test('an emergency elsewhere says what and where', () => {
  assert.deepEqual(
    titles({ incidents: [{ id: 'i', kind: 'medical', at: NOON, progress: 'received', incident: incident({}) }] }),
    ['Medical at Gate South'],
  )
})

test("the answer to a report of one's own comes back to the scanner, and goes when it is over", () => {
  const own = (over: Partial<Incident>) => [
    {
      id: 'i',
      kind: 'medical',
      at: NOON,
      progress: 'seen',
      incident: incident({ reported_by: 'me', ...over }),
    } as const,
  ]
  assert.deepEqual(
    titles({ incidents: [{ id: 'i', kind: 'medical', at: NOON, progress: 'sending', incident: null }] }),
    ['Medical: Sending…'],
  )
  assert.equal(
    noticesOf({ ...calm, incidents: own({ state: 'assigned', assignee: 'Team 2' }) })[0]?.title,
    'Medical: On the way: Team 2.',
  )
  const action = { action: 'resolve', actor: 'Kim', at: '2026-07-04T11:58:00Z', hlc: '1.0' } as const
  const resolved: Partial<Incident> = { state: 'resolved', actions: [action] }
  assert.equal(titles({ incidents: own(resolved) }).length, 1)
  assert.equal(titles({ incidents: own(resolved), now: NOON + 600_000 }).length, 0)
})

test('news about the same report is another notice: dismissed once is not dismissed for ever', () => {
  const ids = [1, 2].map(
    (version) =>
      noticesOf({
        ...calm,
        incidents: [
          { id: 'i', kind: 'access', at: NOON, progress: 'seen', incident: incident({ reported_by: 'me', version }) },
        ],
      })[0]?.id,
  )
  assert.notEqual(ids[0], ids[1])
})

test("a report that nobody has is amber and before everything, and any of one's own can be dismissed", () => {
  const unsent = { id: 'i', kind: 'need_staff', at: NOON, progress: 'unsent', incident: null } as const
  const [first, second] = noticesOf({
    ...calm,
    hold: { gate: 'n', reason: 'Stairs are full.', expiresAt: null },
    incidents: [unsent],
  })
  assert.deepEqual([first?.title, first?.tone], ['Need staff: NOT SENT. Use the radio.', 'alert'])
  assert.deepEqual(first?.dismiss, { kind: 'notice' })
  assert.equal(second?.id, 'hold')
  const received = { ...unsent, progress: 'received', incident: incident({ reported_by: 'me' }) } as const
  const [later] = noticesOf({ ...calm, incidents: [received] })
  assert.deepEqual([later?.title, later?.tone], ['Need staff: Received. Nobody has seen it yet.', 'info'])
  assert.notEqual(later?.id, first?.id, 'dismissed before is not dismissed now')
})

test('what the box will not take is said, and dismissed by a person', () => {
  const [refused] = noticesOf({
    ...calm,
    incidents: [{ id: 'i', kind: 'medical', at: NOON, progress: 'sending', incident: null, refusal: 'No such gate.' }],
  })
  assert.deepEqual([refused?.tone, refused?.dismiss], ['alert', { kind: 'notice' }])
  assert.match(`${refused?.title} ${refused?.text}`, /NOT SENT\. Use the radio\. .*No such gate\./)
  assert.deepEqual(titles({ aside: [{ scanId: 's' } as ScanRecord] }), ['The box rejected an admission'])
})

test('an announcement says until when it is shown, unless that is another day', () => {
  const said = {
    id: 'a',
    lang: 'en',
    issued_at: '',
    hlc: '1.0',
    signature: '',
    text: 'Doors at six',
    severity: 'info',
  } as const
  const textFor = (hours: number | null) => {
    const expires = hours !== null && { expires_at: new Date(calm.now + hours * 3_600_000).toISOString() }
    return noticesOf({ ...calm, announcements: [{ ...said, ...expires }] })[0]?.text
  }
  assert.equal(textFor(null), 'Doors at six')
  assert.match(textFor(1) ?? '', /^Doors at six\. Until \d\d:\d\d/)
  assert.equal(textFor(30), 'Doors at six')
})

test('double uses and announcements are counted and read out', () => {
  const record = { scanId: 's' } as ScanRecord
  assert.deepEqual(titles({ doubles: [record, record] }), ['2 tickets were used twice'])
  const said = { id: 'a', lang: 'en', issued_at: '', hlc: '1.0', signature: '', text: 'Doors at six.' }
  assert.deepEqual(
    noticesOf({
      ...calm,
      announcements: [
        { ...said, severity: 'info' },
        { ...said, id: 'b', severity: 'emergency' },
      ],
    }).map(({ id }) => id),
    ['announcement b', 'announcement a'],
  )
})
