/** Sealing, verifying and proving (admin tier). */
import { Attendance, SealedHead, SealRequest, Verification, VerificationProgress } from '@gatehouse/proto/wire/seal.ts'
import { Nullable } from '@gatehouse/proto/wire/terms.ts'
import { Type } from 'typebox'
import { by } from '../ca/actor.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import { noSuchTicket, type TicketDeps } from '../tickets/tickets.ts'
import type { Inspections } from './inspections.ts'
import { type Sealer, sealed } from './sealer.ts'

export interface SealDeps extends Pick<TicketDeps, 'tickets' | 'codes'> {
  sealer: Sealer
  inspections: Inspections
}

export function sealRoutes(app: App, { sealer, inspections, tickets, codes }: SealDeps): void {
  app.post('/v1/admin/seal', {
    schema: {
      operationId: 'seal',
      summary: 'Seal everything up to now, this request included.',
      body: Nullable(SealRequest),
      response: { 201: SealedHead, ...failures('bad_request', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      const { size, root, note } = sealed(await sealer.seal(by(request, request.body?.actor)))
      return reply.code(201).send({ size, root: root.toString('base64'), checkpoint: note })
    },
  })

  app.get('/v1/admin/verify', {
    schema: {
      operationId: 'verify',
      summary: 'Replay the whole record: entries, seals, and every table against them.',
      description:
        'Answers when it is done: up to a minute for a million entries. Requests meanwhile get the same answer.',
      response: { 200: Verification, ...failures('ledger_unavailable') },
    },
    handler: () => inspections.verify(),
  })

  app.get('/v1/admin/verify/progress', {
    schema: {
      operationId: 'verifyProgress',
      summary: 'The progress of a verification that was asked for.',
      response: { 200: VerificationProgress, ...failures() },
    },
    handler: async () => ({ running: inspections.verified !== undefined, fraction: inspections.verified ?? 0 }),
  })

  app.get('/v1/admin/attendance/:id', {
    schema: {
      operationId: 'attendance',
      summary: 'Every entry about a ticket, by its reference, printed code or ticket id, with its proof.',
      params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 256 }) }),
      response: { 200: Attendance, ...failures('bad_request', 'not_found', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request) => {
      const ticket = tickets.lookUp(request.params.id, codes)
      if (!ticket) throw noSuchTicket()
      // Sealed first: the latest entries are in no seal yet.
      return inspections.attendance(ticket.ref, sealed(await sealer.seal()))
    },
  })
}
