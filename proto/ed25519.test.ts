import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { eventTag, keyFromSeed, parseCode, signCode, verifyCode } from './code.ts'
import { bestVerifier, webCryptoVerifier } from './ed25519.ts'
import { naclKey, naclVerifier } from './nacl.ts'

const ENGINES = [webCryptoVerifier(crypto.subtle), naclVerifier()]
const message = new TextEncoder().encode('a ticket')

test('WebCrypto where it knows the curve, tweetnacl elsewhere', async () => {
  assert.equal((await bestVerifier()).name, 'webcrypto')
  assert.equal((await bestVerifier(null as unknown as undefined)).name, 'tweetnacl')
  const older = { generateKey: async () => Promise.reject(new DOMException('no', 'NotSupportedError')) }
  assert.equal((await bestVerifier(older as unknown as SubtleCrypto)).name, 'tweetnacl')
})

for (const by of ENGINES) {
  test(`${by.name}: verifies what a key signed, and nothing else`, async () => {
    const key = naclKey(new Uint8Array(32).fill(7))
    assert.deepEqual(key.publicKey, (await keyFromSeed(new Uint8Array(32).fill(7))).publicKey)
    const signature = await key.sign(message)
    assert.equal(await by.verify(key.publicKey, message, signature), true)
    const turned = signature.map((byte, i) => (i === 9 ? byte ^ 1 : byte))
    for (const wrong of [turned, signature.slice(1), new Uint8Array(), new Uint8Array(64)]) {
      assert.equal(await by.verify(key.publicKey, message, wrong), false)
    }
    for (const wrong of [new Uint8Array(32).fill(255), key.publicKey.slice(1), new Uint8Array()]) {
      assert.equal(await by.verify(wrong, message, signature), false)
    }
    assert.deepEqual(Buffer.from(await by.sha256(message)), createHash('sha256').update(message).digest())
  })

  test(`${by.name}: verifies rotating codes, of their own event alone`, async () => {
    const [tag, other] = await Promise.all([eventTag('e'), eventTag('f')])
    const text = await signCode(await keyFromSeed(new Uint8Array(32).fill(7)), tag, 119_666_666)
    const code = parseCode(text) ?? assert.fail()
    assert.equal(await verifyCode(code, tag, by), true)
    assert.equal(await verifyCode(code, other, by), false)
    assert.equal(await verifyCode({ ...code, publicKey: new Uint8Array(32).fill(255) }, tag, by), false)
  })
}
