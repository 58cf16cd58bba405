/** Bounds the requests of a tier that are being answered: what they wait for, a commit or a thread, has a queue of its own. */
import type { FastifyRequest } from 'fastify'
import { GatehouseError } from '../errors.ts'
import type { App } from './app.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its answer goes on for as long as the reader likes: streams are bounded by their readers. */
    isStream?: boolean
  }
}

/** A count that several listeners share. */
export class InFlight {
  readonly #most: number
  readonly #requests = new Set<FastifyRequest>()

  constructor(most: number) {
    this.#most = most
  }

  /** @throws GatehouseError `rate_limited` */
  begin(request: FastifyRequest): void {
    if (this.#requests.size >= this.#most) {
      throw new GatehouseError('rate_limited', 'The box has too much to do at this moment: try again in a second.', {
        retryAfterSeconds: 1,
      })
    }
    this.#requests.add(request)
  }

  end(request: FastifyRequest): void {
    this.#requests.delete(request)
  }
}

/**
 * Counts the requests of `app` from when their bodies are read until their answers are ready: a client that sends or reads slowly
 * takes nobody's place. Event streams do not count.
 */
export function boundInFlight(app: App, inFlight: InFlight): void {
  app.addHook('preHandler', (request, reply, done) => {
    if (request.routeOptions.config.isStream) {
      done()
      return
    }
    inFlight.begin(request)
    reply.raw.once('close', () => inFlight.end(request))
    done()
  })
  app.addHook('onSend', (request, _reply, _payload, done) => {
    inFlight.end(request)
    done()
  })
}
