/** The one kind of key that devices, phones and members of the mesh are certified with: EC on the curve P-256. */
import { createPublicKey, type KeyObject } from 'node:crypto'

/** @param spki SubjectPublicKeyInfo in DER, from anybody. @returns undefined for every other kind of key, and for no key */
export function readP256(spki: Uint8Array): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined
  } catch {
    return undefined
  }
}
