import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { knownDetail } from '@gatehouse/proto/known-details.ts'
import type { VerdictName } from '@gatehouse/proto/wire/scan.ts'
import fc from 'fast-check'
import type { Checkpoint, EntryPolicy } from '../event/event.ts'
import type { Movement, TicketStatus } from '../ledger/schema.ts'
import { admissions, rightToEnter } from '../rights/right-to-enter.ts'
import { type CodeFacts, type Decision, decide, type Facts, type TicketFacts } from './decide.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')
const HOUR = 3_600_000
const DAY = '2026-07-04'

function checkpoint(over: Partial<Checkpoint> = {}): Checkpoint {
  return { id: 'in', name: 'In', gate: 'g', direction: 'in', from: null, to: 'arena', tiers: ['day'], ...over }
}
const EXIT = checkpoint({ id: 'out', direction: 'out', from: 'arena', to: null })
const LOUNGE = checkpoint({ id: 'lounge-in', from: 'arena', to: 'lounge' })
const LOUNGE_EXIT = checkpoint({ id: 'lounge-out', direction: 'out', from: 'lounge', to: 'arena' })
const CHECKPOINTS = [checkpoint(), EXIT, LOUNGE, LOUNGE_EXIT]

function ticket(over: Partial<TicketFacts> = {}): TicketFacts {
  return {
    tier: 'day',
    policy: 'once',
    status: 'valid',
    statusDetail: null,
    revokedAt: null,
    revokedReason: null,
    validFrom: null,
    validUntil: null,
    ...over,
  }
}

const HOLD = { reason: 'crowd at the barrier' }

/** A code that is not in its own time. */
const STALE = { kind: 'rotating', retired: false, fresh: false, ageSeconds: 90, steady: false } as const

function facts({
  ticket: changed,
  ...over
}: Partial<Omit<Facts, 'ticket'>> & { ticket?: Partial<TicketFacts> } = {}): Facts {
  return {
    at: NOON,
    day: DAY,
    checkpoint: checkpoint(),
    movements: [],
    serving: [],
    everyGateHeld: false,
    hold: undefined,
    passedAlready: false,
    unanswered: [],
    code: { kind: 'static', state: 'opens' },
    ticket: ticket(changed),
    ...over,
  }
}

/** A passage as `redeem` writes it, after those that were before. */
function passage(
  before: readonly Movement[],
  policy: EntryPolicy,
  at: { checkpoint: Checkpoint; day?: string },
): Movement {
  const { direction, id, from, to } = at.checkpoint
  const right = rightToEnter({ zone: to ?? '', day: at.day ?? DAY, movements: before }, policy)
  const slot = direction === 'out' ? `/exit/${before.length}` : right.slot
  return {
    ticket: 1,
    slot,
    surplus: before.filter((m) => m.slot === slot).length,
    direction,
    checkpoint: id,
    from,
    to,
    occurrence: admissions(before) + (direction === 'in' ? 1 : 0),
    at: NOON - HOUR,
    hlc: '0',
    provisional: false,
    scanId: `scan-${before.length}`,
    entry: before.length,
  }
}

function history(
  policy: EntryPolicy,
  ...passages: (Checkpoint | { checkpoint: Checkpoint; day: string })[]
): Movement[] {
  const movements: Movement[] = []
  for (const at of passages) movements.push(passage(movements, policy, 'checkpoint' in at ? at : { checkpoint: at }))
  return movements
}

type Case = [what: string, facts: Facts, expected: Partial<Decision>]
type Policies<T> = Record<EntryPolicy, T>
const POLICIES = ['once', 'once_per_day', 'reentry', 'unlimited'] as const satisfies readonly EntryPolicy[]

