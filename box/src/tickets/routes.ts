/** The manifest (device tier); import, revocation and release of tickets (admin tier). */
import { createHash } from 'node:crypto'
import {
  ImportQuery,
  ImportReport,
  Reinstated,
  ReinstateRequest,
  Revoked,
  RevokeRequest,
} from '@gatehouse/proto/wire/admin.ts'
import { Released, ReleaseRequest } from '@gatehouse/proto/wire/attendee.ts'
import { Manifest, ManifestDelta } from '@gatehouse/proto/wire/device.ts'
import { COLUMNS_HEAD_BYTES, ImportColumns, ImportKinds } from '@gatehouse/proto/wire/import-columns.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { by } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'
import { limitAnswer } from '../http/answer-limit.ts'
import type { App } from '../http/app.ts'
import { matches } from '../http/etag.ts'
import { failures } from '../http/openapi.ts'
import type { TokenBuckets } from '../http/token-bucket.ts'
import { releaseClaim } from './claim.ts'
import { FilePlaces, type Place } from './file-places.ts'
import { lookAtColumns } from './import/look.ts'
import { parseMatch } from './import/match.ts'
import { parseTierMap } from './import/tier.ts'
import { type ImportFileDeps, importFile } from './import-file.ts'
import { readKept } from './kept-columns.ts'
import type { Manifests } from './manifest.ts'
import { reinstateTicket, revokeTicket } from './revoke.ts'
import { streamOf } from './signed-parts.ts'
import type { TicketDeps } from './tickets.ts'
import { tiersBeside } from './tiers-thread.ts'

export function manifestRoutes(app: App, deps: { manifests: Manifests; buckets: TokenBuckets }): void {
  app.get('/v1/manifest', {
    config: { isLong: true },
    schema: {
      operationId: 'manifest',
      summary: 'Everything that a scanner needs to decide alone; with `since`, the changes since then.',
      querystring: Type.Object(
        { since: Type.Optional(Type.Integer({ minimum: 0, description: 'The version that the device has' })) },
        { additionalProperties: false },
      ),
      headers: Type.Object({ 'if-none-match': Type.Optional(Type.String()) }),
      response: {
        200: Type.Union([Manifest, ManifestDelta]),
        304: Type.Null(),
        ...failures('bad_request', 'rate_limited'),
      },
    },
    serializerCompiler: () => (body) => body as unknown as string,
    handler: async (request, reply) => {
      const { id, checkpoints } = request.device
      deps.buckets.require(id, 'This scanner asks for its manifest too often: wait a moment.')
      const { since } = request.query
      const delta = since === undefined ? undefined : await deps.manifests.since(since, checkpoints)
      const whole = delta ? undefined : await deps.manifests.whole(checkpoints)
      const etag = delta ? etagOf(delta) : (whole?.etag ?? '')
      reply.header('etag', etag).header('cache-control', 'private, no-cache')
      if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send(null)
      reply.type('application/json; charset=utf-8')
      limitAnswer(reply.raw)
      if (!whole) return reply.send(JSON.stringify(delta) as unknown as Manifest)
      const pieces = await whole.pieces()
      reply.header(
        'content-length',
        pieces.reduce((sum, { length }) => sum + length, 0),
      )
      return reply.send(streamOf(pieces) as unknown as Manifest)
    },
  })
}

/** The clock's reading and each box's silence differ in every answer. The tag covers what a scanner acts on. */
function etagOf({ hlc, signature, ...lasting }: ManifestDelta): string {
  const boxes = lasting.boxes?.map(({ unheard_seconds, ...box }) => box)
  return `"sha256-${createHash('sha256')
    .update(JSON.stringify({ ...lasting, boxes }))
    .digest('hex')}"`
}

/** Larger than the orders of a whole festival. */
const IMPORT_LIMIT = 256 * 1024 * 1024

type AdminDeps = ImportFileDeps & TicketDeps

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a ticket file that is sent whole. */
    filePlace: Place | null
  }
}

export function ticketAdminRoutes(app: App, deps: AdminDeps): void {
  importRoute(app, deps)
  ticketRoutes(app, deps)
}

