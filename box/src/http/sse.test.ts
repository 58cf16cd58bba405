import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { createLogger } from '../log.ts'
import { createApp } from './app.ts'
import { EventStreams, type Frame, frame, urgentFirst } from './sse.ts'

/** A listener with one stream: `/<key>`, or `/<key>?<group>`. */
async function streaming(t: TestContext, missed: Frame[] = [], options: { mostOfOne?: number } = {}) {
  const streams = new EventStreams(options)
  const app = createApp({ logger: createLogger('silent') })
  app.get('/:key', { exposeHeadRoute: false }, (request, reply) => {
    const groups = new Set(Object.keys(request.query as object))
    streams.open(reply, (request.params as { key: string }).key, missed, groups)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const sockets: Socket[] = []
  t.after(async () => {
    streams[Symbol.dispose]()
    for (const socket of sockets) socket.destroy()
    await app.close()
  })

  async function read(key: string) {
    const reader = connect(port, '127.0.0.1')
    sockets.push(reader)
    let text = ''
    reader.on('error', () => {})
    reader.on('data', (chunk) => {
      text += chunk
    })
    const closed = once(reader, 'close')
    reader.write(`GET /${key} HTTP/1.1\r\nhost: x\r\n\r\n`)
    const until = async (wanted: string) => {
      while (!text.includes(wanted)) await once(reader, 'data')
    }
    await until('\n:\n\n')
    return { socket: reader, closed, until, text: () => text }
  }
  return { streams, read, port }
}

describe('an event', () => {
  it('is written as the standard has it', () => {
    const { bytes } = frame({ id: 'x-1', event: 'mode', data: { mode: 'STRICT', text: 'a\nb' } })
    assert.equal(bytes.toString(), 'id: x-1\nevent: mode\ndata: {"mode":"STRICT","text":"a\\nb"}\n\n')
    assert.equal(frame({ event: 'gap', data: null }).bytes.toString(), 'event: gap\ndata: null\n\n')
  })
})

describe('what goes out together', () => {
  const next = fc.record({ urgent: fc.boolean() }).map(({ urgent }) => urgent)

  it('is the urgent first, each once, in its own order; ids never go back, nor over what is not yet sent', () => {
    fc.assert(
      fc.property(fc.array(next, { maxLength: 12 }), (urgent) => {
        const frames = urgent.map((each, i) => frame({ id: `${i}`, event: 'e', data: { at: i }, urgent: each }))
        const sent = urgentFirst(frames).map(({ bytes, urgent }) => {
          const [, id, at] =
            /^(?:id: (\d+)\n)?event: e\ndata: {"at":(\d+)}\n\n$/.exec(bytes.toString()) ?? assert.fail()
          return { id: id === undefined ? undefined : Number(id), at: Number(at), urgent }
        })
        const order = [...urgent.keys()]
        const expected = [...order.filter((i) => urgent[i]), ...order.filter((i) => !urgent[i])]
        assert.deepEqual(
          sent.map(({ at }) => at),
          expected,
        )
        let position = -1
        for (const [i, { id, at }] of sent.entries()) {
          if (id === undefined) continue
          assert.ok(id === at && id > position)
          position = id
          const before = sent.slice(0, i).map((each) => each.at)
          assert.deepEqual(
            order.slice(0, id).filter((each) => !before.includes(each)),
            [],
            'whoever goes on after this id has everything up to it',
          )
        }
      }),
    )
  })
})

describe('streams to many readers', () => {
  it('begin at once, with what was missed, and without what the reader did itself', async (t) => {
    const missed = [frame({ id: '1', event: 'e', data: 'old' }), frame({ id: '2', event: 'e', data: 'own', from: 'a' })]
    const { read } = await streaming(t, missed)
    const a = await read('a')
    await a.until('old')
    assert.match(a.text(), /^HTTP\/1\.1 200 OK\r\ncontent-type: text\/event-stream; charset=utf-8\r\n/)
    assert.match(a.text(), /cache-control: no-store/)
    const b = await read('b')
    await b.until('own')
    assert.doesNotMatch(a.text(), /own/)
  })

  it('carry each event to everybody but its author', async (t) => {
    const { streams, read } = await streaming(t)
    const [a, b] = [await read('a'), await read('b')]
    streams.send(frame({ event: 'e', data: 'by a', from: 'a' }))
    streams.send(frame({ event: 'e', data: 'by nobody' }))
    await Promise.all([a.until('by nobody'), b.until('by nobody')])
    assert.match(b.text(), /by a/)
    assert.doesNotMatch(a.text(), /by a/)
  })

  it('carry what concerns a group to those who are in it, also of what they missed', async (t) => {
    const to = (...groups: string[]) => frame({ event: 'e', data: `to ${groups.join(' and ')}`, to: groups })
    const { streams, read } = await streaming(t, [to('north'), to('south')])
    const [north, nowhere] = [await read('a?north&x'), await read('b')]
    for (const next of [to('south'), to('east', 'north'), to()]) streams.send(next)
    streams.send(frame({ event: 'e', data: 'to everybody' }))
    await Promise.all([north, nowhere].map((reader) => reader.until('to everybody')))
    const heard = (text: string) => [...text.matchAll(/data: "(.*)"/g)].map(([, data]) => data)
    assert.deepEqual(heard(north.text()), ['to north', 'to east and north', 'to everybody'])
    assert.deepEqual(heard(nowhere.text()), ['to everybody'])
  })

  it('end for one reader when it is closed, on all its connections', async (t) => {
    const { streams, read } = await streaming(t)
    const [first, second, other] = [await read('a'), await read('a'), await read('b')]
    streams.close('a')
    await Promise.all([first.closed, second.closed])
    assert.equal(streams.size, 1)
    streams.send(frame({ event: 'e', data: 'still here' }))
    await other.until('still here')
  })

  it('forget a reader that left', async (t) => {
    const { streams, read } = await streaming(t)
    const { socket } = await read('a')
    socket.destroy()
    while (streams.size > 0) await wait(5)
    streams.send(frame({ event: 'e', data: 'to nobody' }))
  })

  it('cut off a reader that does not read, and nobody else', async (t) => {
    const { streams, read } = await streaming(t)
    const [slow, quick] = [await read('slow'), await read('quick')]
    slow.socket.pause()
    const large = frame({ event: 'e', data: 'x'.repeat(64 * 1024) })
    let sent = 0
    while (streams.size === 2) {
      streams.send(large)
      if (++sent % 16 === 0) await wait(1)
      assert.ok(sent < 4000, 'a reader that does not read may not fill the memory')
    }
    slow.socket.resume()
    await slow.closed
    streams.send(frame({ event: 'e', data: 'the last' }))
    await quick.until('the last')
    assert.equal(quick.text().match(/event: e\n/g)?.length, sent + 1)
  })

  it('are eight for one reader: a ninth costs it the oldest', async (t) => {
    const { streams, read } = await streaming(t)
    const other = await read('other')
    const own = []
    for (let i = 0; i < 9; i++) own.push(await read('many'))
    await own[0]?.closed
    assert.equal(streams.size, 9)
    streams.send(frame({ event: 'e', data: 'still here' }))
    for (const reader of [other, ...own.slice(1)]) await reader.until('still here')
  })

  it('are as many as is said where one key serves many', async (t) => {
    const { streams, read } = await streaming(t, [], { mostOfOne: 20 })
    const all = []
    for (let i = 0; i < 21; i++) all.push(await read('admin'))
    await all[0]?.closed
    assert.equal(streams.size, 20)
  })

  it('end with the box, and none begins after', async (t) => {
    const { streams, read, port } = await streaming(t)
    const open = await read('a')
    streams[Symbol.dispose]()
    await open.closed
    const late = connect(port, '127.0.0.1')
    t.after(() => late.destroy())
    let text = ''
    late.on('data', (chunk) => {
      text += chunk
    })
    late.write('GET /a HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    await once(late, 'end')
    assert.match(text, /^HTTP\/1\.1 200/)
    assert.equal(streams.size, 0)
  })
})
