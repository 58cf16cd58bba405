import assert from 'node:assert/strict'
import { generateKeyPairSync, verify } from 'node:crypto'
import { describe, it } from 'node:test'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import fc from 'fast-check'
import { base64Part, objectPart, type Part, partOf, partsOf, SignedParts } from './signed-parts.ts'

const textOf = ({ json }: Part) => Buffer.concat(json).toString()
/** Names of fields: those whose order differs by how it is compared are among them, and those that look like numbers. */
const name = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.constantFrom('10', '9', '\u{1F600}', '\uFFFD', '"'),
)

describe('the parts of a signed object', () => {
  it('are canonical JSON, whatever they are put together from', () => {
    fc.assert(
      fc.property(fc.dictionary(name, fc.uint8Array({ maxLength: 9 })), fc.dictionary(name, fc.jsonValue()), (a, b) => {
        const parts = Object.fromEntries(Object.entries(a).map(([key, bytes]) => [key, base64Part(bytes)]))
        const bytes = Object.fromEntries(Object.entries(a).map(([key, value]) => [key, base64(value)]))
        const whole = objectPart({ ...partsOf(b), bytes: objectPart(parts) })
        assert.equal(textOf(whole), canonicalJson({ ...b, bytes }))
        assert.deepEqual(whole.hash, objectPart({ ...partsOf(b), bytes: objectPart(parts) }).hash)
        const other = objectPart({ ...parts, other: partOf(1) })
        assert.notDeepEqual(whole.hash, objectPart({ ...partsOf(b), bytes: other }).hash)
      }),
    )
  })

  it('encode megabytes as they encode few bytes', () => {
    for (const size of [0, 1, 49_151, 49_152, 49_153, 1_000_001]) {
      // A view into a larger buffer, as threads hand them over.
      const bytes = new Uint8Array(size + 8).map((_, i) => i * 7).subarray(5, size + 5)
      assert.equal(textOf(base64Part(bytes)), JSON.stringify(base64(bytes)))
    }
  })

  it('are signed as they are sent', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const pieces = await new SignedParts({
      ...partsOf({ b: [1], a: 'x' }),
      c: base64Part(Buffer.from('bytes')),
    }).signedBy(privateKey)
    const { signature, ...signed } = JSON.parse(Buffer.concat(pieces).toString())
    assert.deepEqual(signed, { a: 'x', b: [1], c: base64(Buffer.from('bytes')) })
    assert.ok(verify(null, Buffer.from(canonicalJson(signed)), publicKey, Buffer.from(signature, 'base64')))
  })
})

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
