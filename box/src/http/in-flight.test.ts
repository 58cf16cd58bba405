import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { ask } from '../../test/world/ask.ts'
import { until } from '../../test/world/until.ts'
import { createLogger } from '../log.ts'
import { type App, createApp } from './app.ts'
import { boundInFlight, InFlight } from './in-flight.ts'

it('a tier answers a number of requests at one time, on all its ports together, and no slow client takes a place', async () => {
  const waiting: (() => void)[] = []
  const inFlight = new InFlight(2)
  const open = async () => {
    const app = createApp({ logger: createLogger('error', { write: () => {} }) })
    app.register(async (scope) => {
      boundInFlight(scope as App, inFlight)
      scope.get('/slow', () => new Promise((resolve) => waiting.push(() => resolve('done'))))
      scope.get('/stream', { config: { isStream: true } }, (_request, reply) => {
        reply.hijack()
        reply.raw.write('begun')
      })
      scope.post('/body', async () => 'done')
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return { app, port: (app.server.address() as AddressInfo).port }
  }
  const [a, b] = await Promise.all([open(), open()])
  try {
    // A body that never ends, and streams.
    void ask(a.port, '/body', { method: 'POST', headers: { 'content-length': '9' }, body: '{' }).catch(() => {})
    for (let n = 0; n < 3; n++) void ask(a.port, '/stream').catch(() => {})
    const slow = [ask(a.port, '/slow'), ask(b.port, '/slow')]
    await until(() => waiting.length === 2)
    const refused = await ask(a.port, '/slow')
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1'])
    waiting.shift()?.()
    await Promise.race(slow)
    const again = ask(b.port, '/slow')
    await until(() => waiting.length === 2)
    for (const answer of waiting) answer()
    assert.deepEqual(
      (await Promise.all([...slow, again])).map(({ status }) => status),
      [200, 200, 200],
    )
  } finally {
    for (const { app } of [a, b]) app.server.closeAllConnections()
    await Promise.all([a.app.close(), b.app.close()])
  }
})
