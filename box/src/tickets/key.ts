/** Makes a ticket's own key for its rotating codes. A wallet signs with it until the holder claims the ticket with a key of the phone. */
import { generateKeyPair, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { CodeReader } from './codes.ts'
import type { NewKey } from './tickets.ts'

// In node's thread pool: an import makes a hundred thousand of them.
const makeKeyPair = promisify(generateKeyPair)

export async function newKey(codes: CodeReader): Promise<NewKey> {
  return keyOf(await makeKeyPair('ed25519'), codes)
}

/** In the caller's thread, within a transaction that turns out to need a key. */
export function newKeySync(codes: CodeReader): NewKey {
  return keyOf(generateKeyPairSync('ed25519'), codes)
}

function keyOf({ privateKey }: { privateKey: KeyObject }, codes: CodeReader): NewKey {
  // Both halves from one export: each takes as long as making the pair.
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' })
  const publicKey = Buffer.from(x, 'base64url')
  return { seed: Buffer.from(d, 'base64url'), publicKey, keyHash: codes.hash(publicKey) }
}
