import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { it, type TestContext } from 'node:test'
import { limitAnswer } from './answer-limit.ts'

/** So much that the kernel does not take all of it from the server. */
const MUCH = Buffer.alloc(32_000_000)

/** @returns a connection that has sent these requests at once */
async function asked(
  t: TestContext,
  paths: readonly string[],
  answer: (path: string, response: ServerResponse) => void,
) {
  const server = createServer((request, response) => answer(request.url ?? '', response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.after(() => {
    socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  socket.on('error', () => {})
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: box\r\n\r\n`).join(''))
  return socket
}

for (const [what, paths] of [
  ['is not read', ['/much']],
  ['waits behind one that does not end', ['/endless', '/much']],
] as const) {
  it(`closes a connection whose answer ${what}`, async (t) => {
    const closed = Promise.withResolvers<void>()
    await asked(t, paths, (path, response) => {
      if (path === '/endless') return void response.write('begins')
      response.req.socket.once('close', () => closed.resolve())
      limitAnswer(response, 20)
      response.end(MUCH)
    })
    await closed.promise
  })
}

it('leaves a connection open whose answer was taken', async (t) => {
  const socket = await asked(t, ['/'], (_, response) => {
    limitAnswer(response, 20)
    response.end('short')
  })
  await once(socket, 'data')
  const ended = await Promise.race([
    once(socket, 'close').then(() => true),
    new Promise((then) => setTimeout(then, 60)),
  ])
  assert.equal(ended, undefined)
})
