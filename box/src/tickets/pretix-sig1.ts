/**
 * Reads a ticket code that pretix has signed (`pretix_sig1`). The text is base64, reversed: version 1, two lengths of 16 bits, a
 * payload in protobuf, and an Ed25519 signature over it. A good signature says that the shop has issued the code once, and
 * not that it still counts: a cancelled order gets a fresh code that is signed, too. Pure.
 */
import type { KeyObject } from 'node:crypto'
import { verifyEd25519 } from '../ed25519.ts'

const VERSION = 1
const HEAD_BYTES = 5
const SIGNATURE_BYTES = 64
/** Of a payload: a seed and five numbers. */
const MOST_BYTES = 256
const MOST_TEXT = 600
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

export interface SignedCode {
  seed: string
  /** The shop's numbers; 0 where it has none. */
  item: bigint
  variation: bigint
  subevent: bigint
  /** Unix seconds; null where it is open. */
  validFrom: bigint | null
  validUntil: bigint | null
}

/** @param text as it was scanned: an attacker controls every byte @returns undefined unless one of the keys has signed it */
export function readSignedCode(text: string, keys: readonly KeyObject[]): SignedCode | undefined {
  if (text.length > MOST_TEXT) return undefined
  const forward = [...text].reverse().join('')
  if (!BASE64.test(forward)) return undefined
  const bytes = Buffer.from(forward, 'base64')
  // One code has one text: with other padding or spare bits it would be another ticket, and admit once more.
  if (bytes.toString('base64') !== forward) return undefined
  if (bytes.length < HEAD_BYTES || bytes[0] !== VERSION) return undefined
  const [size, signed] = [bytes.readUInt16BE(1), bytes.readUInt16BE(3)]
  if (size > MOST_BYTES || signed !== SIGNATURE_BYTES || bytes.length !== HEAD_BYTES + size + signed) return undefined
  const payload = bytes.subarray(HEAD_BYTES, HEAD_BYTES + size)
  const signature = bytes.subarray(HEAD_BYTES + size)
  // Several keys: the shop has changed its own.
  return keys.some((key) => verifyEd25519(key, payload, signature)) ? fieldsOf(payload) : undefined
}

function fieldsOf(payload: Buffer): SignedCode | undefined {
  const numbers = new Map<number, bigint>()
  let seed = ''
  for (let at = 0; at < payload.length; ) {
    const tag = varint(payload, at)
    if (!tag) return undefined
    const value = varint(payload, tag.next)
    if (!value) return undefined
    const [field, type] = [Number(tag.value >> 3n), Number(tag.value & 7n)]
    at = value.next
    if (type === 0) numbers.set(field, value.value)
    else if (type === 2) {
      const end = at + Number(value.value)
      if (end > payload.length) return undefined
      if (field === 1) seed = payload.subarray(at, end).toString('utf8')
      at = end
    } else return undefined
  }
  const number = (field: number) => numbers.get(field) ?? 0n
  const time = (field: number) => number(field) || null
  return { seed, item: number(2), variation: number(3), subevent: number(4), validFrom: time(5), validUntil: time(6) }
}

/** Up to ten bytes of seven bits each, the lowest first. */
function varint(bytes: Buffer, from: number): { value: bigint; next: number } | undefined {
  let value = 0n
  for (let i = 0; i < 10; i++) {
    const byte = bytes[from + i]
    if (byte === undefined) return undefined
    value |= BigInt(byte & 0x7f) << BigInt(7 * i)
    if (byte < 0x80) return { value: BigInt.asIntN(64, value), next: from + i + 1 }
  }
  return undefined
}
