import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { GatehouseError } from '../errors.ts'
import { createLogger } from '../log.ts'
import { createApp } from './app.ts'
import { listen } from './listen.ts'

test('a port that is taken is named, with the setting that moves it', async (t) => {
  const logger = createLogger('silent')
  const [first, second] = [createApp({ logger }), createApp({ logger })]
  t.after(() => Promise.all([first.close(), second.close()]))
  const port = await listen(first, { host: '127.0.0.1', port: 0, setting: 'GATEHOUSE_HTTP_PORT' })
  assert.ok(port > 0)
  await assert.rejects(
    listen(second, { host: '127.0.0.1', port, setting: 'GATEHOUSE_HTTP_PORT' }),
    (error: GatehouseError) =>
      error.message.includes(`Port ${port} is in use`) && error.message.includes('GATEHOUSE_HTTP_PORT'),
  )
})

test('localhost is one address', async (t) => {
  const app = createApp({ logger: createLogger('silent') })
  t.after(() => app.close())
  const port = await listen(app, { host: 'localhost', port: 0, setting: 'GATEHOUSE_HTTP_PORT' })
  const addresses = app.addresses() as AddressInfo[]
  assert.deepEqual(
    addresses.map(({ address, port: bound }) => [address, bound]),
    [['127.0.0.1', port]],
  )
})
