/** Makes requests wait at a turnstile, before their bodies are read. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../network.ts'
import type { App } from './app.ts'
import type { Turnstile, WaitingFor } from './turnstile.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The request does not wait for its turn: it may come from a gate. */
    skipTurnstile?: boolean
    /** The request of a device has much to do, and nobody waits for it: one of each device is answered at a time. */
    isLong?: boolean
  }
  interface FastifyRequest {
    /** Gives up the request's place; set once it was let in. */
    leaveTurnstile: (() => void) | null
  }
}

/** Makes every request of `app` wait, except for those of routes that skip it. */
export function waitAtTurnstile(app: App, turnstile: Turnstile): void {
  app.decorateRequest('leaveTurnstile', null)
  app.addHook('onRequest', async (request, reply) => {
    if (!request.routeOptions.config.skipTurnstile) await enter(turnstile, request, reply)
  })
  app.addHook('preHandler', (request, _reply, done) => {
    request.leaveTurnstile?.()
    done()
  })
}

/** The routes that are registered on `app` from now on do not wait; a refused request does, before it is answered. */
export function skipTurnstile(app: App): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, skipTurnstile: true }
  })
}

/** Takes a place, and gives it up when the body was read or the request is over. @throws GatehouseError `rate_limited` */
export async function enter(turnstile: Turnstile, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  request.leaveTurnstile = await placeOf(turnstile.enter(networkOf(request.ip), placeFor(request.ip, reply)), reply)
}

/** Makes long requests of `app` wait for each other and for live scans, until they are answered. After the device was found. */
export function waitByDevice(app: App, turnstile: Turnstile): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.isLong)
      await placeOf(turnstile.enter(request.device.id, placeFor(request.ip, reply)), reply)
  })
}

function placeFor(address: string, { raw }: FastifyReply): WaitingFor {
  return { address, isGone: () => raw.destroyed }
}

async function placeOf(entering: Promise<() => void>, reply: FastifyReply): Promise<() => void> {
  const leave = await entering
  if (reply.raw.destroyed) leave()
  else reply.raw.once('close', leave)
  return leave
}
