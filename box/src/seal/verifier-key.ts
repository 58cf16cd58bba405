/** The keys that a box signs with, and their public halves in the form that signed notes are checked with (C2SP signed-note). */
import { createHash, createPrivateKey, type KeyObject } from 'node:crypto'
import { rawPublicKey } from '../ed25519.ts'
import type { Identity } from '../ledger/identity.ts'

const ED25519 = 0x01
/** PrivateKeyInfo of Ed25519 up to the seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** @param seed 32 bytes */
export function signingKey(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
}

/** `<name>+<key id, 8 hex>+<base64 of the algorithm byte and the key>` */
export function verifierKey(name: string, key: KeyObject): string {
  const publicKey = rawPublicKey(key)
  const encoded = Buffer.concat([Buffer.of(ED25519), publicKey])
  return `${name}+${keyId(name, publicKey).toString('hex')}+${encoded.toString('base64')}`
}

/** The key id in a note's signature line: 4 bytes, a hash of name and key. @param publicKey 32 bytes */
export function keyId(name: string, publicKey: Uint8Array): Buffer {
  const digest = createHash('sha256').update(`${name}\n`).update(Buffer.of(ED25519)).update(publicKey).digest()
  return digest.subarray(0, 4)
}

export interface BoxKeys {
  /** Name of this box's log. */
  origin: string
  /** Signs seals and exports; only this box has it. */
  logKey: KeyObject
  logVerifierKey: string
  /** Signs manifests and announcements; its public half is in ticket links. The same at every box of the event. */
  eventKey: KeyObject
  verifierKey: string
}

/** The keys that a box signs with, and how each is checked. */
export function keysOf(
  eventId: string,
  { boxId, keyBox, signingSeed, logSeed }: Pick<Identity, 'boxId' | 'keyBox' | 'signingSeed' | 'logSeed'>,
): BoxKeys {
  const origin = originOf(eventId, boxId)
  const [logKey, eventKey] = [signingKey(logSeed), signingKey(signingSeed)]
  return {
    origin,
    logKey,
    eventKey,
    logVerifierKey: verifierKey(origin, logKey),
    verifierKey: verifierKey(originOf(eventId, keyBox), eventKey),
  }
}

/** Name of a box's log: the name of its key, and the first line of its seals. */
export function originOf(eventId: string, boxId: string): string {
  return `gatehouse/${eventId}/${boxId}`
}
