/**
 * Authenticates requests. A device proves its certificate and its token, always both; the certificate either in the TLS
 * handshake or, from a browser that cannot script its TLS, by a signature over the request with the same key.
 */
import type { TLSSocket } from 'node:tls'
import { deviceMayUse, grantOf } from '@gatehouse/proto/operations.ts'
import type { FastifyRequest, RouteOptions } from 'fastify'
import { type Device, hashToken, type Roster } from '../ca/roster.ts'
import { GatehouseError } from '../errors.ts'
import type { App } from './app.ts'
import { markKnown } from './open-connections.ts'
import { signatureCheck } from './request-signature.ts'
import type { Turnstile } from './turnstile.ts'
import { enter } from './waiting.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The device that sent the request; set on every route of the device tier before its handler runs. */
    device: Device
  }
}

interface DeviceAuthDeps {
  roster: Roster
  /** Unix ms. */
  now: () => number
  /** Refusals wait in it, because live requests do not: whoever has no device floods nobody's gate. */
  turnstile?: Turnstile
}

/** Makes every route of `app` require the certificate of the TLS handshake and the token of the same device. */
export function requireDeviceCertificate(app: App, { roster, now, turnstile }: DeviceAuthDeps): void {
  requireDevice(app, turnstile, (request) => {
    const fingerprint = peerFingerprint(request.raw.socket as TLSSocket)
    const device = fingerprint === undefined ? undefined : roster.byFingerprint(fingerprint)
    if (!device || device.expiresAt <= now()) {
      throw new GatehouseError('bad_certificate', 'This device has no valid certificate of this event: pair it again.')
    }
    // A stolen certificate is useless without the token, and a stolen token without the certificate.
    if (hashToken(bearer(request)) !== device.tokenHash) throw badToken()
    return requireNotRevoked(device)
  })
  app.addHook('onRequest', async (request) => requireGranted(request))
  askAgainAfterBody(app, roster)
}

/** Makes every route of `app` require a token, and a signature by the key of the same device's certificate. */
export function requireSignedRequest(app: App, deps: DeviceAuthDeps): void {
  const requireSignature = signatureCheck(deps)
  requireDevice(app, deps.turnstile, (request) => {
    const device = requireOurs(deps.roster.byToken(bearer(request)))
    if (request.headers['signature-input'] === undefined) {
      throw new GatehouseError(
        'bad_certificate',
        'This token needs its certificate too: use the device port with it, or sign the request with its key.',
      )
    }
    if (device.expiresAt <= deps.now()) {
      throw new GatehouseError('bad_certificate', 'This certificate has expired: pair the device again.')
    }
    return requireNotRevoked(device)
  })
  // After the body has been read: the signature covers it.
  app.addHook('preValidation', async (request) => {
    const { id, fingerprint, publicKey } = request.device
    await requireSignature(request, { names: [id, fingerprint], key: publicKey })
    requireGranted(request)
  })
  askAgainAfterBody(app, deps.roster)
}

/** Sets the device of each request. @param find throws for a request of no device */
function requireDevice(app: App, turnstile: Turnstile | undefined, find: (request: FastifyRequest) => Device): void {
  app.decorateRequest('device')
  app.addHook('onRoute', requireGrant)
  app.addHook('onRequest', async (request, reply) => {
    try {
      request.device = find(request)
      markKnown(request.raw.socket)
    } catch (error) {
      if (turnstile) await enter(turnstile, request, reply)
      throw error
    }
  })
}

/** Checks the device again after the body: an attacker could send it slowly until after a revocation. */
function askAgainAfterBody(app: App, roster: Roster): void {
  app.addHook('preHandler', (request, _reply, done) => {
    requireNotRevoked(roster.byId(request.device.id) ?? request.device)
    done()
  })
}

/** Holds a device that has proved itself against the table. @throws GatehouseError `not_allowed` */
function requireGranted({ device, routeOptions }: FastifyRequest): void {
  if (deviceMayUse(device, operationOf(routeOptions))) return
  throw new GatehouseError('not_allowed', "Only a supervisor's scanner can do this: call a supervisor.", {
    reason: 'not_supervisor',
  })
}

/** @throws Error for a route of devices without a role of theirs: the box does not start with it */
function requireGrant({ schema, url, method }: RouteOptions): void {
  const operationId = operationOf({ schema })
  const role = grantOf(operationId)?.role
  if (role === 'scanner' || role === 'supervisor') return
  throw new Error(`${method} ${url} (${operationId}) has no role of devices: give it one in proto/operations.ts.`)
}

/** Id of the route's operation in the OpenAPI document; empty for a route that is not in it. */
export function operationOf({ schema }: { schema?: unknown }): string {
  return (schema as { operationId?: string } | undefined)?.operationId ?? ''
}

function requireOurs(device: Device | undefined): Device {
  // pretixSCAN proves a token alone, which is worth nothing on the device tier.
  if (!device || device.app !== null) throw badToken()
  return device
}

function requireNotRevoked(device: Device): Device {
  if (device.revokedAt !== null) {
    throw new GatehouseError('device_revoked', 'This scanner was taken out of service: bring it to the control room.')
  }
  return device
}

function bearer(request: FastifyRequest): string {
  const token = tokenOf(request)
  if (token === undefined) throw badToken()
  return token
}

/** The bearer token of a request; undefined for none, for one that is malformed, and for two. */
export function tokenOf(request: FastifyRequest): string | undefined {
  const match = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(request.headers.authorization ?? '')
  return isSentTwice(request.raw.rawHeaders) ? undefined : match?.[1]
}

/** Refuses a second header: Node silently ignores it, but a proxy in front of the box may have used that one. */
function isSentTwice(rawHeaders: readonly string[]): boolean {
  return rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'authorization').length > 1
}

/** The answer to a request that proves nobody: the same for each way in which it does not. */
export function badToken(): GatehouseError {
  return new GatehouseError('bad_token', 'Not signed in: pair this device again, or enter the admin token.')
}

const fingerprints = new WeakMap<TLSSocket, string>()

/**
 * SHA-256 of the certificate that this connection proved, hex. `authorized` is not sufficient: Node before 24 sets it
 * for a resumed session without a certificate.
 */
function peerFingerprint(socket: TLSSocket): string | undefined {
  const known = fingerprints.get(socket)
  if (known !== undefined) return known
  const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined
  if (!certificate) return undefined
  const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase()
  fingerprints.set(socket, fingerprint)
  return fingerprint
}
