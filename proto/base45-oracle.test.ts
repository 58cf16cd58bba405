import assert from 'node:assert/strict'
import { test } from 'node:test'
// @ts-expect-error The package has no types.
import untyped from 'base45'
import fc from 'fast-check'
import { decodeBase45, encodeBase45 } from './base45.ts'

const base45: { encode(bytes: Uint8Array): string; decode(text: string): Uint8Array } = untyped

test('every byte string has the spelling that the package base45 gives it, and is read back by it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const text = encodeBase45(bytes)
      assert.equal(text, base45.encode(bytes))
      assert.deepEqual(Uint8Array.from(base45.decode(text)), bytes)
      assert.deepEqual(decodeBase45(base45.encode(bytes)), bytes)
    }),
    { numRuns: 500 },
  )
})
