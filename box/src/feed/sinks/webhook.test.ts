import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { Value } from 'typebox/value'
import { transaction } from '../../../test/feed/scripted-source.ts'
import type { DeliveryError, SinkContext } from '../sink.ts'
import webhook from './webhook.ts'

const SECRET = `whsec_${randomBytes(32).toString('base64')}`
const { signal } = new AbortController()

interface Received {
  headers: Record<string, string>
  body: string
}

async function open(t: TestContext, answer: (response: ServerResponse, got: Received) => void, options: object = {}) {
  const received: Received[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const got = { headers: request.headers as Record<string, string>, body }
    received.push(got)
    answer(response, got)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/T0K3N-in-path?key=T0K3N-in-query`
  let now = Date.now()
  const context = { now: () => now } as SinkContext
  const all = Value.Default(webhook.options, { url, secret: SECRET, ...options })
  const sink = await webhook.open(Value.Parse(webhook.options, all), context)
  t.after(async () => {
    await sink[Symbol.asyncDispose]()
    server.closeAllConnections()
    server.close()
  })
  return {
    received,
    sink,
    deliver: (events = transaction(16n, ['one', 'two 🎪']).events) => sink.deliver(events, signal),
    setNow: (at: number) => {
      now = at
    },
  }
}

async function failure(delivery: Promise<void>): Promise<DeliveryError> {
  const error = await delivery.then(
    () => assert.fail('it was taken'),
    (error: DeliveryError) => error,
  )
  assert.equal(error.name, 'DeliveryError')
  assert.doesNotMatch(error.message, /T0K3N|whsec|127\.0\.0\.1/)
  return error
}

describe('a webhook', () => {
  it('reads whether a transaction goes on in the next batch', async (t) => {
    const { received, sink } = await open(t, (response) => response.writeHead(200).end())
    const events = [...transaction(16n, ['a']).events, ...transaction(32n, ['b', 'c', 'd']).events]
    await sink.deliver(events, signal, 0, true)
    await sink.deliver(events.slice(0, 1), signal, 0, false)
    assert.deepEqual(
      received.map(({ body }) => JSON.parse(body)).map(({ open, events }) => [open, events.at(-1).id]),
      [
        [true, '0/20:2'],
        [undefined, '0/10:0'],
      ],
    )
  })

  it('reads in the first batch after a gap why changes are missing', async (t) => {
    const { received, sink, deliver } = await open(t, (response) => response.writeHead(200).end())
    sink.gap?.({ reason: 'The slot is gone' })
    for (let times = 0; times < 2; times++) await deliver()
    const bodies = received.map(({ body }) => JSON.parse(body))
    assert.deepEqual(
      bodies.map(({ gaps, events }) => [gaps, events.length]),
      [
        [[{ reason: 'The slot is gone' }], 2],
        [undefined, 2],
      ],
    )
  })

  it('gets a batch that its own library accepts, with the images as objects', async (t) => {
    const { received, deliver } = await open(t, (response) => response.writeHead(200).end('{"thanks":true}'))
    await deliver()
    const [got] = received
    assert.equal(got?.headers['content-type'], 'application/json')
    const { events } = new Webhook(SECRET).verify(got?.body ?? '', got?.headers ?? {}) as { events: object[] }
    assert.deepEqual(events[1], {
      id: '0/10:1',
      lsn: '0/10',
      commit_lsn: '0/10',
      commit_time: '2026-07-25T18:20:00.123456Z',
      schema: 'public',
      table: 'tickets',
      op: 'insert',
      before: null,
      after: { id: '1', text: 'two 🎪' },
    })
  })

  it('gets the same id for the same events, and a new time for each attempt', async (t) => {
    const { received, deliver, setNow } = await open(t, (response) => response.writeHead(503).end())
    setNow(1_790_000_000_000)
    await failure(deliver())
    setNow(1_790_000_030_000)
    await failure(deliver())
    await failure(deliver(transaction(16n, ['one']).events))
    const ids = received.map(({ headers }) => headers['webhook-id'])
    assert.match(ids[0] ?? '', /^msg_[0-9a-f]{32}$/)
    assert.equal(ids[0], ids[1])
    assert.notEqual(ids[0], ids[2])
    assert.deepEqual(
      received.slice(0, 2).map(({ headers }) => headers['webhook-timestamp']),
      ['1790000000', '1790000030'],
    )
  })

  it('takes it with any 2xx, refuses it with anything else, and is never followed elsewhere', async (t) => {
    let status = 0
    const { received, deliver } = await open(t, (response) => {
      response.writeHead(status, { location: '/elsewhere?T0K3N' }).end('T0K3N '.repeat(10))
    })
    for (status of [200, 201, 202, 204, 299]) await deliver()
    for (status of [301, 302, 307, 308]) {
      assert.match((await failure(deliver())).message, new RegExp(`^The webhook answered HTTP ${status}: a redirect`))
    }
    for (status of [400, 401, 404, 500, 502]) {
      const { message, pause } = await failure(deliver())
      assert.deepEqual([message, pause], [`The webhook answered HTTP ${status}.`, false])
    }
    status = 410
    const gone = await failure(deliver())
    assert.equal(gone.pause, true)
    assert.match(gone.message, /HTTP 410: it wants no more/)
    assert.equal(received.length, 15)
  })

  it('may say when to come again, in seconds or with a date, within reason', async (t) => {
    let status = 503
    let value = ''
    const { deliver, setNow } = await open(t, (response) => response.writeHead(status, { 'retry-after': value }).end())
    const now = Date.parse('2026-07-25T18:20:00Z')
    setNow(now)
    const cases: [string, number | undefined][] = [
      ['7', 7000],
      ['0', 0],
      ['99999999999999999999', 3_600_000],
      ['Sat, 25 Jul 2026 18:20:30 GMT', 30_000],
      ['Sat, 25 Jul 2026 18:00:00 GMT', 0],
      ['Sat, 25 Jul 2099 18:00:00 GMT', 3_600_000],
      ['soon', undefined],
      ['', undefined],
    ]
    for (status of [503, 429]) {
      for (const [text, ms] of cases) {
        value = text
        assert.equal((await failure(deliver())).retryAfterMs, ms, `${status} ${text}`)
      }
    }
    status = 500
    value = '7'
    assert.equal((await failure(deliver())).retryAfterMs, undefined)
  })

  it('that does not answer in time is given up', async (t) => {
    const { deliver } = await open(t, () => {}, { timeoutMs: 100 })
    assert.equal((await failure(deliver())).message, 'The webhook did not answer within 100 ms.')
  })

  it('whose answer never ends has answered with its status, and does not fill the memory', async (t) => {
    let status = 200
    let written = 0
    const endless = (response: ServerResponse) => {
      response.writeHead(status)
      const more = () => {
        while (response.writable && response.write('x'.repeat(65_536))) written += 65_536
      }
      response.on('drain', more)
      more()
    }
    const { deliver } = await open(t, endless)
    await deliver()
    status = 500
    assert.equal((await failure(deliver())).message, 'The webhook answered HTTP 500.')
    assert.ok(written < 64 * 1024 * 1024, `${written} bytes`)
  })

  it('that finds a batch too large says so to the engine; one event alone is named (fault 24)', async (t) => {
    const { deliver, received } = await open(t, (response) => response.writeHead(413).end())
    const batch = await failure(deliver())
    assert.deepEqual([batch.tooLarge, batch.pause, batch.event], [true, false, undefined])
    assert.match(batch.message, /^The batch of 2 events is too large: \d+ bytes\. The webhook answered HTTP 413\./)
    const alone = await failure(deliver(transaction(32n, ['x'.repeat(5000)]).events))
    assert.deepEqual([alone.tooLarge, alone.pause, alone.event], [true, false, '0/20:0'])
    assert.match(
      alone.message,
      /^The event 0\/20:0 of public\.tickets is too large: 5\d{3} bytes\. The webhook answered HTTP 413\./,
    )
    assert.equal(received.length, 2, 'one request for each attempt')
  })

  it('that is not there fails without its address', async (t) => {
    const { deliver } = await open(t, () => {}, { url: 'http://127.0.0.1:1/T0K3N' })
    assert.match((await failure(deliver())).message, /^The webhook could not be reached: ECONNREFUSED\.$/)
  })

  it('is cut off when the sink is closed', async () => {
    const closing = new AbortController()
    const server = createServer(() => closing.abort())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const sink = await webhook.open({ url, secret: SECRET, timeoutMs: 60_000 }, { now: Date.now } as SinkContext)
    await failure(sink.deliver(transaction(16n, ['x']).events, closing.signal))
    await sink[Symbol.asyncDispose]()
    server.closeAllConnections()
    server.close()
  })

  it('with settings that cannot be used is not opened, and the error does not repeat them', async () => {
    const url = 'https://user:T0K3N@receiver.example/'
    const context = {} as SinkContext
    const isSilent = ({ message }: Error) => !/T0K3N|whsec_AA/.test(message)
    await assert.rejects(webhook.open({ url, secret: SECRET, timeoutMs: 1 }, context), isSilent)
    const good = 'https://receiver.example/'
    await assert.rejects(webhook.open({ url: good, secret: 'whsec_AAAA', timeoutMs: 1 }, context), isSilent)
  })
})
