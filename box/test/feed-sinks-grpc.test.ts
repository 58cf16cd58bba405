/** The gRPC sink against receivers that were made by other toolchains. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { status } from '@grpc/grpc-js'
import { Value } from 'typebox/value'
import grpc from '../src/feed/sinks/grpc.ts'
import { EngineFolder } from './feed-running.ts'
import { type ReceivedEvent, startReceiver } from './grpc-receiver.ts'
import { serve } from './scripted-sink.ts'
import { ScriptedSource, transaction } from './scripted-source.ts'
import { until } from './until.ts'

function openSink(options: object) {
  const filled = Value.Default(grpc.options, { plaintext: true, ...options })
  return grpc.open(Value.Parse(grpc.options, filled))
}

const rows = (n: number) => Array.from({ length: n }, (_, i) => `row ${i}`)

describe('a receiver from the plain .proto', () => {
  it('gets every field under its name', async () => {
    using folder = new EngineFolder()
    const received: ReceivedEvent[] = []
    await using receiver = await startReceiver((events) => {
      received.push(...events)
      return { ok: true }
    })
    const source = new ScriptedSource({ log: [transaction(0x16_b374_d848n, ['é "quoted" 🎪', 'two'])] })
    await using engine = folder.engine(source, [serve(await openSink({ address: receiver.address }), {})])
    await engine.start()
    await until(() => received.length === 2)
    assert.deepEqual(
      { ...received[1] },
      {
        id: '16/B374D848:1',
        lsn: '16/B374D848',
        commit_lsn: '16/B374D848',
        commit_time: '2026-07-25T18:20:00.123456Z',
        schema: 'public',
        table: 'tickets',
        op: 'insert',
        before_json: '',
        after_json: '{"id":"1","text":"two"}',
      },
    )
    assert.equal(JSON.parse(received[0]?.after_json ?? '').text, 'é "quoted" 🎪')
  })

  it('that rejects is told of in the log in the very words of the specification (fault 4)', async () => {
    using folder = new EngineFolder()
    let rejections = 0
    await using receiver = await startReceiver(() =>
      rejections++ < 3 ? { ok: false, message: 'disk\nfull' } : { ok: true },
    )
    const source = new ScriptedSource({ log: [transaction(16n, ['x'])] })
    await using engine = folder.engine(source, [
      serve(await openSink({ address: receiver.address }), { maxAttempts: 3 }),
    ])
    await engine.start()
    await until(() => engine.stats().sinks[0]?.status === 'paused')
    const text = 'gRPC consumer rejected the batch: disk\nfull'
    assert.equal(engine.stats().sinks[0]?.lastError, text)
    assert.deepEqual(
      folder.lines.filter(({ message }) => message === text).map(({ level }) => level),
      ['warn', 'warn', 'error'],
    )
    engine.resume('sink')
    await until(() => source.slot.confirmed === 24n)
  })

  it('that answers late is not heard, and gets the batch again (fault 3)', async () => {
    using folder = new EngineFolder()
    const calls: string[][] = []
    const late = Promise.withResolvers<void>()
    await using receiver = await startReceiver(async (events) => {
      calls.push(events.map(({ id }) => id))
      if (calls.length === 1) await late.promise
      return { ok: true }
    })
    const source = new ScriptedSource({ log: [transaction(16n, rows(3))] })
    const sink = await openSink({ address: receiver.address, deadlineMs: 300 })
    const backoff = { initialMs: 60_000, maxMs: 60_000, factor: 1, jitter: 0 }
    await using engine = folder.engine(source, [serve(sink, { backoff })])
    await engine.start()
    await until(() => engine.stats().sinks[0]?.lastError !== null)
    assert.match(engine.stats().sinks[0]?.lastError ?? '', /^gRPC DEADLINE_EXCEEDED: /)
    late.resolve()
    await sleep(100)
    // Its ok is here by now.
    assert.deepEqual([calls.length, source.slot.confirmed, engine.stats().sinks[0]?.deliveredCount], [1, 0n, 0])
    // The next attempt, now.
    engine.pause('sink')
    engine.resume('sink')
    await until(() => source.slot.confirmed === 24n)
    assert.deepEqual(calls[1], calls[0])
  })

  it('that is not there is tried until it is, and what happens in between is told', async () => {
    using folder = new EngineFolder()
    const first = await startReceiver(() => ({ ok: true }))
    await first[Symbol.asyncDispose]()
    const source = new ScriptedSource({ log: [transaction(16n, rows(3))] })
    const sink = await openSink({ address: first.address })
    const backoff = { initialMs: 20, maxMs: 100, factor: 2, jitter: 0 }
    await using engine = folder.engine(source, [serve(sink, { maxAttempts: 0, backoff })])
    await engine.start()
    await until(() => (engine.stats().sinks[0]?.attempts ?? 0) > 2)
    assert.match(engine.stats().sinks[0]?.lastError ?? '', /^gRPC UNAVAILABLE: .*ECONNREFUSED/)
    await using _again = await startReceiver(() => ({ ok: true }), { port: first.port })
    await until(() => source.slot.confirmed === 24n)
  })

  it('that fails with a status, or answers something else, gets the batch again', async () => {
    using folder = new EngineFolder()
    const answers = [
      () => {
        throw Object.assign(new Error('no'), { code: status.INTERNAL, details: 'out of order' })
      },
      () => {
        throw Object.assign(new Error('no'), {
          code: status.RESOURCE_EXHAUSTED,
          details: 'quota of the day is used up',
        })
      },
      () => ({}),
      () => ({ ok: true }),
    ]
    await using receiver = await startReceiver(() => answers.shift()?.() ?? { ok: true })
    const source = new ScriptedSource({ log: [transaction(16n, rows(3))] })
    await using engine = folder.engine(source, [serve(await openSink({ address: receiver.address }), {})])
    await engine.start()
    await until(() => source.slot.confirmed === 24n)
    assert.deepEqual(
      folder.lines.filter(({ event }) => event === 'delivery_failed').map(({ message }) => message),
      [
        'gRPC INTERNAL: out of order',
        'gRPC RESOURCE_EXHAUSTED: quota of the day is used up',
        'gRPC consumer rejected the batch: ',
      ],
    )
  })

  it('that goes silent without a word is noticed, and found again on a new connection', async (t) => {
    using folder = new EngineFolder()
    await using receiver = await startReceiver(() => ({ ok: true }))
    const cable = await Cable.lay(t, receiver.port)
    const source = new ScriptedSource({ log: [transaction(16n, rows(3))] })
    const sink = await openSink({ address: `127.0.0.1:${cable.port}`, deadlineMs: 900 })
    await using engine = folder.engine(source, [serve(sink, { maxAttempts: 0 })])
    await engine.start()
    await until(() => source.slot.confirmed === 24n)
    cable.cut()
    source.log.push(transaction(100n, ['over another connection']))
    await until(() => source.slot.confirmed === 108n)
    assert.ok(cable.connections >= 2, `${cable.connections} connections`)
  })
})

/** A way to the receiver on which bytes can vanish, with the connection none the wiser: a cable that was pulled. */
class Cable {
  port = 0
  connections = 0
  readonly #sockets: Socket[] = []

