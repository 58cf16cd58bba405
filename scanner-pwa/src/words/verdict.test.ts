import './in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VERDICT_CLASSES, verdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import { type Evidence, VERDICTS, type Verdict } from '@gatehouse/proto/wire/scan.ts'
import fc from 'fast-check'
import type { ScanRecord } from '../gate/model.ts'
import { certainty, spoken, verdictWords } from './verdict.ts'
import { words } from './words.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')

function record(verdict: Verdict['verdict'], evidence: Evidence, over: Partial<ScanRecord> = {}): ScanRecord {
  return {
    scanId: 's',
    at: NOON,
    checkpoint: 'n-in',
    class: verdictClass(verdict),
    alone: false,
    operator: null,
    verdict: {
      scan_id: 's',
      verdict,
      severity: 'refuse',
      reason: 'The box says so.',
      hlc: '1.0',
      direction: 'in',
      tier_name: 'Day ticket',
      tier_colour: '#2F80ED',
      seat_label: null,
      occurrence: 1,
      confidence: 'confirmed',
      evidence,
    },
    ...over,
  }
}
const say = (...args: Parameters<typeof record>) => verdictWords(record(...args))
const earlier = { checkpoint: 'b-in', checkpoint_name: 'B entry', gate_name: 'Gate B', hlc: '1.0', occurrence: 1 }

test('an earlier use: where, how long ago, and what to do', () => {
  const { fact, next, word } = say('ALREADY_USED', { ...earlier, used_at: '2026-07-04T11:56:00Z', seconds_ago: 240 })
  assert.equal(word, 'Already used')
  assert.equal(fact, 'Used at Gate B 4 minutes ago.')
  assert.equal(next, 'Ask for another ticket. Or call a supervisor.')
  assert.match(say('ALREADY_USED', { ...earlier, used_at: '2026-07-04T12:00:00Z', seconds_ago: 0 }).fact, /just now/)
})

test('alone, nothing is said that is not known', () => {
  const alone = (reason: string, verdict: Verdict['verdict']) => {
    const one = record(verdict, null, { alone: true })
    return verdictWords({ ...one, verdict: { ...one.verdict, reason } })
  }
  const used = alone('Used before; where and when, only the box knows. Send to the ticket desk.', 'ALREADY_USED')
  assert.deepEqual(
    [used.fact, used.next],
    ['Used before; where and when, only the box knows.', 'Send to the ticket desk.'],
  )
  const revoked = alone('No longer valid: cancelled, not paid, or moved.', 'REVOKED')
  assert.deepEqual([revoked.fact, revoked.next], ['No longer valid.', 'Cancelled, not paid, or moved.'])
  assert.equal(say('UNKNOWN', null, { alone: true }).fact, "Not in this phone's ticket list.")
})

test('a supervisor is not told to call a supervisor', () => {
  for (const verdict of ['ALREADY_USED', 'NOT_PAID', 'BLOCKED'] as const) {
    const one = record(verdict, verdict === 'ALREADY_USED' ? null : { detail: 'lost' })
    const crew = verdictWords(one)
    assert.match(crew.next, /Or call a supervisor\.$/)
    const own = verdictWords(one, true)
    assert.match(own.next, /Or press "Admit anyway"\.$/)
    assert.doesNotMatch(`${own.word} ${own.next}`, /supervisor/i)
    assert.doesNotMatch(
      verdictWords({ ...one, alone: true }, true).next,
      /supervisor|Admit anyway/i,
      'only the box takes it',
    )
  }
})

test('nothing is said twice', () => {
  assert.equal(say('BLOCKED', { detail: 'blocked by the organiser' }).fact, 'Blocked by the organiser.')
  assert.equal(
    say('REVOKED', { revoked_at: null, revoked_reason: 'revoked by the organiser' }).fact,
    'Cancelled by the organiser.',
  )
})

test('another gate, with and without the way', () => {
  const to = { checkpoint: 's-in', checkpoint_name: 'South entry', gate_name: 'Gate South' }
  assert.equal(say('REDIRECT', { ...to, walking_seconds: 190 }).fact, 'Enters at Gate South, 3 minutes on foot.')
  assert.equal(say('REDIRECT', { ...to, walking_seconds: null }).next, 'Send to Gate South.')
})

test('not now: too early comes back, too late goes to the desk', () => {
  assert.equal(
    say('NOT_VALID_NOW', { valid_from: '2026-07-04T13:00:00Z', valid_until: null }).next,
    'Ask them to come back then.',
  )
  assert.equal(
    say('NOT_VALID_NOW', { valid_from: null, valid_until: '2026-07-04T11:00:00Z' }).next,
    'Send to the ticket desk.',
  )
})

test("an old code is not a phone's wrong clock", () => {
  assert.equal(say('STALE_CODE', { code_age_seconds: 120, phone_clock: false }).word, 'Code too old')
  const { word, fact } = say('STALE_CODE', { code_age_seconds: -48, phone_clock: true })
  assert.equal(word, 'Phone clock is wrong')
  assert.equal(fact, "That phone's clock is 48 seconds ahead. The ticket may be fine.")
})

