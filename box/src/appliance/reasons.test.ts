import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SAID } from '@gatehouse/proto/said.ts'
import { GatehouseError } from '../errors.ts'
import { failureOf, reasonOf, refusedFor } from './reasons.ts'

describe('why it did not work', () => {
  // As RAUC 1.13 says it.
  const said: [detail: string | null, sentence: RegExp][] = [
    ["Compatible mismatch: Expected 'gatehouse-arm64' but bundle manifest has 'toaster'", /another kind of machine/],
    ['Compatible mismatch: Expected gatehouse-arm64 but bundle manifest has toaster', /another kind of machine/],
    ['signature verification failed: Verify error: self-signed certificate', /not signed by/],
    ['signature verification failed: Verify error: certificate is not yet valid', /signed at a time/],
    ['signature verification failed: Verify error: certificate has expired', /signed at a time/],
    ['signature verification failed: error:0200008A:rsa routines::invalid padding', /not signed by/],
    ['Invalid bundle format: Signature size (10392621008663431370) exceeds bundle size', /damaged/],
    ['Invalid bundle format: Failed to seek to end of bundle: Error seeking in file: Invalid argument', /damaged/],
    ['Installation error: Failed updating slot rootfs.1: failed to copy data: Input/output error', /damaged/],
    ['Installation error: No space left on device', /larger than its place/],
    ['gatehouse: fell back', /went back to the one before/],
    ['gatehouse: older than 0.2.0', /older than version 0\.2\.0, which runs/],
    ['gatehouse: own version unknown', /cannot tell which version runs/],
    ['gatehouse: too large', /larger than any update/],
    ['gatehouse: no room', /take a larger card/],
    ['gatehouse: broke off', /try again/],
    ['gatehouse: unanswered', /does not answer/],
    ['gatehouse: stick is full', /another one/],
    ['rauc ended 9', /^It did not work: rauc ended 9\. Try again/],
    [null, /^It did not work: try again/],
    ['', /^It did not work: try again/],
  ]
  for (const [detail, sentence] of said)
    it(`is a sentence for ${detail}`, () => {
      const { text, coded } = reasonOf(detail, '0.1.0')
      assert.match(text, sentence)
      assert.match(text, /^[A-Z].*\.$/)
      assert.deepEqual(Object.keys(coded.values ?? {}), SAID.machine[coded.code])
    })

  it('is a code with values, for apps', () => {
    assert.deepEqual(reasonOf('gatehouse: older than 0.2.0', '0.1.0').coded, {
      code: 'older',
      values: { version: '0.1.0', running: '0.2.0' },
    })
    assert.deepEqual(reasonOf('gatehouse: stick is full').coded, { code: 'stick_full' })
    assert.deepEqual(reasonOf('rauc ended 9').coded, { code: 'failed', values: { detail: 'rauc ended 9' } })
  })
})

describe('a refusal', () => {
  it('has the code of the report that it stands for', () => {
    const { code, message, reason, values } = refusedFor('rauc ended 9')
    assert.deepEqual([code, reason, values], ['conflict', 'failed', { detail: 'rauc ended 9' }])
    assert.equal(message, reasonOf('rauc ended 9').text)
  })

  it('stays the reason of the failure, by the same code', () => {
    const empty = new GatehouseError('bad_request', 'It is empty.', { reason: 'file_empty' })
    assert.deepEqual(failureOf(empty), { reason: 'It is empty.', reason_coded: { code: 'update_empty' } })
    assert.deepEqual(failureOf(new GatehouseError('ledger_unavailable', 'No room.', { reason: 'no_room' })), {
      reason: 'No room.',
      reason_coded: { code: 'no_room' },
    })
    assert.deepEqual(failureOf(new GatehouseError('internal', 'It broke.')), { reason: 'It broke.' })
  })
})
