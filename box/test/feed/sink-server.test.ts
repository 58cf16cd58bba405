/** The TLS and HTTP/2 server of a receiver, against clients that are no feed. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type OutgoingHttpHeaders } from 'node:http2'
import { connect as connectPlain, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { status } from '@grpc/grpc-js'
import { openSinkServer } from '../../src/feed/grpc/server.ts'
import { DELIVER_PATH } from '../../src/feed/grpc/service.ts'
import { makeAuthority } from '../world/certificates.ts'
import { until } from '../world/until.ts'

const authority = await makeAuthority('receivers')
const shown = await authority.issue('receiver', [{ type: 'ip', value: '127.0.0.1' }])
const client = { ca: authority.ca, ...(await authority.issue('feed')) }

async function open(change: Partial<Parameters<typeof openSinkServer<Buffer, string>>[0]> = {}) {
  const failures: string[] = []
  const delivered: Buffer[] = []
  const server = await openSinkServer<Buffer, string>({
    host: '127.0.0.1',
    port: 0,
    setting: 'NONE',
    tls: { ...shown, ca: authority.ca, rejectUnauthorized: true },
    maxConnections: 50,
    mostOfNetwork: 50,
    channel: {},
    decode: (message) => message,
    admit: () => ({ peer: 'feed' }),
    handshakeFailed: ({ code, message }) => void failures.push(code ?? message),
    deliver: async ({ batch }) => {
      delivered.push(batch)
      return { ok: true, message: '' }
    },
    failed: () => 'failed',
    ...change,
  })
  return { server, failures, delivered }
}

/** One call with an empty batch. @returns its gRPC status, or how the stream ended */
async function call(port: number, headers: OutgoingHttpHeaders): Promise<string> {
  const session = connect(`https://127.0.0.1:${port}`, client)
  session.on('error', () => {})
  try {
    return await new Promise((resolve) => {
      const stream = session.request({
        ':method': 'POST',
        ':path': DELIVER_PATH,
        'content-type': 'application/grpc',
        te: 'trailers',
        ...headers,
      })
      const seen = (fields: OutgoingHttpHeaders) => {
        const said = fields['grpc-status']
        if (said !== undefined) resolve(status[Number(said)] ?? String(said))
      }
      stream.on('response', seen)
      stream.on('trailers', seen)
      stream.on('error', ({ message }) => resolve(message))
      stream.on('close', () => resolve('closed'))
      stream.resume()
      stream.end(Buffer.alloc(5))
    })
  } finally {
    session.destroy()
  }
}

describe('a call that names two hosts', () => {
  it('is refused, whatever it delivers', async () => {
    const { server, delivered } = await open()
    await using _ = server
    const authority = `127.0.0.1:${server.port}`
    assert.equal(await call(server.port, { ':authority': authority }), 'OK')
    assert.equal(await call(server.port, { ':authority': authority, host: authority }), 'OK')
    assert.equal(delivered.length, 2)
    assert.equal(await call(server.port, { ':authority': authority, host: 'elsewhere' }), 'INVALID_ARGUMENT')
    assert.equal(delivered.length, 2, 'neither was delivered')
  })
})

describe('strangers at a receiver', () => {
  /** Connects and says nothing. @returns sockets, and how many of them are still open */
  async function silent(port: number, count: number) {
    const sockets = Array.from({ length: count }, () => connectPlain(port, '127.0.0.1').on('error', () => {}))
    await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => {})))
    const end = () => {
      for (const socket of sockets) socket.destroy()
    }
    return { open: () => sockets.filter((socket: Socket) => !socket.closed).length, [Symbol.dispose]: end }
  }

  it('get so many connections from one network and in all, and the feed comes in when they leave', async () => {
    for (const bounds of [{ mostOfNetwork: 5 }, { maxConnections: 5 }]) {
      const { server } = await open(bounds)
      await using _ = server
      const { port } = server
      {
        using strangers = await silent(port, 40)
        await until(() => strangers.open() === 5)
        assert.notEqual(await call(port, { ':authority': 'box' }), 'OK', 'this network has no more')
      }
      await until(async () => (await call(port, { ':authority': 'box' })) === 'OK')
    }
  })

  it('are cut off when they do not finish their handshake in time', async () => {
    const { server, failures } = await open({ handshakeMs: 100 })
    await using _ = server
    using strangers = await silent(server.port, 3)
    await until(() => strangers.open() === 0)
    assert.deepEqual(failures, Array(3).fill('ERR_TLS_HANDSHAKE_TIMEOUT'))
    assert.equal(await call(server.port, { ':authority': 'box' }), 'OK')
  })
})
