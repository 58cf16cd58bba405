import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { Desk } from '../../test/world/desk.ts'
import { createApp } from '../http/app.ts'
import { createLogger } from '../log.ts'
import { AnnouncementBytes } from './announcement-bytes.ts'
import { announce, withdraw } from './announcements.ts'
import { WalletStreams } from './wallet-streams.ts'

const WITHIN_MS = 1_000
/** Replicated entries, none of which is an announcement. */
const OF_ANOTHER_BOX = { box: 'b', from: 0, to: 1, digest: 'ab', again: [], known: [] }

/** A listener whose `/` is a wallet's stream, beside a desk that announces. */
async function venue(t: TestContext, bounds: { mostOfNetwork?: number } = {}) {
  const desk = await Desk.open({ now: Date.parse('2026-07-04T12:00:00Z') })
  const deps = { event: desk.event, ledger: desk.deps.ledger, now: () => desk.now }
  const inForce = new AnnouncementBytes(deps)
  const given = { ledger: deps.ledger, current: () => inForce.of(undefined), random: () => 0.5 }
  const streams = new WalletStreams({ ...given, ...bounds })
  const app = createApp({ logger: createLogger('silent') })
  app.get('/', { exposeHeadRoute: false }, (request, reply) => streams.open(request, reply))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  t.after(async () => {
    streams[Symbol.dispose]()
    inForce[Symbol.dispose]()
    await app.close()
    desk[Symbol.dispose]()
  })
  const signingKey = generateKeyPairSync('ed25519').privateKey
  const admin = { ...deps, signingKey }
  const by = { actor: 'Rui', address: 'x' }

  async function wallet() {
    const request = get({ port, host: '127.0.0.1', agent: false })
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    let text = ''
    answer.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    answer.on('error', () => {})
    request.on('error', () => {})
    return {
      status: answer.statusCode,
      text: () => text,
      close: () => request.destroy(),
      closed: new Promise((resolve) => answer.once('close', resolve)),
      /** The texts of each list that has come. */
      lists: () =>
        [...text.matchAll(/event: announcements\ndata: (.*)\n\n/g)].map(([, data = '']) =>
          JSON.parse(data).announcements.map((one: { text: string }) => one.text),
        ),
      async until(isDone: () => boolean) {
        while (!isDone()) await once(answer, 'data')
      },
    }
  }
  return {
    port,
    streams,
    wallet,
    desk,
    say: (text: string) => announce({ text, severity: 'info', ...by }, admin),
    correct: (id: string, text: string) => announce({ text, severity: 'info', replaces: id, ...by }, admin),
    takeBack: (id: string) => withdraw(id, by, admin),
  }
}

describe('a wallet that is looked at', () => {
  it('has a new, a corrected and a withdrawn announcement within a second', async (t) => {
    const { wallet, say, correct, takeBack } = await venue(t)
    const phone = await wallet()
    await phone.until(() => phone.lists().length === 1)
    assert.match(phone.text(), /^retry: 16000\n/)
    const took: number[] = []
    const timed = async <T>(act: () => Promise<T>, lists: number): Promise<T> => {
      const began = performance.now()
      const done = await act()
      await phone.until(() => phone.lists().length === lists)
      took.push(performance.now() - began)
      return done
    }
    const first = await timed(() => say('Doors at seven'), 2)
    const second = await timed(() => correct(first.id, 'Doors at eight'), 3)
    await timed(() => takeBack(second.id), 4)
    assert.deepEqual(phone.lists(), [[], ['Doors at seven'], ['Doors at eight'], ['Withdrawn: Doors at eight']])
    for (const ms of took) assert.ok(ms < WITHIN_MS, `${took.map(Math.round)} ms`)
  })

  it('is sent nothing where the list is the same: other boxes write all the time', async (t) => {
    const { wallet, say, desk } = await venue(t)
    const phone = await wallet()
    await say('One')
    await phone.until(() => phone.lists().length === 2)
    await desk.deps.ledger.commit(() => desk.deps.ledger.append('heard', OF_ANOTHER_BOX))
    await say('Two')
    await phone.until(() => phone.lists().length === 3)
    assert.deepEqual(phone.lists(), [[], ['One'], ['Two', 'One']])
  })

  it('is told of those that were made together once', async (t) => {
    const { wallet, say } = await venue(t)
    const phone = await wallet()
    await Promise.all([say('One'), say('Two'), say('Three')])
    await phone.until(() => phone.lists().at(-1)?.length === 3)
    assert.equal(phone.lists().length, 2)
  })
})

it('one address holds so many streams; those that it closes are free again', async (t) => {
  const { wallet, streams } = await venue(t, { mostOfNetwork: 3 })
  const all = await Promise.all(Array.from({ length: 3 }, wallet))
  assert.equal(streams.size, 3)
  const refused = await wallet()
  assert.equal(refused.status, 429)
  for (const { close } of all) close()
  while (streams.size > 0) await new Promise(setImmediate)
  assert.equal((await wallet()).status, 200)
})

it('a closing box ends them all, and those that come too late', async (t) => {
  const { wallet, streams } = await venue(t)
  const phone = await wallet()
  streams[Symbol.dispose]()
  await phone.closed
  assert.equal(streams.size, 0)
  const late = await wallet()
  await late.closed
})

it('one connection has one place, however many requests it sends at once, and gives it back at its end', async (t) => {
  const { streams, port } = await venue(t)
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(6))
  await once(socket, 'data')
  assert.equal(streams.size, 1)
  socket.destroy()
  while (streams.size > 0) await new Promise(setImmediate)
})
