import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type AloneFacts, decideAlone } from './decide-alone.ts'

const AT = Date.parse('2026-07-01T18:00:00Z')
const USE = { checkpoint: 'b-in', at: AT - 240_000, hlc: '1.0', occurrence: 1 }
const FACTS: AloneFacts = {
  at: AT,
  checkpoint: { direction: 'in' },
  code: { kind: 'static' },
  standing: { known: true, revoked: false, used: undefined },
  own: undefined,
  hold: undefined,
}
const OLD = { kind: 'rotating', fresh: false, ageSeconds: 90 } as const

/** In the order in which one goes before the other: each case has what comes after it as well. */
const used = { known: true, revoked: false, used: USE } as const
const closed = { direction: 'in', opens_at: '2026-07-02T10:00:00Z' } as const
const revoked = { known: true, revoked: true, used: USE } as const
const CASES: [string, Partial<AloneFacts>, object][] = [
  ['a valid code', {}, { verdict: 'ADMIT', occurrence: 1 }],
  ['a fresh rotating one', { code: { ...OLD, fresh: true } }, { verdict: 'ADMIT', occurrence: 1 }],
  ['a use that was told of', { standing: used }, { verdict: 'ALREADY_USED', earlier: USE, leftAt: undefined }],
  [
    'a use of which nobody told where',
    { standing: { ...used, used: 'unknown' } },
    { verdict: 'ALREADY_USED', earlier: undefined, leftAt: undefined },
  ],
  ['a use here', { own: { direction: 'in', use: USE } }, { verdict: 'ALREADY_USED', earlier: USE, leftAt: undefined }],
  [
    'an exit here gives no right back',
    { standing: used, own: { direction: 'out', use: USE } },
    { verdict: 'ALREADY_USED', earlier: USE, leftAt: USE },
  ],
  ['an exit of one that was never used', { own: { direction: 'out', use: USE } }, { verdict: 'ADMIT', occurrence: 1 }],
  [
    'a gate that is not open yet',
    { standing: used, checkpoint: closed },
    { verdict: 'NOT_VALID_NOW', from: Date.parse(closed.opens_at), until: null, what: 'gate' },
  ],
  [
    'a gate that has closed, on the second',
    { checkpoint: { direction: 'in', closes_at: new Date(AT).toISOString() } },
    { verdict: 'NOT_VALID_NOW', from: null, until: AT, what: 'gate' },
  ],
  [
    'an old picture of a code',
    { standing: used, checkpoint: closed, code: OLD },
    { verdict: 'STALE_CODE', ageSeconds: 90, phoneClock: false },
  ],
  [
    'a phone whose clock is ahead',
    { code: { ...OLD, ageSeconds: -90 } },
    { verdict: 'STALE_CODE', ageSeconds: -90, phoneClock: true },
  ],
  ['a revoked code', { standing: revoked, checkpoint: closed, code: OLD }, { verdict: 'REVOKED', reason: null }],
  [
    'one that the filter has forgotten',
    { standing: { ...revoked, known: false } },
    { verdict: 'REVOKED', reason: null },
  ],
  [
    'a gate on hold',
    { standing: revoked, code: OLD, hold: { reason: 'crowd' } },
    { verdict: 'BLOCKED', detail: 'crowd', held: true },
  ],
  [
    'an exit, whatever is wrong',
    { standing: revoked, code: OLD, hold: { reason: 'crowd' }, checkpoint: { ...closed, direction: 'out' } },
    { verdict: 'EXIT' },
  ],
  [
    'no code of this event, at an exit too',
    { standing: { known: false, revoked: false, used: undefined }, checkpoint: { direction: 'out' } },
    { verdict: 'UNKNOWN' },
  ],
  ['a code that nobody signed, of a ticket that there is', { code: { kind: 'forged' } }, { verdict: 'UNKNOWN' }],
]

describe('deciding alone', () => {
  for (const [what, facts, decision] of CASES) {
    it(what, () => assert.deepEqual(decideAlone({ ...FACTS, ...facts }), decision))
  }

  it('is total, and admits nobody whom anything known speaks against', () => {
    const use = fc.record({ checkpoint: fc.string(), at: fc.integer(), hlc: fc.string(), occurrence: fc.nat() })
    const time = fc.option(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }), { nil: undefined })
    const facts: fc.Arbitrary<AloneFacts> = fc.record({
      at: fc.integer({ min: 0, max: 4e12 }),
      checkpoint: fc.tuple(fc.constantFrom('in' as const, 'out' as const), time, time).map(([direction, from, to]) => ({
        direction,
        ...(from && { opens_at: from.toISOString() }),
        ...(to && { closes_at: to.toISOString() }),
      })),
      code: fc.oneof(
        fc.constant({ kind: 'static' as const }),
        fc.constant({ kind: 'forged' as const }),
        fc.record({ kind: fc.constant('rotating' as const), fresh: fc.boolean(), ageSeconds: fc.integer() }),
      ),
      standing: fc.record({
        ...{ known: fc.boolean(), revoked: fc.boolean() },
        used: fc.oneof(fc.constant(undefined), fc.constant('unknown' as const), use),
      }),
      own: fc.option(fc.record({ direction: fc.constantFrom('in' as const, 'out' as const), use }), { nil: undefined }),
      hold: fc.option(fc.record({ reason: fc.string() }), { nil: undefined }),
    })
    fc.assert(
      fc.property(facts, (each) => {
        const { verdict } = decideAlone(each)
        const { standing, code, own, hold, checkpoint } = each
        if (verdict === 'EXIT') assert.ok(checkpoint.direction === 'out' && code.kind !== 'forged')
        if (verdict !== 'ADMIT') return
        assert.deepEqual([standing.known, standing.revoked, standing.used, hold], [true, false, undefined, undefined])
        assert.ok(own?.direction !== 'in' && code.kind !== 'forged' && (code.kind === 'static' || code.fresh))
      }),
    )
  })
})
