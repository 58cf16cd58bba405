import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it, test } from 'node:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { parseSecret, signedHeaders } from './webhook-signature.ts'

const secretOf = (key: Uint8Array) => `whsec_${Buffer.from(key).toString('base64')}`

describe('a secret', () => {
  it('is whsec_ and 24 to 64 bytes, and is never shown', () => {
    for (const size of [24, 32, 64]) assert.equal(parseSecret(secretOf(randomBytes(size))).length, size)
    const wrong = ['', 'whsec_', 'secret', secretOf(randomBytes(23)), secretOf(randomBytes(65)), 'whsec_not base64!']
    for (const text of wrong) {
      assert.throws(
        () => parseSecret(text),
        (error: Error) =>
          /whsec_ and 24 to 64 bytes/.test(error.message) && (text.length < 8 || !error.message.includes(text)),
      )
    }
  })
})

test('what is signed is accepted by the library of those who wrote the standard, and nothing else is', () => {
  const timestamp = Math.floor(Date.now() / 1000)
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 24, maxLength: 64 }),
      fc.json(),
      fc.string({ minLength: 1 }),
      (key, body, more) => {
        const headers = signedHeaders({ id: 'msg_1', timestamp, body }, [Buffer.from(key)])
        const receiver = new Webhook(secretOf(key))
        receiver.verify(body, headers)
        assert.throws(() => receiver.verify(`${body}${more}`, headers))
        assert.throws(() => receiver.verify(body, { ...headers, 'webhook-id': 'msg_2' }))
        assert.throws(() => receiver.verify(body, { ...headers, 'webhook-timestamp': String(timestamp - 1) }))
      },
    ),
  )
})

test('with two secrets, a receiver that knows either accepts it', () => {
  const keys = [randomBytes(32), randomBytes(32)]
  const headers = signedHeaders({ id: 'msg_1', timestamp: Math.floor(Date.now() / 1000), body: '{}' }, keys)
  for (const key of keys) new Webhook(secretOf(key)).verify('{}', headers)
  assert.throws(() => new Webhook(secretOf(randomBytes(32))).verify('{}', headers))
})
