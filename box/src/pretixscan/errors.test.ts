/** Answers that are no success, by what went wrong and on which side of the API: never a 429, never a text in place of an object. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatehouseError } from '../errors.ts'
import { type App, createApp } from '../http/app.ts'
import { boundInFlight, InFlight } from '../http/in-flight.ts'
import { createLogger } from '../log.ts'
import { nothingHere, pretixErrors, Unauthorized } from './errors.ts'
import { TooBusy } from './pace.ts'

const INSIDE = 'Something failed inside the box: try again, then call the control room.'
const BUSY = 'The box has too much to do at this moment: try again in a second.'

/** An app whose only route fails like this, under the prefix of the shop and under that of the proxy. */
async function failing(error: () => unknown): Promise<App> {
  const logger = createLogger('silent')
  const app = createApp({ logger })
  app.register(async (scope) => {
    pretixErrors(scope as App, logger)
    for (const path of ['/api/v1/x', '/proxyapi/v1/x']) {
      scope.post(path, () => {
        throw error()
      })
    }
  })
  await app.ready()
  return app
}

const ask = (app: App, url: string, payload = '{}') =>
  app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } })

test('each failure has the status and the form that the apps read', async () => {
  const table: [() => unknown, number, string, string?][] = [
    [() => new Unauthorized(false), 401, 'Invalid token.', 'This scanner is not paired with this box: pair it again.'],
    [
      () => new Unauthorized(true),
      ...([401, 'Device access has been revoked.'] as const),
      'This scanner was taken out of service: bring it to the control room.',
    ],
    [() => new TooBusy(), 503, BUSY],
    [() => new GatehouseError('rate_limited', 'wait', { retryAfterSeconds: 7.2 }), 503, BUSY],
    [() => new GatehouseError('ledger_unavailable', 'the disk is full'), 503, BUSY],
    [() => new GatehouseError('bad_request', 'Update the app.'), 400, 'Update the app.'],
    [() => new GatehouseError('not_allowed', 'Not here.'), 403, 'Not here.'],
    [() => new GatehouseError('conflict', 'It is over.'), 400, 'It is over.'],
    [() => new Error('a secret path'), 500, INSIDE],
  ]
  for (const [error, status, detail, title = detail] of table) {
    await using app = await failing(error)
    const shop = await ask(app, '/api/v1/x')
    assert.deepEqual([shop.statusCode, shop.json()], [status, status === 503 ? { detail, title } : { detail }])
    const proxy = await ask(app, '/proxyapi/v1/x')
    assert.deepEqual([proxy.statusCode, proxy.json()], [status, { detail, title }])
    for (const { headers } of [shop, proxy]) {
      assert.match(String(headers['content-type']), /^application\/json/)
      assert.equal(headers['retry-after'] === undefined, status !== 503)
      assert.equal(headers['www-authenticate'], status === 401 ? 'Device' : undefined)
    }
  }
})

test('a wait is told in whole seconds, and a resource that is not here is a text', async () => {
  await using app = await failing(() => new GatehouseError('rate_limited', 'wait', { retryAfterSeconds: 7.2 }))
  assert.equal((await ask(app, '/api/v1/x')).headers['retry-after'], '8')
  await using busy = await failing(() => new TooBusy())
  assert.equal((await ask(busy, '/api/v1/x')).headers['retry-after'], '1')
  await using gone = await failing(() => new GatehouseError('not_found', 'This scanner was not paired for that list.'))
  for (const url of ['/api/v1/x', '/proxyapi/v1/x']) {
    const { statusCode, headers, body } = await ask(gone, url)
    assert.deepEqual([statusCode, body], [404, 'Not Found'])
    assert.match(String(headers['content-type']), /^text\/plain/)
  }
})

test('where too many are being answered, the next one is told to come again', async () => {
  const logger = createLogger('silent')
  await using app = createApp({ logger })
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  app.register(async (scope) => {
    pretixErrors(scope as App, logger)
    boundInFlight(scope as App, new InFlight(1))
    scope.post('/api/v1/x', async (_request, reply) => {
      begin()
      await held
      return nothingHere(reply)
    })
  })
  const first = ask(app, '/api/v1/x')
  await begun
  const second = await ask(app, '/api/v1/x')
  assert.deepEqual(
    [second.statusCode, second.headers['retry-after'], second.json()],
    [503, '1', { detail: BUSY, title: BUSY }],
  )
  release()
  assert.equal((await first).statusCode, 404)
})
