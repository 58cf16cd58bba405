/**
 * Authenticates the control room, and holds each request against the role that its operation needs. A request proves itself by a
 * header and never by a cookie: no other page can send one in somebody's name.
 */
import { grantOf, mayUse } from '@gatehouse/proto/operations.ts'
import type { FastifyRequest, RouteOptions } from 'fastify'
import type { Principal } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'
import type { App } from './app.ts'
import { badToken, operationOf, tokenOf } from './auth.ts'
import { markKnown } from './open-connections.ts'
import { signatureCheck } from './request-signature.ts'
import type { WrongTokens } from './wrong-tokens.ts'

/** Credentials that may act in the control room. */
export interface StaffAccess {
  /** Undefined for a token that opens nothing: unknown, expired, ended, revoked. */
  principalOf(token: string, ip: string): Promise<Principal | undefined>
  /** True if it opens something now. */
  isStill(token: string, ip: string): boolean
  /** @throws GatehouseError `rate_limited` */
  byPassword(name: string, secret: string, ip: string): Promise<Principal | undefined>
  /** True if they may do what cannot be undone at this moment. */
  isConfirmed(principal: Principal, operationId: string): boolean
  /** False for somebody who has no PIN to give again. */
  canConfirm(principal: Principal): boolean
}

interface StaffAuthDeps {
  staff: StaffAccess
  wrong: Pick<WrongTokens, 'note'>
  /** Unix ms. */
  now: () => number
}

/** Makes every route of `app` require somebody of the staff whose role has its operation. */
export function requireStaff(app: App, { staff, wrong, now }: StaffAuthDeps): void {
  const requireSignature = signatureCheck({ now, since: now() })
  app.addHook('onRoute', requireGrant)
  app.addHook('onRequest', async (request) => {
    const operationId = operationOf(request.routeOptions)
    // Its handler finds out who this is. A credential that comes along counts for nothing.
    if (grantOf(operationId)?.role === 'signing_in') return
    const found = operationId === 'signIn' ? await bySignIn(request, staff) : await byToken(request, staff)
    if (!found) {
      // Without any credential a request is no guess, and is not counted as one. Wrong PINs are counted by themselves.
      if (operationId !== 'signIn' && request.headers.authorization !== undefined) wrong.note(request.ip)
      throw badToken()
    }
    if (found.key && request.headers['signature-input'] === undefined) throw unsigned()
    markKnown(request.raw.socket)
    request.staff = found
    if (!mayUse(found.role, operationId, found.only))
      throw new GatehouseError('not_allowed', 'Your role does not include this: ask an admin of the event.', {
        reason: 'role_lacks',
      })
    if (!grantOf(operationId)?.confirmed || staff.isConfirmed(found, operationId)) return
    if (!staff.canConfirm(found))
      throw new GatehouseError(
        'not_allowed',
        'This cannot be undone, and you have no PIN to confirm it with: sign in again, and do it within two minutes.',
        { reason: 'no_pin_to_confirm' },
      )
    throw new GatehouseError('confirm_needed', 'This cannot be undone: give your PIN or password once more.')
  })
  // After the body has been read: the signature covers it.
  app.addHook('preValidation', async (request) => {
    const { key, via = '' } = request.staff ?? {}
    if (key) await requireSignature(request, { names: [via], key })
  })
  // Again after the body: an attacker could send it slowly until after a revocation.
  app.addHook('preHandler', (request, _reply, done) => {
    const token = request.staff && tokenOf(request)
    if (token !== undefined && !staff.isStill(token, request.ip)) throw badToken()
    done()
  })
}

/** The token alone may have been copied from a tablet whose key cannot be. */
function unsigned(): GatehouseError {
  return new GatehouseError('bad_signature', 'This token belongs to a paired tablet: sign the request with its key.')
}

async function byToken(request: FastifyRequest, staff: StaffAccess): Promise<Principal | undefined> {
  const token = tokenOf(request)
  return token === undefined ? undefined : staff.principalOf(token, request.ip)
}

/** Name and PIN or password, HTTP Basic (RFC 7617). */
async function bySignIn(request: FastifyRequest, staff: StaffAccess): Promise<Principal | undefined> {
  const { rawHeaders } = request.raw
  const sent = rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'authorization')
  const [, base64] = /^Basic ([A-Za-z0-9+/]{1,1024}={0,2})$/i.exec(request.headers.authorization ?? '') ?? []
  if (base64 === undefined || sent.length !== 1) return undefined
  const pair = Buffer.from(base64, 'base64').toString()
  const colon = pair.indexOf(':')
  return colon < 1 ? undefined : staff.byPassword(pair.slice(0, colon), pair.slice(colon + 1), request.ip)
}

/** @throws Error for a route of the control room without a role: the box does not start with it */
function requireGrant({ schema, url, method }: RouteOptions): void {
  const operationId = operationOf({ schema })
  const role = grantOf(operationId)?.role
  if (role !== undefined && role !== 'anybody' && role !== 'scanner' && role !== 'supervisor') return
  if (operationId === 'signIn') return
  throw new Error(`${method} ${url} (${operationId}) has no role of the staff: give it one in proto/operations.ts.`)
}