/** Cases in which the policy makes no difference. */
function whateverPolicy(
  ...cases: [what: string, (policy: EntryPolicy) => Facts, expected: Partial<Decision>][]
): Policies<Case[]> {
  const forPolicy = (policy: EntryPolicy): Case[] =>
    cases.map(([what, make, expected]) => [what, make(policy), expected])
  return {
    once: forPolicy('once'),
    once_per_day: forPolicy('once_per_day'),
    reentry: forPolicy('reentry'),
    unlimited: forPolicy('unlimited'),
  }
}

const YESTERDAY = { checkpoint: checkpoint(), day: '2026-07-03' }
const at = (policy: EntryPolicy, where: Checkpoint, ...before: Parameters<typeof history>[1][]) =>
  facts({ ticket: { policy }, checkpoint: where, movements: history(policy, ...before) })

/** Every verdict under every policy: the compiler refuses a table with a gap. */
const TABLE: Record<VerdictName, Policies<Case[]>> = {
  ADMIT: {
    once: [
      ['never used', at('once', checkpoint()), { occurrence: 1 }],
      [
        'let in alone, with a question that nobody has answered',
        facts({ unanswered: ['Size?'], passedAlready: true }),
        { occurrence: 1 },
      ],
      ['used in another zone', at('once', LOUNGE, checkpoint()), { occurrence: 2 }],
      ['left without ever coming in', at('once', checkpoint(), EXIT), { occurrence: 1 }],
    ],
    once_per_day: [
      ['never used', at('once_per_day', checkpoint()), { occurrence: 1 }],
      ['used yesterday', at('once_per_day', checkpoint(), YESTERDAY), { occurrence: 2 }],
      ['used yesterday, left today', at('once_per_day', checkpoint(), YESTERDAY, EXIT), { occurrence: 2 }],
      ['used in another zone', at('once_per_day', LOUNGE, checkpoint()), { occurrence: 2 }],
    ],
    reentry: [
      ['never used', at('reentry', checkpoint()), { occurrence: 1 }],
      ['left again', at('reentry', checkpoint(), checkpoint(), EXIT), { occurrence: 2 }],
      [
        'left after two went in on it',
        at('reentry', checkpoint(), checkpoint(), checkpoint(), EXIT),
        { occurrence: 3 },
      ],
      ['left twice', at('reentry', checkpoint(), checkpoint(), EXIT, EXIT), { occurrence: 2 }],
      ['inside the zone around it', at('reentry', LOUNGE, checkpoint()), { occurrence: 2 }],
      ['left the inner zone', at('reentry', LOUNGE, checkpoint(), LOUNGE, LOUNGE_EXIT), { occurrence: 3 }],
    ],
    unlimited: [
      ['never used', at('unlimited', checkpoint()), { occurrence: 1 }],
      ['inside already', at('unlimited', checkpoint(), checkpoint(), checkpoint()), { occurrence: 3 }],
    ],
  },
  EXIT: whateverPolicy(
    ['inside', (policy) => at(policy, EXIT, checkpoint()), { occurrence: 1 }],
    ['never came in', (policy) => at(policy, EXIT), { occurrence: 0 }],
    ['left already', (policy) => at(policy, EXIT, checkpoint(), EXIT), { occurrence: 1 }],
    ['revoked meanwhile', (policy) => facts({ checkpoint: EXIT, ticket: { policy, revokedAt: NOON } }), {}],
    ['not paid', (policy) => facts({ checkpoint: EXIT, ticket: { policy, status: 'pending' } }), {}],
    ['no longer valid', (policy) => facts({ checkpoint: EXIT, ticket: { policy, validUntil: NOON - HOUR } }), {}],
    ['on hold', (policy) => facts({ checkpoint: EXIT, ticket: { policy }, hold: HOLD }), {}],
    ['not a gate of its tier', (policy) => facts({ checkpoint: { ...EXIT, tiers: ['vip'] }, ticket: { policy } }), {}],
    [
      'a stale code',
      (policy) => facts({ checkpoint: EXIT, ticket: { policy }, code: { ...STALE, ageSeconds: 90 } }),
      {},
    ],
    [
      'after the gate closed',
      (policy) => facts({ checkpoint: { ...EXIT, closes_at: '2026-07-04T11:00:00Z' }, ticket: { policy } }),
      {},
    ],
  ),
  ALREADY_USED: {
    once: [
      ['inside', at('once', checkpoint(), checkpoint()), { occurrence: 1 }],
      ['left', at('once', checkpoint(), checkpoint(), EXIT), { occurrence: 1 }],
      ['used yesterday', at('once', checkpoint(), YESTERDAY), { occurrence: 1 }],
      ['two went in on it', at('once', checkpoint(), checkpoint(), checkpoint()), { occurrence: 2 }],
      ['inside the inner zone', at('once', LOUNGE, checkpoint(), LOUNGE), { occurrence: 2 }],
      // An import has put it on this tier since.
      ['used as a re-entry ticket', facts({ movements: history('reentry', checkpoint()) }), { occurrence: 1 }],
      ['used as a daily ticket', facts({ movements: history('once_per_day', checkpoint()) }), { occurrence: 1 }],
      ['used as a crew ticket', facts({ movements: history('unlimited', checkpoint()) }), { occurrence: 1 }],
    ],
    once_per_day: [
      ['used today', at('once_per_day', checkpoint(), checkpoint()), { occurrence: 1 }],
      ['used today, left', at('once_per_day', checkpoint(), checkpoint(), EXIT), { occurrence: 1 }],
      ['used yesterday and today', at('once_per_day', checkpoint(), YESTERDAY, checkpoint()), { occurrence: 2 }],
    ],
    reentry: [
      ['inside', at('reentry', checkpoint(), checkpoint()), { occurrence: 1 }],
      ['inside again', at('reentry', checkpoint(), checkpoint(), EXIT, checkpoint()), { occurrence: 2 }],
      ['two went in on it', at('reentry', checkpoint(), checkpoint(), checkpoint()), { occurrence: 2 }],
      ['further in, not out', at('reentry', checkpoint(), checkpoint(), LOUNGE), { occurrence: 2 }],
      ['left the inner zone only', at('reentry', checkpoint(), checkpoint(), LOUNGE, LOUNGE_EXIT), { occurrence: 2 }],
    ],
    // A ticket that may always enter has nothing to use up.
    unlimited: [],
  },
  REDIRECT: whateverPolicy(
    [
      'another gate serves the tier',
      (policy) =>
        facts({ checkpoint: checkpoint({ tiers: ['vip'] }), ticket: { policy }, serving: [LOUNGE, checkpoint()] }),
      { to: LOUNGE },
    ],
    [
      'another gate serves the tier, and this one is closed',
      (policy) =>
        facts({
          checkpoint: checkpoint({ tiers: ['vip'], opens_at: '2026-07-04T13:00:00Z' }),
          ticket: { policy },
          serving: [LOUNGE],
        }),
      { to: LOUNGE },
    ],
  ),
  NOT_VALID_NOW: whateverPolicy(
    [
      'a millisecond early',
      (policy) => facts({ ticket: { policy, validFrom: NOON + 1 } }),
      { what: 'ticket', from: NOON + 1, until: null },
    ],
    [
      'a millisecond late',
      (policy) => facts({ ticket: { policy, validUntil: NOON - 1 } }),
      { what: 'ticket', from: null, until: NOON - 1 },
    ],
    [
      'the gate opens in a millisecond',
      (policy) => facts({ ticket: { policy }, checkpoint: checkpoint({ opens_at: '2026-07-04T12:00:00.001Z' }) }),
      { what: 'gate', from: NOON + 1, until: null },
    ],
    [
      'the gate closes now',
      (policy) => facts({ ticket: { policy }, checkpoint: checkpoint({ closes_at: '2026-07-04T14:00:00+02:00' }) }),
      { what: 'gate', from: null, until: NOON },
    ],
  ),
  STALE_CODE: whateverPolicy(
    [
      'an old code',
      (policy) => facts({ ticket: { policy }, code: { ...STALE, ageSeconds: 45 } }),
      { ageSeconds: 45, phoneClock: false },
    ],
    [
      'the code of a phone that is always as late',
      (policy) => facts({ ticket: { policy }, code: { ...STALE, ageSeconds: 45, steady: true } }),
      { ageSeconds: 45, phoneClock: true },
    ],
    [
      'a code of the future',
      (policy) => facts({ ticket: { policy }, code: { ...STALE, ageSeconds: -45 } }),
      { ageSeconds: -45, phoneClock: true },
    ],
  ),
  REVOKED: whateverPolicy(
    [
      'at this box',
      (policy) => facts({ ticket: { policy, revokedAt: 5, revokedReason: 'stolen' } }),
      { at: 5, reason: 'stolen' },
    ],
    [
      'by the shop',
      (policy) => facts({ ticket: { policy, status: 'revoked', statusDetail: 'refunded' } }),
      { at: null, reason: 'refunded' },
    ],
    [
      'by both: the box knows when and why',
      (policy) =>
        facts({
          ticket: { policy, status: 'revoked', statusDetail: 'refunded', revokedAt: 5, revokedReason: 'stolen' },
        }),
      { at: 5, reason: 'stolen' },
    ],
  ),
  NOT_PAID: whateverPolicy(
    [
      'with the shop’s word',
      (policy) => facts({ ticket: { policy, status: 'pending', statusDetail: 'to be paid on site' } }),
      { detail: 'to be paid on site' },
    ],
    ['without', (policy) => facts({ ticket: { policy, status: 'pending' } }), { detail: 'the order is not paid' }],
  ),
  BLOCKED: whateverPolicy(
    [
      'with the shop’s word',
      (policy) => facts({ ticket: { policy, status: 'blocked', statusDetail: 'lost' } }),
      { detail: 'lost' },
    ],
    ['without', (policy) => facts({ ticket: { policy, status: 'blocked' } }), { detail: 'blocked by the ticket shop' }],
    [
      'a printed code of a tier that enters by phone',
      (policy) => facts({ ticket: { policy }, code: { kind: 'static', state: 'phone_only' } }),
      { detail: 'this ticket enters with the code on the phone, not a printed one' },
    ],
    [
      'a printed code of a ticket that was claimed',
      (policy) => facts({ ticket: { policy }, code: { kind: 'static', state: 'claimed' } }),
      { detail: 'this ticket was claimed on a phone: ask for the code there, not the printed one' },
    ],
    [
      'a printed code that the shop has replaced',
      (policy) => facts({ ticket: { policy }, code: { kind: 'static', state: 'replaced' } }),
      { detail: 'the ticket shop has replaced this code: ask for the new ticket' },
    ],
    [
      'a code of the key before the claim',
      (policy) => facts({ ticket: { policy }, code: { ...STALE, fresh: true, retired: 'claimed' } }),
      { detail: 'this ticket was claimed on another phone: ask for that one' },
    ],
    [
      'a code of the phone that had claimed it before a release',
      (policy) => facts({ ticket: { policy }, code: { ...STALE, fresh: true, retired: 'released' } }),
      { detail: 'this phone no longer has this ticket: ask for its link to be opened again' },
    ],
    [
      'no gate at all serves the tier',
      (policy) => facts({ ticket: { policy }, checkpoint: checkpoint({ tiers: ['vip'] }) }),
      { detail: 'no gate of this event serves this kind of ticket', elsewhere: true },
    ],
    [
      'every gate that serves the tier is on hold',
      (policy) => facts({ ticket: { policy }, checkpoint: checkpoint({ tiers: ['vip'] }), everyGateHeld: true }),
      { detail: 'every gate for this ticket is on hold', held: true, elsewhere: true },
    ],
    [
      'the gate is on hold',
      (policy) => facts({ ticket: { policy }, hold: HOLD }),
      { detail: 'crowd at the barrier', held: true },
    ],
    [
      'the gate is on hold, and the ticket is no good besides',
      (policy) => facts({ ticket: { policy, revokedAt: 1 }, hold: HOLD }),
      { detail: 'crowd at the barrier', held: true },
    ],
    [
      'the gate was on hold when a scanner let the person in',
      (policy) => facts({ ticket: { policy }, hold: HOLD, passedAlready: true }),
      { detail: 'crowd at the barrier', held: true },
    ],
    [
      'a required question is unanswered',
      (policy) => facts({ ticket: { policy }, unanswered: ['T-shirt size?'] }),
      { occurrence: 0, detail: '"T-shirt size?" has to be answered first', asks: true },
    ],
    [
      'several are',
      (policy) => facts({ ticket: { policy }, unanswered: ['Size?', 'Name?', 'Age?'] }),
      { detail: '"Size?" and 2 more have to be answered first', asks: true },
    ],
    [
      'a question is unanswered, and the gate is on hold',
      (policy) => facts({ ticket: { policy }, unanswered: ['Size?'], hold: HOLD }),
      { detail: 'crowd at the barrier', held: true },
    ],
    [
      'a question is unanswered, and the ticket is blocked',
      (policy) => facts({ ticket: { policy, status: 'blocked', statusDetail: 'chargeback' }, unanswered: ['Size?'] }),
      { detail: 'chargeback' },
    ],
  ),
  UNKNOWN: whateverPolicy(
    ['at an entry', () => ({ ...facts(), ticket: undefined }), {}],
    ['at an exit', () => ({ ...facts({ checkpoint: EXIT }), ticket: undefined }), {}],
    ['on hold', () => ({ ...facts({ hold: HOLD }), ticket: undefined }), {}],
  ),
}

