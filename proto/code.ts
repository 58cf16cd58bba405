// The rotating code that a wallet shows, and the hash by which a manifest knows a code: for the box, the wallet and the scanner.
//
//   byte 0      version, 0x01
//   1 – 32      the ticket's Ed25519 public key
//   33 – 36     slot, big-endian: unix seconds / 15
//   37 – 100    Ed25519 signature over `gatehouse/code/v1` NUL, the event's tag, bytes 0 – 36
//
// As text: `G1:` and the Base45 of the 101 bytes, 155 characters, all of them in the QR code's alphanumeric mode.
// The event's tag is signed but not sent: a code of one event does not verify at another, even where both know the key.

import { decodeBase45, encodeBase45 } from './base45.ts'
import { fromBase64Url } from './base64.ts'
import { type Ed25519Verifier, webCryptoVerify } from './ed25519.ts'

/** A wallet shows one code this long. */
export const PERIOD_SECONDS = 15

/** Number of slots that a code may be off, by the quality of the scanner's clock. */
export const FRESH_SLOTS = { synced: 2, unsynced: 8 } as const

const PREFIX = 'G1:'
const TEXT_LENGTH = 155
const VERSION = 1
const KEY_BYTES = 32
const TAG_BYTES = 8
const BODY_BYTES = 37
const SIGNATURE_BYTES = 64
const CODE_HASH_BYTES = 16
const DOMAIN = new TextEncoder().encode('gatehouse/code/v1\0')

/** The contents of a well-formed code, which may be forged until `verifyCode` has accepted it. */
export interface ParsedCode {
  /** 32 bytes */
  publicKey: Uint8Array<ArrayBuffer>
  slot: number
  /** 64 bytes */
  signature: Uint8Array<ArrayBuffer>
}

/** The slot that a moment falls in. */
export function slotAt(unixMs: number): number {
  return Math.floor(unixMs / (PERIOD_SECONDS * 1000))
}

/**
 * Freshness of a code of `slot` at `unixMs`, and its age: 0 in its own slot, then in steps of the period, negative for a
 * slot in the future (one of the two clocks is wrong).
 */
export function freshness(slot: number, unixMs: number, windowSlots: number): { fresh: boolean; ageSeconds: number } {
  const age = slotAt(unixMs) - slot
  return { fresh: Math.abs(age) <= windowSlots, ageSeconds: age * PERIOD_SECONDS }
}

/**
 * Reads a code's text. Undefined for everything that is not exactly a code: other prefix, length or alphabet, lower case,
 * white space, another version. Such a payload may still be a shop's static code.
 */
export function parseCode(text: string): ParsedCode | undefined {
  if (text.length !== TEXT_LENGTH || !text.startsWith(PREFIX)) return undefined
  const bytes = decodeBase45(text.slice(PREFIX.length))
  if (bytes?.[0] !== VERSION) return undefined
  return {
    publicKey: bytes.slice(1, 1 + KEY_BYTES),
    slot: new DataView(bytes.buffer).getUint32(1 + KEY_BYTES),
    signature: bytes.slice(BODY_BYTES),
  }
}

/** The text of a code. Throws RangeError for a key, slot or signature of the wrong size. */
export function formatCode(code: { publicKey: Uint8Array; slot: number; signature: Uint8Array }): string {
  requireLength('signature', code.signature, SIGNATURE_BYTES)
  const bytes = new Uint8Array(BODY_BYTES + SIGNATURE_BYTES)
  bytes.set(body(code.publicKey, code.slot))
  bytes.set(code.signature, BODY_BYTES)
  return PREFIX + encodeBase45(bytes)
}

/**
 * The message under a code's signature, for a signer or verifier other than WebCrypto: node:crypto on the box, tweetnacl
 * on a plain HTTP page. Throws RangeError for a tag, key or slot of the wrong size.
 */
export function signedBytes(tag: Uint8Array, publicKey: Uint8Array, slot: number): Uint8Array<ArrayBuffer> {
  requireLength('event tag', tag, TAG_BYTES)
  const bytes = new Uint8Array(DOMAIN.length + TAG_BYTES + BODY_BYTES)
  bytes.set(DOMAIN)
  bytes.set(tag, DOMAIN.length)
  bytes.set(body(publicKey, slot), DOMAIN.length + TAG_BYTES)
  return bytes
}

