import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import type { StreamEvent } from './event-stream.ts'
import { type ReadEventsOptions, readEvents, StreamRefused } from './sse.ts'

/** A server on a port of its own, closed after the test. */
async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/stream`
}

const open = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' })
const last = (request: IncomingMessage) => request.headers['last-event-id']

/** Answers the first request with the first step, and so on; 204 when there are no more. */
function script(...steps: RequestListener[]): RequestListener {
  return (request, response) => {
    const step = steps.shift()
    if (step) step(request, response)
    else response.writeHead(204).end()
  }
}

/** Backs off without waiting, and remembers for how long it would have. */
function hurried(options: ReadEventsOptions = {}) {
  const waits: number[] = []
  const sleep = async (ms: number) => void waits.push(ms)
  return { waits, options: { random: () => 0, sleep, ...options } }
}

async function collect(events: AsyncIterable<StreamEvent>): Promise<string[]> {
  const data: string[] = []
  for await (const event of events) data.push(event.data)
  return data
}

test('a thousand events over a server that drops connections anywhere: each once, in order', async (t) => {
  const total = 1000
  const bytes = (from: number) =>
    Buffer.concat(
      Array.from({ length: total - from }, (_, i) => Buffer.from(`id: ${from + i + 1}\ndata: é ${from + i + 1}\n\n`)),
    )
  let connections = 0
  const url = await serve(t, (request, response) => {
    const from = Number(last(request) ?? 0)
    if (from === total) return void response.writeHead(204).end()
    // Each connection is cut a byte later than the one before: inside lines, ids and characters.
    open(response).write(bytes(from).subarray(0, 1237 + connections++), () => response.destroy())
  })
  const { options } = hurried()
  const data = await collect(readEvents(url, options))
  assert.deepEqual(
    data,
    Array.from({ length: total }, (_, i) => `é ${i + 1}`),
  )
  assert.ok(connections > 10)
})

test('resumes where it was told, then after the last complete event, also by an id alone', async (t) => {
  const asked: unknown[] = []
  const step =
    (text: string): RequestListener =>
    (request, response) => {
      asked.push(last(request))
      open(response).end(text)
    }
  const url = await serve(
    t,
    script(step('data: a\n\n'), step('id: ü\n\nid: 9\ndata: cut'), step('id\ndata: b\n\n'), step('')),
  )
  const { options } = hurried({ lastEventId: '41' })
  assert.deepEqual(await collect(readEvents(url, options)), ['a', 'b'])
  assert.deepEqual(asked, ['41', '41', Buffer.from('ü').toString('latin1'), undefined])
})

test('waits longer after each failure, at least what the server asks, and starts over once it is heard', async (t) => {
  const fail =
    (status: number, headers = {}): RequestListener =>
    (_, response) =>
      response.writeHead(status, headers).end()
  const url = await serve(
    t,
    script(
      fail(500),
      fail(502),
      fail(503),
      fail(429, { 'retry-after': '20' }),
      fail(429, { 'retry-after': '86400' }),
      fail(503, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }),
      (_, response) => open(response).end(': hello\nretry: 4000\n\n'),
      (_, response) => response.destroy(),
      fail(500),
    ),
  )
  const causes: unknown[] = []
  const { waits, options } = hurried({ onRetry: (cause) => causes.push(cause) })
  assert.deepEqual(await collect(readEvents(url, options)), [])
  assert.deepEqual(waits, [500, 1000, 2000, 20_000, 30_000, 15_000, 2000, 4000, 8000])
  assert.match(String(causes[0]), /HTTP 500/)
  assert.match(String(causes[6]), /closed the stream/)
})

test('jitter spreads the waits over half their length', async (t) => {
  const draws = [0, 0.5, 0.999]
  const url = await serve(t, script(...draws.map((): RequestListener => (_, response) => open(response).end(':\n'))))
  const { waits, options } = hurried({ random: () => draws.shift() ?? 0 })
  await collect(readEvents(url, options))
  assert.deepEqual(waits, [500, 750, 999.5])
})

test('a server that is down, then up', async (t) => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  await once(closed, 'close')

  let tries = 0
  const server = createServer(script((_, response) => open(response).end('data: up\n\n')))
  t.after(() => server.close())
  const sleep = async () => {
    if (++tries === 3) await once(server.listen(port, '127.0.0.1'), 'listening')
  }
  assert.deepEqual(await collect(readEvents(`http://127.0.0.1:${port}/`, { sleep })), ['up'])
  assert.equal(tries, 4)
})

