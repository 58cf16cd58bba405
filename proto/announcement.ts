/** Checks what the organiser says against the box's verifier key: in a wallet, without the box. */
import { fromBase64 } from './base64.ts'
import { canonicalJson } from './canonical-json.ts'
import type { Ed25519Verifier } from './ed25519.ts'
import { checkedVerifierKey } from './verifier-key.ts'
import type { Announcement } from './wire/attendee.ts'

/**
 * Whether the box of `verifierKey` signed exactly this. False for anything else: whoever stands between box and wallet
 * controls every byte of `announcement`.
 * @param by WebCrypto by default, which a page has in a secure context only (https, or localhost)
 */
export async function verifyAnnouncement(
  announcement: Announcement,
  verifierKey: string,
  by?: Ed25519Verifier,
): Promise<boolean> {
  const { signature, ...signed } = (announcement ?? {}) as Partial<Announcement>
  const bytes = typeof signature === 'string' ? fromBase64(signature) : undefined
  const publicKey = (await checkedVerifierKey(verifierKey, by?.sha256))?.publicKey
  const message = canonicalBytes(signed)
  if (!bytes || !publicKey || !message) return false
  return (by?.verify ?? webCryptoVerify)(publicKey, message, bytes)
}

async function webCryptoVerify(
  publicKey: Uint8Array<ArrayBuffer>,
  message: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']).catch(noKey)
  return key !== undefined && crypto.subtle.verify('Ed25519', key, signature, message)
}

/** Undefined for what has no canonical form, and so was never signed. */
function canonicalBytes(value: object): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new TextEncoder().encode(canonicalJson(value))
  } catch {
    return undefined
  }
}

/** Some engines refuse 32 bytes that are no point of the curve; an engine without Ed25519 is a fault of ours. */
function noKey(error: unknown): undefined {
  if (error instanceof DOMException && error.name === 'DataError') return undefined
  throw error
}
