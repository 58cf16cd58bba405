/**
 * An HTTPS client for a box of an event: its certificate has to be from the authority whose fingerprint came with the invite. The
 * host name does not matter, because the authority issues server certificates to boxes only.
 */
import { Agent, fetch } from 'undici'
import { OWN_CERTIFICATE } from '../../http/own-certificate.ts'

export interface PinnedClient extends AsyncDisposable {
  /** Sends a JSON body. The answer's body is not buffered. */
  post(path: string, body: unknown, signal?: AbortSignal, headers?: Record<string, string>): Promise<Response>
  get(path: string, signal?: AbortSignal): Promise<Response>
}

interface Asked {
  method: string
  body?: string
  signal?: AbortSignal | undefined
  headers?: Record<string, string> | undefined
}

/**
 * @param url `https://host:port`
 * @param ca PEM: the only authority that is trusted
 * @param token admin token, for the operator's own box
 */
export function pinnedClient(url: string, ca: string, token?: string): PinnedClient {
  const connect = { ca, servername: OWN_CERTIFICATE, checkServerIdentity: () => undefined }
  const dispatcher = new Agent({ connect })
  const ask = async (path: string, init: Asked) => {
    const { signal, headers, ...rest } = init
    const answer = await fetch(`${url}${path}`, {
      ...rest,
      headers: {
        ...headers,
        ...(init.body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(signal && { signal }),
      dispatcher,
      redirect: 'error',
    })
    return answer as unknown as Response
  }
  return {
    post: (path, body, signal, headers) => ask(path, { method: 'POST', body: JSON.stringify(body), signal, headers }),
    get: (path, signal) => ask(path, { method: 'GET', signal }),
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  }
}
