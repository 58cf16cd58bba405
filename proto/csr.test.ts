import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { provenKeyOf } from '../box/src/ca/certificate-request.ts'
import { certificateRequest, derSignature, newDeviceKey } from './csr.ts'

describe('a certificate request', () => {
  it('proves its key to the box, which reads it with another library, and to openssl', async () => {
    // Several, because one signature in two needs a zero before r or s, and one in 256 a byte less.
    for (let i = 0; i < 20; i++) {
      const keys = await newDeviceKey()
      const spki = Buffer.from(await crypto.subtle.exportKey('spki', keys.publicKey))
      const csr = await certificateRequest(keys)
      assert.deepEqual((await provenKeyOf(csr)).export({ format: 'der', type: 'spki' }), spki)
      if (i === 0) {
        const text = execFileSync('openssl', ['req', '-verify', '-noout', '-text'], { input: csr, stdio: 'pipe' })
        assert.match(text.toString(), /prime256v1[\s\S]*ecdsa-with-SHA256/)
      }
    }
  })

  it('is for a key that cannot be taken out of the device', async () => {
    const { privateKey } = await newDeviceKey()
    await assert.rejects(crypto.subtle.exportKey('pkcs8', privateKey), { name: 'InvalidAccessError' })
  })

  it('that was changed by a byte proves nothing', async () => {
    const csr = await certificateRequest(await newDeviceKey())
    const der = Buffer.from(csr.replace(/-----.*-----|\s/g, ''), 'base64')
    // The signed part, and the device that it is for. The bits around the signature may be written in more than one way.
    const signed = der.length - 90
    for (let at = 0; at < signed; at += 7) {
      const changed = Buffer.from(der)
      changed[at] = (changed[at] ?? 0) ^ 1
      const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${changed.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`
      await assert.rejects(provenKeyOf(pem), { code: 'bad_request' })
    }
  })
})

describe('a signature in DER', () => {
  it('holds r and s as the shortest numbers that are not negative', () => {
    const half = fc.oneof(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.integer({ min: 0, max: 255 }).map((last) => Uint8Array.from({ length: 32 }, (_, i) => (i === 31 ? last : 0))),
    )
    fc.assert(
      fc.property(half, half, (r, s) => {
        const der = derSignature(Uint8Array.of(...r, ...s))
        assert.deepEqual([der[0], der[1]], [0x30, der.length - 2])
        let at = 2
        for (const number of [r, s]) {
          const [tag, length = 0] = der.subarray(at)
          const digits = der.subarray(at + 2, at + 2 + length)
          assert.equal(tag, 2)
          assert.equal(
            BigInt(`0x${Buffer.from(digits).toString('hex')}`),
            BigInt(`0x${Buffer.from(number).toString('hex')}`),
          )
          assert.ok((digits[0] ?? 255) < 0x80, 'not negative')
          assert.ok(length === 1 || digits[0] !== 0 || (digits[1] ?? 0) >= 0x80, 'no zero too many')
          at += 2 + length
        }
        assert.equal(at, der.length)
      }),
    )
  })

  it('of another size is a mistake of ours', () => {
    assert.throws(() => derSignature(new Uint8Array(63)), RangeError)
  })
})
