/** Codes that pretix has signed, made here after the format's description, and what must not pass for one. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isPretixKey, pretixKey } from '../event/pretix-key.ts'
import { readSignedCode } from './pretix-sig1.ts'

const ours = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519')

const number = (field: number, value: number): number[] => {
  const bytes = [field << 3]
  for (let left = BigInt(value); ; left >>= 7n) {
    bytes.push(Number(left & 0x7fn) | (left > 0x7fn ? 0x80 : 0))
    if (left <= 0x7fn) return bytes
  }
}
const payloadOf = (...numbers: number[][]) => Buffer.from([0x0a, 9, ...Buffer.from('SEEDSEED1'), ...numbers.flat()])

function codeOf(payload: Buffer, key: KeyObject, version = 1): string {
  const signature = sign(null, payload, key)
  const head = Buffer.alloc(5)
  head[0] = version
  head.writeUInt16BE(payload.length, 1)
  head.writeUInt16BE(signature.length, 3)
  return [...Buffer.concat([head, payload, signature]).toString('base64')].reverse().join('')
}

/** Other spare bits before the padding: base64 decoders do not look at them. */
function respelled(code: string): string {
  const forward = [...code].reverse().join('')
  const at = forward.search(/=*$/) - 1
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const other = letters[letters.indexOf(forward[at] ?? '') ^ 1] ?? ''
  return [...forward.slice(0, at), other, ...forward.slice(at + 1)].reverse().join('')
}

describe('a code that pretix has signed', () => {
  const payload = payloadOf(number(2, 42), number(4, 14), number(5, 1_675_465_200))
  const code = codeOf(payload, ours.privateKey)

  test('is read with any of the keys', () => {
    const expected = {
      seed: 'SEEDSEED1',
      item: 42n,
      variation: 0n,
      subevent: 14n,
      validFrom: 1_675_465_200n,
      validUntil: null,
    }
    assert.deepEqual(readSignedCode(code, [ours.publicKey]), expected)
    assert.deepEqual(readSignedCode(code, [other.publicKey, ours.publicKey]), expected)
  })

  test('is none with another key, another version, another byte, or a part of it', () => {
    const wrong = [
      codeOf(payload, other.privateKey),
      codeOf(payload, ours.privateKey, 2),
      `${code.startsWith('A') ? 'B' : 'A'}${code.slice(1)}`,
      code.slice(4),
      code.slice(0, -4),
      [...code].reverse().join(''),
      code.repeat(6),
      // The same bytes in another text: a second ticket, if it counted.
      `=${code}`,
      respelled(code),
      '',
    ]
    for (const text of wrong) assert.equal(readSignedCode(text, [ours.publicKey]), undefined)
    assert.equal(readSignedCode(code, []), undefined)
  })

  test('whose payload is broken is none, although it is signed', () => {
    for (const bytes of [[0x0a, 200], [0x10], [0x10, ...Array(11).fill(0xff)], [0x0d, 1, 2, 3, 4], [0x80]]) {
      assert.equal(readSignedCode(codeOf(Buffer.from(bytes), ours.privateKey), [ours.publicKey]), undefined)
    }
  })

  test('never throws, whatever is scanned', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String({ maxLength: 400 })), (text) => {
        assert.equal(readSignedCode(text, [ours.publicKey]), undefined)
      }),
    )
  })
})

test('a key is an Ed25519 key in PEM, in base64', () => {
  const pem = (key: KeyObject) => Buffer.from(key.export({ type: 'spki', format: 'pem' })).toString('base64')
  assert.equal(pretixKey(pem(ours.publicKey)).asymmetricKeyType, 'ed25519')
  assert.ok(isPretixKey(pem(ours.publicKey)))
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  for (const text of [pem(publicKey), 'x', '']) assert.equal(isPretixKey(text), false)
})