describe('a decision', () => {
  for (const [verdict, byPolicy] of Object.entries(TABLE)) {
    for (const [policy, cases] of Object.entries(byPolicy)) {
      for (const [what, given, expected] of cases) {
        it(`is ${verdict} for "${policy}": ${what}`, () => {
          const decision = decide(given)
          assert.equal(decision.verdict, verdict)
          assert.deepEqual({ ...decision, ...expected }, decision)
        })
      }
    }
  }

  it('names the latest of the passages that used the right up', () => {
    const movements = history('once', checkpoint(), LOUNGE, checkpoint({ id: 'other-in' }))
    const decision = decide(facts({ movements }))
    assert.equal(decision.verdict === 'ALREADY_USED' && decision.earlier, movements[2])
  })

  describe('of passages that a scanner reported late', () => {
    const minutesAgo = (m: Movement, minutes: number): Movement => ({
      ...m,
      at: NOON - minutes * 60_000,
      provisional: true,
    })
    const verdictAfter = (movements: Movement[]) => decide(facts({ ticket: { policy: 'reentry' }, movements })).verdict

    it('an exit does not let out who came in after it', () => {
      const [first, second, exit] = history('reentry', checkpoint(), checkpoint(), EXIT) as [
        Movement,
        Movement,
        Movement,
      ]
      const passed = [minutesAgo(first, 60), minutesAgo(second, 10), minutesAgo(exit, 30)]
      assert.equal(verdictAfter(passed), 'ALREADY_USED')
      assert.equal(verdictAfter([minutesAgo(first, 60), minutesAgo(exit, 30)]), 'ADMIT')
    })

    it('an entry does not hold inside who left after it', () => {
      const [exit, entry] = history('reentry', EXIT, checkpoint()) as [Movement, Movement]
      assert.equal(verdictAfter([{ ...exit, at: NOON - 60_000 }, minutesAgo(entry, 30)]), 'ADMIT')
      assert.equal(verdictAfter([{ ...exit, at: NOON - 3_600_000 }, minutesAgo(entry, 30)]), 'ALREADY_USED')
    })
  })

  it('takes the first and the last moment of a validity, and an opening, as inside', () => {
    const open = checkpoint({ opens_at: '2026-07-04T12:00:00Z', closes_at: '2026-07-04T12:00:00.001Z' })
    assert.equal(decide(facts({ ticket: { validFrom: NOON, validUntil: NOON }, checkpoint: open })).verdict, 'ADMIT')
  })
})

