import { signRequest } from '@gatehouse/proto/signature/sign.ts'

/** A copy of a request that carries its signature (RFC 9421). */
export async function signedRequest(request: Request, by: Parameters<typeof signRequest>[1]): Promise<Request> {
  const body = request.method === 'GET' ? undefined : new Uint8Array(await request.clone().arrayBuffer())
  const { method, url, headers } = request
  const added = await signRequest({ method, url, headers, ...(body && { body }) }, by)
  const all = new Headers(headers)
  for (const [name, value] of Object.entries(added)) all.set(name, value)
  return new Request(request, { headers: all })
}
