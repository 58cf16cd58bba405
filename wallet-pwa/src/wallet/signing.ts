/** Requests for a claimed ticket, signed by the phone's key (RFC 9421): the box shows such a ticket to nobody else. */
import { toBase64 } from '@gatehouse/proto/base64.ts'
import { signRequest } from '@gatehouse/proto/signature.ts'
import type { TicketKey } from './ed25519.ts'

/** @param now Unix ms by the box @param nonce fresh for each request. For requests without a body. */
export async function signedBy(key: TicketKey, request: Request, now: number, nonce: string): Promise<Request> {
  const keyId = toBase64(key.publicKey).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  const { method, url } = request
  const added = await signRequest(
    { method, url, headers: request.headers },
    { keyId, alg: 'ed25519', created: Math.floor(now / 1000), nonce, sign: (base) => key.sign(base) },
  )
  const headers = new Headers(request.headers)
  for (const [name, value] of Object.entries(added)) headers.set(name, value)
  return new Request(request, { headers })
}
