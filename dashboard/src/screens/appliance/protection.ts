/** The form for encrypting a backup, as somebody fills it in: what is missing, and what is sent. Pure. */
import { MOST_RECIPIENTS, RECIPIENT, SHORTEST_PASSPHRASE } from '@gatehouse/proto/backup.ts'

export const WAYS = ['passphrase', 'recipients', 'none'] as const
export type Way = (typeof WAYS)[number]

export interface Protection {
  way: Way
  passphrase: string
  again: string
  /** One on each line. */
  recipients: string
}

export type ProtectionMistake = 'short' | 'control' | 'different' | 'noRecipient' | 'notRecipient' | 'identity' | 'many'

/** The first thing that has to be corrected; null: it can be sent. */
export function mistakeIn({ way, passphrase, again, recipients }: Protection): ProtectionMistake | null {
  if (way === 'none') return null
  if (way === 'passphrase') {
    if ([...passphrase].length < SHORTEST_PASSPHRASE) return 'short'
    if (/\p{Cc}/u.test(passphrase)) return 'control'
    return passphrase === again ? null : 'different'
  }
  const lines = linesOf(recipients)
  if (lines.length === 0) return 'noRecipient'
  // The secret half: whoever pastes it by mistake should know, and it must not be sent.
  if (lines.some((line) => /^AGE-SECRET-KEY-/i.test(line))) return 'identity'
  if (!lines.every((line) => new RegExp(RECIPIENT).test(line))) return 'notRecipient'
  return lines.length > MOST_RECIPIENTS ? 'many' : null
}

/** The fields of the request. */
export function keysOf({ way, passphrase, recipients }: Protection): { passphrase?: string; recipients?: string[] } {
  if (way === 'passphrase') return { passphrase }
  return way === 'recipients' ? { recipients: linesOf(recipients) } : {}
}

export type Strength = 'short' | 'weak' | 'fair' | 'strong'

/** A hint by length and variety: no program knows whether a sentence is from a book. */
export function strengthOf(passphrase: string): Strength {
  const { length } = [...passphrase]
  const variety = new Set(passphrase.toLowerCase()).size
  if (length < SHORTEST_PASSPHRASE) return 'short'
  if (variety < 6 || (length < 16 && /^(\d+|[a-z]+)$/i.test(passphrase))) return 'weak'
  return length >= 24 && variety >= 9 ? 'strong' : 'fair'
}

function linesOf(text: string): string[] {
  return text.split(/\s+/).filter((line) => line !== '')
}
