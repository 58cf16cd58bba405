/**
 * Stands before a real pretix as the hosted one does: after so many requests 429 with `Retry-After`, until that has passed. One that is
 * installed has no limit. Requests are counted whatever their rate, so that a slow machine comes to the limit too.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

interface Limit {
  requests: number
  pauseSeconds: number
}

/** Requests that were sent before the refusal arrived. */
const UNDER_WAY_MS = 250

export class LimitedPretix implements AsyncDisposable {
  passed = 0
  refused = 0
  /** Requests before the end of a `Retry-After` that their sender knew. */
  early = 0
  readonly #server: Server
  readonly #limit: Limit
  readonly #target: URL
  #left: number
  #told = { at: Number.POSITIVE_INFINITY, until: 0 }

  private constructor(target: string, limit: Limit) {
    this.#target = new URL(target)
    this.#limit = limit
    this.#left = limit.requests
    this.#server = createServer((incoming, response) => this.#handle(incoming, response))
  }

  static async start({ url }: { url: string }, limit: Limit): Promise<LimitedPretix> {
    const limited = new LimitedPretix(url, limit)
    limited.#server.listen(0, '127.0.0.1')
    await once(limited.#server, 'listening')
    return limited
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #handle(incoming: IncomingMessage, response: ServerResponse): void {
    const now = Date.now()
    if (now > this.#told.at + UNDER_WAY_MS && now < this.#told.until) this.early++
    if (now >= this.#told.until && this.#left-- === 0) {
      this.#left = this.#limit.requests
      this.#told = { at: now, until: now + this.#limit.pauseSeconds * 1000 }
    }
    if (now < this.#told.until) {
      this.refused++
      const body = JSON.stringify({ detail: 'Request was throttled.' })
      const seconds = Math.ceil((this.#told.until - now) / 1000)
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': String(seconds) }).end(body)
      return
    }
    this.passed++
    const { method, url = '/', headers } = incoming
    const { hostname, port, host } = this.#target
    const onward = request({ hostname, port, method, path: url, headers: { ...headers, host } }, (answer) => {
      // The client may have given up meanwhile.
      if (response.destroyed) return void answer.resume()
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      pipeline(answer, response, () => {})
    })
    onward.on('error', () => response.destroy())
    pipeline(incoming, onward, () => {})
  }
}
