/** Parses verifier keys of the C2SP signed-note format: `<name>+<key id, 8 hex>+<base64 of the algorithm byte and the key>`. */
import { fromBase64 } from './base64.ts'
import { isStrictKey } from './ed25519-rule.ts'

const ED25519 = 0x01

export interface VerifierKey {
  /** Of the signer: `gatehouse/<event>/<box>`. */
  name: string
  keyId: string
  /** Ed25519, 32 bytes. */
  publicKey: Uint8Array<ArrayBuffer>
}

/**
 * Undefined for a text of another form or algorithm, and for a key that nobody may sign with (ed25519-rule.ts). Does not check
 * the key id: see `checkedVerifierKey`.
 */
export function parseVerifierKey(text: string): VerifierKey | undefined {
  const match = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text)
  const encoded = fromBase64(match?.[3] ?? '')
  if (!match?.[1] || !match[2] || encoded?.length !== 33 || encoded[0] !== ED25519) return undefined
  const publicKey = encoded.slice(1)
  return isStrictKey(publicKey) ? { name: match[1], keyId: match[2], publicKey } : undefined
}

/**
 * As `parseVerifierKey`, and undefined also where the key id does not match name and key: a mistyped text, or parts of two.
 * @param sha256 WebCrypto's by default, which a page has in a secure context only (https, or localhost)
 */
export async function checkedVerifierKey(text: string, sha256 = webCryptoSha256): Promise<VerifierKey | undefined> {
  const key = parseVerifierKey(text)
  if (!key) return undefined
  const named = new TextEncoder().encode(`${key.name}\n`)
  const digest = await sha256(Uint8Array.of(...named, ED25519, ...key.publicKey))
  const id = Array.from(digest.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return id === key.keyId ? key : undefined
}

async function webCryptoSha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}
