/** `GET /v1/admin/log` (admin tier). */
import { setImmediate } from 'node:timers/promises'
import { Log, LogQuery } from '@gatehouse/proto/wire/log.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import { type LogDeps, readLog } from './log.ts'

export function logRoutes(app: App, deps: Omit<LogDeps, 'pause'>): void {
  app.get(
    '/v1/admin/log',
    {
      schema: {
        operationId: 'log',
        summary: 'What happened, newest first: every admission, and everything that anybody decided.',
        description:
          'A page may come back short, or empty, with `next` set: so much of the journal was looked through for it.',
        querystring: LogQuery,
        response: { 200: Log, ...failures('bad_request', 'not_found') },
      },
      // Made here and of known form, with whole entries in it.
      serializerCompiler: () => (body) => JSON.stringify(body),
    },
    async (request, reply) => {
      reply.type('application/json; charset=utf-8').header('cache-control', 'no-store')
      return readLog(request.query, { ...deps, pause: setImmediate })
    },
  )
}
