/** The event editor (admin tier): `EventEditor` over HTTP. */
import {
  EventApplied,
  EventApply,
  EventCheck,
  EventChecked,
  EventDraft,
  EventSave,
  EventSaved,
  MOST_EVENT_BYTES,
} from '@gatehouse/proto/wire/guide.ts'
import { by } from '../ca/actor.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { EventEditor } from './editor.ts'

export function eventRoutes(app: App, { editor }: { editor: EventEditor }): void {
  app.get('/v1/admin/event', {
    schema: {
      operationId: 'eventDraft',
      summary: 'The event file as it is on the disk, with its mistakes; the box may run with an earlier one.',
      response: { 200: EventDraft },
    },
    handler: () => editor.read(),
  })

  app.post('/v1/admin/event/check', {
    bodyLimit: MOST_EVENT_BYTES,
    schema: {
      operationId: 'checkEvent',
      summary:
        'Check a draft as `gatehouse check-event` does, and list what it changes for what exists. Nothing is written.',
      body: EventCheck,
      response: { 200: EventChecked, ...failures('bad_request', 'too_large') },
    },
    handler: (request) => editor.check(request.body.event),
  })

  app.put('/v1/admin/event', {
    bodyLimit: MOST_EVENT_BYTES,
    schema: {
      operationId: 'saveEvent',
      summary: 'Write the event file. It counts once the box has begun anew.',
      body: EventSave,
      response: { 200: EventSaved, ...failures('bad_request', 'too_large', 'conflict', 'ledger_unavailable') },
    },
    handler: (request) => editor.save(request.body, by(request, request.body.actor)),
  })

  app.post('/v1/admin/event/apply', {
    schema: {
      operationId: 'applyEvent',
      summary: 'Close the box and open it again with the event file as it is: scanners go on alone for these seconds.',
      body: EventApply,
      response: { 200: EventApplied, ...failures('bad_request', 'conflict') },
    },
    handler: async () => ({ restarting: await editor.apply() }),
  })
}
