/** The evacuation sheet as figures, and as a page to print (admin tier). */
import { join } from 'node:path'
import { EvacuationSheet } from '@gatehouse/proto/wire/evacuation.ts'
import { Type } from 'typebox'
import type { Event } from '../event/event.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { EvacuationFigures } from './evacuation.ts'
import { type EvacuationKeeper, FIGURES_FILE } from './evacuation-keeper.ts'
import { drawEvacuation } from './evacuation-page.ts'
import type { PaperThreads } from './thread.ts'

export interface EvacuationRouteDeps {
  event: Event
  evacuationFigures: () => Promise<EvacuationFigures>
  evacuationKeeper: EvacuationKeeper
  paperThreads: PaperThreads
}

/** Policy of a page that the box draws: it may show its own style, and nothing else. */
export const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
} as const

export function evacuationRoutes(app: App, deps: EvacuationRouteDeps): void {
  const { event, evacuationFigures: figures, evacuationKeeper: keeper, paperThreads } = deps

  app.get('/v1/admin/evacuation', {
    schema: {
      operationId: 'evacuation',
      summary: 'The number of people who may be inside, by zone, and a list of what is not counted.',
      response: { 200: EvacuationSheet },
    },
    handler: async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return { ...(await figures()), kept_at: keeper.keptAt, kept_in: join(keeper.folder, FIGURES_FILE) }
    },
  })

  app.get('/v1/admin/evacuation/page', {
    // An answer to HEAD would draw the whole page.
    exposeHeadRoute: false,
    schema: {
      operationId: 'evacuationPage',
      summary: 'The evacuation sheet as a page to print: with names, where the event file allows them.',
      produces: ['text/html'],
      response: { 200: Type.String(), ...failures('ledger_unavailable') },
    },
    handler: async (_request, reply) => {
      const made = await figures()
      const page =
        made.names === 'listed'
          ? (await paperThreads.run({ task: 'evacuation', figures: made })).page
          : drawEvacuation(made, event, undefined)
      return reply.type('text/html; charset=utf-8').headers(PAGE_HEADERS).send(page)
    },
  })
}
