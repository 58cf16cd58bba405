import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { createApp } from '../http/app.ts'
import { createLogger } from '../log.ts'
import { AdminStream } from './admin-stream.ts'

test('a dashboard that connected while the statistics were others hears that they are as before again', async (t) => {
  const stats = (mode: string) => ({ mode, scanners: [] }) as unknown as Stats
  let now = stats('STRICT')
  const stream = new AdminStream({
    ...{ stats: () => now, findIncident: () => undefined, isOpen: () => true, monotonic: () => performance.now() },
    ledger: { subscribe: () => () => {} } as never,
  })
  const app = createApp({ logger: createLogger('silent') })
  app.get('/', { exposeHeadRoute: false }, (_, reply) => stream.open(reply, 'key'))
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(async () => {
    stream[Symbol.dispose]()
    await app.close()
  })
  const open = async () => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    const until = async (mode: string) => {
      while (!text.includes(`"${mode}"`)) await once(socket, 'data', { signal: AbortSignal.timeout(5_000) })
    }
    return { until, close: () => socket.destroy() }
  }
  const before = await open()
  await before.until('STRICT')
  now = stats('DEGRADED')
  const late = await open()
  await late.until('DEGRADED')
  now = stats('STRICT')
  await late.until('STRICT')
  before.close()
  late.close()
})
