/** Verifier keys of the C2SP signed-note format: `<name>+<key id, 8 hex>+<base64 of the algorithm byte and the key>`. */
import { fromBase64 } from './base64.ts'

const ED25519 = 0x01

export interface VerifierKey {
  /** What signs: `gatehouse/<event>/<box>`. */
  name: string
  keyId: string
  /** Ed25519, 32 bytes. */
  publicKey: Uint8Array<ArrayBuffer>
}

/** Undefined for a text of another form or algorithm. */
export function parseVerifierKey(text: string): VerifierKey | undefined {
  const match = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text)
  const encoded = fromBase64(match?.[3] ?? '')
  if (!match?.[1] || !match[2] || encoded?.length !== 33 || encoded[0] !== ED25519) return undefined
  return { name: match[1], keyId: match[2], publicKey: encoded.slice(1) }
}
