import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { claimBytes, isUsableKey } from './claim.ts'

// Curve arithmetic of RFC 8032, section 5.1.4, so that the list under test is not compared with a copy of itself.
const P = 2n ** 255n - 19n
const L = 2n ** 252n + 27742317777372353535851937790883648493n
const mod = (n: bigint) => ((n % P) + P) % P
const power = (base: bigint, exponent: bigint): bigint => {
  let result = 1n
  for (let [b, e] = [mod(base), exponent]; e > 0n; [b, e] = [mod(b * b), e >> 1n]) if (e & 1n) result = mod(result * b)
  return result
}
const inverse = (n: bigint) => power(n, P - 2n)
const D = mod(-121665n * inverse(121666n))
type Point = readonly [x: bigint, y: bigint]
const add = ([x1, y1]: Point, [x2, y2]: Point): Point => {
  const t = mod(D * x1 * x2 * y1 * y2)
  return [mod((x1 * y2 + x2 * y1) * inverse(1n + t)), mod((y1 * y2 + x1 * x2) * inverse(1n - t))]
}
const times = (n: bigint, point: Point): Point => {
  let result: Point = [0n, 1n]
  for (let [p, e] = [point, n]; e > 0n; [p, e] = [add(p, p), e >> 1n]) if (e & 1n) result = add(result, p)
  return result
}
/** A point with this y, if the curve has one. */
const pointOf = (y: bigint): Point | undefined => {
  const square = mod((y * y - 1n) * inverse(D * y * y + 1n))
  const root = power(square, (P + 3n) / 8n)
  const x = [root, mod(root * power(2n, (P - 1n) / 4n))].find((r) => mod(r * r) === square)
  return x === undefined ? undefined : [x, y]
}
const encoded = (y: bigint, sign: number) => {
  const bytes = Buffer.from(y.toString(16).padStart(64, '0'), 'hex').reverse()
  bytes[31] = (bytes[31] ?? 0) | (sign << 7)
  return bytes
}

/** Every encoding, canonical or not, of every point whose order divides 8. */
function smallOrderEncodings(): Buffer[] {
  let order8: Point | undefined
  for (let y = 2n; order8 === undefined; y++) {
    const point = pointOf(y)
    const torsion = point && times(L, point)
    if (torsion && times(4n, torsion)[1] !== 1n) order8 = torsion
  }
  const generator = order8
  const ys = Array.from({ length: 8 }, (_, n) => times(BigInt(n), generator)[1])
  // 255 bits have room for y + p where y is below 19.
  const spelled = [...new Set(ys)].flatMap((y) => (y < 19n ? [y, y + P] : [y]))
  return spelled.flatMap((y) => [encoded(y, 0), encoded(y, 1)])
}

test('no encoding of a point of small order is a key, with either sign bit', () => {
  const encodings = smallOrderEncodings()
  assert.equal(new Set(encodings.map((bytes) => bytes.toString('hex'))).size, 14)
  for (const bytes of encodings) assert.equal(isUsableKey(bytes), false, bytes.toString('hex'))
})

test('every key that a phone makes is one, and nothing of another length', () => {
  for (let i = 0; i < 50; i++) {
    const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
    assert.equal(isUsableKey(Buffer.from(x, 'base64url')), true)
  }
  for (const length of [0, 1, 31, 33, 64]) assert.equal(isUsableKey(new Uint8Array(length).fill(7)), false, `${length}`)
})

test('a proof names its purpose and one ticket: no two ids are signed alike', () => {
  assert.equal(Buffer.from(claimBytes('abc')).toString('hex'), Buffer.from('gatehouse/claim/v1\0abc').toString('hex'))
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      assert.equal(Buffer.compare(claimBytes(a), claimBytes(b)) === 0, a === b)
    }),
  )
})
