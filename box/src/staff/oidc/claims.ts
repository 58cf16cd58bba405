/** A person by the provider's claims: the role by their groups, the name, and the id that they have here. Pure. */
import { createHmac } from 'node:crypto'
import { STAFF_ROLES, type StaffRole } from '@gatehouse/proto/operations.ts'

export interface Claims {
  readonly [claim: string]: unknown
}

const LONGEST_NAME = 70

/** Of several groups, the role that stands last among viewer, desk, operator, admin. Undefined without any. */
export function roleOf(claims: Claims, claim: string, roles: ReadonlyMap<string, StaffRole>): StaffRole | undefined {
  const found = groupsIn(claims, claim).map((group) => roles.get(group))
  return STAFF_ROLES.findLast((role) => found.includes(role))
}

function groupsIn(claims: Claims, claim: string): string[] {
  // Anybody may write an address into an account: only one that the provider has checked is theirs.
  if (claim === 'email' && claims.email_verified !== true) return []
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined
  return [value].flat().filter((group) => typeof group === 'string')
}

/** On one line and as lists and journals take it. No e-mail address: the record keeps names for ever. */
export function nameOf({ name, preferred_username: username }: Claims, id: string): string {
  for (const said of [name, username]) {
    if (typeof said !== 'string') continue
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not get into the journal
    const clean = said.replace(/[\x00-\x20\x7f-\x9f:\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
    const cut = [...clean].slice(0, LONGEST_NAME).join('').trim()
    if (cut !== '' && !cut.includes('@')) return cut
  }
  return `Person ${id.slice(-6)}`
}

/**
 * The same at every box of the event, so that two that are cut off make one person of one account; and nobody can tell the account by it.
 * @param key of the event, in no ledger
 */
export function personIdOf(key: Buffer, issuer: string, subject: string): string {
  const mac = createHmac('sha256', key)
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
  return `per-${mac.slice(0, 32)}`
}
