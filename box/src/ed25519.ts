/** Ed25519 by node:crypto, behind the rule that every verifier here stands behind (proto/ed25519-rule.ts). */
import { createPublicKey, KeyObject, verify } from 'node:crypto'
import { isStrict } from '@gatehouse/proto/ed25519-rule.ts'

/** SubjectPublicKeyInfo of Ed25519 up to the key itself (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/**
 * Runs in the caller's thread, because a scan waits for it. Never throws for what an attacker chooses.
 * @param key 32 bytes from anybody; or a KeyObject of Ed25519, private or public
 */
export function verifyEd25519(key: Uint8Array | KeyObject, message: Uint8Array, signature: Uint8Array): boolean {
  const isObject = key instanceof KeyObject
  if (!isStrict(isObject ? rawPublicKey(key) : key, signature)) return false
  return verify(null, message, isObject ? key : publicKeyOf(key), signature)
}

/** @param raw 32 bytes */
export function publicKeyOf(raw: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: 'der', type: 'spki' })
}

/** The 32 bytes of a key, or of the public half of a private one. */
export function rawPublicKey(key: KeyObject): Buffer {
  // As JWK: some ten times faster than as DER.
  const { x = '' } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url')
}
