/** The open tier: what anyone may ask, on every listener. */

import { format, type HybridLogicalClock } from '@gatehouse/proto/hlc.ts'
import type { MeshInBrief, MeshStanding } from '@gatehouse/proto/wire/mesh.ts'
import { EnrollRequest, Enrolment, Health, Meta, TimeReading } from '@gatehouse/proto/wire/open.ts'
import { VenuePlan } from '@gatehouse/proto/wire/venue.ts'
import { Type } from 'typebox'
import type { Authority } from '../ca/authority.ts'
import { type EnrollDeps, enroll } from '../ca/enroll.ts'
import type { Mode } from '../control/mode.ts'
import type { Event } from '../event/event.ts'
import type { Plan } from '../venue/plan.ts'
import type { App } from './app.ts'
import { matches } from './etag.ts'
import { failures } from './openapi.ts'
import type { TokenBuckets } from './token-bucket.ts'

export interface OpenDeps extends EnrollDeps {
  event: Event
  boxId: string
  authority: Authority
  clock: HybridLogicalClock
  plan: Plan
  verifierKey: string
  logVerifierKey: string
  software: string
  mode: () => Mode
  /** Undefined for a box alone. */
  mesh: () => MeshStanding | undefined
  timeQuality: () => 'synced' | 'unsynced'
  /** Milliseconds since the box started. */
  uptime: () => number
  /** The OpenAPI document. */
  openapi: () => object
  /** By address: nobody guesses invites at more than a walking pace. */
  enrollBuckets: TokenBuckets
}

export function openRoutes(app: App, deps: OpenDeps): void {
  app.get(
    '/healthz',
    { schema: { operationId: 'health', summary: 'Whether the box is up.', response: { 200: Health } } },
    async () => ({ ok: true, uptime_ms: Math.round(deps.uptime()) }),
  )

  app.get(
    '/v1/meta',
    { schema: { operationId: 'meta', summary: 'Which event, which box, which version.', response: { 200: Meta } } },
    async () => ({
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
  )

  app.get(
    '/v1/time',
    { schema: { operationId: 'time', summary: "The box's clocks.", response: { 200: TimeReading } } },
    async () => ({ now: new Date(deps.clock.wall()).toISOString(), hlc: format(deps.clock.now()) }),
  )

  app.get(
    '/ca.crt',
    {
      schema: {
        operationId: 'caCertificate',
        summary: "The authority's certificate. Believe it only if its fingerprint is the one of the invite.",
        produces: ['application/x-x509-ca-cert'],
        response: { 200: Type.String() },
      },
    },
    async (_request, reply) => {
      reply.header('content-disposition', 'attachment; filename="gatehouse-ca.crt"')
      return reply.type('application/x-x509-ca-cert').send(deps.authority.certificate)
    },
  )

  app.get(
    '/v1/venue',
    {
      schema: {
        operationId: 'venue',
        summary: 'The venue plan. Its ETag is the SHA-256 of the body.',
        headers: Type.Object({ 'if-none-match': Type.Optional(Type.String()) }),
        response: { 200: VenuePlan, 304: Type.Null() },
      },
      serializerCompiler: () => (body) => body as unknown as string,
    },
    async (request, reply) => {
      reply.header('etag', deps.plan.etag).header('cache-control', 'no-cache')
      if (matches(request.headers['if-none-match'], deps.plan.etag)) return reply.code(304).send(null)
      return reply.type('application/json; charset=utf-8').send(deps.plan.body as unknown as VenuePlan)
    },
  )

  app.get(
    '/v1/openapi.json',
    {
      schema: {
        operationId: 'openapi',
        summary: 'This API, as OpenAPI 3.1.',
        response: { 200: Type.Object({}, { additionalProperties: true }) },
      },
    },
    async () => deps.openapi(),
  )

  app.post(
    '/v1/enroll',
    {
      schema: {
        operationId: 'enroll',
        summary: 'Enrol a device: an invite goes in, a certificate and a token come out.',
        body: EnrollRequest,
        response: {
          201: Enrolment,
          ...failures('bad_request', 'not_found', 'conflict', 'invite_used', 'rate_limited', 'ledger_unavailable'),
        },
      },
    },
    async (request, reply) => {
      deps.enrollBuckets.require(request.ip, 'Too many tries from here: wait a minute, then scan a fresh invite.')
      const enrolment = await enroll(request.body, deps)
      reply.header('cache-control', 'no-store')
      return reply.code(201).send(enrolment)
    },
  )
}

function inBrief(standing: MeshStanding | undefined): { mesh?: MeshInBrief } {
  if (!standing) return {}
  const { since, reason, epoch, boxes } = standing
  return { mesh: { since, reason, epoch, boxes: boxes.length, heard: boxes.filter(({ heard }) => heard).length } }
}
