import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import { outcomeOf, outcomesOf, scanAnswerOf } from './answers.ts'

const answer = (status: number, code?: string, headers = {}) => ({
  ...(code !== undefined && { error: { code, message: 'Do this.' } }),
  response: new Response(null, { status, headers }),
})
const verdict = { verdict: 'ADMIT' } as Verdict

describe('an answer to an offline admission', () => {
  const cases: [number, string | undefined, object][] = [
    [400, 'bad_request', { outcome: 'refused', code: 'bad_request', message: 'Do this.' }],
    [401, 'bad_signature', { outcome: 'later', waitMs: undefined }],
    [401, 'bad_token', { outcome: 'ended' }],
    [401, 'bad_certificate', { outcome: 'ended' }],
    [403, 'device_revoked', { outcome: 'ended' }],
    [403, 'not_allowed', { outcome: 'refused', code: 'not_allowed', message: 'Do this.' }],
    [404, 'not_found', { outcome: 'refused', code: 'not_found', message: 'Do this.' }],
    [409, 'scan_id_reused', { outcome: 'refused', code: 'scan_id_reused', message: 'Do this.' }],
    [413, undefined, { outcome: 'refused', message: 'HTTP 413' }],
    [429, 'rate_limited', { outcome: 'later', waitMs: undefined }],
    [500, 'internal', { outcome: 'later', waitMs: undefined }],
    [503, 'ledger_unavailable', { outcome: 'later', waitMs: undefined }],
  ]
  for (const [status, code, outcome] of cases) {
    it(`${status} ${code ?? ''}`, () => assert.deepEqual(outcomeOf(answer(status, code)), outcome))
  }

  it('is waited for as long as the box says, within reason', () => {
    const waits = ['7', '0', '-1', 'soon', '999999'].map((text) =>
      outcomeOf(answer(429, 'rate_limited', { 'retry-after': text })),
    )
    assert.deepEqual(
      waits.map((outcome) => 'waitMs' in outcome && outcome.waitMs),
      [7000, undefined, undefined, undefined, undefined],
    )
  })
})

describe('an answer to several offline admissions', () => {
  it('says of each what became of it', () => {
    const refusal = { code: 'not_found', message: 'Do this.', reason: 'scan_unknown' }
    const refused = { scan_id: 'b', ...refusal }
    assert.deepEqual(outcomesOf({ data: { verdicts: [verdict, refused, verdict] }, response: new Response() }), [
      { outcome: 'taken', verdict },
      { outcome: 'refused', ...refusal },
      { outcome: 'taken', verdict },
    ])
  })

  it('says which of them has to wait, and how long: it is neither taken nor refused', () => {
    const wait = { scan_id: 'b', code: 'rate_limited', message: 'Wait.' }
    const verdicts = [{ ...wait, retry_after_seconds: 7 }, verdict, wait]
    assert.deepEqual(outcomesOf({ data: { verdicts }, response: new Response() }), [
      { outcome: 'waits', waitMs: 7_000 },
      { outcome: 'taken', verdict },
      { outcome: 'waits', waitMs: 1_000 },
    ])
  })

  it('that is none is of all of them; where they cannot be read together, each is asked for by itself', () => {
    for (const [status, code] of [
      [429, 'rate_limited'],
      [503, 'ledger_unavailable'],
      [403, 'device_revoked'],
      [401, 'bad_signature'],
    ] as const) {
      assert.deepEqual(outcomesOf({ ...answer(status, code), data: undefined }), [outcomeOf(answer(status, code))])
    }
    for (const [status, code] of [
      [400, 'bad_request'],
      [413, 'too_large'],
      [404, 'not_found'],
    ] as const) {
      assert.equal(outcomesOf({ ...answer(status, code), data: undefined }), undefined)
    }
  })
})

describe('an answer to a scan', () => {
  it('is a verdict, a refusal in words, or none at all', () => {
    const response = new Response()
    assert.deepEqual(scanAnswerOf({ data: verdict, response }), { answer: 'verdict', verdict })
    assert.deepEqual(outcomeOf({ data: verdict, response }), { outcome: 'taken', verdict })
    assert.deepEqual(scanAnswerOf(answer(404, 'not_found')), {
      answer: 'refused',
      code: 'not_found',
      message: 'Do this.',
    })
    assert.deepEqual(scanAnswerOf(answer(503, 'ledger_unavailable')), { answer: 'none' })
  })
})
