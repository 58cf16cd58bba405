import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { certificateBytes, certificateEnd } from './certificate.ts'

function selfSigned(days: string): string {
  const arguments_ = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-subj',
    '/CN=t',
  ]
  const stdio = ['ignore', 'pipe', 'ignore'] as const
  return execFileSync('openssl', [...arguments_, '-days', days, '-keyout', '/dev/null'], {
    stdio: [...stdio],
  }).toString()
}

describe('a certificate', () => {
  it('ends when another reader says that it does, before and after 2050', () => {
    for (const days of ['1', '365', '20000']) {
      const pem = selfSigned(days)
      const bytes = certificateBytes(pem) ?? assert.fail()
      const read = new X509Certificate(pem)
      assert.deepEqual(Buffer.from(bytes), read.raw)
      assert.equal(certificateEnd(bytes), Date.parse(read.validTo))
    }
  })

  it('cut off or made up is none, and never an exception', () => {
    const whole = certificateBytes(selfSigned('1')) ?? assert.fail()
    for (let length = 0; length < whole.length; length++)
      assert.equal(certificateEnd(whole.subarray(0, length)), undefined)
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void certificateEnd(bytes)))
    for (const text of ['', 'no', '-----BEGIN CERTIFICATE-----\n*\n-----END CERTIFICATE-----']) {
      assert.equal(certificateBytes(text), undefined)
    }
  })
})
