/** `fetch` for a device with a certificate of its own: what a browser cannot script, and a native client can. */
import { Agent, fetch } from 'undici'

export interface TlsOptions {
  /** PEM: the authority, or one of the authorities, that the box's certificate must be from. */
  ca?: string | string[]
  /** PEM: this device's certificate and key. */
  cert?: string
  key?: string
  /** For the first contact, when the authority is not known yet: nothing that is read this way may be believed. */
  trustAnybody?: boolean
  /** How long to wait for a connection, and then for an answer; otherwise 10 s, and 5 min. */
  patienceMs?: number
}

export interface TlsFetch extends AsyncDisposable {
  (request: Request): Promise<Response>
}

/** Keeps connections alive; dispose it to close them. */
export function tlsFetch({ trustAnybody, patienceMs, ...pem }: TlsOptions): TlsFetch {
  const patience = patienceMs === undefined ? {} : { timeout: patienceMs }
  const dispatcher = new Agent({
    connect: { ...pem, ...patience, rejectUnauthorized: trustAnybody !== true },
    ...(patienceMs !== undefined && { headersTimeout: patienceMs }),
  })
  // Once a request is collected, undici passes its abort on no more: it stays as long as somebody reads the answer.
  const requests = new WeakMap<object, Request>()
  const run = async (request: Request) => {
    const body = request.method === 'GET' ? undefined : new Uint8Array(await request.arrayBuffer())
    const headers = Object.fromEntries(request.headers)
    const answer = await fetch(request.url, {
      method: request.method,
      headers,
      dispatcher,
      signal: request.signal,
      ...(body && { body }),
    })
    requests.set(answer.body ?? answer, request)
    return answer as unknown as Response
  }
  return Object.assign(run, { [Symbol.asyncDispose]: () => dispatcher.destroy() })
}
