/**
 * The header of an age file (age-encryption.org/v1): what it has to be opened with. Pure. An attacker controls every byte, and the
 * library keeps a header in memory however long it is: this one is bounded.
 */
import { BackupError } from './manifest.ts'

/** Larger than the header of a file for 20 recipients, post-quantum ones included (1.6 kB each). */
export const LONGEST_HEADER = 64 * 1024
/**
 * The largest log2 of scrypt's N that is computed: 512 MiB, seconds. `age -p` takes 18. Each step doubles memory and time, and a
 * forged header may ask for any.
 */
export const LARGEST_WORK_FACTOR = 19

const VERSION = 'age-encryption.org/v1\n'
/** Of the line after the last stanza, with the header's MAC. */
const END = /\n--- [A-Za-z0-9+/]{43}\n/

export interface AgeHeader {
  /** False: it is encrypted for recipients. */
  byPassphrase: boolean
}

/**
 * @param start the first bytes of the file, at least `LONGEST_HEADER` of them if it has as many
 * @param archive what messages call it
 * @throws BackupError for anything that is not opened
 */
export function readAgeHeader(start: Uint8Array, archive: string): AgeHeader {
  const text = Buffer.from(start.buffer, start.byteOffset, Math.min(start.length, LONGEST_HEADER)).toString('latin1')
  const end = END.exec(text)
  if (!text.startsWith(VERSION) || end === null)
    throw new BackupError(`${archive} is not an age file (age-encryption.org/v1), or is cut short: copy it again.`)
  const stanzas = text
    .slice(0, end.index)
    .split('\n')
    .filter((line) => line.startsWith('-> '))
    .map((line) => line.slice(3).split(' '))
  if (!stanzas.some(([kind]) => kind === 'scrypt')) return { byPassphrase: false }
  const [, , factor = ''] = stanzas[0] ?? []
  // The specification: a passphrase is alone, so that a file cannot be meant for somebody else at the same time.
  if (stanzas.length !== 1 || !/^[1-9][0-9]?$/.test(factor))
    throw new BackupError(`${archive} is not a valid age file: copy it again.`)
  if (Number(factor) > LARGEST_WORK_FACTOR)
    throw new BackupError(
      `${archive} asks for more work than a passphrase needs (scrypt 2^${factor}; the limit is 2^${LARGEST_WORK_FACTOR}): it was not made by a box. If you trust it, decrypt it with "age -d" first.`,
    )
  return { byPassphrase: true }
}
