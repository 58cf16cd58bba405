/**
 * Encrypts a backup as an age file (age-encryption.org/v1), which the `age` command can open too. The work is in JavaScript: a box
 * that is scanning does it in a thread (archive-thread.ts).
 */
import type { Readable } from 'node:stream'
import { ReadableStream as WebStream } from 'node:stream/web'
import { Encrypter } from 'age-encryption'

/** The encryption of a backup: it opens with the passphrase, or with the identity of any one recipient. */
export type Encryption = { readonly passphrase: string } | { readonly recipients: readonly string[] }

/**
 * log2 of scrypt's N: 128 MiB for a moment, on a board of 1 GB that is scanning meanwhile, and what OWASP recommends as the least
 * (N = 2^17, r = 8, p = 1). `age -p` takes 18.
 */
const WORK_FACTOR = 17
/** Its message never repeats what was typed, which may be a secret identity by mistake. */
export class EncryptionError extends Error {
  override readonly name = 'EncryptionError'
  /** Its place among the recipients, from 1. */
  readonly recipient: number

  constructor(recipient: number, cause: unknown) {
    super(
      `Recipient ${recipient} is not a valid age public key. It begins with age1: copy it again from "age-keygen -y".`,
      { cause },
    )
    this.recipient = recipient
  }
}

/** @throws EncryptionError for a recipient that is not a valid age public key */
export async function encrypterFor(encryption: Encryption): Promise<Encrypter> {
  const encrypter = new Encrypter()
  if ('passphrase' in encryption) {
    encrypter.setPassphrase(encryption.passphrase)
    encrypter.setScryptWorkFactor(WORK_FACTOR)
    return encrypter
  }
  for (const [i, recipient] of encryption.recipients.entries()) {
    try {
      const alone = new Encrypter()
      alone.addRecipient(recipient)
      // Some mistakes show only when it is used: a public key that everybody can compute the secret of.
      await alone.encrypt('')
      encrypter.addRecipient(recipient)
    } catch (cause) {
      throw new EncryptionError(i + 1, cause)
    }
  }
  return encrypter
}

/** The encrypted archive, produced as fast as it is read. It fails when `plain` fails, and ends `plain` when it is given up. */
export async function encrypted(plain: Readable, encrypter: Encrypter): Promise<WebStream<Uint8Array>> {
  try {
    return (await encrypter.encrypt(webStreamOf(plain))) as WebStream<Uint8Array>
  } catch (error) {
    plain.destroy()
    throw error
  }
}

/** Not `Readable.toWeb`: that one throws, where nobody can catch it, when it is given up while its source still reads (Node 24). */
export function webStreamOf(bytes: Readable): ReadableStream<Uint8Array> {
  return WebStream.from<Uint8Array>(bytes) as ReadableStream<Uint8Array>
}

/** The name of the archive. */
export function encryptedName(name: string, encryption: Encryption | undefined): string {
  return encryption ? `${name}.age` : name
}
