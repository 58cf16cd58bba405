/** The public key that verifies a device's signed requests. */
import { type KeyObject, verify } from 'node:crypto'
import type { VerifyingKey } from '@gatehouse/proto/signature/keys.ts'

/**
 * A device's certified key (EC P-256), for `verify`. By node:crypto and in the caller's
 * thread: twice as fast as WebCrypto, and a scan waits for it.
 */
export function requestKey(publicKey: KeyObject): VerifyingKey {
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
  return { alg: 'ecdsa-p256-sha256', verify: (base, signature) => verify('sha256', base, key, signature) }
}
