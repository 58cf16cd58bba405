/** `POST /v1/admin/announce` (admin tier). Reading is in the attendee tier. */
import { Announcement, AnnounceRequest } from '@gatehouse/proto/wire/attendee.ts'
import { by } from '../ca/actor.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import { type AnnouncementDeps, announce } from './announcements.ts'

export function announcementAdminRoutes(app: App, deps: AnnouncementDeps): void {
  app.post('/v1/admin/announce', {
    schema: {
      operationId: 'announce',
      summary: 'Tell everybody, or everybody in some zones; signed by the box.',
      body: AnnounceRequest,
      response: { 201: Announcement, ...failures('bad_request', 'not_found', 'ledger_unavailable') },
    },
    handler: async (request, reply) =>
      reply.code(201).send(await announce({ ...request.body, ...by(request, request.body.actor) }, deps)),
  })
}
