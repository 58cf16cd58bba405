// The manifest's Bloom filter: tells an offline scanner whether a code is that of a valid ticket, in 4 or 5 bytes a ticket. Its
// elements are code hashes, 16 bytes of HMAC output: these are random, so that parts of them serve as the hash functions. The
// format, for an implementation in another language:
//
//   a = (bytes 0 – 5 as a big-endian number) mod m
//   b = (bytes 6 – 11 as a big-endian number) mod (m - 1), plus 1
//   an element's bits are (a + i * b) mod m, for i from 0 to k - 1
//   bit j is in byte j >> 3, under the mask 0x80 >> (j & 7)
//
// 48 bits at a time, because JavaScript's % is exact below 2^53, and because their bias is negligible for m < 2^31. b is never
// 0: otherwise an element would set a single bit.

import { fromBase64, toBase64 } from './base64.ts'

const MAX_BITS = 2 ** 31
const MAX_HASHES = 32
const MAX_SALT_BYTES = 64
const CODE_HASH_BYTES = 16

export interface Bloom {
  /** size in bits, from 2 to 2^31 */
  readonly m: number
  /** bits set for each element, from 1 to 32 */
  readonly k: number
  /** elements added */
  n: number
  /** the key that the elements were hashed with (`codeHash`), 1 to 64 bytes */
  readonly salt: Uint8Array
  /** ceil(m / 8) bytes */
  readonly bits: Uint8Array
}

/** The filter as the manifest carries it; `salt` and `bits` are Base64. */
export interface WireBloom {
  m: number
  k: number
  n: number
  salt: string
  bits: string
}

/** The m and k that keep false positives under `falsePositiveRate` (between 0 and 1) up to `n` elements. */
export function bloomSize(n: number, falsePositiveRate: number): { m: number; k: number } {
  if (!(falsePositiveRate > 0 && falsePositiveRate < 1)) {
    throw new RangeError('the false-positive rate is not within 0 and 1')
  }
  const k = Math.min(MAX_HASHES, Math.max(1, Math.round(-Math.log2(falsePositiveRate))))
  const m = Math.max(64, Math.ceil((-k * n) / Math.log1p(-(falsePositiveRate ** (1 / k)))))
  if (!(m <= MAX_BITS)) throw new RangeError(`a filter for ${n} elements has ${m} bits, over ${MAX_BITS}`)
  return { m, k }
}

/** An empty filter. Throws RangeError where m, k or the salt is out of bounds. */
export function createBloom({ m, k, salt }: { m: number; k: number; salt: Uint8Array }): Bloom {
  requireInteger('m', m, 2, MAX_BITS)
  requireInteger('k', k, 1, MAX_HASHES)
  requireInteger('salt length', salt.length, 1, MAX_SALT_BYTES)
  return { m, k, n: 0, salt, bits: new Uint8Array(Math.ceil(m / 8)) }
}

/** Adds a 16-byte code hash. */
export function bloomAdd(bloom: Bloom, codeHash: Uint8Array): void {
  for (const bit of bloomIndexes(bloom, codeHash)) bloom.bits[bit >>> 3] = byteOf(bloom, bit) | maskOf(bit)
  bloom.n++
}

/** True if a 16-byte code hash was added. False is certain; true may be wrong, the less often the larger the filter. */
export function bloomHas(bloom: Bloom, codeHash: Uint8Array): boolean {
  return bloomIndexes(bloom, codeHash).every((bit) => (byteOf(bloom, bit) & maskOf(bit)) !== 0)
}

/** The k bits of a 16-byte code hash, in order. Throws RangeError for a hash of another size. */
export function bloomIndexes({ m, k }: { m: number; k: number }, codeHash: Uint8Array): number[] {
  requireInteger('code hash length', codeHash.length, CODE_HASH_BYTES, CODE_HASH_BYTES)
  const view = new DataView(codeHash.buffer, codeHash.byteOffset, CODE_HASH_BYTES)
  const a = view.getUint32(0) * 2 ** 16 + view.getUint16(4)
  const b = view.getUint16(6) * 2 ** 32 + view.getUint32(8)
  const step = (b % (m - 1)) + 1
  const indexes: number[] = []
  for (let i = 0, bit = a % m; i < k; i++, bit = (bit + step) % m) indexes.push(bit)
  return indexes
}

const byteOf = ({ bits }: Bloom, bit: number) => bits[bit >>> 3] ?? 0
const maskOf = (bit: number) => 0x80 >> (bit & 7)

export function bloomToWire({ m, k, n, salt, bits }: Bloom): WireBloom {
  return { m, k, n, salt: toBase64(salt), bits: toBase64(bits) }
}

/**
 * The filter of a manifest. Throws RangeError, naming the field, for an invalid filter: a scanner that used it would refuse
 * everyone, or admit everyone.
 */
export function bloomFromWire(wire: WireBloom): Bloom {
  requireInteger('m', wire.m, 2, MAX_BITS)
  requireInteger('k', wire.k, 1, MAX_HASHES)
  requireInteger('n', wire.n, 0, Number.MAX_SAFE_INTEGER)
  const salt = bytesOf('salt', wire.salt)
  requireInteger('salt length', salt.length, 1, MAX_SALT_BYTES)
  const bits = bytesOf('bits', wire.bits)
  if (bits.length !== Math.ceil(wire.m / 8))
    throw new RangeError(`the filter's bits are ${bits.length} bytes, m is ${wire.m}`)
  return { m: wire.m, k: wire.k, n: wire.n, salt, bits }
}

function requireInteger(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`the filter's ${name} is ${value}, not a whole number from ${min} to ${max}`)
  }
}

function bytesOf(name: string, base64: string): Uint8Array {
  const bytes = typeof base64 === 'string' ? fromBase64(base64) : undefined
  if (!bytes) throw new RangeError(`the filter's ${name} is not Base64`)
  return bytes
}
