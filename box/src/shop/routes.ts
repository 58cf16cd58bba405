/** The connected shop: its state, and what a person may ask of it (admin tier). */
import { Shop } from '@gatehouse/proto/wire/shop.ts'
import { Type } from 'typebox'
import { GatehouseError } from '../errors.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { MappingCode } from './mapping-codes.ts'
import type { PretixCode } from './pretix/errors.ts'
import type { PretixLink } from './pretix/open.ts'

export interface ShopRouteDeps {
  shop: {
    readonly follows: Shop['follows']
    readonly problem: string | null
    /** The same as codes. */
    readonly problemCoded: readonly (PretixCode | MappingCode)[]
    readonly pretix: Pick<PretixLink, 'describe' | 'retry' | 'compare'> | undefined
  }
}

export function shopRoutes(app: App, { shop }: ShopRouteDeps): void {
  app.get('/v1/admin/shop', {
    schema: {
      operationId: 'shop',
      summary: 'The connected pretix: what comes down from it, what goes up, and what waits.',
      response: { 200: Shop },
    },
    handler: async () => {
      const { follows, problem, problemCoded, pretix } = shop
      const coded = problemCoded.length > 0 ? { problem_coded: [...problemCoded] } : {}
      return { follows, problem, ...coded, pretix: pretix?.describe() ?? null }
    },
  })

  app.post('/v1/admin/shop/retry', {
    schema: {
      operationId: 'retryShop',
      summary: 'Ask pretix again now, and send once more whatever waits for a person.',
      response: { 204: Type.Null(), ...failures('conflict', 'ledger_unavailable') },
    },
    handler: async (_request, reply) => {
      await connected(shop).retry()
      return reply.code(204).send(null)
    },
  })

  app.post('/v1/admin/shop/compare', {
    schema: {
      operationId: 'compareShop',
      summary: 'Read every order of pretix again, and find what was deleted there.',
      description: 'Nothing begins anew where every order is being read already.',
      response: { 204: Type.Null(), ...failures('conflict', 'ledger_unavailable') },
    },
    handler: async (_request, reply) => {
      await connected(shop).compare()
      return reply.code(204).send(null)
    },
  })
}

/** @throws GatehouseError `conflict` */
function connected({ pretix }: ShopRouteDeps['shop']): Pick<PretixLink, 'retry' | 'compare'> {
  if (pretix) return pretix
  throw new GatehouseError('conflict', 'No pretix is connected: connect one with "gatehouse shop connect".', {
    reason: 'no_pretix',
  })
}
