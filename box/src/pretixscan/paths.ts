/** Registers a route under both spellings of its path: with the last slash and without. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/app.ts'

export interface OfList {
  event: string
  list: string
}

export type Handler<Params> = (request: FastifyRequest & { params: Params }, reply: FastifyReply) => unknown

/** @param url without the last slash */
export function both<Params = unknown>(app: App, method: 'GET' | 'POST', url: string, handler: Handler<Params>): void {
  for (const each of [url, `${url}/`]) {
    app.route({
      method,
      url: each,
      // An app that wants a list sends no HEAD, and a HEAD to a search would be one.
      exposeHeadRoute: false,
      handler: async (request, reply) => handler(request as FastifyRequest & { params: Params }, reply),
    })
  }
}
