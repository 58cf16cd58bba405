/** `GET /v1/admin/links`: the state of the links to HQ and from the shop (admin tier). */
import { type DownLink, Links, type UpLink } from '@gatehouse/proto/wire/links.ts'
import type { App } from '../../http/app.ts'

export interface LinkRouteDeps {
  up: () => Promise<UpLink>
  down: () => DownLink | Promise<DownLink>
}

export function linkRoutes(app: App, { up, down }: LinkRouteDeps): void {
  app.get('/v1/admin/links', {
    schema: {
      operationId: 'links',
      summary: 'The state of the link to HQ, up and down.',
      response: { 200: Links },
    },
    handler: async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      const [goingUp, comingDown] = await Promise.all([up(), down()])
      return { up: goingUp, down: comingDown }
    },
  })
}
