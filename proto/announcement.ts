/** Verifies the signature of an announcement with the box's verifier key, without asking the box. */
import { fromBase64 } from './base64.ts'
import { canonicalJson } from './canonical-json.ts'
import { type Ed25519Verifier, webCryptoVerify } from './ed25519.ts'
import { checkedVerifierKey } from './verifier-key.ts'
import type { Announcement } from './wire/attendee.ts'

/**
 * True if the box of `verifierKey` signed exactly this. False for anything else: whoever stands between box and wallet
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

/** Those to show, out of verified ones: none that another one corrects or withdraws, and no withdrawal itself. */
export function standing(verified: readonly Announcement[]): Announcement[] {
  const replaced = new Set(verified.flatMap(({ replaces }) => replaces ?? []))
  return verified.filter(({ id, withdrawn }) => !withdrawn && !replaced.has(id))
}

/** Undefined for what has no canonical form, and so was never signed. */
function canonicalBytes(value: object): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new TextEncoder().encode(canonicalJson(value))
  } catch {
    return undefined
  }
}
