/** Keys of rotating codes that the box makes itself: what a wallet signs with until its holder claims the ticket. */
import { generateKeyPair, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { CodeReader } from './codes.ts'
import type { NewKey } from './tickets.ts'

// In node's thread pool: an import makes a hundred thousand of them.
const makeKeyPair = promisify(generateKeyPair)

export async function newKey(codes: CodeReader): Promise<NewKey> {
  return keyOf(await makeKeyPair('ed25519'), codes)
}

/** In the caller's thread: where one is needed that nobody could foresee. */
export function newKeyNow(codes: CodeReader): NewKey {
  return keyOf(generateKeyPairSync('ed25519'), codes)
}

function keyOf({ publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject }, codes: CodeReader): NewKey {
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const { d = '' } = privateKey.export({ format: 'jwk' })
  const raw = Buffer.from(x, 'base64url')
  return { seed: Buffer.from(d, 'base64url'), publicKey: raw, keyHash: codes.hash(raw) }
}
