/** Hashes people's notes with a salt: the journal has the hash alone, and note and salt can be erased. */
import { createHash } from 'node:crypto'

export const SALT_BYTES = 16

/** SHA-256 over salt and note, hex. Whoever has both can prove what was noted; once they are erased, nobody can find it by trying. */
export function noteHash(note: string, salt: Buffer): string {
  return createHash('sha256').update(salt).update(note).digest('hex')
}
