/** Signs with the phone's key: the claim of a ticket, and then requests for it (RFC 9421), because the box shows it to nobody else. */
import { toBase64 } from '@gatehouse/proto/base64.ts'
import { claimBytes } from '@gatehouse/proto/claim.ts'
import { signedRequest } from '@gatehouse/proto/signature/request.ts'
import type { TicketKey } from '../wallet/ed25519.ts'

/** The body of a claim, with its proof. */
export async function claimBody(id: string, key: TicketKey): Promise<{ public_key: string; proof: string }> {
  const proof = await key.sign(claimBytes(id))
  return { public_key: toBase64(key.publicKey), proof: toBase64(proof) }
}

/** @param now unix ms by the box @param nonce fresh for each request */
export function signedBy(key: TicketKey, request: Request, now: number, nonce: string): Promise<Request> {
  const keyId = toBase64(key.publicKey).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return signedRequest(request, { keyId, alg: 'ed25519', sign: (base) => key.sign(base) }, { now, nonce })
}
