/** Secures a ticket's right to enter against every other gate, before the ledger writes the admission down. */
import type { Mode } from '../control/mode.ts'
import type { Facts } from './decide.ts'

/**
 * @param draft what the scan looks like from here, read when it is called: a box that asks others needs to know what it
 *   asks for, a box alone does not, and saves the reading
 * @returns `confirmed` when no other gate can have admitted the ticket, `provisional` when one may have, unheard
 */
export type Claim = (draft: () => { facts: Facts }) => Promise<'confirmed' | 'provisional'>

/**
 * One box: all its gates write one ledger, whose primary key admits a right once. There is nobody to ask, unless an
 * admin has said that somebody cannot be heard.
 */
export function claimAlone(mode: () => Mode): Claim {
  return async () => (mode() === 'STRICT' ? 'confirmed' : 'provisional')
}
