import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import nacl from 'tweetnacl'
import {
  add,
  BASE,
  bytesOf,
  challenge,
  encoded,
  L,
  mod,
  numberOf,
  P,
  type Point,
  smallOrderPoints,
  strictAnswer,
  times,
} from './curve25519.testing.ts'
import { webCryptoVerify } from './ed25519.ts'
import { isStrict, isStrictKey } from './ed25519-rule.ts'
import { naclVerifier } from './nacl.ts'
import { runs } from './properties.testing.ts'
import vectors from './vectors/ed25519.json' with { type: 'json' }

type Bytes = Uint8Array<ArrayBuffer>
type Case = { publicKey: Bytes; message: Bytes; signature: Bytes }

const hex = (text: string): Bytes => new Uint8Array(Buffer.from(text, 'hex'))
const joined = (r: Uint8Array, s: bigint): Bytes => Uint8Array.of(...r, ...bytesOf(s))

// The verifiers as they come, and each behind the rule as the product has it (the box's own is in box/src/ed25519.test.ts).
const byNode = ({ publicKey, message, signature }: Case) => {
  const x = Buffer.from(publicKey).toString('base64url')
  return verify(null, message, createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } }), signature)
}
const byNacl = ({ publicKey, message, signature }: Case) => nacl.sign.detached.verify(message, signature, publicKey)
const guarded = async (tried: Case) => ({
  node: isStrict(tried.publicKey, tried.signature) && byNode(tried),
  webcrypto: await webCryptoVerify(tried.publicKey, tried.message, tried.signature),
  tweetnacl: await naclVerifier().verify(tried.publicKey, tried.message, tried.signature),
})

async function assertAnswer(tried: Case, answer: boolean, why?: string): Promise<void> {
  assert.deepEqual(await guarded(tried), { node: answer, webcrypto: answer, tweetnacl: answer }, why)
}

const golden = vectors.cases.map(({ public_key, message, signature, ...rest }) => ({
  publicKey: hex(public_key),
  message: hex(message),
  signature: hex(signature),
  ...rest,
}))

for (const [n, tried] of golden.entries()) {
  test(`published case ${n}, ${tried.case}: ${tried.valid ? 'accepted' : 'refused'} by every verifier`, async () => {
    assert.equal(strictAnswer(tried.publicKey, tried.message, tried.signature), tried.valid)
    await assertAnswer(tried, tried.valid)
  })
}

test('without the rule tweetnacl accepts six of them that it must not, and node:crypto refuses these', () => {
  const wrong = golden.filter((tried) => byNacl(tried) !== tried.valid)
  assert.equal(wrong.length, 6)
  for (const tried of wrong) assert.equal(byNode(tried), false, tried.case)
})

const torsion = smallOrderPoints()
/** Every spelling of the points of small order: 255 bits have room for y + p where y is below 19. */
const smallOrder = [...new Set(torsion.map((point) => numberOf(encoded(point)) & (2n ** 255n - 1n)))]
  .flatMap((y) => (y < 19n ? [y, y + P] : [y]))
  .flatMap((y) => [bytesOf(y), bytesOf(y | (1n << 255n))])

test('no encoding of a point of small order is a key, with either sign bit', () => {
  assert.equal(new Set(smallOrder.map((bytes) => numberOf(bytes))).size, 14)
  for (const bytes of smallOrder) assert.equal(isStrictKey(bytes), false, Buffer.from(bytes).toString('hex'))
})

test('no y of the prime or above is a key or an R, and the one below with a sign of its own may be', () => {
  const signature = joined(encoded(times(7n, BASE)), 7n)
  assert.equal(isStrict(encoded(BASE), signature), true)
  for (let y = P; y < 2n ** 255n; y++) {
    for (const bytes of [bytesOf(y), bytesOf(y | (1n << 255n))]) {
      assert.equal(isStrictKey(bytes), false, `${y - P}`)
      assert.equal(isStrict(encoded(BASE), joined(bytes, 7n)), false, `${y - P}`)
    }
  }
  for (const y of [2n, 19n, P - 2n, P - 3n]) assert.equal(isStrictKey(bytesOf(y | (1n << 255n))), true)
})

test('S is below L, to the last bit', () => {
  const r = encoded(BASE)
  for (const s of [0n, 1n, L - 1n]) assert.equal(isStrict(r, joined(r, s)), true, `${s}`)
  for (const s of [L, L + 1n, 2n ** 253n, 2n ** 255n, 2n ** 256n - 1n]) assert.equal(isStrict(r, joined(r, s)), false)
})

test('every key that a phone makes is one, and nothing of another length', () => {
  for (let i = 0; i < 50; i++) {
    const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
    assert.equal(isStrictKey(Buffer.from(x, 'base64url')), true)
  }
  const key = encoded(BASE)
  for (const length of [0, 1, 31, 33, 64]) assert.equal(isStrictKey(new Uint8Array(length).fill(7)), false, `${length}`)
  for (const length of [0, 32, 63, 65]) assert.equal(isStrict(key, new Uint8Array(length).fill(7)), false, `${length}`)
})

