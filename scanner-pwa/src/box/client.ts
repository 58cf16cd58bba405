/**
 * Requests to the active box, signed with the key of the scanner's certificate (`box/docs/authentication.md`). A signature
 * covers the address: it is valid for one box only.
 */
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import { webCryptoSigner } from '@gatehouse/proto/signature/keys.ts'
import { signedRequest } from '@gatehouse/proto/signature/request.ts'
import type { Identity } from '../pairing/identity.ts'
import type { ActiveBox } from './active-box.ts'
import { isEnd } from './answers.ts'
import type { Ended } from './ended.ts'
import type { Link } from './link.ts'

/** A box on the same network answers at once, or is gone. */
const PATIENCE_MS = 15_000

export interface BoxClientDeps {
  active: ActiveBox
  /** Records each answer of the active box, and each failure. */
  link: Link
  /** Records that the box has refused this device for good. */
  ended: Ended
  fetch: (request: Request) => Promise<Response>
  /** Unix ms, corrected: the box refuses a signature that is off by a minute. */
  now: () => number
  uuid: () => string
  /** Ends the requests under way: the scanner is being closed. */
  closing: AbortSignal
}

export interface BoxClient {
  /** Of the box that is active when this is read. */
  readonly client: GatehouseClient
  /** Of the same box, for scans of a rehearsal: a box that knows of none refuses each request. */
  readonly rehearsing: GatehouseClient
  /** Of the box at this origin. Its answers say nothing about the active box, unless it is the active one. */
  of(origin: string): GatehouseClient
  /** Sends a request that is not for JSON: the event stream. Has no deadline. */
  fetch: (request: Request) => Promise<Response>
}

export function boxClient(identity: Identity, deps: BoxClientDeps): BoxClient {
  const { active, link, ended } = deps
  const sign = signer(identity, deps)

  async function send(request: Request): Promise<Response> {
    const signed = await sign(request)
    // The outcome of a request to the box that was active before says nothing about this one.
    const isToActive = () => new URL(signed.url).origin === active.origin.peek()
    try {
      const response = await deps.fetch(signed)
      if (!isToActive()) return response
      if (active.isAway.peek() && (await isNotYetKnown(response))) {
        active.notKnownHere()
        throw new TypeError('This box does not know the scanner.')
      }
      link.answered()
      if (response.status === 401 || response.status === 403) void lookForEnd(response, ended)
      return response
    } catch (cause) {
      if (isToActive() && !isGivenUp(signed.signal)) link.lost()
      throw cause
    }
  }

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
      return of(active.origin.peek())
    },
    get rehearsing() {
      return of(`${active.origin.peek()}/rehearsal`)
    },
    of,
    fetch: send,
  }
}

/** Signs requests in the name of this scanner. */
function signer(identity: Identity, { now, uuid, closing }: BoxClientDeps): (request: Request) => Promise<Request> {
  const alg = 'ecdsa-p256-sha256'
  const key = { keyId: identity.deviceId, alg, sign: webCryptoSigner(alg, identity.key) } as const
  const headers = { authorization: `Bearer ${identity.token}` }
  return (request) => {
    const signal = AbortSignal.any([request.signal, closing])
    return signedRequest(request, key, { now: now(), nonce: uuid() }, { headers, cache: 'no-store', signal })
  }
}

/** True where the box does not know this scanner. Its home does, and the pairing may not have reached this box yet. */
async function isNotYetKnown(response: Response): Promise<boolean> {
  if (response.status !== 401) return false
  const code = await codeOf(response)
  return code !== 'device_revoked' && isEnd(code)
}

async function lookForEnd(response: Response, ended: Ended): Promise<void> {
  const code = await codeOf(response)
  if (isEnd(code)) ended.refused(code)
}

async function codeOf(response: Response): Promise<string | undefined> {
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { code?: string } | undefined
  return body?.code
}

/** Given up by the caller, or because the scanner is closing, and not for want of an answer. */
function isGivenUp({ aborted, reason }: AbortSignal): boolean {
  return aborted && !(reason instanceof DOMException && reason.name === 'TimeoutError')
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
