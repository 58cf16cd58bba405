import type { SigningKey } from './keys.ts'
import { signRequest } from './sign.ts'

export interface SignedRequestInit extends Omit<RequestInit, 'headers' | 'body'> {
  /** Added before the request is signed. */
  headers?: Readonly<Record<string, string>>
}

/**
 * A copy of a `Request` with the headers that sign it. One copy and no more: in Node a request whose signal another one follows
 * may be collected before the other is aborted.
 * @param now unix ms by the box: a signature that is a minute off is refused
 * @param nonce fresh for each request
 */
export async function signedRequest(
  request: Request,
  key: SigningKey,
  { now, nonce }: { now: number; nonce: string },
  init: SignedRequestInit = {},
): Promise<Request> {
  const { method, url } = request
  const headers = new Headers(request.headers)
  for (const [name, value] of Object.entries(init.headers ?? {})) headers.set(name, value)
  const body = new Uint8Array(await request.clone().arrayBuffer())
  const added = await signRequest({ method, url, headers, body }, { ...key, created: Math.floor(now / 1000), nonce })
  for (const [name, value] of Object.entries(added)) headers.set(name, value)
  return new Request(request, { ...init, headers })
}
