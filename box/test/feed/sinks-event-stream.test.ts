/** The event stream sink over real sockets, with the reader that the apps use. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamEvent } from '@gatehouse/proto/event-stream.ts'
import { readEvents } from '@gatehouse/proto/sse.ts'
import { FeedChange, FeedGap } from '@gatehouse/proto/wire/feed.ts'
import { Value } from 'typebox/value'
import { readFeedConfig } from '../../src/feed/config/config.ts'
import { KINDS } from '../../src/feed/daemon-kinds.ts'
import type { PluginHandler, SinkContext } from '../../src/feed/sink.ts'
import eventStream from '../../src/feed/sinks/event-stream.ts'
import { until } from '../world/until.ts'
import { EngineFolder } from './running.ts'
import { serve } from './scripted-sink.ts'
import { ScriptedSource, transaction } from './scripted-source.ts'

const rows = (n: number, text = 'row') => Array.from({ length: n }, (_, i) => `${text} ${i}`)

async function open(t: TestContext, options: object = {}) {
  const routes = new Map<string, PluginHandler>()
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const route: SinkContext['route'] = (method, path, handler) => void routes.set(`${method} ${path}`, handler)
  const all = Value.Default(eventStream.options, options)
  const context = { id: 'live', name: 'live', now: Date.now, log, route }
  const sink = await eventStream.open(Value.Parse(eventStream.options, all), context)
  const server = createServer((request, response) => routes.get(`${request.method} /events`)?.(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const leaving = new AbortController()
  const sockets: Socket[] = []
  const undocumented: Error[] = []
  t.after(async () => {
    assert.deepEqual(undocumented, [])
    leaving.abort()
    for (const socket of sockets) socket.destroy()
    await sink[Symbol.asyncDispose]()
    server.closeAllConnections()
    server.close()
  })

  const details = () => sink.details?.() ?? {}
  /** A reader that reconnects by itself; everything that it receives. */
  async function read(query = '', lastEventId = '') {
    const heard: StreamEvent[] = []
    const own = new AbortController()
    const before = Number(details().readers)
    const either = AbortSignal.any([leaving.signal, own.signal])
    const url = `http://127.0.0.1:${port}/events${query}`
    const reading = (async () => {
      for await (const event of readEvents(url, { signal: either, lastEventId })) {
        assertDocumented(event)
        heard.push(event)
      }
    })()
    reading.catch((error: Error) => {
      if (error instanceof assert.AssertionError) undocumented.push(error)
    })
    await until(() => Number(details().readers) > before)
    return { heard, ids: () => heard.map(({ id }) => id), leave: () => own.abort() }
  }

  /** A reader that is a socket, and may do anything. */
  async function dial(head = '') {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {})
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.write(`GET /events HTTP/1.1\r\nhost: x\r\n${head}\r\n`)
    return { socket, text: () => text, closed: once(socket, 'close') }
  }
  const deliver = (commitLsn: bigint, texts: readonly string[], table?: string) =>
    sink.deliver(transaction(commitLsn, texts, table).events)
  return { sink, port, read, dial, deliver, details }
}

/** Each event is as the OpenAPI document says. */
function assertDocumented({ event, data }: StreamEvent): void {
  const schema = { change: FeedChange, gap: FeedGap }[event] ?? assert.fail(event)
  const mistakes = Value.Errors(schema, JSON.parse(data))
  assert.deepEqual([...mistakes], [], data)
}

describe('a reader of the event stream', () => {
  it('gets each change with its id, and the headers that a proxy needs', async (t) => {
    const { deliver, read, dial } = await open(t)
    const plain = await dial()
    await until(() => plain.text().includes('retry: 3000\n'))
    assert.match(plain.text(), /^HTTP\/1\.1 200 OK\r\n/)
    assert.match(plain.text(), /content-type: text\/event-stream; charset=utf-8\r\n/i)
    assert.match(plain.text(), /cache-control: no-store\r\n/i)
    assert.match(plain.text(), /x-accel-buffering: no\r\n/i)
    const reader = await read()
    await deliver(16n, ['first', 'second 🎪\nline'])
    await until(() => reader.heard.length === 2)
    assert.deepEqual(reader.heard[1], { id: '0/10:1', event: 'change', data: reader.heard[1]?.data })
    assert.equal(JSON.parse(reader.heard[1]?.data ?? '').after.text, 'second 🎪\nline')
  })

  it('gets only the tables that it asks for', async (t) => {
    const { deliver, read, port } = await open(t)
    const one = await read('?table=public.audit')
    const two = await read('?table=public.audit&table=public.gates')
    const all = await read()
    await deliver(16n, ['a'], 'tickets')
    await deliver(32n, ['b'], 'audit')
    await deliver(48n, ['c'], 'gates')
    await until(() => all.heard.length === 3)
    await until(() => two.heard.length === 2)
    assert.deepEqual([one.ids(), two.ids()], [['0/20:0'], ['0/20:0', '0/30:0']])
    const wrong = await fetch(`http://127.0.0.1:${port}/events?table=tickets`)
    assert.deepEqual([wrong.status, await wrong.json()], [400, { error: 'each table must be schema.table' }])
  })

  it('gets only new changes on its first connection', async (t) => {
    const { deliver, read } = await open(t)
    await deliver(16n, rows(3))
    const reader = await read()
    await deliver(32n, ['new'])
    await until(() => reader.heard.length > 0)
    assert.deepEqual(reader.ids(), ['0/20:0'])
  })
})

