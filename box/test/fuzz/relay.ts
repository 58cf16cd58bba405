/**
 * Stands between the fuzzer and a box, and does what the fuzzer cannot: signs a request as a paired browser does, or proves a joining
 * box's key. What it does not understand goes through as it is, so that the box is asked with that, too.
 */
import { createPublicKey, generateKeyPairSync, randomUUID, webcrypto } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as ask } from 'node:https'
import type { AddressInfo } from 'node:net'
import { signRequest } from '@gatehouse/proto/signature/sign.ts'
import { joinRequest } from '../../src/mesh/membership/join-request.ts'
import { originOf, verifierKey } from '../../src/seal/verifier-key.ts'
import type { TestDevice } from '../world/device.ts'

interface Relayed {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** @returns the headers and the body that are sent instead */
type Prepare = (request: Relayed) => Promise<{ headers?: Record<string, string>; body?: Buffer }>

export interface Relay extends AsyncDisposable {
  readonly url: string
  /** Number of requests that it has prepared. */
  readonly prepared: number
}

/** @param target base URL of the box's HTTPS port. @param ca PEM */
export async function openRelay(target: string, ca: string, prepare: Prepare): Promise<Relay> {
  let prepared = 0
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = 'GET', headers } = request
    // In its normal form, as a browser would send it.
    const url = new URL(request.url ?? '/', target)
    const { host, ...kept } = headers
    const relayed = { method, url: url.href, headers: kept, body: Buffer.concat(chunks) }
    const changed = await prepare(relayed).catch(() => undefined)
    if (changed) prepared++
    const body = changed?.body ?? relayed.body
    const length = body.length > 0 || !['GET', 'HEAD'].includes(method) ? { 'content-length': body.length } : {}
    delete kept['transfer-encoding']
    const asking = ask(url, { method, ca, headers: { ...kept, ...changed?.headers, ...length, host: url.host } })
    response.once('close', () => asking.destroy())
    asking.once('error', () => response.destroy())
    asking.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    asking.end(body)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get prepared() {
      return prepared
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Signs as the browser of this device. @param now unix ms */
export async function signerOf({ paired }: TestDevice, now: () => number): Promise<Prepare> {
  const der = Buffer.from(paired.key.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const key = await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign'])
  return async ({ method, url, headers, body }) => {
    // Without the token it is a request of nobody, which the box is to refuse as one.
    if (headers.authorization === undefined) return {}
    const signed = await signRequest(
      { method, url, headers: flat(headers), ...(body.length > 0 && { body: new Uint8Array(body) }) },
      {
        keyId: paired.id,
        alg: 'ecdsa-p256-sha256',
        sign: async (bytes) => new Uint8Array(await webcrypto.subtle.sign(algorithm, key, bytes)),
        created: Math.floor(now() / 1000),
        nonce: randomUUID(),
      },
    )
    return { headers: signed }
  }
}

/** Gives each box that wants to join a key and the proof of it; the rest of the request stays as it was invented. */
export function joinerOf(eventId: string): Prepare {
  const { privateKey } = generateKeyPairSync('ed25519')
  return async ({ body }) => {
    const { code, box, proof: _, ...more } = JSON.parse(body.toString())
    const log_key = verifierKey(originOf(eventId, box.id), createPublicKey(privateKey))
    return { body: Buffer.from(JSON.stringify({ ...more, ...joinRequest(code, { ...box, log_key }, privateKey) })) }
  }
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
