/** Checks what the organiser says against the box's verifier key: in a wallet, without the box. */
import { fromBase64 } from './base64.ts'
import { canonicalJson } from './canonical-json.ts'
import { parseVerifierKey } from './verifier-key.ts'
import type { Announcement } from './wire/attendee.ts'

/**
 * Whether the box of `verifierKey` signed exactly this. False for anything else, also for a key that cannot be read.
 * WebCrypto: a secure context (https, or localhost).
 */
export async function verifyAnnouncement(announcement: Announcement, verifierKey: string): Promise<boolean> {
  const { signature, ...signed } = announcement
  const bytes = fromBase64(signature)
  const publicKey = parseVerifierKey(verifierKey)?.publicKey
  if (!bytes || !publicKey) return false
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify'])
  const message = new TextEncoder().encode(canonicalJson(signed))
  return crypto.subtle.verify('Ed25519', key, bytes, message)
}
