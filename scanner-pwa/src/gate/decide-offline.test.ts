import '../words/in-english.ts'

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { gateWords } from '../words/core.ts'
import { decideOffline, type OfflineFacts } from './decide-offline.ts'

const AT = Date.parse('2026-07-01T18:00:00Z')
const USE = { checkpoint: 'b-in', at: AT - 240_000, hlc: '1.0', occurrence: 1 }
const KIND = { tier: 'day', valid_from: null, valid_until: null }
const HERE = {
  id: 'a-in',
  name: 'A',
  gate: 'a',
  gate_name: 'Gate A',
  direction: 'in' as const,
  from: null,
  to: 'arena',
  tiers: ['day'],
}
const THERE = { ...HERE, id: 'b-in', gate: 'b', gate_name: 'Gate B', tiers: ['vip'] }
const STANDING = { known: true, revoked: false, used: undefined, usedAsOf: 0, kind: KIND }
const FACTS: OfflineFacts = {
  at: AT,
  checkpoint: HERE,
  code: { kind: 'static' },
  status: STANDING,
  policy: 'once',
  days: [AT - 3_600_000, AT + 82_800_000],
  own: undefined,
  ownEntry: undefined,
  hold: undefined,
  serving: [],
  everyGateHeld: false,
}
const OLD = { kind: 'rotating', fresh: false, ageSeconds: 90 } as const
const HOUR = 3_600_000

/** In the order in which one goes before the other: each case has what comes after it as well. */
const used = { ...STANDING, used: USE, usedAsOf: USE.at }
const YESTERDAY = { ...USE, at: AT - 2 * HOUR }
const closed = { ...HERE, opens_at: '2026-07-02T10:00:00Z' }
const elsewhere = { ...used, kind: { ...KIND, tier: 'vip' } }
const dated = { ...elsewhere, kind: { tier: 'vip', valid_from: null, valid_until: '2026-07-01T12:00:00Z' } }
const revoked = { ...dated, revoked: true }
const USED = { verdict: 'ALREADY_USED', earlier: USE }
const ADMIT = { verdict: 'ADMIT', occurrence: 1 }
const inHere = { own: { direction: 'in', use: USE }, ownEntry: USE } as const
const outHere = { direction: 'out', use: USE } as const
const CASES: [string, Partial<OfflineFacts>, object][] = [
  ['a valid code', {}, ADMIT],
  ['a fresh rotating one', { code: { ...OLD, fresh: true } }, ADMIT],
  ['a use that was told of', { status: used }, USED],
  [
    'a use of which nobody told where',
    { status: { ...used, used: 'unknown' } },
    { verdict: 'ALREADY_USED', earlier: undefined },
  ],
  ['a use here', { ...inHere }, USED],
  ['once: an exit here gives no right back', { status: used, own: outHere }, USED],
  [
    'once: in and out by this gate',
    { own: outHere, ownEntry: YESTERDAY },
    { verdict: 'ALREADY_USED', earlier: YESTERDAY },
  ],
  ['an exit of one that was never used', { own: outHere }, ADMIT],
  ['unlimited: however often', { status: used, ...inHere, policy: 'unlimited' }, ADMIT],
  ['once a day: today', { status: used, policy: 'once_per_day' }, USED],
  ['once a day: today, here', { ...inHere, policy: 'once_per_day' }, USED],
  ['once a day: an exit gives no right back', { status: used, own: outHere, policy: 'once_per_day' }, USED],
  ['once a day: yesterday', { status: { ...used, usedAsOf: YESTERDAY.at }, policy: 'once_per_day' }, ADMIT],
  ['once a day: yesterday, here', { ...inHere, ownEntry: YESTERDAY, policy: 'once_per_day' }, ADMIT],
  [
    'once a day: yesterday here, and today elsewhere',
    { ...inHere, ownEntry: YESTERDAY, status: used, policy: 'once_per_day' },
    USED,
  ],
  [
    'once a day: of days that nobody told of',
    { status: { ...used, usedAsOf: 0 }, policy: 'once_per_day', days: [] },
    USED,
  ],
  ['reentry: inside', { status: used, policy: 'reentry' }, USED],
  ['reentry: inside by this gate', { ...inHere, policy: 'reentry' }, USED],
  ['reentry: out by this gate', { status: used, own: outHere, policy: 'reentry' }, ADMIT],
  [
    'reentry: out by this gate, and who knows when in',
    { status: { ...used, used: 'unknown' }, own: outHere, policy: 'reentry' },
    ADMIT,
  ],
  [
    'reentry: out by this gate, and in again at another',
    { status: used, own: { ...outHere, use: YESTERDAY }, policy: 'reentry' },
    USED,
  ],
  [
    'a gate that is not open yet',
    { status: used, checkpoint: closed },
    { verdict: 'NOT_VALID_NOW', from: Date.parse(closed.opens_at), until: null, what: 'gate' },
  ],
  [
    'a gate that has closed, on the second',
    { checkpoint: { ...HERE, closes_at: new Date(AT).toISOString() } },
    { verdict: 'NOT_VALID_NOW', from: null, until: AT, what: 'gate' },
  ],
  [
    'a ticket for another gate',
    { status: elsewhere, checkpoint: closed, serving: [THERE] },
    { verdict: 'REDIRECT', to: THERE },
  ],
  [
    'a ticket for another gate that this scanner does not know',
    { status: elsewhere, checkpoint: closed },
    { verdict: 'REDIRECT', to: undefined },
  ],
  [
    'a ticket whose gates are on hold',
    { status: elsewhere, checkpoint: closed, everyGateHeld: true },
    { verdict: 'BLOCKED', detail: gateWords.offline.everyGateHeld, held: true },
  ],
  [
    'a ticket of another day',
    { status: dated, checkpoint: closed },
    { verdict: 'NOT_VALID_NOW', from: null, until: Date.parse('2026-07-01T12:00:00Z'), what: 'ticket' },
  ],
  [
    'a ticket that begins now, and ends now',
    {
      status: {
        ...STANDING,
        kind: { tier: 'day', valid_from: new Date(AT).toISOString(), valid_until: new Date(AT).toISOString() },
      },
    },
    ADMIT,
  ],
  [
    'an old picture of a code',
    { status: dated, checkpoint: closed, code: OLD },
    { verdict: 'STALE_CODE', ageSeconds: 90, phoneClock: false },
  ],
  [
    'a phone whose clock is ahead',
    { code: { ...OLD, ageSeconds: -90 } },
    { verdict: 'STALE_CODE', ageSeconds: -90, phoneClock: true },
  ],
  ['a revoked code', { status: revoked, checkpoint: closed, code: OLD }, { verdict: 'REVOKED', reason: null }],
  ['one that the filter has forgotten', { status: { ...revoked, known: false } }, { verdict: 'REVOKED', reason: null }],
  [
    'a gate on hold',
    { status: revoked, code: OLD, hold: { reason: 'crowd' } },
    { verdict: 'BLOCKED', detail: 'crowd', held: true },
  ],
  [
    'an exit, whatever is wrong',
    { status: revoked, code: OLD, hold: { reason: 'crowd' }, checkpoint: { ...closed, direction: 'out' } },
    { verdict: 'EXIT' },
  ],
  [
    'no code of this event, at an exit too',
    { status: { ...STANDING, known: false, kind: undefined }, checkpoint: { ...HERE, direction: 'out' } },
    { verdict: 'UNKNOWN' },
  ],
  ['a code that nobody signed, of a ticket that there is', { code: { kind: 'forged' } }, { verdict: 'UNKNOWN' }],
]

