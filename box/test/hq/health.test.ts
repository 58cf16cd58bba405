/** HQ's health port is open to its network: a request there costs little, however it is sent. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { openHealth } from '../../src/hq/health.ts'
import { ask, writeBytes } from '../world/ask.ts'
import { boundsConnections } from '../world/bounds.ts'

const open = (patienceMs?: number) =>
  openHealth({
    ...{ host: '127.0.0.1', port: 0, isReady: async () => true, uptime: () => 0 },
    ...(patienceMs !== undefined && { patienceMs }),
  })

describe("HQ's health port", () => {
  it('does not wait for the rest of the headers', async () => {
    await using health = await open(100)
    const answer = await writeBytes(health.port, 'GET /healthz HTTP/1.1\r\nhost: x\r\n', { quietMs: 60_000 })
    assert.match(answer, /^HTTP\/1\.1 408 /)
  })

  it('bounds the connections of a network, and has room again when others leave', async () => {
    await using health = await open()
    await boundsConnections(health.port, 50)
  })

  for (const [name, framing] of Object.entries({
    'does not end': 'transfer-encoding: chunked\r\n\r\n4\r\naaaa\r\n',
    'is long': 'content-length: 1000000000\r\n\r\naaaa',
  })) {
    it(`reads no body that ${name}: the answer comes before it, and the connection goes`, async () => {
      await using health = await open()
      const socket = connect(health.port, '127.0.0.1')
      let answer = ''
      socket.setEncoding('latin1').on('data', (text: string) => {
        answer += text
      })
      socket.on('error', () => {})
      const gone = new Promise((resolve) => socket.once('close', resolve))
      socket.write(`GET /healthz HTTP/1.1\r\nhost: x\r\n${framing}`)
      await gone
      assert.match(answer, /^HTTP\/1\.1 200 [\s\S]*\r\nconnection: close/i)
    })
  }

  it('refuses headers of more than 8 KiB', async () => {
    await using health = await open()
    assert.equal((await ask(health.port, '/healthz', { headers: { a: 'a'.repeat(9_000) } })).status, 431)
  })
})