function body(publicKey: Uint8Array, slot: number): Uint8Array {
  requireLength('public key', publicKey, KEY_BYTES)
  if (!Number.isInteger(slot) || slot < 0 || slot > 0xffffffff) {
    throw new RangeError(`slot ${slot} is not a 32-bit number`)
  }
  const bytes = new Uint8Array(BODY_BYTES)
  bytes[0] = VERSION
  bytes.set(publicKey, 1)
  new DataView(bytes.buffer).setUint32(1 + KEY_BYTES, slot)
  return bytes
}

function requireLength(name: string, bytes: Uint8Array, length: number): void {
  if (bytes.length !== length) throw new RangeError(`the ${name} has ${bytes.length} bytes, not ${length}`)
}

// From here on WebCrypto, which a page has in a secure context only (https, or localhost).

/** The event's tag: the first 8 bytes of SHA-256 over the event id's UTF-8. */
export async function eventTag(eventId: string): Promise<Uint8Array<ArrayBuffer>> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(eventId))
  return new Uint8Array(digest, 0, TAG_BYTES).slice()
}

/** A ticket's key pair. The public half is raw, as codes and claims carry it. */
export interface CodeKey {
  privateKey: CryptoKey
  /** 32 bytes */
  publicKey: Uint8Array<ArrayBuffer>
}

// The DER before the seed in RFC 8410's PrivateKeyInfo: SEQUENCE { INTEGER 0, SEQUENCE { OID 1.3.101.112 },
// OCTET STRING { OCTET STRING (32 bytes) } }. WebCrypto takes no raw Ed25519 private key.
const PKCS8_BEFORE_SEED = [
  0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
]

/** The key pair of a 32-byte seed: the ticket view's `secret`, until the ticket is claimed. */
export async function keyFromSeed(seed: Uint8Array): Promise<CodeKey> {
  requireLength('seed', seed, KEY_BYTES)
  const pkcs8 = Uint8Array.from([...PKCS8_BEFORE_SEED, ...seed])
  const privateKey = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign'])
  // WebCrypto derives no public key from a private one, except on the way out as a JWK.
  const { x } = await crypto.subtle.exportKey('jwk', privateKey)
  const publicKey = x === undefined ? undefined : fromBase64Url(x)
  if (!publicKey) throw new TypeError('this engine exports an Ed25519 key without its public half')
  return { privateKey, publicKey }
}

/** The text that a wallet shows in `slot`. */
export async function signCode(key: CodeKey, tag: Uint8Array, slot: number): Promise<string> {
  const message = signedBytes(tag, key.publicKey, slot)
  const signature = await crypto.subtle.sign('Ed25519', key.privateKey, message)
  return formatCode({ publicKey: key.publicKey, slot, signature: new Uint8Array(signature) })
}

/**
 * True if the key in the code signed it for this event. Checks neither freshness nor whether the key is a ticket's: anyone can
 * sign with a key of their own.
 * @param by WebCrypto by default; for engines that may not know Ed25519, `bestVerifier`
 */
export async function verifyCode(code: ParsedCode, tag: Uint8Array, by?: Ed25519Verifier): Promise<boolean> {
  const message = signedBytes(tag, code.publicKey, code.slot)
  return (by?.verify ?? webCryptoVerify)(code.publicKey, message, code.signature)
}

/**
 * A credential's code hash, by which the manifest knows it: the first 16 bytes of HMAC-SHA-256, keyed with the manifest's
 * salt, over a rotating code's 32-byte public key or over the UTF-8 of a static code.
 */
export async function codeHash(salt: Uint8Array, credential: Uint8Array | string): Promise<Uint8Array<ArrayBuffer>> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new Uint8Array(salt), algorithm, false, ['sign'])
  const message = typeof credential === 'string' ? new TextEncoder().encode(credential) : new Uint8Array(credential)
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, message), 0, CODE_HASH_BYTES).slice()
}