/** Every fault of a scan at an entry, in the order of the checks. */
const FAULTS: {
  verdict: (f: Facts) => VerdictName
  ways: ((f: Facts & { ticket: TicketFacts }) => Facts & { ticket: TicketFacts })[]
}[] = [
  { verdict: () => 'REVOKED', ways: [(f) => ({ ...f, ticket: { ...f.ticket, revokedAt: 1 } })] },
  {
    verdict: (f) =>
      (({ valid: 'ADMIT', revoked: 'REVOKED', blocked: 'BLOCKED', pending: 'NOT_PAID' }) as const)[
        f.ticket?.status ?? 'valid'
      ],
    ways: (['revoked', 'blocked', 'pending'] as const satisfies TicketStatus[]).map((status) => (f) => ({
      ...f,
      ticket: { ...f.ticket, status },
    })),
  },
  {
    verdict: (f) => (f.code.kind === 'static' || f.code.retired ? 'BLOCKED' : 'STALE_CODE'),
    ways: (
      [
        { kind: 'static', state: 'phone_only' },
        { kind: 'static', state: 'claimed' },
        { kind: 'static', state: 'replaced' },
        { ...STALE, retired: 'claimed' },
        { ...STALE, retired: 'released' },
        { ...STALE, ageSeconds: 60 },
        { ...STALE, ageSeconds: -60 },
      ] as const satisfies CodeFacts[]
    ).map((code) => (f) => ({ ...f, code })),
  },
  {
    verdict: () => 'NOT_VALID_NOW',
    ways: [
      (f) => ({ ...f, ticket: { ...f.ticket, validFrom: f.at + 1 } }),
      (f) => ({ ...f, ticket: { ...f.ticket, validUntil: f.at - 1 } }),
    ],
  },
  {
    verdict: (f) => (f.serving.length > 0 ? 'REDIRECT' : 'BLOCKED'),
    ways: [
      (f) => ({ ...f, checkpoint: { ...f.checkpoint, tiers: ['vip'] }, serving: [LOUNGE] }),
      (f) => ({ ...f, checkpoint: { ...f.checkpoint, tiers: ['vip'] } }),
    ],
  },
  {
    verdict: () => 'NOT_VALID_NOW',
    ways: [
      (f) => ({ ...f, checkpoint: { ...f.checkpoint, opens_at: '2026-07-04T13:00:00Z' } }),
      (f) => ({ ...f, checkpoint: { ...f.checkpoint, closes_at: '2026-07-04T11:00:00Z' } }),
    ],
  },
  {
    verdict: () => 'ALREADY_USED',
    ways: POLICIES.filter((policy) => policy !== 'unlimited').map((policy) => (f) => ({
      ...f,
      ticket: { ...f.ticket, policy },
      movements: history(policy, checkpoint()),
    })),
  },
]

