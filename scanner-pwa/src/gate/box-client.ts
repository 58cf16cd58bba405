/**
 * Requests to the box that is asked now, signed with the key of the scanner's certificate (`box/docs/authentication.md`). A
 * signature covers the address: it is good for one box.
 */
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import { signRequest, webCryptoSigner } from '@gatehouse/proto/signature.ts'
import type { Identity } from './identity.ts'

/** A box on the same network answers at once, or is not there. */
const PATIENCE_MS = 15_000

export interface BoxClientDeps {
  /** Origin of the box that is asked now. */
  at: () => string
  fetch: (request: Request) => Promise<Response>
  /** Unix ms, corrected: the box takes no signature that is off by a minute. */
  now: () => number
  uuid: () => string
  /** Ends what is under way: the scanner is being closed. */
  closing: AbortSignal
  /** Told of every request that the box asked now has answered, and of each that it has not. */
  answered?: (response: Response) => void
  unanswered?: (cause: unknown) => void
  /** Whether this answer of the box that is asked now is no better than none: it does not know this scanner, another does. */
  isNoAnswer?: (response: Response) => Promise<boolean>
}

export interface BoxClient {
  /** Of the box that is asked when this is read. */
  readonly client: GatehouseClient
  /** Of another one, or of the same: whether it answers says nothing of the box that is asked. */
  of(origin: string): GatehouseClient
  /** The same for what is no JSON: the event stream. Has no deadline. */
  fetch: (request: Request) => Promise<Response>
}

export function boxClient(identity: Identity, deps: BoxClientDeps): BoxClient {
  const { answered, unanswered, isNoAnswer } = deps
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
      if (!isAskedNow(ready)) return response
      if (await isNoAnswer?.(response)) throw new TypeError('This box does not know the scanner.')
      answered?.(response)
      return response
    } catch (cause) {
      // Given up by the caller, or because the scanner is closing: that says nothing of the box.
      const { reason } = ready.signal
      if (!isAskedNow(ready)) throw cause
      if (!ready.signal.aborted || (reason instanceof DOMException && reason.name === 'TimeoutError')) {
        unanswered?.(cause)
      }
      throw cause
    }
  }

  /** What becomes of a request to the box that was asked before says nothing of this one. */
  const isAskedNow = ({ url }: Request) => new URL(url).origin === deps.at()

  const patient = (request: Request) =>
    send(new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(PATIENCE_MS)]) }))
  const clients = new Map<string, GatehouseClient>()
  const of = (baseUrl: string) => {
    const client = clients.get(baseUrl) ?? gatehouseClient({ baseUrl, fetch: patient })
    clients.set(baseUrl, client)
    return client
  }
  return {
    get client() {
      return of(deps.at())
    },
    of,
    fetch: send,
  }
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
