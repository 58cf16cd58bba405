import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { codeHash, eventTag, formatCode, keyFromSeed, signCode } from '@gatehouse/proto/code.ts'
import { anyText } from '@gatehouse/proto/properties.testing.ts'
import vectors from '@gatehouse/proto/vectors/payload.json' with { type: 'json' }
import fc from 'fast-check'
import { CodeReader } from './codes.ts'

const SALT = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')
const TAG = await eventTag('fair')
const KEY = await keyFromSeed(new Uint8Array(32).fill(7))
const reader = new CodeReader(SALT, TAG)

describe('a shown code', () => {
  it('is known by the hash that proto defines', async () => {
    for (const credential of ['ABC', 'é', '', KEY.publicKey]) {
      assert.deepEqual(reader.hash(credential), Buffer.from(await codeHash(SALT, credential)))
    }
    const expected = createHmac('sha256', SALT).update('ABC').digest().subarray(0, 16)
    assert.deepEqual(reader.read('ABC'), { kind: 'static', codeHash: expected })
  })

  it('of a phone names its key and its slot', async () => {
    assert.deepEqual(reader.read(await signCode(KEY, TAG, 119_000_000)), {
      kind: 'rotating',
      slot: 119_000_000,
      codeHash: reader.hash(KEY.publicKey),
      publicKey: KEY.publicKey,
    })
  })

  it('is the same whatever the scanner has put around it', async () => {
    for (const { name, payload, code } of vectors.payloads) {
      assert.deepEqual(reader.read(payload), { kind: 'static', codeHash: reader.hash(code) }, name)
    }
    const code = await signCode(KEY, TAG, 119_000_000)
    assert.deepEqual(reader.read(`]Q2\\000026${code}\r\n`), reader.read(code))
  })

  it('that is signed by nobody, or for another event, is not a credential at all', async () => {
    const { publicKey } = KEY
    const forged = () => formatCode({ publicKey, slot: 1, signature: randomBytes(64) })
    for (const code of [forged(), await signCode(KEY, new Uint8Array(8), 1)]) assert.equal(reader.read(code), undefined)
    for (const fill of [0, 1, 0x7f, 0x80, 0xff]) {
      const code = formatCode({ publicKey: new Uint8Array(32).fill(fill), slot: 1, signature: randomBytes(64) })
      assert.equal(reader.read(code), undefined)
    }
  })

  it('is read without a throw, whatever bytes it is made of', async () => {
    const good = await signCode(KEY, TAG, 1)
    const turned = fc.tuple(fc.nat(good.length - 1), fc.string({ minLength: 1, maxLength: 1 })).map(([at, char]) => {
      return good.slice(0, at) + char + good.slice(at + 1)
    })
    const packed = fc
      .tuple(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.nat(2 ** 32 - 1),
        fc.uint8Array({ minLength: 64, maxLength: 64 }),
      )
      .map(([publicKey, slot, signature]) => formatCode({ publicKey, slot, signature }))
    fc.assert(
      fc.property(fc.oneof(anyText(), turned, packed), (payload) => {
        const shown = reader.read(payload)
        // One that reads as a phone's can only be the one that was signed.
        if (shown?.kind === 'rotating') assert.equal(payload, good)
        if (shown) assert.equal(shown.codeHash.length, 16)
      }),
    )
  })
})