describe('the order of checks', () => {
  it('holds for every combination of faults, each in every way', () => {
    let combinations = 0
    const walk = (f: Facts & { ticket: TicketFacts }, fault: number, expected: VerdictName | undefined) => {
      const next = FAULTS[fault]
      if (!next) {
        combinations++
        assert.equal(decide(f).verdict, expected ?? 'ADMIT', JSON.stringify(f))
        assert.equal(decide({ ...f, passedAlready: true }).verdict, expected ?? 'ADMIT')
        // Nobody enters a held gate; of whom a scanner let in all the same, the ticket's own fault is told first.
        const held = { verdict: 'BLOCKED', occurrence: admissions(f.movements), detail: HOLD.reason, held: true }
        assert.deepEqual(decide({ ...f, hold: HOLD }), held)
        assert.equal(decide({ ...f, hold: HOLD, passedAlready: true }).verdict, expected ?? 'BLOCKED')
        assert.equal(decide({ ...f, hold: HOLD, checkpoint: EXIT }).verdict, 'EXIT')
        assert.equal(decide({ ...f, hold: HOLD, ticket: undefined }).verdict, 'UNKNOWN')
        assert.equal(decide({ ...f, checkpoint: EXIT }).verdict, 'EXIT')
        assert.equal(decide({ ...f, ticket: undefined }).verdict, 'UNKNOWN')
        return
      }
      walk(f, fault + 1, expected)
      for (const way of next.ways) {
        const wrong = way(f)
        walk(wrong, fault + 1, expected ?? next.verdict(wrong))
      }
    }
    walk({ ...facts(), ticket: ticket() }, 0, undefined)
    assert.equal(combinations, 2 * 4 * 8 * 3 * 3 * 3 * 4)
  })
})

