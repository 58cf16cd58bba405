/** Many ticket files at once: the box holds a few of them, and says to all others when to come again, before it reads them. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { type Answer, ask, assertFailure } from '../world/ask.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'

const FILE = 'Kartennr;Sorte\nK-1;Tag\n'
const KINDS = '/v1/admin/import/kinds'
const IMPORT = '/v1/admin/import/tickets?dry_run=true'
const MIB = 1024 * 1024

describe('ticket files that arrive at once', () => {
  let world: World
  let ca: string
  before(async () => {
    world = await World.open()
    ca = await world.ca
  })
  after(() => world[Symbol.asyncDispose]())

  const headers = (token = world.box.adminToken) => ({
    ...{ authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
  })
  const send = (path: string, body = FILE, token?: string): Promise<Answer> =>
    ask(world.box.ports.https, path, { method: 'POST', headers: headers(token), body, tls: { ca } })

  /** Begins to send a file, and goes no further than its head. @param length bytes; null sends it in chunks of a length that nobody knows */
  async function begin(length: number | null, path = KINDS, token = world.box.adminToken): Promise<TLSSocket> {
    const socket = connect({ host: '127.0.0.1', port: world.box.ports.https, servername: 'localhost', ca })
    await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
    const size = length === null ? 'transfer-encoding: chunked' : `content-length: ${length}`
    socket.on('error', () => {})
    socket.write(`POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n${size}\r\n\r\n`)
    return socket
  }

  /** The box's answer to a file that is not sent. */
  async function answerTo(length: number): Promise<string> {
    const socket = await begin(length)
    const [head] = await new Promise<Buffer[]>((resolve) => socket.once('data', (...data: Buffer[]) => resolve(data)))
    socket.destroy()
    return String(head)
  }

  const isFull = async () => (await send(KINDS)).status === 429
  const isFree = async () => (await send(KINDS)).status === 200

  it('are four, and twenty others are told when to come again, while everything else goes on', async () => {
    const slow = await Promise.all([begin(10), begin(10), begin(10, IMPORT), begin(10)])
    await until(isFull)
    const others = await Promise.all(Array.from({ length: 20 }, (_, i) => send(i % 2 === 0 ? KINDS : IMPORT)))
    for (const answer of others) {
      assertFailure(answer, 'rate_limited')
      assert.equal(answer.headers['retry-after'], '5')
    }
    const admin = await world.admin()
    assert.equal((await admin.GET('/v1/admin/stats')).response.status, 200)
    // A sender that goes away gives its place to another.
    slow.pop()?.destroy()
    await until(isFree)
    for (const socket of slow) socket.destroy()
  })

  it('have at most the size of the largest together, and what is too much is not read', async () => {
    const large = await begin(200 * MIB)
    await until(async () => /^HTTP\/1.1 429/.test(await answerTo(57 * MIB)))
    assert.match(await answerTo(57 * MIB), /\r\nretry-after: 5\r\n/i)
    assert.equal((await send(KINDS)).status, 200)
    // One that is larger than any may be would come again for ever.
    assert.match(await answerTo(257 * MIB), /^HTTP\/1.1 413 /)
    large.destroy()
    const unknown = await begin(null)
    await until(isFull)
    unknown.destroy()
    await until(isFree)
  })

  it('take no place with a wrong token, nor when they are refused', async () => {
    for (let n = 0; n < 6; n++) assert.equal((await send(KINDS, '[[[[')).status, 400)
    const wrong = await begin(10, KINDS, 'not-the-token')
    await new Promise((resolve) => wrong.once('data', resolve))
    assert.equal((await send(KINDS)).status, 200)
    const refused = await answerTo(257 * MIB)
    assert.match(refused, /^HTTP\/1.1 413/)
    assert.equal((await send(KINDS)).status, 200)
    wrong.destroy()
  })

  it('are all answered, and none is lost, when twenty come at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(KINDS)))
    const taken = answers.filter(({ status }) => status === 200)
    assert.ok(taken.length >= 4, `${taken.length} were read`)
    for (const answer of answers) if (answer.status !== 200) assertFailure(answer, 'rate_limited')
    await until(isFree)
  })
})
