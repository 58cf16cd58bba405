/** Invites: the content of the control room's QR code (`box/docs/authentication.md`). Whoever printed the code wrote every byte. */
import { fromBase64Url } from '@gatehouse/proto/base64.ts'
import { ScannerError } from '../gate/model.ts'
import { gateWords as words } from '../words/core.ts'

export interface Invite {
  /** `https://host:port`. */
  origin: string
  /** `sha256:` and 64 hex digits. */
  fingerprint: string
  code: string
  /** Unix ms. */
  expiresAt: number
}

const LONGEST = 2048

/**
 * Reads an invite from its link, from the fragment alone, or from what a hand scanner typed.
 * @param origins of this page and of the event's other boxes: the only ones that this page may ask
 * @throws ScannerError for a text that is not an invite, and for the invite of another box, whose address the message names
 */
export function readInvite(text: string, origins: readonly string[]): Invite {
  const invite = parse(text.trim())
  if (!invite) throw new ScannerError(words.invite.notOne)
  if (!origins.includes(invite.origin)) throw new ScannerError(words.invite.elsewhere(`${invite.origin}/scanner/`))
  return invite
}

/** True for a text that is an invite, of whatever box. */
export function isInvite(text: string): boolean {
  return parse(text.trim()) !== undefined
}

function parse(text: string): Invite | undefined {
  if (text.length > LONGEST) return undefined
  const payload = /(?:^|#|&)i=([A-Za-z0-9_-]+)(?:&|$)/.exec(text)?.[1]
  const bytes = payload === undefined ? undefined : fromBase64Url(payload)
  try {
    const { u, fp, i, x } = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    const { origin, protocol } = new URL(u)
    // Without TLS, an eavesdropper would have the code first.
    if (protocol !== 'https:' || typeof u !== 'string') return undefined
    if (typeof fp !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(fp)) return undefined
    if (typeof i !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(i) || !Number.isSafeInteger(x) || x < 0) return undefined
    return { origin, fingerprint: fp, code: i, expiresAt: x * 1000 }
  } catch {
    // Not JSON, not an object, not a URL: the person does the same thing next in each case.
    return undefined
  }
}
