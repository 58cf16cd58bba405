/**
 * Arithmetic of edwards25519 for tests: RFC 8032, section 5.1, in big integers and by its formulas. Makes what no library makes (points
 * of small order, signatures with them) and says what is right without asking a library. Slow, and it does not keep secrets.
 */
import { createHash } from 'node:crypto'

export const P = 2n ** 255n - 19n
export const L = 2n ** 252n + 27742317777372353535851937790883648493n

export function mod(n: bigint, m = P): bigint {
  return ((n % m) + m) % m
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let [b, e] = [mod(base), exponent]; e > 0n; [b, e] = [mod(b * b), e >> 1n]) if (e & 1n) result = mod(result * b)
  return result
}

const inverse = (n: bigint) => power(n, P - 2n)
const D = mod(-121665n * inverse(121666n))
const ROOT_OF_MINUS_ONE = power(2n, (P - 1n) / 4n)

/** Extended homogeneous coordinates (5.1.4). */
export type Point = readonly [x: bigint, y: bigint, z: bigint, t: bigint]

export const NEUTRAL: Point = [0n, 1n, 1n, 0n]

export function add([x1, y1, z1, t1]: Point, [x2, y2, z2, t2]: Point): Point {
  const [a, b] = [mod((y1 - x1) * (y2 - x2)), mod((y1 + x1) * (y2 + x2))]
  const [c, d] = [mod(2n * t1 * t2 * D), mod(2n * z1 * z2)]
  const [e, f, g, h] = [b - a, d - c, d + c, b + a]
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)]
}

export function times(n: bigint, point: Point): Point {
  let result = NEUTRAL
  for (let [p, e] = [point, n]; e > 0n; [p, e] = [add(p, p), e >> 1n]) if (e & 1n) result = add(result, p)
  return result
}

export function isSame([x1, y1, z1]: Point, [x2, y2, z2]: Point): boolean {
  return mod(x1 * z2 - x2 * z1) === 0n && mod(y1 * z2 - y2 * z1) === 0n
}

/** The point with this y and this parity of x; undefined where the curve has none, and for x = 0 with a sign (5.1.3). */
export function pointAt(y: bigint, sign: bigint): Point | undefined {
  const square = mod((y * y - 1n) * inverse(D * y * y + 1n))
  const root = power(square, (P + 3n) / 8n)
  const x = [root, mod(root * ROOT_OF_MINUS_ONE)].find((r) => mod(r * r) === square)
  if (x === undefined || (x === 0n && sign === 1n)) return undefined
  const signed = (x & 1n) === sign ? x : mod(-x)
  return [signed, y, 1n, mod(signed * y)]
}

export const BASE = pointAt(mod(4n * inverse(5n)), 0n) ?? NEUTRAL

/** 32 bytes, little-endian. */
export function bytesOf(n: bigint): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(n.toString(16).padStart(64, '0'), 'hex').reverse())
}

export function numberOf(bytes: Uint8Array): bigint {
  return bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
}

export function encoded([x, y, z]: Point): Uint8Array<ArrayBuffer> {
  const by = inverse(z)
  return bytesOf(mod(y * by) | ((mod(x * by) & 1n) << 255n))
}

/** The eight points whose order divides 8. */
export function smallOrderPoints(): Point[] {
  for (let y = 2n; ; y++) {
    const point = pointAt(y, 0n)
    const torsion = point && times(L, point)
    // Of order 8, and then its multiples are all of them.
    if (torsion && !isSame(times(4n, torsion), NEUTRAL))
      return Array.from({ length: 8 }, (_, n) => times(BigInt(n), torsion))
  }
}

/** k of a signature (5.1.7, step 2). */
export function challenge(r: Uint8Array, publicKey: Uint8Array, message: Uint8Array): bigint {
  return mod(numberOf(createHash('sha512').update(r).update(publicKey).update(message).digest()), L)
}

/** The strict answer: canonical encodings of points that are not of small order, S < L, and [S]B = R + [k]A. */
export function strictAnswer(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  const [r, s] = [signature.subarray(0, 32), numberOf(signature.subarray(32))]
  const [a, point] = [decoded(publicKey), decoded(r)]
  if (!a || !point || s >= L) return false
  return isSame(times(s, BASE), add(point, times(challenge(r, publicKey, message), a)))
}

function decoded(bytes: Uint8Array): Point | undefined {
  const number = numberOf(bytes)
  const [y, sign] = [number & (2n ** 255n - 1n), number >> 255n]
  const point = y < P ? pointAt(y, sign) : undefined
  return point && !isSame(times(8n, point), NEUTRAL) ? point : undefined
}
