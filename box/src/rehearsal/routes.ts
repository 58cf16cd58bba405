/** Starting and ending a rehearsal (admin tier). Scans of one are routes of `scan/`. */
import {
  EndedRehearsal,
  RehearsalEnd,
  RehearsalStart,
  RehearsalState,
  RunningRehearsal,
} from '@gatehouse/proto/wire/rehearsal.ts'
import { by } from '../ca/actor.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { Rehearsals } from './rehearsals.ts'

export interface RehearsalRouteDeps {
  rehearsals: Rehearsals
  /** After a start the journal is counted first: only then it is known who came. */
  counts: { ready(): Promise<unknown> }
}

export function rehearsalAdminRoutes(app: App, { rehearsals, counts }: RehearsalRouteDeps): void {
  app.get('/v1/admin/rehearsal', {
    schema: {
      operationId: 'rehearsal',
      summary: 'Whether a rehearsal runs, and what speaks against starting one.',
      response: { 200: RehearsalState },
    },
    handler: async () => {
      await counts.ready()
      return rehearsals.state()
    },
  })

  app.post('/v1/admin/rehearsal', {
    schema: {
      operationId: 'startRehearsal',
      summary:
        'From now on the scanners of this box rehearse: they scan the real tickets, and nothing of it is recorded.',
      description: 'Scanners that cannot say so on their screens take no part, and count as always.',
      body: RehearsalStart,
      response: { 201: RunningRehearsal, ...failures('bad_request', 'conflict', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      await counts.ready()
      const started = await rehearsals.start(request.body, by(request, request.body.actor))
      return reply.code(201).send(started)
    },
  })

  app.post('/v1/admin/rehearsal/end', {
    schema: {
      operationId: 'endRehearsal',
      summary: 'End the rehearsal: from the next code on, scans count.',
      body: RehearsalEnd,
      response: { 200: EndedRehearsal, ...failures('bad_request', 'conflict', 'ledger_unavailable') },
    },
    handler: (request) => rehearsals.end(by(request, request.body.actor)),
  })
}
