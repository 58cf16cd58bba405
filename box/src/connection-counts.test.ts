import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { it } from 'node:test'
import { until } from '../test/world/until.ts'
import { boundNetworks } from './connection-counts.ts'

it('a network has so many connections, and others come in when they leave', async () => {
  const server = createServer()
  boundNetworks(server, 3)
  let open = 0
  server.on('connection', (socket) => {
    if (socket.destroyed) return
    open++
    socket.resume().once('close', () => open--)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sockets = Array.from({ length: 10 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  try {
    await until(() => sockets.filter(({ destroyed }) => destroyed).length === 7)
    assert.equal(open, 3)
    for (const socket of sockets) socket.destroy()
    await until(() => open === 0)
    sockets.push(connect(port, '127.0.0.1'))
    await until(() => open === 1)
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
})
