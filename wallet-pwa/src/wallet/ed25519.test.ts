import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { toBase64 } from '@gatehouse/proto/base64.ts'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { parseCode, verifyCode } from '@gatehouse/proto/code.ts'
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import { bestEd25519, rotatingCode, webCryptoEd25519 } from './ed25519.ts'
import { naclEd25519 } from './nacl.ts'
import { inForce, readNews } from './news.ts'

const ENGINES = [webCryptoEd25519(crypto.subtle), naclEd25519()]
const TAG = Uint8Array.from({ length: 8 }, (_, i) => i)
const message = new TextEncoder().encode('a ticket')

test('WebCrypto where it knows the curve, tweetnacl elsewhere', async () => {
  assert.equal((await bestEd25519()).name, 'webcrypto')
  assert.equal((await bestEd25519(null as unknown as undefined)).name, 'tweetnacl')
  const older = { generateKey: async () => Promise.reject(new DOMException('no', 'NotSupportedError')) }
  assert.equal((await bestEd25519(older as unknown as SubtleCrypto)).name, 'tweetnacl')
})

test('a seed makes the same codes with either, and they verify', async () => {
  const seed = new Uint8Array(32).fill(7)
  const codes = await Promise.all(ENGINES.map(async (by) => rotatingCode(await by.fromSeed(seed), TAG, 119_666_666)))
  assert.equal(codes[0], codes[1])
  const parsed = parseCode(codes[0] ?? '')
  assert.ok(parsed && (await verifyCode(parsed, TAG)))
})

for (const by of ENGINES) {
  test(`${by.name}: what a new key signs, both verify, and nothing else`, async () => {
    const kept = await by.generate()
    assert.equal('privateKey' in kept && kept.privateKey.extractable, false)
    const key = (await by.open(kept)) ?? assert.fail('not opened')
    assert.deepEqual(key.publicKey, kept.publicKey)
    const signature = await key.sign(message)
    for (const other of ENGINES) {
      assert.equal(await other.verify(kept.publicKey, message, signature), true)
      const turned = signature.map((byte, i) => (i === 9 ? byte ^ 1 : byte))
      for (const wrong of [turned, signature.slice(1), new Uint8Array(), new Uint8Array(64)])
        assert.equal(await other.verify(kept.publicKey, message, wrong), false)
      for (const wrong of [new Uint8Array(32).fill(255), kept.publicKey.slice(1), new Uint8Array()])
        assert.equal(await other.verify(wrong, message, signature), false)
    }
  })

  test(`${by.name}: SHA-256 is Node's`, async () => {
    assert.deepEqual(Buffer.from(await by.sha256(message)), createHash('sha256').update(message).digest())
  })

  test(`${by.name}: announcements of the link's key, emergencies first; others are counted`, async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const encoded = Uint8Array.of(1, ...Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
    const id = createHash('sha256').update('box\n').update(encoded).digest('hex').slice(0, 8)
    const signed = (fields: Partial<Announcement>): Announcement => {
      const words = {
        id: 'a',
        severity: 'info' as const,
        text: 'Doors are open.',
        lang: 'en',
        hlc: '1.0',
        issued_at: '2026-07-04T11:00:00.000Z',
        ...fields,
      }
      return { ...words, signature: sign(null, Buffer.from(canonicalJson(words)), privateKey).toString('base64') }
    }
    const old = signed({ id: 'old' })
    const later = signed({ id: 'new', issued_at: '2026-07-04T12:00:00.000Z' })
    const urgent = signed({ id: 'urgent', severity: 'emergency', expires_at: '2026-07-04T13:00:00.000Z' })
    const forged = [
      { ...old, text: 'Run.' },
      { ...urgent, severity: 'info' as const },
      { ...old, signature: '' },
      { ...old, signature: toBase64(new Uint8Array(63)) },
      { ...old, signature: old.signature.toLowerCase() },
    ]
    const news = await readNews([old, ...forged, urgent, later], `box+${id}+${toBase64(encoded)}`, by)
    assert.deepEqual(
      news.signed.map((one) => one.id),
      ['urgent', 'new', 'old'],
    )
    assert.equal(news.hidden, forged.length)
    for (const key of [null, '', 'box', `box+00000000+${toBase64(encoded)}`])
      assert.deepEqual(await readNews([old], key, by), { signed: [], hidden: 1 })

    const end = Date.parse('2026-07-04T13:00:00.000Z')
    assert.deepEqual(inForce([old, urgent], end - 1), [old, urgent])
    assert.deepEqual(inForce([old, urgent], end), [old])
  })
}
