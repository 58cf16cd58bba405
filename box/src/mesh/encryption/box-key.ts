/**
 * This box's key pair, for what the other boxes encrypt for it alone (X25519): in a file of its own, in no ledger and in no
 * backup. A box that loses the file makes another pair, and puts the new public key into the list of boxes.
 */
import { join } from 'node:path'
import nacl from 'tweetnacl'
import { Type } from 'typebox'
import { createDurably, readIfThere } from '../../durable-file.ts'

/** In the data folder; `backup/backup.ts` leaves it out. */
const FILE = 'mesh-encryption.key'
const BYTES = 32

/** 32 bytes each. */
export interface BoxKey {
  readonly publicKey: Uint8Array
  readonly secretKey: Uint8Array
}

/** A public key as the list of boxes has it: base64. */
export const BoxPublicKey = Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' })

/** Reads this box's key pair, and makes it where there is none. @throws Error for a damaged file */
export async function openBoxKey(dataDir: string, random: (size: number) => Buffer): Promise<BoxKey> {
  const path = join(dataDir, FILE)
  await createDurably(path, `${random(BYTES).toString('base64')}\n`)
  const secret = Buffer.from((await readIfThere(path)) ?? '', 'base64')
  if (secret.length !== BYTES)
    throw new Error(`${path} holds no key: remove the file, and the next start makes a new one.`)
  return boxKeyOf(secret)
}

/** @param secret 32 bytes */
export function boxKeyOf(secret: Uint8Array): BoxKey {
  const { publicKey, secretKey } = nacl.box.keyPair.fromSecretKey(new Uint8Array(secret))
  return { publicKey, secretKey }
}

export function encodePublicKey({ publicKey }: Pick<BoxKey, 'publicKey'>): string {
  return Buffer.from(publicKey).toString('base64')
}

/** False for a public key of small order: everybody could open what is encrypted for it. */
export function isUsable(publicKey: string): boolean {
  const bytes = new Uint8Array(Buffer.from(publicKey, 'base64'))
  return bytes.length === BYTES && nacl.scalarMult(new Uint8Array(BYTES).fill(8), bytes).some((byte) => byte !== 0)
}
