/**
 * A ticket's link, as a person opens or pastes it. Anybody can make a link, so nothing in it is trusted: a malformed ticket id is
 * an error to show, and a verifier key can only make the wallet trust less.
 */
import { fromBase64Url } from '@gatehouse/proto/base64.ts'
import { parseVerifierKey } from '@gatehouse/proto/verifier-key.ts'

export interface TicketLink {
  /** 128 random bits, Base64url. */
  id: string
  /** Null where a messenger cut it off: the ticket opens all the same, without the organiser's messages. */
  verifierKey: string | null
}

/** No link of a box is longer. */
const LONGEST = 2048
const ID_LENGTH = 22

/** The link in what follows the `#`, or in a whole link, or an id alone. Undefined for everything else. Never throws. */
export function parseTicketLink(text: string): TicketLink | undefined {
  const trimmed = text.trim()
  if (trimmed.length > LONGEST) return undefined
  const fragment = trimmed.slice(trimmed.indexOf('#') + 1)
  if (isTicketId(fragment)) return { id: fragment, verifierKey: null }
  const id = field(fragment, 't')
  if (id === undefined || !isTicketId(id)) return undefined
  const key = field(fragment, 'k')
  return { id, verifierKey: key !== undefined && parseVerifierKey(key) ? key : null }
}

/** True for a fragment that is meant to be a ticket, well-formed or not: a screen of the wallet has `#/` before its name. */
export function looksLikeLink(fragment: string): boolean {
  return /(^|#|&)t=/.test(fragment)
}

/** True for the one spelling of 16 bytes: another spelling would be a second name for the same ticket. */
export function isTicketId(text: string): boolean {
  return text.length === ID_LENGTH && fromBase64Url(text)?.length === 16
}

/** The first field of this name. Unlike in a form, a `+` that a messenger decoded is still a plus. */
function field(fragment: string, name: string): string | undefined {
  const pair = fragment.split('&').find((part) => part.startsWith(`${name}=`))
  try {
    return pair && decodeURIComponent(pair.slice(name.length + 1))
  } catch {
    return undefined
  }
}
