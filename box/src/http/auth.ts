/**
 * Who is asking. A device shows its certificate and its token, always both; the certificate either in the TLS
 * handshake or, from a browser that cannot script its TLS, by a signature over the request with the same key.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { type Failure, type ReplayCache, replayCache, requestedUrl, verifyRequest } from '@gatehouse/proto/signature.ts'
import type { FastifyRequest } from 'fastify'
import { requestKey } from '../ca/request-key.ts'
import { type Device, hashToken, type Roster } from '../ca/roster.ts'
import { GatehouseError } from '../errors.ts'
import type { App } from './app.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose request this is: set on every route of the device tier before its handler runs. */
    device: Device
  }
}

interface DeviceAuthDeps {
  roster: Roster
  /** Unix ms. */
  now: () => number
}

/** Every route of `app` asks for the certificate that the TLS handshake proved, and for the token of the same device. */
export function requireDeviceCertificate(app: App, { roster, now }: DeviceAuthDeps): void {
  app.decorateRequest('device')
  app.addHook('onRequest', async (request) => {
    const fingerprint = peerFingerprint(request.raw.socket as TLSSocket)
    const device = fingerprint === undefined ? undefined : roster.byFingerprint(fingerprint)
    if (!device || device.expiresAt <= now()) {
      throw new GatehouseError('bad_certificate', 'This device has no valid certificate of this event: pair it again.')
    }
    // A certificate copied off a phone is worth nothing without the token, and the other way round.
    if (hashToken(bearer(request)) !== device.tokenHash) throw badToken()
    request.device = requireNotRevoked(device)
  })
  askAgainAfterBody(app, roster)
}

/** Every route of `app` asks for a token, and for a request signed with the key of the same device's certificate. */
export function requireSignedRequest(app: App, deps: DeviceAuthDeps): void {
  const seen = replayCache()
  app.decorateRequest('device')
  app.addHook('onRequest', async (request) => {
    const device = deps.roster.byToken(bearer(request))
    if (!device) throw badToken()
    if (request.headers['signature-input'] === undefined) {
      throw new GatehouseError(
        'bad_certificate',
        'This token needs its certificate too: use the device port with it, or sign the request with its key.',
      )
    }
    if (device.expiresAt <= deps.now()) {
      throw new GatehouseError('bad_certificate', 'This certificate has expired: pair the device again.')
    }
    request.device = requireNotRevoked(device)
  })
  // After the body has been read: the signature covers it.
  app.addHook('preValidation', async (request) => {
    const failure = await checkSignature(request, request.device, seen, deps.now())
    if (failure) throw new GatehouseError('bad_signature', SIGNATURE_ADVICE[failure])
  })
  askAgainAfterBody(app, deps.roster)
}

/** A body may take its time on purpose: a device that was revoked meanwhile has no request under way. */
function askAgainAfterBody(app: App, roster: Roster): void {
  app.addHook('preHandler', (request, _reply, done) => {
    requireNotRevoked(roster.byId(request.device.id) ?? request.device)
    done()
  })
}

async function checkSignature(
  request: FastifyRequest,
  device: Device,
  seen: ReplayCache,
  now: number,
): Promise<Failure['code'] | undefined> {
  const url = requestedUrl('https', request.headers.host, request.url)
  if (url === undefined) return 'malformed'
  const { method, headers, rawBody } = request
  const result = await verifyRequest(
    { method, url, headers, ...(rawBody && { body: rawBody }) },
    {
      now,
      required: ['authorization'],
      // The key is the one of the certificate that belongs to the token; a request may name it by either name.
      keyFor: (keyId) =>
        keyId === device.id || keyId === device.fingerprint ? requestKey(device.publicKey) : undefined,
      seen,
      sha256: (bytes) => createHash('sha256').update(bytes).digest(),
    },
  )
  return result.ok ? undefined : result.code
}

const SIGNATURE_ADVICE: Record<Failure['code'], string> = {
  missing: 'The request is not signed: update the scanner app.',
  malformed: 'The signature cannot be read: update the scanner app.',
  uncovered: 'The signature leaves out a part that it must cover: update the scanner app.',
  stale: "The signature is too old: set this device's clock to automatic, then try again.",
  future: "The signature is from the future: set this device's clock to automatic, then try again.",
  digest_mismatch: 'The body is not the one that was signed: try again.',
  unknown_key: 'The signature is by another key than the certificate of this device: pair it again.',
  bad_signature: 'The signature is wrong: pair this device again.',
  replayed: 'This request was answered before: sign it again to repeat it.',
}

/** Every route of `app` asks for the admin token. */
export function requireAdminToken(app: App, adminToken: string): void {
  const expected = createHash('sha256').update(adminToken).digest()
  app.addHook('onRequest', async (request) => {
    // Hashed first: equal lengths whatever came, and a comparison that takes the same time for every wrong token.
    const given = createHash('sha256').update(bearer(request)).digest()
    if (!timingSafeEqual(given, expected)) throw badToken()
  })
}

function requireNotRevoked(device: Device): Device {
  if (device.revokedAt !== null) {
    throw new GatehouseError('device_revoked', 'This scanner was taken out of service: bring it to the control room.')
  }
  return device
}

function bearer(request: FastifyRequest): string {
  const match = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(request.headers.authorization ?? '')
  if (!match?.[1] || isSentTwice(request.raw.rawHeaders)) throw badToken()
  return match[1]
}

/** Node drops the second one without a word, and something in front of the box may have looked at that. */
function isSentTwice(rawHeaders: readonly string[]): boolean {
  return rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'authorization').length > 1
}

function badToken(): GatehouseError {
  return new GatehouseError('bad_token', 'Not signed in: pair this device again, or enter the admin token.')
}

const fingerprints = new WeakMap<TLSSocket, string>()

/**
 * SHA-256 of the certificate that this connection proved, hex. `authorized` alone is not enough: Node before 24 reports it
 * for a resumed session that never showed one.
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