describe('deciding alone', () => {
  for (const [what, facts, decision] of CASES) {
    it(what, () => assert.deepEqual(decideOffline({ ...FACTS, ...facts }), decision))
  }

  it('is total, and admits nobody whom anything known speaks against', () => {
    const use = fc.record({ checkpoint: fc.string(), at: fc.integer(), hlc: fc.string(), occurrence: fc.nat() })
    const time = fc.option(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }), { nil: undefined })
    const facts: fc.Arbitrary<OfflineFacts> = fc.record({
      at: fc.integer({ min: 0, max: 4e12 }),
      checkpoint: fc.tuple(fc.constantFrom('in' as const, 'out' as const), time, time).map(([direction, from, to]) => ({
        direction,
        tiers: ['day'],
        ...(from && { opens_at: from.toISOString() }),
        ...(to && { closes_at: to.toISOString() }),
      })),
      code: fc.oneof(
        fc.constant({ kind: 'static' as const }),
        fc.constant({ kind: 'forged' as const }),
        fc.record({ kind: fc.constant('rotating' as const), fresh: fc.boolean(), ageSeconds: fc.integer() }),
      ),
      status: fc.record({
        known: fc.boolean(),
        revoked: fc.boolean(),
        used: fc.oneof(fc.constant(undefined), fc.constant('unknown' as const), use),
        usedAsOf: fc.integer(),
        kind: fc.option(
          fc.record({
            tier: fc.constantFrom('day', 'vip'),
            valid_from: fc.option(time.map((date) => (date ?? new Date(0)).toISOString())),
            valid_until: fc.option(time.map((date) => (date ?? new Date(0)).toISOString())),
          }),
          { nil: undefined },
        ),
      }),
      policy: fc.constantFrom('once', 'once_per_day', 'reentry', 'unlimited'),
      days: fc.array(fc.integer()),
      serving: fc.subarray([THERE]),
      everyGateHeld: fc.boolean(),
      own: fc.option(fc.record({ direction: fc.constantFrom('in' as const, 'out' as const), use }), { nil: undefined }),
      ownEntry: fc.option(use, { nil: undefined }),
      hold: fc.option(fc.record({ reason: fc.string() }), { nil: undefined }),
    })
    fc.assert(
      fc.property(facts, (each) => {
        const { verdict } = decideOffline(each)
        const { status: standing, code, ownEntry, hold, checkpoint } = each
        if (verdict === 'EXIT') assert.ok(checkpoint.direction === 'out' && code.kind !== 'forged')
        if (verdict !== 'ADMIT') return
        assert.deepEqual([standing.known, standing.revoked, hold], [true, false, undefined])
        assert.ok(code.kind !== 'forged' && (code.kind === 'static' || code.fresh))
        assert.notEqual(standing.kind?.tier, 'vip')
        if (each.policy === 'once') assert.deepEqual([standing.used, ownEntry], [undefined, undefined])
      }),
    )
  })
})
