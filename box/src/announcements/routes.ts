/** Announcing, correcting and withdrawing (admin tier). Reading is in the attendee tier. */
import { Announcement, AnnounceRequest, WithdrawRequest } from '@gatehouse/proto/wire/attendee.ts'
import { Type } from 'typebox'
import { by } from '../ca/actor.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import { type AnnouncementDeps, announce, withdraw } from './announcements.ts'

export function announcementAdminRoutes(app: App, deps: AnnouncementDeps): void {
  app.post('/v1/admin/announce', {
    schema: {
      operationId: 'announce',
      summary: 'Tell everybody, or everybody in some zones; signed by the box.',
      body: AnnounceRequest,
      description: 'With `replaces`, it takes the place of an earlier one everywhere.',
      response: { 201: Announcement, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request, reply) =>
      reply.code(201).send(await announce({ ...request.body, ...by(request, request.body.actor) }, deps)),
  })

  app.post('/v1/admin/announcements/:id/withdraw', {
    schema: {
      operationId: 'withdrawAnnouncement',
      summary: 'Take an announcement back: scanners and wallets stop showing it. Signed by the box.',
      params: Type.Object({ id: Type.String({ maxLength: 128 }) }),
      body: WithdrawRequest,
      response: { 201: Announcement, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request, reply) =>
      reply.code(201).send(await withdraw(request.params.id, by(request, request.body.actor), deps)),
  })
}
