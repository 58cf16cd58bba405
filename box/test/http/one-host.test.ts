/** Two `Host` lines in one request: what a proxy in front of the box reads must not differ from what the box reads. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openHealth } from '../../src/hq/health.ts'
import { writeBytes } from '../world/ask.ts'
import { portOf } from '../world/pretix-app.ts'
import { World } from '../world/world.ts'

const request = (...lines: string[]) => ['GET /healthz HTTP/1.1', ...lines, 'connection: close', '', ''].join('\r\n')
const TWICE = [
  ['host: box', 'host: box'],
  ['Host: box', 'accept: */*', 'HOST: elsewhere'],
  ['host: box', ...Array.from({ length: 600 }, () => 'a:'), 'host: elsewhere'],
]

describe('a request with two Host lines is answered 400', () => {
  it('on every port of a box', async () => {
    await using world = await World.open({ environment: { GATEHOUSE_PRETIXSCAN_PORT: '0' } })
    const { http, https, device: devicePort } = world.box.ports
    const { ca, certificate: cert, key } = (await world.device()).paired
    // The port of the handhelds has nothing at this path.
    const ports = [
      { port: http, status: 200 },
      { port: https, tls: { ca }, status: 200 },
      { port: devicePort, tls: { ca, cert, key }, status: 200 },
      { port: portOf(world), tls: { ca }, status: 404 },
    ]
    for (const { port, tls, status } of ports) {
      const options = tls ? { tls: { ...tls, servername: 'localhost' } } : {}
      assert.match(await writeBytes(port, request('host: box'), options), new RegExp(`^HTTP/1\\.1 ${status} `))
      for (const lines of TWICE) {
        const answer = await writeBytes(port, request(...lines), options)
        assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*The request names two hosts/)
      }
    }
  })

  it('by the health check of HQ', async () => {
    await using health = await openHealth({ host: '127.0.0.1', port: 0, isReady: async () => true, uptime: () => 0 })
    assert.match(await writeBytes(health.port, request('host: hq')), /^HTTP\/1\.1 200 /)
    for (const lines of TWICE) assert.match(await writeBytes(health.port, request(...lines)), /^HTTP\/1\.1 400 /)
  })
})