for (const [status, body, code, message] of [
  [403, '{"code":"device_revoked","message":"Pair this phone again."}', 'device_revoked', 'Pair this phone again.'],
  [401, '{"code":1}', undefined, 'HTTP 401, where an event stream was expected'],
  [404, 'no such page', undefined, 'HTTP 404, where an event stream was expected'],
  [200, '<html>Welcome to our WiFi', undefined, 'HTTP 200, where an event stream was expected'],
] as const) {
  test(`HTTP ${status} ${body}: refused, and not tried again`, async (t) => {
    const type = { 'content-type': body.startsWith('{') ? 'application/json' : 'text/html' }
    const url = await serve(
      t,
      script(
        (_, response) => open(response).end('data: before\n\n'),
        (_, response) => response.writeHead(status, type).end(body),
      ),
    )
    const { options } = hurried()
    const events = readEvents(url, options)
    assert.equal((await events.next()).value?.data, 'before')
    await assert.rejects(events.next(), (error) => {
      assert.ok(error instanceof StreamRefused)
      assert.deepEqual([error.status, error.code, error.message], [status, code, message])
      return true
    })
  })
}

test('every connection asks for its headers, and a fetch that signs sees them all', async (t) => {
  const seen: unknown[] = []
  const step: RequestListener = (request, response) => {
    seen.push([request.headers.authorization, request.headers['x-signed'], request.headers.accept])
    open(response).end('id: 1\ndata: a\n\n')
  }
  const url = await serve(t, script(step, step))
  let made = 0
  const signing: typeof fetch = (target, init) => {
    const headers = new Headers(init?.headers)
    headers.set('x-signed', `${new URL(String(target)).pathname} ${headers.get('last-event-id')}`)
    return fetch(target, { ...init, headers })
  }
  const headers = async () => ({ authorization: `Bearer ${++made}` })
  await collect(readEvents(url, hurried({ headers, fetch: signing }).options))
  assert.deepEqual(seen, [
    ['Bearer 1', '/v1/stream null', 'text/event-stream'],
    ['Bearer 2', '/v1/stream 1', 'text/event-stream'],
  ])
})

test('what no connection can mend is thrown at once', async () => {
  const { options } = hurried({ fetch: () => assert.fail('must not be called') })
  await assert.rejects(collect(readEvents('/v1/stream', options)), TypeError)
  await assert.rejects(collect(readEvents('http://127.0.0.1/', { ...options, headers: { a: 'b\nc' } })), TypeError)
  const headers = () => Promise.reject(new Error('the key is gone'))
  await assert.rejects(collect(readEvents('http://127.0.0.1/', { ...options, headers })), /the key is gone/)
})

test('an event without end is thrown, or it would be asked for again and again', async (t) => {
  const url = await serve(
    t,
    script((_, response) => open(response).end(`data: ${'x'.repeat(2 ** 21)}`)),
  )
  await assert.rejects(collect(readEvents(url, hurried().options)), RangeError)
})

test('a stream that falls silent is left; one that comments is not, nor a caller that takes its time', async (t) => {
  const silent: RequestListener = (_, response) => open(response).write('data: a\n\n')
  const commenting: RequestListener = async (_, response) => {
    open(response).flushHeaders()
    for (let i = 0; i < 12; i++) {
      await after(50)
      response.write(':\n')
    }
    response.end('data: b\n\n')
  }
  const neverAnswers: RequestListener = () => {}
  const url = await serve(t, script(silent, neverAnswers, commenting))
  const causes: unknown[] = []
  const { options } = hurried({ silenceMs: 400, onRetry: (cause) => causes.push(String(cause)) })
  const data: string[] = []
  for await (const event of readEvents(url, options)) {
    data.push(event.data)
    if (event.data === 'a') await after(500)
  }
  assert.deepEqual(data, ['a', 'b'])
  assert.deepEqual(causes, [
    'Error: nothing was heard for 400 ms',
    'Error: nothing was heard for 400 ms',
    'Error: the server closed the stream',
  ])
})

test('ends when aborted: before it begins, while it listens, while it waits', { timeout: 5000 }, async (t) => {
  const url = await serve(
    t,
    script(
      (_, response) => open(response).write('data: a\n\n'),
      (_, response) => response.writeHead(503).end(),
    ),
  )
  assert.deepEqual(await collect(readEvents(url, { signal: AbortSignal.abort() })), [])

  const listening = new AbortController()
  const events = readEvents(url, { signal: listening.signal })
  assert.equal((await events.next()).value?.data, 'a')
  const next = events.next()
  listening.abort()
  assert.deepEqual(await next, { done: true, value: undefined })

  const waiting = new AbortController()
  const onRetry = () => setImmediate(() => waiting.abort())
  assert.deepEqual(
    await collect(readEvents(url, { signal: waiting.signal, onRetry, minBackoffMs: 60_000, maxBackoffMs: 60_000 })),
    [],
  )
})

test('leaving the loop closes the connection', { timeout: 5000 }, async (t) => {
  let closed: Promise<unknown> | undefined
  const url = await serve(t, (_, response) => {
    closed = once(response, 'close')
    open(response).write('data: a\n\n')
  })
  for await (const _ of readEvents(url)) break
  await (closed ?? assert.fail('never opened'))
})
