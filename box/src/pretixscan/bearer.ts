/**
 * The login of a paired pretixSCAN: a token, and no certificate. It is let in at this port alone, and a token of the device tier is
 * worth nothing here.
 */
import type { FastifyRequest } from 'fastify'
import type { Device, Roster } from '../ca/roster.ts'
import type { App } from '../http/app.ts'
import { markKnown } from '../http/open-connections.ts'
import type { Turnstile } from '../http/turnstile.ts'
import { enter } from '../http/waiting.ts'
import { Unauthorized } from './errors.ts'

export interface BearerDeps {
  roster: Pick<Roster, 'byToken' | 'byId'>
  /** Unix ms. */
  now: () => number
  /** Refusals wait in it: whoever tries tokens floods nobody's gate. */
  turnstile: Turnstile
}

/** Asked again of a device whose request has waited. @throws Unauthorized */
export type StillPaired = (device: string) => void

/** A request that waits, for its rate or for a name that is still being typed, may outlive a revocation. */
export function stillPaired(deps: Pick<BearerDeps, 'roster' | 'now'>): StillPaired {
  return (device) => void requireGood(deps.roster.byId(device), deps.now())
}

function requireGood(device: Device | undefined, now: number): Device {
  if (!device || device.app === null || device.expiresAt <= now) throw new Unauthorized(false)
  if (device.revokedAt !== null) throw new Unauthorized(true)
  return device
}

/** Sets the device of every request on `app`, and asks for it again after the body: a slow one may outlive a revocation. */
export function requireBearer(app: App, { roster, now, turnstile }: BearerDeps): void {
  app.decorateRequest('device')
  app.addHook('onRequest', async (request, reply) => {
    try {
      request.device = requireGood(roster.byToken(tokenOf(request)), now())
      markKnown(request.raw.socket)
    } catch (error) {
      await enter(turnstile, request, reply)
      throw error
    }
  })
  app.addHook('preHandler', (request, _reply, done) => {
    try {
      requireGood(roster.byId(request.device.id), now())
      done()
    } catch (error) {
      done(error as Error)
    }
  })
}

/** Of two headers Node keeps the first, and a proxy in front may have looked at the other. */
function tokenOf({ headers, raw }: FastifyRequest): string {
  const { rawHeaders } = raw
  const sent = rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'authorization').length
  const [, token] = /^Device ([\x21-\x7e]{1,512})$/i.exec(headers.authorization ?? '') ?? []
  if (token === undefined || sent > 1) throw new Unauthorized(false)
  return token
}