const anyTime = fc.oneof(fc.constant(null), fc.integer(), fc.constantFrom(NOON, Number.MAX_SAFE_INTEGER, Number.NaN))
const anyName = fc.constantFrom('day', 'vip', 'arena', 'lounge', '', '__proto__')
const anyZone = fc.oneof(fc.constant(null), anyName)
const anyMovement: fc.Arbitrary<Movement> = fc.record({
  ticket: fc.nat(),
  slot: anyName,
  surplus: fc.nat(),
  direction: fc.constantFrom('in' as const, 'out' as const),
  checkpoint: anyName,
  from: anyZone,
  to: anyZone,
  occurrence: fc.nat(),
  at: fc.integer(),
  hlc: fc.string(),
  scanId: fc.string(),
  provisional: fc.boolean(),
  entry: fc.nat(),
})
const anyCheckpoint: fc.Arbitrary<Checkpoint> = fc.record(
  {
    id: anyName,
    name: fc.string(),
    gate: anyName,
    direction: fc.constantFrom('in' as const, 'out' as const),
    from: anyZone,
    to: anyZone,
    tiers: fc.array(anyName),
    opens_at: fc.constantFrom('2026-07-04T12:00:00Z', 'soon'),
    closes_at: fc.constantFrom('2026-07-04T12:00:00Z', ''),
  },
  { requiredKeys: ['id', 'name', 'gate', 'direction', 'from', 'to', 'tiers'] },
)
const anyFacts: fc.Arbitrary<Facts> = fc.record({
  unanswered: fc.array(fc.string()),
  at: fc.oneof(fc.integer(), fc.constant(Number.NaN)),
  day: fc.string(),
  checkpoint: anyCheckpoint,
  ticket: fc.option(
    fc.record({
      tier: anyName,
      policy: fc.constantFrom(...POLICIES),
      statusDetail: fc.option(fc.string()),
      revokedAt: anyTime,
      status: fc.constantFrom('valid', 'pending', 'blocked', 'revoked'),
      revokedReason: fc.option(fc.string()),
      validFrom: anyTime,
      validUntil: anyTime,
    }),
    { nil: undefined },
  ),
  code: fc.oneof(
    fc.record({
      kind: fc.constant('static' as const),
      state: fc.constantFrom('opens', 'phone_only', 'claimed', 'replaced', 'reissued'),
    }),
    fc.record({
      kind: fc.constant('rotating' as const),
      retired: fc.constantFrom(false as const, 'claimed' as const, 'released' as const, 'reissued' as const),
      fresh: fc.boolean(),
      ageSeconds: fc.integer(),
      steady: fc.boolean(),
    }),
  ),
  movements: fc.array(anyMovement, { maxLength: 12 }),
  serving: fc.array(anyCheckpoint, { maxLength: 3 }),
  everyGateHeld: fc.boolean(),
  hold: fc.option(fc.record({ reason: fc.string() }), { nil: undefined }),
  passedAlready: fc.boolean(),
})