function importRoute(app: App, deps: ImportFileDeps): void {
  app.register(async (scope) => {
    // The body is the file, whatever the sender calls it.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    const places = new FilePlaces(IMPORT_LIMIT)
    scope.decorateRequest('filePlace', null)
    // After the token was checked, and before the body is read.
    const takePlace = async (request: FastifyRequest, { raw }: FastifyReply) => {
      // Node has checked that it is a number; a chunked body has none.
      const sent = request.headers['content-length']
      const place = places.take(sent === undefined ? undefined : Number(sent))
      request.filePlace = place
      const letGo = place.hold()
      // While the token was checked, the sender may have gone.
      if (raw.destroyed) letGo()
      else raw.once('close', letGo)
    }
    let importing: Promise<unknown> = Promise.resolve()
    /** One after the other. A file whose sender has gone meanwhile is still held by its work. */
    const inTurn = <T>({ filePlace }: FastifyRequest, work: () => Promise<T>): Promise<T> => {
      const letGo = filePlace?.hold()
      const mine = importing.then(work).finally(letGo)
      importing = mine.catch(() => {})
      return mine
    }
    scope.post('/v1/admin/import/tickets', {
      bodyLimit: IMPORT_LIMIT,
      onRequest: takePlace,
      schema: {
        operationId: 'importTickets',
        summary: "Import a shop's tickets, all or nothing; the body is the file.",
        querystring: ImportQuery,
        consumes: ['application/octet-stream'],
        response: {
          200: ImportReport,
          ...failures('bad_request', 'too_large', 'conflict', 'rate_limited', 'ledger_unavailable'),
        },
      },
      handler: async (request) => {
        const { format = 'auto', dry_run = false, actor, ...query } = request.query as Static<typeof ImportQuery>
        const { tier = [], column = [], status = [], every_tier: everyTier, used_tiers: usedTiers } = query
        if (!Buffer.isBuffer(request.body) || request.body.length === 0) {
          throw new GatehouseError('bad_request', 'The body is empty: send the ticket file as the body.', {
            reason: 'file_empty',
          })
        }
        const file = request.body
        const tierMap = parseTierMap([tier].flat())
        const match = parseMatch({ columns: [column].flat(), statuses: [status].flat(), everyTier })
        const importer = by(request, actor)
        // In turn, because each compares its file with what the one before has written.
        return inTurn(request, () =>
          importFile(file, { format, tierMap, match, usedTiers, dryRun: dry_run, by: importer }, deps),
        )
      },
    })
    scope.post('/v1/admin/import/columns', {
      bodyLimit: COLUMNS_HEAD_BYTES,
      schema: {
        operationId: 'importColumns',
        summary:
          "The columns of a ticket file with some of their values, and what was said of such columns before; the body is the file's beginning. Nothing is kept.",
        consumes: ['application/octet-stream'],
        response: { 200: ImportColumns, ...failures('bad_request', 'too_large') },
      },
      handler: async (request) => {
        if (!Buffer.isBuffer(request.body) || request.body.length === 0) {
          throw new GatehouseError(
            'bad_request',
            'The body is empty: send the beginning of the ticket file as the body.',
            { reason: 'file_empty' },
          )
        }
        return lookAtColumns(request.body, (await readKept(deps.columnsDir)).files)
      },
    })
    scope.post('/v1/admin/import/kinds', {
      bodyLimit: IMPORT_LIMIT,
      onRequest: takePlace,
      schema: {
        operationId: 'importKinds',
        summary:
          'Name the shop that a ticket file is of and the ticket types in it, for an event that is about to be made; the body is the file. Nothing is kept.',
        consumes: ['application/octet-stream'],
        response: { 200: ImportKinds, ...failures('bad_request', 'too_large', 'rate_limited') },
      },
      handler: async (request) => {
        const file = request.body
        if (!Buffer.isBuffer(file) || file.length === 0) {
          throw new GatehouseError('bad_request', 'The body is empty: send the ticket file as the body.', {
            reason: 'file_empty',
          })
        }
        // In the same line as the imports, so that no two large files are read at once.
        return inTurn(request, async () => tiersBeside({ file, kept: (await readKept(deps.columnsDir)).files }))
      },
    })
  })
}

const TicketParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 256 }) })

function ticketRoutes(app: App, deps: AdminDeps): void {
  app.post('/v1/admin/tickets/:id/revoke', {
    schema: {
      operationId: 'revokeTicket',
      summary: 'Revoke a ticket, by its reference, its printed code or its ticket id.',
      params: TicketParams,
      body: RevokeRequest,
      response: { 200: Revoked, ...failures('bad_request', 'not_found', 'ledger_unavailable') },
    },
    handler: async (request) =>
      revokeTicket(request.params.id, { ...request.body, ...by(request, request.body.actor) }, deps),
  })

  app.post('/v1/admin/tickets/:id/reinstate', {
    schema: {
      operationId: 'reinstateTicket',
      summary: "Take this box's revocation of a ticket back; what the shop says of it still counts.",
      params: TicketParams,
      body: ReinstateRequest,
      response: { 200: Reinstated, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request) => {
      const { actor, reason } = request.body
      return reinstateTicket(request.params.id, { ...by(request, actor), reason }, deps)
    },
  })

  app.post('/v1/admin/tickets/:id/release', {
    schema: {
      operationId: 'releaseClaim',
      summary: "Take a claim back: the phone's key opens nothing any more, and the ticket's link works again.",
      params: TicketParams,
      body: ReleaseRequest,
      response: { 200: Released, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request) => {
      const { actor, reason } = request.body
      const id = await releaseClaim(request.params.id, { ...by(request, actor), reason }, deps)
      return { id, released: true as const }
    },
  })
}
