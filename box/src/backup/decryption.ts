/** Opens an archive that was encrypted with age, armored or not; one that was not is read as it is. */
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { Decrypter } from 'age-encryption'
import { LONGEST_HEADER, readAgeHeader } from './age-header.ts'
import { ARMOR_BEGIN, dearmor } from './armor.ts'
import { webStreamOf } from './encryption.ts'
import { BackupError } from './manifest.ts'

export interface Keys {
  /** Asked for when the archive is encrypted with one. @throws BackupError where there is none */
  passphrase: () => Promise<string>
  /** Of age (`AGE-SECRET-KEY-1...`), for an archive that is encrypted for recipients. @throws BackupError where there are none */
  identities: () => Promise<readonly string[]>
}

/**
 * The gzipped archive. Its stream fails with a BackupError if the encrypted one was changed or cut short: age authenticates it in
 * pieces of 64 KiB, so that nothing may be put in place before its end.
 * @param from the archive's bytes, which nobody has checked
 * @param archive what messages call it
 * @throws BackupError if it cannot be opened with these keys; a system error if it cannot be read
 */
export async function openArchive(from: Readable, archive: string, keys?: Keys): Promise<Readable> {
  try {
    const { start, whole } = await peek(from, ARMOR_BEGIN.length + 1)
    const first = start.toString('latin1').trimStart()
    if (first.startsWith('age-encryption.org/')) return await decrypted(whole, archive, keys)
    if (first.startsWith(ARMOR_BEGIN)) return await decrypted(whole.compose(dearmor(archive)), archive, keys)
    return whole
  } catch (error) {
    from.destroy()
    throw error
  }
}

async function decrypted(from: Readable, archive: string, keys: Keys | undefined): Promise<Readable> {
  const { start, whole } = await peek(from, LONGEST_HEADER)
  const { byPassphrase } = readAgeHeader(start, archive)
  if (!keys) throw new BackupError(`${archive} is encrypted: give its passphrase or an age identity.`)
  const decrypter = new Decrypter()
  if (byPassphrase) decrypter.addPassphrase(await keys.passphrase())
  else for (const identity of await keys.identities()) addIdentity(decrypter, identity)
  const plain = await decrypter.decrypt(webStreamOf(whole)).catch((cause) => {
    throw refusal(cause, archive, byPassphrase)
  })
  const changed = (cause: unknown) =>
    new BackupError(`${archive} was changed after it was encrypted, or is cut short: copy it again.`, { cause })
  return Readable.from(failingWith(plain as WebStream<Uint8Array>, changed), { objectMode: false })
}

/** @throws BackupError that does not say what it got: it is a secret */
function addIdentity(decrypter: Decrypter, identity: string): void {
  try {
    decrypter.addIdentity(identity)
  } catch (cause) {
    throw new BackupError('The identity file has a line that is not an age identity (AGE-SECRET-KEY-1...).', {
      cause,
    })
  }
}

function refusal(cause: Error, archive: string, byPassphrase: boolean): Error {
  if (cause instanceof BackupError || (cause as NodeJS.ErrnoException).syscall) return cause
  if (/no identity matched/.test(cause.message))
    return new BackupError(
      byPassphrase
        ? `That is not the passphrase of ${archive}: type it exactly, with its capitals and spaces. Nothing was changed.`
        : `${archive} is encrypted for other recipients: this identity does not open it. Nothing was changed.`,
      { cause },
    )
  return new BackupError(`${archive} is not a valid age file, or was changed: copy it again.`, { cause })
}

async function* failingWith(from: WebStream<Uint8Array>, failure: (cause: unknown) => Error) {
  try {
    yield* from
  } catch (cause) {
    throw cause instanceof BackupError || (cause as NodeJS.ErrnoException).syscall ? cause : failure(cause)
  }
}

/** The first bytes of a stream, and the whole stream, those too. Fewer where it has no more. */
async function peek(from: Readable, bytes: number): Promise<{ start: Buffer; whole: Readable }> {
  const rest = from[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const parts: Buffer[] = []
  let length = 0
  while (length < bytes) {
    const { value, done } = await rest.next()
    if (done) break
    parts.push(value)
    length += value.length
  }
  const start = Buffer.concat(parts)
  async function* all() {
    if (start.length > 0) yield start
    yield* { [Symbol.asyncIterator]: () => rest }
  }
  return { start, whole: Readable.from(all(), { objectMode: false }) }
}
