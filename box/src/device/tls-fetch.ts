/** `fetch` with a TLS client certificate, which a native client can use and a browser cannot script. */
import { Agent, fetch } from 'undici'

export interface TlsOptions {
  /** PEM: one or more CAs, one of which has to have issued the box's certificate. */
  ca?: string | string[]
  /** PEM: this device's certificate and key. */
  cert?: string
  key?: string
  /** For the first contact, before the authority is known: no answer that is read this way may be trusted. */
  trustAnybody?: boolean
  /** Timeout of the connection and of the answer, in milliseconds; by default 10 s and 5 min. */
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
  // undici forwards an abort only while the request object exists: it is kept until the answer has been read.
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
