/** Signs requests for a claimed ticket with the phone's key (RFC 9421): the box shows such a ticket to nobody else. */
import { toBase64 } from '@gatehouse/proto/base64.ts'
import { signedRequest } from '@gatehouse/proto/signature/request.ts'
import type { TicketKey } from '../wallet/ed25519.ts'

/** @param now unix ms by the box @param nonce fresh for each request */
export function signedBy(key: TicketKey, request: Request, now: number, nonce: string): Promise<Request> {
  const keyId = toBase64(key.publicKey).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return signedRequest(request, { keyId, alg: 'ed25519', sign: (base) => key.sign(base) }, { now, nonce })
}
