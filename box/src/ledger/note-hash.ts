/** What people note about people stays out of the journal, which has its salted hash: text and salt can be erased. */
import { createHash } from 'node:crypto'

export const SALT_BYTES = 16

/** SHA-256 over salt and note, hex: whoever has both can prove what was noted, and once they are erased nobody can guess. */
export function noteHash(note: string, salt: Buffer): string {
  return createHash('sha256').update(salt).update(note).digest('hex')
}
