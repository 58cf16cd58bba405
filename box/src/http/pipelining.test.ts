import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { makeAuthority } from '../../test/world/certificates.ts'
import { createLogger } from '../log.ts'
import { type App, createApp } from './app.ts'

/** More than the buffers of both ends hold: as long as nobody reads, the box waits to write. */
const LONG = Buffer.alloc(32 * 1024 * 1024, 'x')

const SHORT = 'GET /n HTTP/1.1\r\nhost: x\r\n\r\n'

for (const kind of ['TCP', 'TLS'] as const) {
  describe(`over ${kind}`, () => {
    async function opened() {
      const tls = kind === 'TLS' ? await (await makeAuthority('reading')).issue('box') : undefined
      const app = createApp({ logger: createLogger('silent'), ...(tls && { tls: { cert: tls.cert, key: tls.key } }) })
      let asked = 0
      app.get('/n', async () => ({ n: ++asked }))
      app.get('/long', (_request, reply) => reply.send(LONG))
      app.post('/upload', { bodyLimit: 512 * 1024 }, async ({ rawBody }) => ({ read: rawBody?.length }))
      await app.listen({ port: 0, host: '127.0.0.1' })
      return { app, asked: () => asked, [Symbol.asyncDispose]: () => app.close() }
    }

    async function connected(app: App): Promise<Socket> {
      const { port } = app.server.address() as AddressInfo
      const socket = kind === 'TCP' ? connect(port) : connectTls({ port, rejectUnauthorized: false })
      socket.on('error', () => {})
      await once(socket, kind === 'TCP' ? 'connect' : 'secureConnect')
      return socket
    }

    it('eight requests in one piece are answered in their order', async () => {
      await using box = await opened()
      const socket = await connected(box.app)
      socket.write(`${SHORT.repeat(7)}GET /n HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
      let text = ''
      for await (const part of socket) text += part
      assert.deepEqual(
        [...text.matchAll(/\{"n":(\d)\}/g)].map(([, n]) => Number(n)),
        [1, 2, 3, 4, 5, 6, 7, 8],
      )
    })

    it('two thousand in one piece end the connection, and others are answered', async () => {
      await using box = await opened()
      const socket = await connected(box.app)
      const closed = once(socket, 'close')
      socket.resume()
      socket.write(SHORT.repeat(2_000))
      await closed
      assert.ok(box.asked() <= 8, `${box.asked()} were handled`)
      const other = await connected(box.app)
      other.write(SHORT)
      assert.match(String(await once(other, 'data')), /200 OK/)
      other.destroy()
    })

    it('a large request after a large answer on the same connection is read to its end', async () => {
      await using box = await opened()
      const socket = await connected(box.app)
      // Nothing is read before the box has seen both requests.
      const seen = () => once(box.app.server, 'request')
      let request = seen()
      socket.write('GET /long HTTP/1.1\r\nhost: x\r\n\r\n')
      await request
      request = seen()
      const body = JSON.stringify('y'.repeat(200_000))
      socket.write(
        `POST /upload HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      )
      await request
      let tail = ''
      for await (const part of socket) tail = (tail + part.toString('latin1')).slice(-100)
      assert.equal(tail.slice(tail.indexOf('{')), JSON.stringify({ read: body.length }))
    })
  })
}
