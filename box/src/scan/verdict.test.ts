import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Evidence, Verdict, type VerdictName } from '@gatehouse/proto/wire/scan.ts'
import { Value } from 'typebox/value'
import { TEST_EVENT } from '../../test/world/event.ts'
import { parseEvent } from '../event/event.ts'
import type { Movement } from '../ledger/schema.ts'
import type { Decision } from './decide.ts'
import { type Answered, verdictFor } from './verdict.ts'

const parsed = parseEvent(TEST_EVENT)
assert.ok('event' in parsed)
const { event } = parsed
const [entry, , other] = event.checkpoints
assert.ok(entry && other)

const NOON = Date.parse('2026-07-04T12:00:00Z')
const HLC = '1783166400000.000000'
const answered: Answered = {
  scanId: 's',
  event,
  checkpoint: entry,
  at: NOON,
  ticket: { tier: 'once', seat: 'Row 1' },
  hlc: HLC,
  confidence: 'confirmed',
  occurrence: 1,
  flag: undefined,
  passedAlready: false,
  walkingSeconds: null,
}
const earlier = { checkpoint: 'b-in', at: NOON - 61_500, hlc: HLC, occurrence: 1 } as Movement
const iso = (ms: number) => new Date(ms).toISOString()

interface Case {
  decision: Decision
  severity: Verdict['severity']
  evidence: Evidence
}
const place = { checkpoint: 'b-in', checkpoint_name: 'B entry', gate_name: 'Gate B' }
const CASES: Record<VerdictName, Case[]> = {
  ADMIT: [{ decision: { verdict: 'ADMIT', occurrence: 1 }, severity: 'admit', evidence: null }],
  EXIT: [{ decision: { verdict: 'EXIT', occurrence: 1 }, severity: 'admit', evidence: null }],
  ALREADY_USED: [
    {
      decision: { verdict: 'ALREADY_USED', occurrence: 1, earlier },
      severity: 'refuse',
      evidence: { ...place, used_at: iso(earlier.at), seconds_ago: 61, hlc: HLC, occurrence: 1 },
    },
    {
      decision: { verdict: 'ALREADY_USED', occurrence: 1, earlier: { ...earlier, at: NOON + 5000 } },
      severity: 'refuse',
      evidence: { ...place, used_at: iso(NOON + 5000), seconds_ago: 0, hlc: HLC, occurrence: 1 },
    },
    {
      // The event file has lost the checkpoint since.
      decision: { verdict: 'ALREADY_USED', occurrence: 1, earlier: { ...earlier, checkpoint: 'gone' } },
      severity: 'refuse',
      evidence: {
        checkpoint: 'gone',
        checkpoint_name: 'gone',
        gate_name: 'gone',
        used_at: iso(earlier.at),
        seconds_ago: 61,
        hlc: HLC,
        occurrence: 1,
      },
    },
  ],
  REDIRECT: [
    {
      decision: { verdict: 'REDIRECT', occurrence: 0, to: other },
      severity: 'redirect',
      evidence: { ...place, walking_seconds: null },
    },
  ],
  NOT_VALID_NOW: [
    {
      decision: { verdict: 'NOT_VALID_NOW', occurrence: 0, from: NOON, until: null, what: 'ticket' },
      severity: 'refuse',
      evidence: { valid_from: iso(NOON), valid_until: null, of: 'ticket', time_zone: event.timezone },
    },
    {
      decision: { verdict: 'NOT_VALID_NOW', occurrence: 0, from: null, until: NOON, what: 'gate' },
      severity: 'refuse',
      evidence: { valid_from: null, valid_until: iso(NOON), of: 'gate', time_zone: event.timezone },
    },
  ],
  STALE_CODE: [
    {
      decision: { verdict: 'STALE_CODE', occurrence: 0, ageSeconds: -45, phoneClock: true },
      severity: 'retry',
      evidence: { code_age_seconds: -45, phone_clock: true },
    },
  ],
  REVOKED: [
    {
      decision: { verdict: 'REVOKED', occurrence: 0, at: NOON, reason: 'stolen' },
      severity: 'refuse',
      evidence: { revoked_at: iso(NOON), revoked_reason: 'stolen' },
    },
    {
      decision: { verdict: 'REVOKED', occurrence: 0, at: null, reason: null },
      severity: 'refuse',
      evidence: { revoked_at: null, revoked_reason: null },
    },
  ],
  NOT_PAID: [
    {
      decision: { verdict: 'NOT_PAID', occurrence: 0, detail: 'not paid' },
      severity: 'refuse',
      evidence: { detail: 'not paid', code: 'not_paid' },
    },
  ],
  BLOCKED: [
    {
      decision: { verdict: 'BLOCKED', occurrence: 0, detail: 'lost' },
      severity: 'refuse',
      evidence: { detail: 'lost' },
    },
    {
      decision: { verdict: 'BLOCKED', occurrence: 0, detail: 'crush', held: true },
      severity: 'refuse',
      evidence: { detail: 'crush', held: true },
    },
  ],
  UNKNOWN: [{ decision: { verdict: 'UNKNOWN' }, severity: 'refuse', evidence: null }],
}

describe('a verdict on the wire', () => {
  for (const [name, cases] of Object.entries(CASES)) {
    for (const { decision, severity, evidence } of cases) {
      it(`is ${name}, to ${severity}, with ${JSON.stringify(evidence)}`, () => {
        const verdict = verdictFor(decision, answered)
        assert.ok(Value.Check(Verdict, verdict))
        assert.deepEqual({ ...verdict, verdict: name, severity, evidence }, verdict)
      })

      it(`is ${name}, and admits whoever is inside already`, () => {
        const verdict = verdictFor(decision, { ...answered, passedAlready: true, confidence: 'provisional', flag: 'f' })
        assert.ok(Value.Check(Verdict, verdict))
        assert.deepEqual({ ...verdict, verdict: name, severity: 'admit', evidence, flag: 'f' }, verdict)
      })
    }
  }

  it('describes the ticket, and what it does not know it leaves empty', () => {
    const shown = (ticket: Answered['ticket']) => {
      const { tier_name, tier_colour, seat_label } = verdictFor(
        { verdict: 'ADMIT', occurrence: 1 },
        { ...answered, ticket },
      )
      return [tier_name, tier_colour, seat_label]
    }
    assert.deepEqual(shown({ tier: 'once', seat: 'Row 1' }), ['Day ticket', '#2F80ED', 'Row 1'])
    assert.deepEqual(shown({ tier: 'vip', seat: null }), ['VIP', '#EB5757', null])
    assert.deepEqual(shown({ tier: 'gone', seat: null }), ['gone', null, null])
    assert.deepEqual(shown(undefined), [null, null, null])
  })
})
