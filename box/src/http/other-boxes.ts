/**
 * A scanner whose own box is gone continues at the next one, with the page of its own box: its requests are cross-origin
 * (CORS, the Fetch standard). Pages of the event's other boxes may read answers of the open and the device tier, which
 * still require certificate and token. No other page may read anything, and only this box's own pages may read the rest.
 */
import type { MeshStanding } from '@gatehouse/proto/wire/mesh.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type App, nothingHere } from './app.ts'

/** `https://host:port` of each other box of the event, from the present topology; none for a single box. */
export type Origins = () => readonly string[]

/** The origins of the other boxes. Invalid addresses are left out, so that nothing else gets into a header. */
export function originsOf(standing: Pick<MeshStanding, 'boxes'> | undefined): string[] {
  const urls = (standing?.boxes ?? []).flatMap(({ self, url }) => (self || url === null ? [] : url))
  const origins = urls.map((url) => URL.parse(url)).filter((url) => url?.protocol === 'https:')
  return [...new Set(origins.flatMap((url) => url?.origin ?? []))]
}

/** Request headers of a scanner that CORS does not allow by default. */
const SENT = [
  ...['authorization', 'content-type', 'content-digest', 'signature', 'signature-input'],
  ...['if-none-match', 'last-event-id'],
].join(', ')
/** Response headers that it reads and that CORS does not expose by default. */
const READ = 'etag, retry-after'
/** Two hours, the longest time for which a browser caches a preflight: a scan should not wait for one. */
const REMEMBER_SECONDS = 7200

export class OtherBoxes {
  readonly #origins: Origins
  /** By URL as its route has it. */
  readonly #methods = new Map<string, Set<string>>()

  constructor(origins: Origins) {
    this.#origins = origins
  }

  /**
   * Allows pages of the other boxes to call the routes that are registered on `scope` from now on.
   * @param only these of them
   */
  mayAsk(scope: App, only?: readonly string[]): void {
    const isMeant = (url: string | undefined) => only === undefined || (url !== undefined && only.includes(url))
    scope.addHook('onRoute', ({ url, method }) => {
      if (!isMeant(url)) return
      const known = this.#methods.get(url) ?? new Set()
      for (const each of [method].flat()) known.add(each)
      this.#methods.set(url, known)
    })
    // Before authentication: a scanner must also be able to read that it is unknown.
    scope.addHook('onRequest', (request, reply, done) => {
      if (isMeant(request.routeOptions.url)) this.#allow(request, reply)
      done()
    })
  }

  /** Answers preflight requests. Register it after the routes concerned. */
  preflights(scope: App): void {
    for (const [url, methods] of this.#methods) {
      scope.options(url, (request, reply) => {
        // For other origins there is no such route, as on a single box.
        if (!this.#allow(request, reply)) throw nothingHere()
        reply.headers({
          'access-control-allow-methods': [...methods].join(', '),
          'access-control-allow-headers': SENT,
          'access-control-max-age': String(REMEMBER_SECONDS),
        })
        return reply.code(204).send()
      })
    }
  }

  #allow({ headers: { origin } }: FastifyRequest, reply: FastifyReply): boolean {
    const origins = this.#origins()
    if (origins.length === 0) return false
    // A browser caches answers by URL: one that was allowed for one origin must not be used for another.
    reply.header('vary', 'origin')
    if (origin === undefined || !origins.includes(origin)) return false
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': READ })
    return true
  }
}
