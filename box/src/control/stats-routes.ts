/** `GET /v1/admin/stats` and `/v1/admin/stream` (admin tier); `POST /v1/status` (device tier). */

import { format, type HybridLogicalClock } from '@gatehouse/proto/hlc.ts'
import { Incident } from '@gatehouse/proto/wire/incidents.ts'
import { Occupancy, Stats, StatusAnswer, StatusReport } from '@gatehouse/proto/wire/stats.ts'
import { StreamOf } from '@gatehouse/proto/wire/terms.ts'
import type { Principal } from '../ca/actor.ts'
import { iso } from '../clock/iso.ts'
import { GatehouseError } from '../errors.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { TokenBuckets } from '../http/token-bucket.ts'
import type { Rehearsals } from '../rehearsal/rehearsals.ts'
import type { AdminStream } from './admin-stream.ts'
import type { Counts } from './counts.ts'
import type { Presence } from './presence.ts'

export interface StatsRouteDeps {
  counts: Counts
  stats: () => Stats
  occupancy: () => Occupancy
  stream: AdminStream
  /** Names the credential of whoever sent a request. */
  keyOf: (staff: Principal | undefined) => string
}

const AdminEvent = StreamOf('AdminEvent', { stats: Stats, incident: Incident })

export function statsRoutes(app: App, { counts, stats, occupancy, stream, keyOf }: StatsRouteDeps): void {
  app.get('/v1/admin/stats', {
    schema: {
      operationId: 'stats',
      summary: 'The whole dashboard in one object.',
      response: { 200: Stats },
    },
    // Made here and of known form: the schema describes it, and need not be walked once more.
    serializerCompiler: () => (body) => JSON.stringify(body),
    handler: async (_request, reply) => {
      await counts.ready()
      reply.type('application/json; charset=utf-8').header('cache-control', 'no-store')
      return stats()
    },
  })

  app.get('/v1/admin/occupancy', {
    schema: {
      operationId: 'occupancy',
      summary: 'People in each zone over the last 24 hours, in steps of five minutes.',
      response: { 200: Occupancy },
    },
    handler: async (_request, reply) => {
      await counts.ready()
      reply.header('cache-control', 'no-store')
      return occupancy()
    },
  })

  app.get('/v1/admin/stream', {
    // An answer to HEAD would never end.
    exposeHeadRoute: false,
    config: { isStream: true },
    schema: {
      operationId: 'adminStream',
      summary: 'The same as server-sent events when it changes, at most once a second; and incidents at once.',
      description:
        '`stats` comes at once, whole, at every connection: there is no position. `incident` has `alert` when it is said again.',
      produces: ['text/event-stream'],
      response: { 200: AdminEvent },
    },
    handler: async (request, reply) => {
      await counts.ready()
      if (!request.raw.destroyed) stream.open(reply, keyOf(request.staff))
      return reply
    },
  })
}

export interface StatusRouteDeps {
  presence: Presence
  clock: HybridLogicalClock
  rehearsals: Pick<Rehearsals, 'notice'>
  buckets: TokenBuckets
}

export function statusRoutes(app: App, { presence, clock, rehearsals, buckets }: StatusRouteDeps): void {
  app.post('/v1/status', {
    schema: {
      operationId: 'reportStatus',
      summary: 'A scanner reports its state for the control room. Answers with the time.',
      body: StatusReport,
      response: { 200: StatusAnswer, ...failures('bad_request', 'not_allowed', 'rate_limited') },
    },
    handler: async (request) => {
      const { device, body } = request
      buckets.require(device.id, 'This scanner says how it is too often: every ten seconds is enough.')
      if (body.checkpoint !== undefined && !device.checkpoints.has(body.checkpoint)) {
        throw new GatehouseError(
          'not_allowed',
          'This scanner was not invited to that checkpoint: name one of its own.',
          { reason: 'checkpoint_of_other' },
        )
      }
      presence.report(device.id, body)
      const { notice } = rehearsals
      return { now: iso(clock.wall()), hlc: format(clock.now()), ...(notice && { rehearsal: notice }) }
    },
  })
}