describe('a reader that connects again', () => {
  it('inside the ring gets what it missed (fault 28)', async (t) => {
    const { deliver, read } = await open(t)
    await deliver(16n, rows(2000))
    const reader = await read('', '0/10:41')
    await deliver(32n, ['new'])
    await until(() => reader.ids().includes('0/20:0'))
    assert.deepEqual(reader.ids(), [...Array.from({ length: 1958 }, (_, i) => `0/10:${i + 42}`), '0/20:0'])
  })

  it('outside the ring, or with an unknown id, is told of a gap, and then gets new changes (fault 28)', async (t) => {
    const { deliver, read, details } = await open(t, { maxEvents: 10 })
    await deliver(16n, rows(30))
    for (const id of ['0/10:18', 'F/F:0', 'nonsense']) {
      const reader = await read('', id)
      await deliver(32n, ['new'])
      await until(() => reader.heard.length >= 2)
      const [gap, change] = reader.heard
      assert.equal(gap?.event, 'gap')
      const data = JSON.parse(gap?.data ?? '')
      assert.equal(data.reason, 'unknown')
      assert.match(`${data.oldest} ${data.newest}`, /^0\/10:2\d 0\/(10:29|20:0)$/)
      assert.equal(gap?.id, data.newest, 'or the next connection would be told of it again')
      assert.deepEqual([change?.event, change?.id], ['change', '0/20:0'])
      reader.leave()
      await until(() => details().readers === 0)
    }
    const atTheEdge = await read('', '0/10:29')
    await deliver(48n, ['newer'])
    await until(() => atTheEdge.ids().includes('0/30:0'))
    assert.ok(atTheEdge.heard.every(({ event }) => event === 'change'))
  })

  it('has a position before its first event, and while its tables are silent', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { deliver, dial } = await open(t)
    await deliver(16n, rows(2))
    const reader = await dial()
    await until(() => reader.text().includes('retry: 3000\nid: 0/10:1\n'))
    await deliver(32n, ['x'])
    await until(() => reader.text().includes('0/20:0'))
    t.mock.timers.tick(15_000)
    await until(() => reader.text().endsWith('id: 0/20:0\n:\n\n\r\n'))
  })

  it('that has everything gets no gap after a restart, and one that has not gets one', async (t) => {
    const { sink, read, deliver } = await open(t)
    sink.resumed?.('0/20:0')
    const upToDate = await read('', '0/20:0')
    const behind = await read('', '0/10:0')
    const first = await read()
    await deliver(48n, rows(1))
    await until(() => [upToDate, behind, first].every(({ heard }) => heard.at(-1)?.id === '0/30:0'))
    assert.deepEqual(
      [upToDate, behind, first].map(({ heard }) => heard.map(({ event }) => event)),
      [['change'], ['gap', 'change'], ['change']],
    )
  })

  it('that is ahead of what a killed run had written down gets each change once, and a gap only if its own does not come', async (t) => {
    const { sink, read, deliver } = await open(t)
    sink.resumed?.('0/10:0')
    const ahead = await read('', '0/20:1')
    const elsewhere = await read('', '0/28:0')
    await deliver(32n, rows(3))
    await deliver(48n, rows(1))
    await until(() => [ahead, elsewhere].every(({ heard }) => heard.at(-1)?.id === '0/30:0'))
    assert.deepEqual(
      [ahead, elsewhere].map(({ heard }) => heard.map(({ event, id }) => (event === 'gap' ? event : id))),
      [
        ['0/20:2', '0/30:0'],
        ['gap', '0/30:0'],
      ],
    )
  })

  it('is told why changes of the source do not join', async (t) => {
    const { sink, read, deliver } = await open(t)
    const { heard } = await read()
    await deliver(16n, rows(1))
    sink.gap?.({ reason: 'The slot is gone' })
    await deliver(32n, rows(1))
    await until(() => heard.length === 3)
    assert.deepEqual(
      heard.map(({ event, data }) => (event === 'gap' ? JSON.parse(data) : event)),
      ['change', { reason: 'source', why: 'The slot is gone' }, 'change'],
    )
  })

  it('is told at the right place how many events the engine dropped', async (t) => {
    const { deliver, read, sink } = await open(t)
    const before = await read()
    await deliver(16n, ['a'])
    sink.lost?.(400)
    await deliver(32n, ['b'])
    const after = await read('', '0/10:0')
    for (const { heard } of [before, after]) {
      await until(() => heard.some(({ id }) => id === '0/20:0'))
      const gap = heard.findIndex(({ event }) => event === 'gap')
      assert.deepEqual(JSON.parse(heard[gap]?.data ?? ''), { reason: 'dropped', missing: 400 })
      assert.equal(heard[gap + 1]?.id, '0/20:0')
    }
  })
})

