import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Incident } from '@gatehouse/proto/wire/incidents.ts'
import { incident, stats } from '../test-samples.ts'
import { type ConnectionOptions, connect } from './connection.ts'
import type { LiveEvent } from './event.ts'

/** A box's stream, by hand. */
async function listen(t: TestContext, status = 200) {
  const streams: ServerResponse[] = []
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json' })
    if (status !== 200) return void response.end('{"code":"bad_token","message":"No."}')
    response.write(':\n\n')
    streams.push(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { streams, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

function open(t: TestContext, url: string, given: Partial<ConnectionOptions> = {}) {
  const heard = {
    events: [] as LiveEvent[],
    boards: [] as (readonly Incident[])[],
    ages: [] as (number | null)[],
    retries: [] as number[],
    unreadable: 0,
    asked: 0,
  }
  const connection = connect({
    url,
    fetch,
    askStats: async () => {
      heard.asked++
      return stats({ exits: 99 })
    },
    askBoard: async () => [incident()],
    now: () => ({ wall: Date.now(), steady: performance.now() }),
    onEvent: (event) => heard.events.push(event),
    onBoard: (board) => heard.boards.push(board),
    onReceived: () => undefined,
    onUnreadable: () => heard.unreadable++,
    onBeat: (age) => heard.ages.push(age),
    onRetry: (ms) => heard.retries.push(ms),
    random: () => 0,
    ...given,
  })
  t.after(() => connection[Symbol.dispose]())
  return { heard, connection }
}

async function until(done: () => boolean): Promise<void> {
  const end = Date.now() + 30_000
  while (!done()) {
    assert.ok(Date.now() < end, 'it never came to this')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const send = (stream: ServerResponse | undefined, event: string, data: unknown) =>
  stream?.write(`event: ${event}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)

test('events come through, the board is read at every connection, and what is broken is counted', async (t) => {
  const box = await listen(t)
  const { heard } = open(t, box.url)
  await until(() => box.streams.length === 1 && heard.boards.length === 1)
  send(box.streams[0], 'stats', '{"as_of":')
  send(box.streams[0], 'stats', stats({ exits: 1 }))
  send(box.streams[0], 'incident', incident({ version: 2 }))
  send(box.streams[0], 'something new', {})
  await until(() => heard.events.length === 2)
  assert.equal(heard.unreadable, 1)

  box.streams[0]?.destroy()
  await until(() => box.streams.length === 2 && heard.boards.length === 2)
  // Half of a second to a whole one, by chance; here by none.
  assert.deepEqual(heard.retries, [500])
  send(box.streams[1], 'stats', stats({ exits: 2 }))
  await until(() => heard.events.length === 3)
})

test('a board that did not come is asked for again', async (t) => {
  const box = await listen(t)
  let asked = 0
  const { heard } = open(t, box.url, {
    askBoard: async () => {
      if (++asked === 1) throw new TypeError('Failed to fetch')
      return [incident(), { ...incident(), version: 'x' } as unknown as Incident]
    },
  })
  await until(() => heard.boards.length === 1)
  assert.equal(heard.boards[0]?.length, 1)
})

test('a stream that says nothing is asked about, and a sleep makes a new one', async (t) => {
  const box = await listen(t)
  const sleep = { ms: 0 }
  const { heard } = open(t, box.url, {
    now: () => ({ wall: Date.now() + sleep.ms, steady: performance.now() }),
  })
  await until(() => box.streams.length === 1)
  send(box.streams[0], 'stats', stats({ exits: 1 }))
  await until(() => heard.events.length === 1)
  assert.equal(heard.asked, 0)
  sleep.ms = 3_600_000
  await until(() => heard.asked === 1 && box.streams.length === 2)
  assert.ok(heard.ages.some((age) => age !== null && age >= 3_600_000))
  await until(() => heard.events.some((event) => event.kind === 'stats' && event.stats.exits === 99))
  await until(() => (heard.ages.at(-1) ?? Number.POSITIVE_INFINITY) < 6_000)
})

test('whoever looks again does not wait for the backoff', async (t) => {
  const box = await listen(t)
  const { connection } = open(t, box.url, { random: () => 0.999 })
  await until(() => box.streams.length === 1)
  // Nothing was heard yet: the stream is as good as none.
  connection.wake()
  await until(() => box.streams.length === 2)
})

test('a token that is refused is not tried again, and what is disposed of is silent', async (t) => {
  const box = await listen(t, 401)
  let calls = 0
  const { heard } = open(t, box.url, {
    fetch: (input, init) => {
      calls++
      return fetch(input, init)
    },
  })
  await until(() => heard.ages.length >= 3)
  assert.equal(calls, 1)
  assert.equal(heard.boards.length, 0)

  const other = await listen(t)
  const { connection, heard: silent } = open(t, other.url)
  await until(() => other.streams.length === 1)
  connection[Symbol.dispose]()
  await until(() => other.streams[0]?.destroyed === true)
  const before = silent.ages.length
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  assert.equal(silent.ages.length, before)
})