describe('any facts at all', () => {
  it('get one of the verdicts, without a throw and without a change to the facts', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const before = JSON.stringify(given)
        assert.ok(Object.hasOwn(TABLE, decide(given).verdict))
        assert.equal(JSON.stringify(given), before)
      }),
    )
  })

  it('are refused in words that phones have in their language, where nobody has typed the reason', () => {
    fc.assert(
      fc.property(anyFacts, ({ unanswered: _, hold: __, ...given }) => {
        const ticket = given.ticket && { ...given.ticket, statusDetail: null }
        const decision = decide({ ...given, ticket, hold: undefined, unanswered: [] })
        if ('detail' in decision) assert.ok(knownDetail(decision.detail), decision.detail)
      }),
      { numRuns: 2000 },
    )
  })

  it('admit nobody through a gate on hold', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const { verdict } = decide({ ...given, hold: HOLD })
        assert.notEqual(verdict, 'ADMIT')
        if (given.ticket && given.checkpoint.direction === 'in' && !given.passedAlready)
          assert.equal(verdict, 'BLOCKED')
      }),
    )
  })

  it('let a known ticket out, and an unknown one nowhere', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const { verdict } = decide({ ...given, checkpoint: { ...given.checkpoint, direction: 'out' } })
        assert.equal(verdict, given.ticket ? 'EXIT' : 'UNKNOWN')
      }),
    )
  })
})

