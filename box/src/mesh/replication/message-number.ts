/**
 * Numbers questions and pushes, so that an old one is known for what it is before its signature is checked. In front of the content
 * is a nonce of 16 bytes: the sender's clock, which never goes back, also over restarts; and 8 random bytes. Pure.
 */
import type { Timestamp } from '@gatehouse/proto/hlc.ts'

/** 16 bytes, base64url, and a line feed. */
const NONCE = /^[A-Za-z0-9_-]{22}\n/
const NONCE_LENGTH = 23
const RANDOM_BYTES = 8
/** Bits of the clock's counter below its milliseconds. */
const COUNT_BITS = 20n

/** @param random 8 bytes: without them an answer to an old question of another incarnation could fit */
export function numbered(content: Uint8Array, { ms, count }: Timestamp, random: Uint8Array): Uint8Array {
  const nonce = Buffer.alloc(16)
  nonce.writeBigUInt64BE((BigInt(ms) << COUNT_BITS) | BigInt(count))
  nonce.set(random.subarray(0, RANDOM_BYTES), 8)
  return Buffer.concat([Buffer.from(`${nonce.toString('base64url')}\n`), content])
}

/** @returns undefined for content without a number */
export function numberOf(content: Uint8Array): bigint | undefined {
  const line = Buffer.from(content.subarray(0, NONCE_LENGTH)).toString('latin1')
  return NONCE.test(line) ? Buffer.from(line.trimEnd(), 'base64url').readBigUInt64BE() : undefined
}

/** @param content of which `numberOf` knows the number */
export function withoutNumber(content: Uint8Array): Uint8Array {
  return content.subarray(NONCE_LENGTH)
}
