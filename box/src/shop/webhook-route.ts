/** Takes word from pretix that something has changed (open tier). The caller learns nothing: every answer is the same. */
import type { App } from '../http/app.ts'
import { parseJson } from '../http/json-body.ts'
import type { PretixLink } from './pretix/open.ts'

/** pretix sends about 200 bytes. */
const MOST_BYTES = 4 * 1024

export interface WebhookDeps {
  shop: { readonly pretix: Pick<PretixLink, 'webhook'> | undefined }
}

export function webhookRoute(app: App, { shop }: WebhookDeps): void {
  // A scope of its own: its bodies may be anything, and its errors are the same answer.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_request, body, done) => {
      done(null, parsed(body as Buffer))
    })
    scope.setErrorHandler((_error, _request, reply) => reply.header('connection', 'close').code(200).send({}))
    scope.post<{ Params: { key: string } }>(
      '/v1/shop/webhook/:key',
      { schema: { hide: true } as object },
      (request, reply) => {
        shop.pretix?.webhook(request.params.key, request.body)
        return reply.send({})
      },
    )
  })
}

function parsed(body: Buffer): unknown {
  try {
    return parseJson(body)
  } catch {
    return undefined
  }
}