test('a held gate says that the ticket is fine', () => {
  const { word, fact } = say('BLOCKED', { detail: 'Too many on the stairs!', held: true })
  assert.equal(word, 'Gate on hold')
  assert.equal(fact, 'Too many on the stairs. Nothing is wrong with the ticket.')
  const every = say('BLOCKED', { detail: 'every gate for this ticket is on hold', held: true })
  assert.match(every.fact, /^Every gate for this ticket is on hold\. /)
})

test('confirmed, provisional and alone are three things', () => {
  const answered = record('ADMIT', null)
  assert.equal(certainty(answered), 'Confirmed by the box')
  assert.equal(certainty({ ...answered, alone: true, unheardMs: 190_000 }), 'Offline for 3 min: this phone decides')
  const provisional = { ...answered.verdict, severity: 'admit', confidence: 'provisional' } as const
  assert.match(certainty({ ...answered, verdict: provisional }), /Provisional/)
  const [north, west, east] = ['North', 'West', 'East'].map((name, i) => ({ name, ms: (i + 1) * 60_000 }))
  const cut = (...unheard: ({ name: string; ms: number | null } | undefined)[]) =>
    certainty({ ...answered, verdict: provisional, unheard: unheard.flatMap((box) => box ?? []) })
  assert.equal(cut(north), 'Provisional: no contact with North for 1 min')
  assert.equal(cut(north, west, east), 'Provisional: no contact with North, West, 1 more for 3 min')
  assert.equal(cut(north, { name: 'East', ms: null }), 'Provisional: no contact with North, East yet')
  assert.equal(certainty({ ...answered, box: 'South' }), 'Confirmed by South')
  assert.match(certainty({ ...answered, box: 'South', verdict: provisional }), /^Provisional: .*Answered by South$/)
})

test('what was not decided is called that, with what to do', () => {
  const one = record('BLOCKED', { detail: 'x' }, { failed: true })
  const reason = 'This scanner was taken out of service: bring it to the control room.'
  const { word, fact, next } = verdictWords({ ...one, verdict: { ...one.verdict, reason } })
  assert.deepEqual(
    [word, fact, next],
    ['Not decided', 'This scanner was taken out of service.', 'Bring it to the control room.'],
  )
  assert.equal(certainty(one), 'Nothing was checked')
})

test('what was taken back is no admission any more', () => {
  assert.equal(say('ADMIT', null, { undone: true }).word, 'Taken back')
})

const text = fc.string({ minLength: 1, maxLength: 40 })
const time = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString())
const evidence: fc.Arbitrary<Evidence> = fc.oneof(
  fc.constant(null),
  fc.record({ used_at: time, seconds_ago: fc.nat() }).map((one) => ({ ...earlier, ...one })),
  fc.record({ walking_seconds: fc.option(fc.nat()), checkpoint: text, checkpoint_name: text, gate_name: text }),
  fc.record({ valid_from: fc.option(time), valid_until: fc.option(time) }),
  fc.record({ code_age_seconds: fc.integer(), phone_clock: fc.boolean() }),
  fc.record({ revoked_at: fc.option(time), revoked_reason: fc.option(text) }),
  fc.record({ detail: text }),
  text.map((detail) => ({ detail, held: true as const })),
)

test('every verdict with every evidence, its own or not, is said in full', () => {
  fc.assert(
    fc.property(fc.constantFrom(...VERDICTS), evidence, fc.boolean(), fc.boolean(), (verdict, shown, alone, undone) => {
      const one = record(verdict, shown, { alone, undone })
      const said = verdictWords(one)
      assert.ok(said.word.length > 0)
      if (verdict !== 'ADMIT' && verdict !== 'EXIT') assert.ok(said.fact.length > 0 && (alone || said.next.length > 0))
      for (const part of [...Object.values(said), spoken(one)]) assert.doesNotMatch(part, /undefined|NaN|Invalid/)
    }),
  )
})

test('no two classes are called the same', () => {
  assert.equal(new Set(VERDICT_CLASSES.map((name) => words.verdict.class[name])).size, VERDICT_CLASSES.length)
})

test('a screen reader says what the card says: word, why, what to do, where and when, and how sure it is', () => {
  const evidences: [Verdict['verdict'], Evidence][] = [
    ['ADMIT', null],
    ['EXIT', null],
    ['ALREADY_USED', { ...earlier, used_at: '2026-07-04T11:56:00Z', seconds_ago: 240 }],
    ['NOT_VALID_NOW', { valid_from: '2026-07-04T13:00:00Z', valid_until: null }],
    ['STALE_CODE', { code_age_seconds: 120, phone_clock: false }],
    ['BLOCKED', { detail: 'Too many on the stairs!', held: true }],
    ['UNKNOWN', null],
  ]
  for (const [verdict, evidence] of evidences) {
    for (const how of [{}, { alone: true, unheardMs: 12_000 }, { rehearsal: true }, { undone: true }] as const) {
      for (const supervisor of [false, true]) {
        const one = record(verdict, evidence, how)
        const aloud = spoken(one, supervisor)
        for (const part of [...Object.values(verdictWords(one, supervisor)), certainty(one)])
          assert.ok(aloud.includes(part), `${verdict}: ${part}`)
      }
    }
  }
})
