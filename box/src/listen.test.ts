import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:net'
import { describe, test } from 'node:test'
import { GatehouseError } from './errors.ts'
import { bind, listen, portAdvice } from './listen.ts'

const explain = portAdvice(8080, 'GATEHOUSE_HTTP_PORT')
const failing = (code: string) => Object.assign(new Error(code), { code })

describe('listening on an address', () => {
  test('picks a port for 0', async (t) => {
    const server = createServer()
    t.after(() => server.close())
    assert.ok((await listen(server, { host: '127.0.0.1', port: 0, explain })) > 0)
  })

  test('names a port that is taken, with the setting that moves it', async (t) => {
    const [first, second] = [createServer(), createServer()]
    t.after(() => first.close())
    const port = await listen(first, { host: '127.0.0.1', port: 0, explain })
    const advice = portAdvice(port, 'GATEHOUSE_HTTP_PORT')
    await assert.rejects(listen(second, { host: '127.0.0.1', port, explain: advice }), (error: GatehouseError) => {
      assert.ok(error instanceof GatehouseError)
      assert.equal(
        error.message,
        `Port ${port} is in use: stop what uses it, or set GATEHOUSE_HTTP_PORT to another port.`,
      )
      return true
    })
  })

  test('takes every address of IPv4 on a machine without IPv6', async () => {
    const hosts: string[] = []
    const attempt = async (host: string) => {
      hosts.push(host)
      if (host === '::') throw failing('EAFNOSUPPORT')
    }
    await bind(attempt, { host: '::', explain })
    assert.deepEqual(hosts, ['::', '0.0.0.0'])
    await assert.rejects(
      bind(() => Promise.reject(failing('EAFNOSUPPORT')), { host: 'fe80::1', explain }),
      { code: 'EAFNOSUPPORT' },
    )
  })

  test('throws what it cannot explain as it is', async () => {
    const error = failing('EMFILE')
    await assert.rejects(
      bind(() => Promise.reject(error), { host: '::', explain }),
      (thrown) => thrown === error,
    )
    assert.match(explain('EACCES') ?? '', /above 1023/)
  })

  test('a server that listens survives a connection that it cannot accept', async (t) => {
    const server: Server = createServer()
    t.after(() => server.close())
    await listen(server, { host: '127.0.0.1', port: 0, explain })
    server.emit('error', failing('EMFILE'))
    server.emit('error', failing('EMFILE'))
    assert.ok(server.listening)
  })
})
