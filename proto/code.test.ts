import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeBase45 } from './base45.ts'
import {
  codeHash,
  eventTag,
  FRESH_SLOTS,
  formatCode,
  freshness,
  keyFromSeed,
  parseCode,
  signCode,
  signedBytes,
  slotAt,
  verifyCode,
} from './code.ts'
import { anyText } from './properties.testing.ts'
import vectors from './vectors/code.json' with { type: 'json' }

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
const parsed = (text: string) => parseCode(text) ?? assert.fail(`does not parse: ${text}`)

for (const vector of vectors.codes) {
  test(`golden code: ${vector.name}`, async () => {
    const tag = await eventTag(vector.event_id)
    const key = await keyFromSeed(hex(vector.seed))
    const expected = { publicKey: hex(vector.public_key), slot: vector.slot, signature: hex(vector.signature) }

    assert.deepEqual(tag, hex(vector.event_tag))
    assert.deepEqual(key.publicKey, expected.publicKey)
    assert.equal(slotAt(vector.unix_seconds * 1000), vector.slot)
    assert.deepEqual(signedBytes(tag, key.publicKey, vector.slot), hex(vector.signed_bytes))
    assert.equal(await signCode(key, tag, vector.slot), vector.text)
    assert.deepEqual(parseCode(vector.text), expected)
    assert.equal(formatCode(expected), vector.text)
    assert.equal(await verifyCode(parsed(vector.text), tag), true)
  })
}

for (const { why, text } of vectors.malformed) {
  test(`does not parse: ${why}`, () => assert.equal(parseCode(text), undefined))
}

for (const { why, text, event_id } of vectors.forged) {
  test(`does not verify: ${why}`, async () => {
    assert.equal(await verifyCode(parsed(text), await eventTag(event_id)), false)
  })
}

for (const { slot, unix_ms, window_slots, fresh, age_seconds } of vectors.freshness) {
  test(`a code ${age_seconds} s old, window ${window_slots}: ${fresh ? 'fresh' : 'stale'}`, () => {
    assert.deepEqual(freshness(slot, unix_ms, window_slots), { fresh, ageSeconds: age_seconds })
  })
}

for (const { salt, public_key, static_code, code_hash } of vectors.code_hashes) {
  test(`golden code hash: ${static_code ?? public_key}`, async () => {
    const credential = public_key === undefined ? static_code : hex(public_key)
    assert.deepEqual(await codeHash(hex(salt), credential ?? assert.fail()), hex(code_hash))
  })
}

const [golden] = vectors.codes
assert.ok(golden)
const tag = hex(golden.event_tag)

test('node:crypto verifies the same bytes, without waiting', () => {
  const { publicKey, slot, signature } = parsed(golden.text)
  const x = Buffer.from(publicKey).toString('base64url')
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
  assert.equal(verify(null, signedBytes(tag, publicKey, slot), key, signature), true)
})

test('no bit can be flipped', async () => {
  const good = Uint8Array.from([1, ...hex(golden.public_key), 0, 0, 0, 0, ...hex(golden.signature)])
  new DataView(good.buffer).setUint32(33, golden.slot)
  assert.equal(`G1:${encodeBase45(good)}`, golden.text)

  for (let bit = 0; bit < good.length * 8; bit++) {
    const bad = good.with(bit >> 3, (good[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7)))
    const code = parseCode(`G1:${encodeBase45(bad)}`)
    assert.equal(code !== undefined, bit >= 8, 'only the version is judged by the parser')
    if (code) assert.equal(await verifyCode(code, tag), false, `bit ${bit}`)
  }
})

test('no character can be changed', async () => {
  for (let i = 0; i < golden.text.length; i++) {
    for (const letter of ['0', 'A', 'a', ':', ' ', '\0']) {
      const text = golden.text.slice(0, i) + letter + golden.text.slice(i + 1)
      if (text === golden.text) continue
      const code = parseCode(text)
      assert.ok(!code || !(await verifyCode(code, tag)), `${JSON.stringify(letter)} at ${i}`)
    }
  }
})

test('10,000 random texts never throw and never verify', async () => {
  const alphanumeric = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:')
  const texts = fc.oneof(
    fc.string({ maxLength: 200 }),
    anyText({ maxLength: 200 }),
    fc.string({ unit: alphanumeric, minLength: 152, maxLength: 152 }).map((rest) => `G1:${rest}`),
    fc.uint8Array({ minLength: 100, maxLength: 100 }).map((rest) => `G1:${encodeBase45(Uint8Array.of(1, ...rest))}`),
  )
  for (const text of fc.sample(texts, 10_000)) {
    const code = parseCode(text)
    if (code) assert.equal(await verifyCode(code, tag), false, text)
  }
})

test('what is signed can be read back, whatever the key, event and slot', async () => {
  const seed = fc.uint8Array({ minLength: 32, maxLength: 32 })
  const slot = fc.integer({ min: 0, max: 0xffffffff })
  await fc.assert(
    fc.asyncProperty(seed, fc.string(), slot, async (seed, eventId, slot) => {
      const key = await keyFromSeed(seed)
      const tag = await eventTag(eventId)
      const text = await signCode(key, tag, slot)
      const code = parsed(text)
      assert.equal(text.length, 155)
      assert.equal(code.slot, slot)
      assert.deepEqual(code.publicKey, key.publicKey)
      assert.equal(await verifyCode(code, tag), true)
    }),
    { numRuns: 50 },
  )
})

test('a clock that is not synced gets the wider window', () => {
  const at = (slotsLater: number) => (golden.slot + slotsLater) * 15_000
  assert.equal(freshness(golden.slot, at(2), FRESH_SLOTS.synced).fresh, true)
  assert.equal(freshness(golden.slot, at(3), FRESH_SLOTS.synced).fresh, false)
  assert.equal(freshness(golden.slot, at(-8), FRESH_SLOTS.unsynced).fresh, true)
  assert.equal(freshness(golden.slot, at(-9), FRESH_SLOTS.unsynced).fresh, false)
})

for (const [why, call] of [
  ['a short tag', () => signedBytes(tag.slice(1), hex(golden.public_key), 1)],
  ['a long key', () => signedBytes(tag, new Uint8Array(33), 1)],
  ['a slot over 32 bits', () => signedBytes(tag, new Uint8Array(32), 2 ** 32)],
  ['a negative slot', () => signedBytes(tag, new Uint8Array(32), -1)],
  ['half a slot', () => signedBytes(tag, new Uint8Array(32), 0.5)],
  ['no slot', () => signedBytes(tag, new Uint8Array(32), Number.NaN)],
  ['a short signature', () => formatCode({ publicKey: new Uint8Array(32), slot: 1, signature: new Uint8Array(63) })],
] as const) {
  test(`a code is never made of ${why}`, () => assert.throws(call, RangeError))
}

test('a seed of the wrong size is named', () => assert.rejects(keyFromSeed(new Uint8Array(31)), /seed has 31 bytes/))
