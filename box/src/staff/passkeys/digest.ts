/** The journal's digest of a passkey: one hash over both of its parts, so that neither can be put in the place of another. Pure. */
import { createHash } from 'node:crypto'

/** SHA-256, hex. The length of the credential id goes before it: no byte can move from one part to the other. */
export function credentialDigest({ credential, publicKey }: { credential: Buffer; publicKey: Buffer }): string {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(credential.length)
  return createHash('sha256').update(length).update(credential).update(publicKey).digest('hex')
}