describe('a reader that stalls', () => {
  it('is cut off once it falls out of the ring, is counted, and disturbs no other reader', async (t) => {
    const { deliver, read, dial, details } = await open(t, { maxBytes: 4 * 1024 * 1024 })
    const stuck = await dial()
    await until(() => stuck.text().includes('retry'))
    stuck.socket.pause()
    const quick = await read()
    const large = 'x'.repeat(200_000)
    for (let i = 1; details().readersDropped === 0; i++) {
      await deliver(BigInt(i) * 16n, [large])
      await sleep(1)
      assert.ok(Number(details().ringBytes) < 5 * 1024 * 1024)
      assert.ok(i < 2000, 'never cut off')
    }
    await until(() => details().readers === 1)
    assert.ok(quick.heard.length > 0)
    assert.ok(quick.heard.every(({ event }) => event === 'change'))
  })

  it('is cut off after some comments when it is merely behind, so that half-open connections do not pile up (fault 28)', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { deliver, dial, details } = await open(t)
    const stuck = await dial()
    await until(() => stuck.text().includes('retry'))
    stuck.socket.pause()
    for (let i = 1; i <= 30; i++) await deliver(BigInt(i) * 16n, ['x'.repeat(500_000)])
    // Its socket may take a while to fill.
    let comments = 0
    await until(() => {
      t.mock.timers.tick(15_000)
      comments++
      return details().readers === 0
    })
    assert.ok(comments >= 3, `${comments}`)
    assert.equal(details().readersDropped, 1)
  })

  it('is forgotten when it leaves', async (t) => {
    const { read, deliver, details } = await open(t)
    const reader = await read()
    reader.leave()
    await until(() => details().readers === 0)
    await deliver(16n, ['to nobody'])
    assert.equal(details().readersDropped, 0)
  })
})

describe('the event stream', () => {
  it('has a limit of readers, and tells one more to come back', async (t) => {
    const { read, port, details } = await open(t, { maxReaders: 2 })
    const first = await read()
    await read()
    const third = await fetch(`http://127.0.0.1:${port}/events`)
    assert.deepEqual([third.status, third.headers.get('retry-after')], [503, '5'])
    assert.deepEqual(await third.json(), { error: 'there are too many readers' })
    assert.equal(details().readersRefused, 1)
    first.leave()
    await until(() => details().readers === 1)
    await read()
  })

  it('can only be ephemeral, and the configuration says why', async () => {
    using folder = new EngineFolder()
    const path = join(folder.path, 'feed.yaml')
    const kind = 'event-stream'
    const source = { kind: 'sqlite', path: 'shop.db', tables: [{ name: 'orders' }] }
    writeFileSync(path, JSON.stringify({ source, sinks: [{ id: 'live', kind, durability: 'durable' }] }))
    await assert.rejects(
      readFeedConfig(path, {}, KINDS),
      /sinks\[0\]\.durability: an event stream keeps its last events in memory/,
    )
    writeFileSync(path, JSON.stringify({ source, sinks: [{ id: 'live', kind, durability: 'ephemeral' }] }))
    assert.equal((await readFeedConfig(path, {}, KINDS)).sinks[0]?.durability, 'ephemeral')
  })

  it('is an ephemeral sink: without readers nothing is delayed', async (t) => {
    using folder = new EngineFolder()
    const { sink, read, details } = await open(t)
    const source = new ScriptedSource({ log: [transaction(16n, rows(500))] })
    await using engine = folder.engine(source, [serve(sink, { id: 'live', durability: eventStream.durability })])
    await engine.start()
    await until(() => source.slot.confirmed === 24n)
    const reader = await read('', '0/10:497')
    engine.pause('live')
    source.log.push(transaction(32n, ['while paused']))
    await until(() => source.slot.confirmed === 40n)
    assert.deepEqual(reader.ids(), ['0/10:498', '0/10:499'])
    engine.resume('live')
    await until(() => reader.ids().includes('0/20:0'))
    const [stats] = engine.stats().sinks
    assert.deepEqual([stats?.droppedCount, stats?.deliveredCount], [0, 501])
    assert.deepEqual([details().readers, (stats as { ringEvents?: number }).ringEvents], [1, 501])
  })
})
