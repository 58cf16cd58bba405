import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, test } from 'node:test'
import { freePort, isFree, portsOutside, systemRange } from './free-port.ts'

describe('a port for a server that starts later', () => {
  test('lies outside of the range from which the system takes ports for every other program', async (t) => {
    const [from, to] = systemRange()
    if (portsOutside([from, to]).some((port) => port >= from && port <= to))
      return t.skip('this system takes them from everywhere')
    for (let i = 0; i < 20; i++) {
      const port = await freePort('127.0.0.1')
      assert.ok(port < from || port > to, `${port} is between ${from} and ${to}`)
      assert.ok(await isFree(port, '127.0.0.1'))
    }
  })

  test('is any where that range is nearly everything', () => {
    assert.ok(portsOutside([15_000, 60_999]).every((port) => port < 15_000 || port > 60_999))
    assert.equal(portsOutside([1024, 65_535]).length, 65_535 - 11_000 + 1)
  })

  test('is none on which somebody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    assert.equal(await isFree(port, '127.0.0.1'), false)
    server.close()
    await once(server, 'close')
    assert.equal(await isFree(port, '127.0.0.1'), true)
  })

  test('is not looked for at an address that this machine does not have', async () => {
    await assert.rejects(freePort('203.0.113.7'), { code: 'EADDRNOTAVAIL' })
  })
})
