/** `GET /v1/stream` (device tier). */
import { Type } from 'typebox'
import type { App } from '../http/app.ts'
import type { DeviceStreams } from './stream.ts'

export function streamRoutes(app: App, { streams }: { streams: DeviceStreams }): void {
  app.get(
    '/v1/stream',
    {
      // An answer to HEAD would never end.
      exposeHeadRoute: false,
      schema: {
        operationId: 'stream',
        summary: 'Redemptions at other gates, as server-sent events; resumes after Last-Event-ID.',
        description:
          'Events: redemption, revocation, ticket, mode, incident, hold, announcement, gap. A comment every 15 s.',
        headers: Type.Object({ 'last-event-id': Type.Optional(Type.String({ maxLength: 64 })) }),
        produces: ['text/event-stream'],
        response: { 200: Type.String() },
      },
    },
    (request, reply) => {
      streams.open(reply, request.device, request.headers['last-event-id'])
    },
  )
}
