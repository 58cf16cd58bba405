/** Keys of rotating codes that the box makes itself: what a wallet signs with until its holder claims the ticket. */
import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { CodeReader } from './codes.ts'
import type { NewKey } from './tickets.ts'

// In node's thread pool: an import makes a hundred thousand of them.
const makeKeyPair = promisify(generateKeyPair)

export async function newKey(codes: CodeReader): Promise<NewKey> {
  const { publicKey, privateKey } = await makeKeyPair('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const { d = '' } = privateKey.export({ format: 'jwk' })
  const raw = Buffer.from(x, 'base64url')
  return { seed: Buffer.from(d, 'base64url'), publicKey: raw, keyHash: codes.hash(raw) }
}
