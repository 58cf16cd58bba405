/** The event stream of the change feed, for the OpenAPI document: the feed is a process of its own (box/docs/changefeed.md). */
import { FeedEvent, FeedRefusal } from '@gatehouse/proto/wire/feed.ts'

const refusal = (description: string) => ({ description, content: { 'application/json': { schema: FeedRefusal } } })

export const FEED_EVENTS = {
  servers: [
    {
      url: 'http://127.0.0.1:7717/plugins/{sinkId}/events',
      description: 'The change feed that runs beside the box',
      variables: { sinkId: { default: 'events', description: 'id of the event stream in the configuration' } },
    },
  ],
  get: {
    operationId: 'feedEvents',
    summary: 'Changes of published tables as server-sent events.',
    security: [{ feedToken: [] }],
    parameters: [
      {
        name: 'table',
        in: 'query',
        description: 'schema.table, once or more; all tables where it is left out',
        schema: { type: 'array', items: { type: 'string' } },
      },
      {
        name: 'last-event-id',
        in: 'header',
        description: 'Go on behind this event, or learn of a gap',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: { description: 'Answer', content: { 'text/event-stream': { schema: FeedEvent } } },
      400: refusal('A table is not schema.table'),
      401: refusal('No token, or a wrong one'),
      503: refusal('Too many readers'),
    },
  },
}
