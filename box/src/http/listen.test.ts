import assert from 'node:assert/strict'
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
