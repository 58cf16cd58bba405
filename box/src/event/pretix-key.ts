/** The public keys with which pretix signs ticket codes, as its API publishes them and the event file has them. */
import { createPublicKey, type KeyObject } from 'node:crypto'

/** @param base64 of a PEM file @throws for a text that is no Ed25519 key */
export function pretixKey(base64: string): KeyObject {
  const key = createPublicKey(Buffer.from(base64, 'base64').toString('latin1'))
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('not an Ed25519 key')
  return key
}

export function isPretixKey(base64: string): boolean {
  try {
    return pretixKey(base64).type === 'public'
  } catch {
    return false
  }
}
