import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { sha256 } from './sha256.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const nodes = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('the examples of FIPS 180-4', () => {
  for (const [text, digest] of [
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
  ] as const)
    assert.equal(hex(sha256(new TextEncoder().encode(text))), digest)
})

test('every length around a block, and any bytes, as Node has it', () => {
  for (let length = 0; length <= 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 7 + length)
    assert.equal(hex(sha256(bytes)), nodes(bytes), `${length} bytes`)
  }
  fc.assert(fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => hex(sha256(bytes)) === nodes(bytes)))
})

test('a view into a larger buffer is read from where it begins', () => {
  const bytes = new Uint8Array(300).fill(7).subarray(11, 123)
  assert.equal(hex(sha256(bytes)), nodes(bytes))
})