  static async lay(t: TestContext, to: number): Promise<Cable> {
    const cable = new Cable()
    const server = createServer((near) => {
      cable.connections++
      const far = dial(to, '127.0.0.1')
      for (const socket of [near, far]) socket.on('error', () => {})
      near.pipe(far).pipe(near)
      cable.#sockets.push(near, far)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cable.port = (server.address() as { port: number }).port
    t.after(() => {
      server.close()
      for (const socket of cable.#sockets) socket.destroy()
    })
    return cable
  }

  cut(): void {
    for (const socket of this.#sockets) {
      socket.unpipe()
      socket.pause()
    }
  }
}

describe('rows of any size (fault 24)', () => {
  const MIB = 1024 * 1024
  const large = (mib: number) => 'x'.repeat(mib * MIB)

  async function deliver(folder: EngineFolder, size: number, options: object, maxBytes?: number) {
    const received: string[] = []
    const calls: number[] = []
    const receiver = await startReceiver(
      (events) => {
        calls.push(events.length)
        received.push(...events.map(({ id }) => id))
        return { ok: true }
      },
      maxBytes === undefined ? {} : { maxBytes },
    )
    const log = [transaction(16n, ['before']), transaction(32n, [large(size)]), transaction(48n, ['behind'])]
    const source = new ScriptedSource({ log })
    const sink = await openSink({ address: receiver.address, ...options })
    const engine = folder.engine(source, [serve(sink, {})])
    await engine.start()
    const close = async () => {
      await engine[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
    }
    return { engine, source, received, calls, [Symbol.asyncDispose]: close }
  }

  for (const size of [5, 20]) {
    it(`one of ${size} MiB holds the sink up with an error that names it, and is tried once`, async () => {
      using folder = new EngineFolder()
      await using feed = await deliver(folder, size, {})
      const sink = () => feed.engine.stats().sinks[0]
      // The one behind it may come a moment later.
      await until(() => sink()?.status === 'paused' && sink()?.queueDepth === 2)
      const stats = sink()
      assert.match(
        stats?.lastError ?? '',
        new RegExp(
          `^The event 0/20:0 of public.tickets is too large: ${size}\\d{6} bytes. maxMessageBytes is 4128768. Raise`,
        ),
      )
      assert.match(stats?.lastError ?? '', /grpc\.max_receive_message_length.*maxMessageBytes.*resume/)
      assert.deepEqual([feed.received, feed.source.slot.confirmed], [['0/10:0'], 24n])
      feed.engine.resume('sink')
      await until(() => sink()?.status === 'paused')
      assert.equal(feed.calls.length, 1, 'nothing that cannot pass is sent')
    })

    it(`one of ${size} MiB passes where both sides were told so`, async () => {
      using folder = new EngineFolder()
      await using feed = await deliver(folder, size, { maxMessageBytes: 32 * MIB }, 32 * MIB)
      await until(() => feed.source.slot.confirmed === 56n)
      assert.deepEqual(feed.received, ['0/10:0', '0/20:0', '0/30:0'])
    })
  }

  it('one that only the receiver finds too large is named as well', async () => {
    using folder = new EngineFolder()
    await using feed = await deliver(folder, 5, { maxMessageBytes: 32 * MIB })
    await until(() => feed.engine.stats().sinks[0]?.status === 'paused')
    assert.match(
      feed.engine.stats().sinks[0]?.lastError ?? '',
      /^The event 0\/20:0 of public\.tickets is too large: 5\d{6} bytes\. The receiver said: gRPC RESOURCE_EXHAUSTED: .*larger than max/,
    )
  })

  it('many that are too large together go in halves, and from then on in batches of that size', async () => {
    using folder = new EngineFolder()
    const sizes: number[] = []
    const received: string[] = []
    await using receiver = await startReceiver(
      (events) => {
        sizes.push(events.length)
        received.push(...events.map(({ id }) => id))
        return { ok: true }
      },
      { maxBytes: 20_000 },
    )
    const log = Array.from({ length: 20 }, (_, i) => transaction(BigInt(i + 1) * 16n, rows(100)))
    const source = new ScriptedSource({ log })
    await using engine = folder.engine(source, [serve(await openSink({ address: receiver.address }), {})])
    await engine.start()
    await until(() => source.slot.confirmed === 20n * 16n + 8n)
    assert.deepEqual(
      received,
      log.flatMap(({ events }) => events.map(({ id }) => id)),
    )
    assert.equal(folder.lines.filter(({ event }) => event === 'delivery_failed').length, 0)
    assert.ok(
      sizes.slice(-10, -1).every((size) => size > 40),
      `batches of ${sizes}`,
    )
  })
})

describe("Python's grpcio", () => {
  it('as a receiver gets the same', async (t: TestContext) => {
    if (spawnSync('python3', ['-c', 'import grpc']).status !== 0) return t.skip('there is no python3 with grpcio')
    using folder = new EngineFolder()
    const child = spawn('python3', [join(import.meta.dirname, 'grpc-receiver.py')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    t.after(() => child.kill('SIGKILL'))
    const lines = createInterface({ input: child.stdout })
    const [port] = (await once(lines, 'line')) as [string]
    const received: string[][] = []
    lines.on('line', (line) => received.push(JSON.parse(line)))
    const log = [transaction(0x16_b374_d848n, ['é 🎪', ...rows(600)]), transaction(0x17_0000_0000n, ['last'])]
    const source = new ScriptedSource({ log })
    await using engine = folder.engine(source, [serve(await openSink({ address: `127.0.0.1:${port}` }), {})])
    await engine.start()
    await until(() => source.slot.confirmed === 0x17_0000_0008n)
    await until(() => received.length === 602)
    const expected = log.flatMap(({ events }) =>
      events.map((e) => [e.id, e.lsn, e.commitLsn, e.commitTime, e.schema, e.table, e.op, e.beforeJson, e.afterJson]),
    )
    assert.deepEqual(received, expected)
    // It refused the first batch once.
    const told = folder.lines.filter(({ message }) => message === 'gRPC consumer rejected the batch: not yet')
    assert.equal(told.length, 1)
  })
})
