/** The box's signing key, and its public half in the form that signed notes are checked with (C2SP signed-note). */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

const ED25519 = 0x01
/** PrivateKeyInfo of Ed25519 up to the seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** @param seed 32 bytes */
export function signingKey(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
}

/** `<name>+<key id, 8 hex>+<base64 of the algorithm byte and the key>` */
export function verifierKey(name: string, key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const encoded = Buffer.concat([Buffer.of(ED25519), Buffer.from(x, 'base64url')])
  const id = createHash('sha256').update(`${name}\n`).update(encoded).digest('hex').slice(0, 8)
  return `${name}+${id}+${encoded.toString('base64')}`
}

/** What a box's log is called: the key's name, and the first line of its seals. */
export function originOf(eventId: string, boxId: string): string {
  return `gatehouse/${eventId}/${boxId}`
}
