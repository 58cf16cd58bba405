import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { getDefaultHighWaterMark, setDefaultHighWaterMark } from 'node:stream'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { makeAuthority } from '../../test/world/certificates.ts'
import { GatehouseError } from '../errors.ts'
import { createLogger } from '../log.ts'
import { createApp } from './app.ts'
import { boundReadAhead } from './read-ahead.ts'

/** Size that a list of two hundred boxes may have. */
const BODY_BYTES = 590_000
/** Most that Node takes from a connection in one go, with the head and what the handshake left. */
const MOST_READ = 80 * 1024

const usual = getDefaultHighWaterMark(false)
before(boundReadAhead)
// Files of tests may share a process.
after(() => setDefaultHighWaterMark(false, usual))

it('a body over TLS that is refused after a wait was read up to what comes in one go', async () => {
  const { cert, key } = await (await makeAuthority('read ahead')).issue('box')
  const app = createApp({ logger: createLogger('silent'), tls: { cert, key } })
  let read = 0
  app.post('/lists', {
    bodyLimit: 1024 * 1024,
    // As long as the turnstile may take, in which the rest of the body arrives.
    onRequest: async ({ raw }) => {
      await sleep(300)
      read = raw.socket.bytesRead
      throw new GatehouseError('conflict', 'There is no list here.')
    },
    handler: async () => ({}),
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    const { port } = app.server.address() as AddressInfo
    const socket: Socket = connect({ port, rejectUnauthorized: false })
    socket.on('error', () => {})
    await once(socket, 'secureConnect')
    socket.write(
      `POST /lists HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${BODY_BYTES}\r\n\r\n${'A'.repeat(BODY_BYTES)}`,
    )
    const [answer] = (await once(socket, 'data')) as [Buffer]
    assert.match(answer.toString(), /^HTTP\/1\.1 409 /)
    assert.ok(read > 1_000 && read <= MOST_READ, `${read} bytes were read`)
    socket.destroy()
  } finally {
    await app.close()
  }
})