// From here on signatures by whoever chooses every number: a = the secret, r = the nonce, and a point of small order added to
// A or to R. k depends on both, so `odd` tries nonces until the equation holds without the cofactor, if it ever does.

interface Chosen {
  a: bigint
  r: bigint
  message: Bytes
  toA: number
  toR: number
}

const chosen: fc.Arbitrary<Chosen> = fc.record({
  a: fc.bigInt({ min: 1n, max: L - 1n }),
  r: fc.bigInt({ min: 1n, max: L - 100n }),
  message: fc.uint8Array({ maxLength: 40 }).map((bytes) => new Uint8Array(bytes)),
  toA: fc.nat(7),
  toR: fc.nat(7),
})

const shifted = (n: bigint, by: number): Point => add(times(n, BASE), torsion[by] ?? assert.fail())

function odd({ a, r, message, toA, toR }: Chosen, key: Bytes = encoded(shifted(a, toA))): Case {
  let signature: Bytes
  let nonce = r
  do {
    const bytes = encoded(shifted(nonce, toR))
    signature = joined(bytes, mod(nonce + challenge(bytes, key, message) * a, L))
    nonce++
  } while (!byNode({ publicKey: key, message, signature }) && nonce < r + 24n)
  return { publicKey: key, message, signature }
}

test('what an honest key signed is accepted by every verifier', async () => {
  await fc.assert(
    fc.asyncProperty(chosen, (values) => assertAnswer(odd({ ...values, toA: 0, toR: 0 }), true)),
    runs(12, 100),
  )
})

test('S + L, as often as 256 bits allow, is refused by every verifier', async () => {
  await fc.assert(
    fc.asyncProperty(chosen, fc.bigInt({ min: 1n, max: 14n }), async (values, times) => {
      const good = odd({ ...values, toA: 0, toR: 0 })
      const s = numberOf(good.signature.subarray(32)) + times * L
      await assertAnswer({ ...good, signature: joined(good.signature.subarray(0, 32), s) }, false)
    }),
    runs(12, 100),
  )
})

test('no flipped bit of key, signature or message is accepted by any verifier', async () => {
  await fc.assert(
    fc.asyncProperty(
      chosen,
      fc.constantFrom('publicKey' as const, 'signature' as const, 'message' as const),
      fc.nat(511),
      async (values, field, at) => {
        const good = odd({ ...values, message: Uint8Array.of(1, ...values.message), toA: 0, toR: 0 })
        const bytes = good[field].slice()
        const bit = at % (bytes.length * 8)
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        await assertAnswer({ ...good, [field]: bytes }, false)
      },
    ),
    runs(40, 300),
  )
})

test('a key of small order, however it is spelled, opens nothing with any signature', async () => {
  let accepted = 0
  for (const publicKey of smallOrder) {
    for (let n = 1n; n <= 24n; n++) {
      // [S]B = R + [k]A holds with R = [S]B wherever [k]A is neutral: for one message in eight.
      const tried = { publicKey, message: bytesOf(n), signature: joined(encoded(times(n, BASE)), n) }
      if (byNacl(tried)) accepted++
      await assertAnswer(tried, false)
    }
  }
  assert.ok(accepted > 0, 'tweetnacl alone lets it pass')
})

test('an R of small order, however it is spelled, is refused with every key', async () => {
  await fc.assert(
    fc.asyncProperty(chosen, fc.constantFrom(...smallOrder), async ({ a, message }, r) => {
      const publicKey = encoded(times(a, BASE))
      const signature = joined(r, mod(challenge(r, publicKey, message) * a, L))
      await assertAnswer({ publicKey, message, signature }, false)
    }),
    runs(12, 100),
  )
})

test('keys and nonces with a part of small order: every verifier has the strict answer', async () => {
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(chosen, async (values) => {
      const tried = odd(values)
      const answer = strictAnswer(tried.publicKey, tried.message, tried.signature)
      if (answer) accepted++
      await assertAnswer(tried, answer)
    }),
    { numRuns: 24 },
  )
  assert.ok(accepted > 0, 'some hold without the cofactor')
})

test('any 32 and 64 bytes: every verifier has the strict answer, and none throws', async () => {
  const near = fc.constantFrom(...smallOrder, bytesOf(P), bytesOf(P + 3n), bytesOf(L), bytesOf(0n), encoded(BASE))
  const half = fc.oneof(near, fc.uint8Array({ minLength: 32, maxLength: 32 }))
  await fc.assert(
    fc.asyncProperty(half, half, half, async (key, r, s) => {
      const tried = { publicKey: Uint8Array.from(key), message: bytesOf(1n), signature: Uint8Array.of(...r, ...s) }
      await assertAnswer(tried, strictAnswer(tried.publicKey, tried.message, tried.signature))
    }),
    runs(60, 500),
  )
})
