import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Event, parseEvent } from '../event/event.ts'
import type { Movement } from '../ledger/schema.ts'
import type { Decision } from './decide.ts'
import { reasonFor } from './reasons.ts'

const EVENT = eventIn('Europe/Lisbon')
const NOON = Date.parse('2026-07-04T12:00:00Z')
const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000]

function eventIn(timezone: string): Event {
  const parsed = parseEvent({
    id: 'fair',
    name: 'Fair',
    timezone,
    starts_at: '2026-07-01T00:00:00Z',
    ends_at: '2026-07-31T00:00:00Z',
    tiers: [{ id: 'day', name: 'Day', colour: '#2F80ED', entry: 'once' }],
    zones: [{ id: 'arena', name: 'Arena', capacity: 10 }],
    gates: [
      { id: 'n', name: 'Gate North' },
      { id: 's', name: 'Gate South' },
    ],
    checkpoints: [
      { id: 'n-in', name: 'North entry', gate: 'n', direction: 'in', from: null, to: 'arena', tiers: ['day'] },
      { id: 's-in', name: 'Gate South', gate: 's', direction: 'in', from: null, to: 'arena', tiers: ['day'] },
    ],
  })
  assert.ok('event' in parsed)
  return parsed.event
}

const say = (decision: Decision, at = NOON, event = EVENT) => reasonFor(decision, event, at, 'North entry')
const usedAt = (checkpoint: string, at: number): Decision => ({
  verdict: 'ALREADY_USED',
  occurrence: 1,
  earlier: { checkpoint, at } as Movement,
})
const notNow = (over: Partial<Decision & { verdict: 'NOT_VALID_NOW' }>): Decision => ({
  verdict: 'NOT_VALID_NOW',
  occurrence: 0,
  from: null,
  until: null,
  what: 'ticket',
  ...over,
})

describe('a reason', () => {
  const sentences: [decision: Decision, sentence: string][] = [
    [{ verdict: 'ADMIT', occurrence: 1 }, 'Welcome.'],
    [{ verdict: 'ADMIT', occurrence: 2 }, 'Welcome back, admission 2.'],
    [{ verdict: 'EXIT', occurrence: 0 }, 'Exit recorded. Goodbye.'],
    [usedAt('n-in', NOON - 5 * MINUTE), 'Used at Gate North (North entry) 5 minutes ago.'],
    [usedAt('s-in', NOON - 5 * MINUTE), 'Used at Gate South 5 minutes ago.'],
    [usedAt('gone', NOON - 5 * MINUTE), 'Used at gone 5 minutes ago.'],
    [
      { verdict: 'REDIRECT', occurrence: 0, to: EVENT.checkpoints[1] ?? assert.fail() },
      'Not at North entry: send to Gate South.',
    ],
    [notNow({ from: NOON + HOUR }), 'Not valid yet: valid from Sat 4 Jul, 14:00.'],
    [notNow({ until: NOON - HOUR }), 'Expired at 12:00.'],
    [notNow({ from: NOON - DAY, until: NOON - HOUR }), 'Expired at 12:00.'],
    [notNow({ until: NOON - 365 * DAY }), 'Expired 4 July 2025.'],
    [notNow({ what: 'gate', from: NOON + HOUR }), 'This gate opens Sat 4 Jul, 14:00.'],
    [notNow({ what: 'gate', until: NOON }), 'This gate closed at 13:00.'],
    [
      { verdict: 'STALE_CODE', occurrence: 0, ageSeconds: 45, phoneClock: false },
      'This code is 45 seconds old: ask them to open the ticket again. No screenshots.',
    ],
    [
      { verdict: 'STALE_CODE', occurrence: 0, ageSeconds: -150, phoneClock: true },
      "That phone's clock is 2 minutes ahead: set its time to automatic and open the ticket again.",
    ],
    [{ verdict: 'REVOKED', occurrence: 0, at: null, reason: null }, 'Cancelled. Send to the ticket desk.'],
    [
      { verdict: 'REVOKED', occurrence: 0, at: NOON, reason: 'charged back.\nTwice! ' },
      'Cancelled: charged back. Twice. Send to the ticket desk.',
    ],
    [
      { verdict: 'NOT_PAID', occurrence: 0, detail: 'to be paid on site' },
      'To be paid on site. Send to the ticket desk.',
    ],
    [
      { verdict: 'REVOKED', occurrence: 0, at: null, reason: 'revoked by the organiser' },
      'Revoked by the organiser. Send to the ticket desk.',
    ],
    [{ verdict: 'NOT_PAID', occurrence: 0, detail: 'order open' }, 'Not paid: order open. Send to the ticket desk.'],
    [
      { verdict: 'BLOCKED', occurrence: 0, detail: 'blocked by the organiser' },
      'Blocked by the organiser. Send to the ticket desk.',
    ],
    [{ verdict: 'BLOCKED', occurrence: 0, detail: 'lost' }, 'Blocked: lost. Send to the ticket desk.'],
    [
      { verdict: 'BLOCKED', occurrence: 0, detail: 'crowd at the\nbarrier!', held: true },
      'Stop: crowd at the barrier. Nobody enters until the control room says so.',
    ],
    [
      { verdict: 'UNKNOWN' },
      'Not a ticket for this event. Try the code again. If that fails, send to the ticket desk.',
    ],
  ]
  for (const [decision, sentence] of sentences) it(`is "${sentence}"`, () => assert.equal(say(decision), sentence))

  const ages: [ms: number, age: string][] = [
    [0, 'just now'],
    [999, 'just now'],
    [SECOND, '1 second ago'],
    [59_999, '59 seconds ago'],
    [MINUTE, '1 minute ago'],
    [HOUR - 1, '59 minutes ago'],
    [HOUR, '1 hour ago'],
    [DAY - 1, '23 hours ago'],
    [DAY, '1 day ago'],
    [45 * DAY, '45 days ago'],
    [-999, 'just now'],
    [-SECOND, '1 second later'],
    [-15 * MINUTE, '15 minutes later'],
  ]
  for (const [ms, age] of ages) {
    it(`says "${age}" of ${ms} ms`, () => assert.equal(say(usedAt('s-in', NOON - ms)), `Used at Gate South ${age}.`))
  }

  it('tells the time on the event’s clock, whatever the box’s own zone is', () => {
    const newYear = Date.parse('2026-12-31T20:30:00Z')
    const decision = notNow({ from: newYear })
    const zones = { 'Pacific/Auckland': 'Fri 1 Jan, 09:30', 'America/New_York': 'Thu 31 Dec, 15:30' }
    for (const [zone, time] of Object.entries(zones)) {
      assert.equal(say(decision, newYear - HOUR, eventIn(zone)), `Not valid yet: valid from ${time}.`)
    }
    // The year counts on that clock too: in Auckland it is next year already, and was not half a day before.
    const earlier = say(decision, newYear - DAY / 2, eventIn('Pacific/Auckland'))
    assert.equal(earlier, 'Not valid yet: valid from Fri, 1 Jan 2027, 09:30.')
  })

  it('is one sentence or two on one line, whatever an admin or a shop wrote', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const reason = say({ verdict: 'REVOKED', occurrence: 0, at: null, reason: text })
        assert.match(reason, /^Cancelled.*\. Send to the ticket desk\.$/u)
      }),
    )
  })
})
