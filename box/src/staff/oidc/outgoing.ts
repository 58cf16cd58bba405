/** Requests to the provider: over TLS alone, ten seconds, a quarter of a megabyte, no redirect. A provider that lies costs no more. */
import { readFileSync } from 'node:fs'
import type { CustomFetch } from 'openid-client'
import { Agent, request } from 'undici'
import { GatehouseError } from '../../errors.ts'

const TIMEOUT_MS = 10_000
const MOST_BYTES = 256 * 1024

export interface Outgoing extends AsyncDisposable {
  readonly fetch: CustomFetch
}

/** @param ca PEM file in place of the public CAs @throws Error for one that cannot be read */
export function outgoing(ca: string | undefined): Outgoing {
  const connect = { timeout: TIMEOUT_MS, ...(ca !== undefined && { ca: readFileSync(ca, 'utf8') }) }
  const agent = new Agent({ connections: 4, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS, connect })
  const fetch: CustomFetch = async (url, { method, headers, body }) => {
    if (URL.parse(url)?.protocol !== 'https:') throw new Error('The provider names an address without https.')
    const answer = await request(url, {
      method: method as 'GET' | 'POST',
      headers,
      ...(body !== undefined && body !== null && { body: String(body) }),
      dispatcher: agent,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(away)
    const { statusCode: status } = answer
    const bytes = await bodyOf(answer.body).catch(away)
    if (status >= 500 || status === 429) away(new Error(`status ${status}`))
    const said = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    )
    // A status without a body, 204 or 304, takes none.
    return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), { status, headers: said })
  }
  return { fetch, [Symbol.asyncDispose]: () => agent.destroy() }
}

async function bodyOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    // To leave the loop ends the connection.
    if (size > MOST_BYTES) throw new Error(`more than ${MOST_BYTES} bytes`)
  }
  return Buffer.concat(chunks)
}

function away(cause: unknown): never {
  throw new GatehouseError('provider_unavailable', AWAY, { reason: 'provider_away', cause })
}

const AWAY =
  "The organiser's sign-in does not answer: this box may be without internet. Sign in with name and PIN, or on a paired tablet."
