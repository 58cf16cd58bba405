/** Requests to the box, signed with the key of the scanner's certificate (`box/docs/authentication.md`). */
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import { signRequest, webCryptoSigner } from '@gatehouse/proto/signature.ts'
import type { Identity } from './identity.ts'

/** A box on the same network answers at once, or is not there. */
const PATIENCE_MS = 15_000

export interface BoxClientDeps {
  fetch: (request: Request) => Promise<Response>
  /** Unix ms, corrected: the box takes no signature that is off by a minute. */
  now: () => number
  uuid: () => string
  /** Ends what is under way: the scanner is being closed. */
  closing: AbortSignal
  /** Told of every request that was answered, and of each that was not. */
  answered?: (response: Response) => void
  unanswered?: (cause: unknown) => void
}

export interface BoxClient {
  client: GatehouseClient
  /** The same for what is no JSON: the event stream. Has no deadline. */
  fetch: (request: Request) => Promise<Response>
}

export function boxClient(identity: Identity, deps: BoxClientDeps): BoxClient {
  const { answered, unanswered } = deps
  const sign = webCryptoSigner('ecdsa-p256-sha256', identity.key)

  async function signed(request: Request): Promise<Request> {
    const { method, url } = request
    const headers = new Headers(request.headers)
    headers.set('authorization', `Bearer ${identity.token}`)
    const body = new Uint8Array(await request.clone().arrayBuffer())
    const added = await signRequest(
      { method, url, headers, body },
      {
        ...{ keyId: identity.deviceId, alg: 'ecdsa-p256-sha256', sign, nonce: deps.uuid() },
        created: Math.floor(deps.now() / 1000),
      },
    )
    for (const [name, value] of Object.entries(added)) headers.set(name, value)
    return new Request(request, { headers, cache: 'no-store', signal: AbortSignal.any([request.signal, deps.closing]) })
  }

  async function send(request: Request): Promise<Response> {
    const ready = await signed(request)
    try {
      const response = await deps.fetch(ready)
      answered?.(response)
      return response
    } catch (cause) {
      // Given up by the caller, or because the scanner is closing: that says nothing of the box.
      const { reason } = ready.signal
      if (!ready.signal.aborted || (reason instanceof DOMException && reason.name === 'TimeoutError')) {
        unanswered?.(cause)
      }
      throw cause
    }
  }

  const patient = (request: Request) =>
    send(new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(PATIENCE_MS)]) }))
  return { client: gatehouseClient({ baseUrl: identity.baseUrl, fetch: patient }), fetch: send }
}

/** For the open tier, before there is anything to sign with. */
export function openClient(
  origin: string,
  fetch: (request: Request) => Promise<Response>,
  closing?: AbortSignal,
): GatehouseClient {
  return gatehouseClient({
    baseUrl: origin,
    fetch(request) {
      const ends = [request.signal, AbortSignal.timeout(PATIENCE_MS), ...(closing ? [closing] : [])]
      return fetch(new Request(request, { cache: 'no-store', signal: AbortSignal.any(ends) }))
    },
  })
}