describe('a question', () => {
  it('is asked of nobody who would be refused, and of nobody who leaves', () => {
    const asked = { unanswered: ['Size?'] }
    const cases = [
      facts({ ...asked, ticket: { revokedAt: 1 } }),
      facts({ ...asked, ticket: { status: 'pending' } }),
      facts({ ...asked, ticket: { validUntil: NOON - 1 } }),
      facts({ ...asked, code: STALE }),
      facts({ ...asked, checkpoint: checkpoint({ tiers: ['vip'] }), serving: [checkpoint()] }),
      { ...at('once', checkpoint(), checkpoint()), ...asked },
      facts({ ...asked, checkpoint: EXIT }),
    ]
    for (const one of cases) {
      const decision = decide(one)
      assert.deepEqual(decision, decide({ ...one, unanswered: [] }))
      assert.ok(!('asks' in decision), decision.verdict)
    }
  })

  it('is quoted no longer than a sentence can hold', () => {
    const decision = decide(facts({ unanswered: ['x'.repeat(5000)] }))
    assert.ok(decision.verdict === 'BLOCKED' && decision.detail.length < 200)
  })
})

describe('any sequence of scans of one ticket', () => {
  const scans = fc.array(
    fc.record({
      checkpoint: fc.constantFrom(...CHECKPOINTS),
      day: fc.constantFrom('2026-07-04', '2026-07-05'),
      alone: fc.boolean(),
    }),
    { maxLength: 40 },
  )

  it('admits on no right twice, whoever else a scanner let in alone', () => {
    fc.assert(
      fc.property(fc.constantFrom(...POLICIES), scans, (policy, sequence) => {
        const movements: Movement[] = []
        const used = new Set<string>()
        for (const { checkpoint, day, alone } of sequence) {
          const { verdict } = decide(facts({ ticket: { policy }, checkpoint, day, movements }))
          const next = passage(movements, policy, { checkpoint, day })
          if (verdict === 'ADMIT') {
            assert.equal(next.surplus, 0)
            assert.ok(!used.has(next.slot), `${next.slot} was used`)
            used.add(next.slot)
          }
          // The ledger's primary key: no two passages may ever ask for the same place.
          if (verdict === 'ADMIT' || verdict === 'EXIT' || alone) movements.push(next)
          const places = movements.map(({ slot, surplus }) => `${slot}#${surplus}`)
          assert.equal(new Set(places).size, places.length)
        }
      }),
    )
  })
})
