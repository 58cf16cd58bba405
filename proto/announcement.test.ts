import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { verifyAnnouncement } from './announcement.ts'
import { toBase64 } from './base64.ts'
import { canonicalJson } from './canonical-json.ts'
import type { Announcement } from './wire/attendee.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
const NAME = 'gatehouse/e/b'
const vkey = (bytes: Uint8Array) => {
  const encoded = Uint8Array.of(1, ...bytes)
  const id = createHash('sha256').update(`${NAME}\n`).update(encoded).digest('hex').slice(0, 8)
  return `${NAME}+${id}+${toBase64(encoded)}`
}
const KEY = vkey(raw)

function signed(fields: Partial<Omit<Announcement, 'signature'>> = {}): Announcement {
  const words = {
    id: 'a-1',
    severity: 'info' as const,
    text: 'Doors are open.',
    lang: 'en',
    issued_at: '2026-07-04T11:00:00.000Z',
    hlc: '1783162800000.000000',
    ...fields,
  }
  const signature = sign(null, Buffer.from(canonicalJson(words)), privateKey).toString('base64')
  return { ...words, signature }
}

test('what the box signed holds, in whatever order its fields come', async () => {
  const announcement = signed({ zones: ['arena'], expires_at: '2026-07-04T23:00:00.000Z', text: 'Portões – “já”' })
  assert.equal(await verifyAnnouncement(announcement, KEY), true)
  const turned = Object.fromEntries(Object.entries(announcement).reverse()) as Announcement
  assert.equal(await verifyAnnouncement(turned, KEY), true)
})

const good = signed({ zones: ['arena'], expires_at: '2026-07-04T23:00:00.000Z' })
for (const [field, value] of Object.entries({
  id: 'a-2',
  severity: 'emergency',
  text: 'Doors are open!',
  lang: 'pt',
  zones: ['arena', 'lounge'],
  issued_at: '2026-07-04T11:00:01.000Z',
  expires_at: '2036-07-04T23:00:00.000Z',
  hlc: '1783162800000.000001',
  more: 'than was signed',
})) {
  test(`not with another ${field}`, async () => {
    assert.equal(await verifyAnnouncement({ ...good, [field]: value }, KEY), false)
  })
}

test('not without a field', async () => {
  for (const field of Object.keys(good)) {
    const { [field as keyof Announcement]: _, ...rest } = good
    assert.equal(await verifyAnnouncement(rest as Announcement, KEY), false, field)
  }
})

const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x ?? ''
for (const [why, key] of [
  ["another box's", vkey(Buffer.from(other, 'base64url'))],
  ['no point of the curve', vkey(new Uint8Array(32).fill(255))],
  ['zero', vkey(new Uint8Array(32))],
  ['under another name', KEY.replace(NAME, 'gatehouse/e/c')],
  ['damaged', KEY.slice(0, -1)],
  ['empty', ''],
] as const) {
  test(`not under a key that is ${why}`, async () => assert.equal(await verifyAnnouncement(good, key), false))
}

test('hostile answers are false and never throw', async () => {
  const hostile: unknown[] = [
    null,
    'text',
    [],
    { ...good, signature: 7 },
    { ...good, signature: null },
    { ...good, signature: '' },
    { ...good, signature: `${good.signature}AAAA` },
    { ...good, signature: good.signature.replace('==', '') },
    { ...good, text: '\ud800' },
    { ...good, text: Number.NaN },
    { ...good, text: undefined },
    { ...good, text: 1n },
    { ...good, text: good },
  ]
  for (const announcement of hostile) {
    assert.equal(await verifyAnnouncement(announcement as Announcement, KEY), false, String(announcement))
  }
  await fc.assert(
    fc.asyncProperty(fc.anything(), async (text) => {
      assert.equal(await verifyAnnouncement({ ...good, text } as Announcement, KEY), text === good.text)
    }),
  )
})
