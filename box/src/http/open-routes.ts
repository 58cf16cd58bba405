/** The open tier: routes for anybody, on every listener. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, type HybridLogicalClock } from '@gatehouse/proto/hlc.ts'
import type { MeshInBrief, MeshStanding } from '@gatehouse/proto/wire/mesh.ts'
import { EnrollRequest, Enrolment, Health, Meta, TimeReading } from '@gatehouse/proto/wire/open.ts'
import { VenuePlan } from '@gatehouse/proto/wire/venue.ts'
import { Type } from 'typebox'
import { type EnrollDeps, enroll } from '../ca/enroll.ts'
import { isOpenInvite } from '../ca/invites.ts'
import { GatehouseError } from '../errors.ts'
import { networkOf } from '../network.ts'
import type { Mode } from '../rights/mode.ts'
import type { Plan } from '../venue/plan.ts'
import type { App } from './app.ts'
import { matches } from './etag.ts'
import { failures } from './openapi.ts'
import type { TokenBuckets } from './token-bucket.ts'

/** The longest certificate request with its line breaks escaped, and the rest. */
const ENROLL_LIMIT = 12 * 1024

export interface OpenDeps extends EnrollDeps {
  boxId: string
  clock: HybridLogicalClock
  plan: Plan
  verifierKey: string
  logVerifierKey: string
  software: string
  mode: () => Mode
  /** Undefined for a single box. */
  mesh: () => MeshStanding | undefined
  timeQuality: () => 'synced' | 'unsynced'
  /** Milliseconds since the box started. */
  uptime: () => number
  /** Base URL of the HTTPS port. */
  baseUrl: () => string
  /** By address, so that nobody can guess invites quickly. */
  enrollBuckets: TokenBuckets
}

export function openRoutes(app: App, deps: OpenDeps): void {
  stateRoutes(app, deps)
  documentRoutes(app, deps)
  enrolRoute(app, deps)
}

/** Identity and state of the box. */
function stateRoutes(app: App, deps: OpenDeps): void {
  app.get('/healthz', {
    schema: { operationId: 'health', summary: 'A short answer as long as the box is up.', response: { 200: Health } },
    handler: async () => ({ ok: true, uptime_ms: Math.round(deps.uptime()) }),
  })

  app.get('/v1/meta', {
    schema: { operationId: 'meta', summary: 'Event, box and version.', response: { 200: Meta } },
    handler: async () => ({
      event_id: deps.event.id,
      event_name: deps.event.name,
      box_id: deps.boxId,
      api_version: 1 as const,
      mode: deps.mode(),
      ...inBrief(deps.mesh()),
      ca_fingerprint: deps.authority.fingerprint,
      verifier_key: deps.verifierKey,
      log_key: deps.logVerifierKey,
      software: deps.software,
      time_quality: deps.timeQuality(),
    }),
  })

  app.get('/v1/time', {
    schema: { operationId: 'time', summary: "The box's clocks.", response: { 200: TimeReading } },
    handler: async () => ({ now: new Date(deps.clock.wall()).toISOString(), hlc: format(deps.clock.now()) }),
  })
}

/** As `npm run generate` has made it. To describe the routes anew takes half a second, at a moment that a stranger would choose. */
const OPENAPI = join(import.meta.dirname, '../../../proto/gen/openapi.json')
let openapi: Buffer | undefined

/** Without the line breaks of the file. */
function openapiDocument(): Buffer {
  openapi ??= Buffer.from(JSON.stringify(JSON.parse(readFileSync(OPENAPI, 'utf8'))))
  return openapi
}

/** Public documents: the authority, the venue, this API. */
function documentRoutes(app: App, { authority, plan }: OpenDeps): void {
  // Anybody may ask for them, as often as they like: encoded once.
  const certificate = Buffer.from(authority.certificate)
  const venue = Buffer.from(plan.body)
  app.get('/ca.crt', {
    schema: {
      operationId: 'caCertificate',
      summary: "The authority's certificate. Believe it only if its fingerprint is the one of the invite.",
      produces: ['application/x-x509-ca-cert'],
      response: { 200: Type.String() },
    },
    handler: async (_request, reply) => {
      reply.header('content-disposition', 'attachment; filename="gatehouse-ca.crt"')
      return reply.type('application/x-x509-ca-cert').send(certificate as unknown as string)
    },
  })

  app.get('/v1/venue', {
    schema: {
      operationId: 'venue',
      summary: 'The venue plan. Its ETag is the SHA-256 of the body.',
      headers: Type.Object({ 'if-none-match': Type.Optional(Type.String()) }),
      response: { 200: VenuePlan, 304: Type.Null() },
    },
    serializerCompiler: () => (body) => body as unknown as string,
    handler: async (request, reply) => {
      reply.header('etag', plan.etag).header('cache-control', 'no-cache')
      if (matches(request.headers['if-none-match'], plan.etag)) return reply.code(304).send(null)
      return reply.type('application/json; charset=utf-8').send(venue as unknown as VenuePlan)
    },
  })

  app.get('/v1/openapi.json', {
    schema: {
      operationId: 'openapi',
      summary: 'This API, as OpenAPI 3.1.',
      response: { 200: Type.Object({}, { additionalProperties: true }) },
    },
    handler: async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(openapiDocument() as unknown as object),
  })
}

function enrolRoute(app: App, deps: OpenDeps): void {
  app.post('/v1/enroll', {
    bodyLimit: ENROLL_LIMIT,
    schema: {
      operationId: 'enroll',
      summary: 'Enrol a device: an invite goes in, a certificate and a token come out.',
      body: EnrollRequest,
      response: {
        201: Enrolment,
        ...failures('bad_request', 'not_found', 'conflict', 'invite_used', 'rate_limited', 'ledger_unavailable'),
      },
    },
    handler: async (request, reply) => {
      countTry(request.body.invite, request.ip, deps)
      if (request.body.csr === undefined && request.protocol !== 'https') throw keyInTheOpen(deps.baseUrl())
      const enrolment = await enroll(request.body, deps)
      reply.header('cache-control', 'no-store')
      return reply.code(201).send(enrolment)
    },
  })
}

/**
 * Only wrong tries count against the network that they come from: others behind the same address have a good invite, and pair at
 * once. The tries with a good one count for that invite. @throws GatehouseError `rate_limited`
 */
function countTry(invite: string, address: string, { enrollBuckets, ledger, now }: OpenDeps): void {
  const who = isOpenInvite(invite, { ledger, now: now() }) ? `invite ${invite}` : networkOf(address)
  enrollBuckets.require(who, 'Too many tries from here: wait a minute, then scan a fresh invite.')
}

/** Without a "csr" the answer is a private key, and anybody on the network can read plain HTTP. The invite is not used up. */
function keyInTheOpen(baseUrl: string): GatehouseError {
  return new GatehouseError(
    'bad_request',
    `Without a "csr" the answer would show the key to everybody on this network: send the request to ${baseUrl}/v1/enroll, or add a "csr".`,
  )
}

function inBrief(standing: MeshStanding | undefined): { mesh?: MeshInBrief } {
  if (!standing) return {}
  const { since, reason, epoch, boxes } = standing
  return { mesh: { since, reason, epoch, boxes: boxes.length, heard: boxes.filter(({ heard }) => heard).length } }
}
