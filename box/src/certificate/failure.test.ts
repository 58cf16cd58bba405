import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { coded } from '@gatehouse/proto/said.ts'
import { GatehouseError } from '../errors.ts'
import { Overloaded } from './acme-library.ts'
import { KnownFailure } from './failure.ts'
import { AttemptFailed } from './order.ts'
import { afterFailure, NO_ATTEMPTS } from './schedule.ts'
import { CertificateStore } from './store.ts'

describe('an attempt that failed', () => {
  it('has the code of what failed, and quotes whoever has no code', () => {
    const codeOf = (cause: unknown) => new AttemptFailed(cause, true).coded
    const host = 'dns.example'
    assert.deepEqual(codeOf(new KnownFailure('x', coded('dns_status', { host, status: 500 }))), {
      code: 'dns_status',
      values: { host, status: 500 },
    })
    assert.deepEqual(codeOf(new Overloaded(503, undefined)), { code: 'authority_busy', values: { status: 503 } })
    assert.deepEqual(codeOf(new GatehouseError('bad_request', 'The certificate was not taken: it is too long.')), {
      code: 'not_usable',
      values: { why: 'it is too long' },
    })
    assert.deepEqual(codeOf(new Error('CAA record\n forbids issuance')), {
      code: 'attempt_failed',
      values: { words: 'CAA record forbids issuance' },
    })
  })

  describe('on the disk', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-attempts-'))
    after(() => rmSync(folder, { recursive: true }))
    const store = new CertificateStore(folder)

    it('keeps its code over a restart', async () => {
      const failure = new AttemptFailed(new KnownFailure('x', coded('record_absent', { record: 'r' })), true)
      const attempts = afterFailure(NO_ATTEMPTS, failure, { now: 0, random: 0 })
      await store.writeAttempts(attempts)
      assert.deepEqual(await store.attempts(), attempts)
      assert.deepEqual(attempts.coded, { code: 'record_absent', values: { record: 'r' } })
    })

    it('is read without a code where an older version wrote it, or something else', async () => {
      for (const coded of [undefined, null, 'x', {}, { code: 7 }, { code: 'x', values: { why: {} } }]) {
        const written = { failures: 1, nextAt: 7, problem: 'x.', coded }
        writeFileSync(join(folder, 'certificate/attempts.json'), JSON.stringify(written))
        assert.deepEqual(await store.attempts(), { failures: 1, nextAt: 7, problem: 'x.' })
      }
    })
  })
})
