/** Connecting a pretix from the control room (admin tier): what `gatehouse shop connect` does. */
import { ShopConnect, ShopConnected, ShopTrial } from '@gatehouse/proto/wire/shop.ts'
import { by } from '../ca/actor.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { Connecting } from './pretix/connecting.ts'

export function shopConnectRoutes(app: App, { connecting }: { connecting: Connecting }): void {
  app.post('/v1/admin/shop/connect', {
    schema: {
      operationId: 'connectShop',
      summary: 'Look at a pretix with a token, read its orders without writing, or connect it.',
      description:
        'Proposes event.json and pretix.yaml where there is none. One step at a time. An event file that was written counts once the box has begun anew; in a box that runs with it already, tickets come within seconds.',
      body: ShopConnect,
      response: { 200: ShopConnected, ...failures('bad_request', 'conflict', 'rate_limited', 'ledger_unavailable') },
    },
    handler: (request) => connecting.take(request.body, by(request, request.body.actor)),
  })

  app.get('/v1/admin/shop/connect', {
    schema: {
      operationId: 'shopTrial',
      summary: 'The dry run that was begun last: how far it is, and its report.',
      response: { 200: ShopTrial },
    },
    handler: async () => connecting.trial,
  })
}
