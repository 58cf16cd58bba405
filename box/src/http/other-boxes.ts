/**
 * A scanner whose own box is gone goes on at the next one, and stays the page that its own box sent: it asks across origins
 * (CORS, the Fetch standard). The pages of the event's other boxes may read what the open and the device tier answer, which
 * still want certificate and token; nobody else's page may read anything, and no page but this box's own the rest.
 */
import type { MeshStanding } from '@gatehouse/proto/wire/mesh.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { GatehouseError } from '../errors.ts'
import type { App } from './app.ts'

/** `https://host:port` of each other box of the event, as its topology has them now; none for a box alone. */
export type Origins = () => readonly string[]

/** The origins of the other boxes; an address that is none is left out, so that nothing else gets into a header. */
export function originsOf(standing: Pick<MeshStanding, 'boxes'> | undefined): string[] {
  const urls = (standing?.boxes ?? []).flatMap(({ self, url }) => (self || url === null ? [] : url))
  const origins = urls.map((url) => URL.parse(url)).filter((url) => url?.protocol === 'https:')
  return [...new Set(origins.flatMap((url) => url?.origin ?? []))]
}

/** What a scanner sends beside what every page may. */
const SENT = [
  ...['authorization', 'content-type', 'content-digest', 'signature', 'signature-input'],
  ...['if-none-match', 'last-event-id'],
].join(', ')
/** What it reads beside what every page may. */
const READ = 'etag, retry-after'
/** Two hours, which is as long as a browser remembers: a scan should not wait for a question and its answer first. */
const REMEMBER_SECONDS = 7200

export class OtherBoxes {
  readonly #origins: Origins
  /** By URL as its route has it. */
  readonly #methods = new Map<string, Set<string>>()

  constructor(origins: Origins) {
    this.#origins = origins
  }

  /**
   * The routes that are registered on `scope` from now on may be asked by pages of the other boxes.
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
    // Before anybody is asked who they are: a scanner must be able to read that it is not known, too.
    scope.addHook('onRequest', (request, reply, done) => {
      if (isMeant(request.routeOptions.url)) this.#allow(request, reply)
      done()
    })
  }

  /** Answers what a browser asks before it sends such a request. Register it after the routes that are to be asked. */
  preflights(scope: App): void {
    for (const [url, methods] of this.#methods) {
      scope.options(url, (request, reply) => {
        // To everybody else there is nothing here, as for a box alone.
        if (!this.#allow(request, reply)) throw notHere()
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
    // A browser keeps answers by their address: what it read for one page it must not show to another.
    reply.header('vary', 'origin')
    if (origin === undefined || !origins.includes(origin)) return false
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': READ })
    return true
  }
}

function notHere(): GatehouseError {
  return new GatehouseError('not_found', 'There is nothing at this address: check method, URL and API version.')
}
