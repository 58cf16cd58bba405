/**
 * Asks one box of an event, and nobody in between: its certificate has to be from the authority whose fingerprint came with the
 * invite. By which name it is reached does not matter, since no one else has a certificate for a server from there.
 */
import { Agent, fetch } from 'undici'

/**
 * Which certificate a box that has an organiser's own one as well is to show: no host's name, so that none is taken for it.
 * RFC 6761 keeps `.invalid` from ever being one.
 */
export const OWN_CERTIFICATE = 'gatehouse-mesh.invalid'

export interface Pinned extends AsyncDisposable {
  /** `path` with a JSON body. The answer's body is read as it comes. */
  post(path: string, body: unknown, signal?: AbortSignal): Promise<Response>
  get(path: string, signal?: AbortSignal): Promise<Response>
}

/**
 * @param url `https://host:port`
 * @param ca PEM: the authority, and no other one counts
 * @param token an admin's, for a box of one's own
 */
export function pinned(url: string, ca: string, token?: string): Pinned {
  const connect = { ca, servername: OWN_CERTIFICATE, checkServerIdentity: () => undefined }
  const dispatcher = new Agent({ connect })
  const ask = async (path: string, init: { method: string; body?: string; signal?: AbortSignal | undefined }) => {
    const { signal, ...rest } = init
    const answer = await fetch(`${url}${path}`, {
      ...rest,
      headers: {
        ...(init.body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(signal && { signal }),
      ...{ dispatcher, redirect: 'error' },
    })
    return answer as unknown as Response
  }
  return {
    post: (path, body, signal) => ask(path, { method: 'POST', body: JSON.stringify(body), signal }),
    get: (path, signal) => ask(path, { method: 'GET', signal }),
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  }
}
