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
import grpc from '../../src/feed/sinks/grpc.ts'
import { until } from '../world/until.ts'
import { startReceiver } from './grpc-receiver.ts'
import { EngineFolder } from './running.ts'
import { serve } from './scripted-sink.ts'
import { ScriptedSource, transaction } from './scripted-source.ts'

function openSink(options: object) {
  const filled = Value.Default(grpc.options, { plaintext: true, ...options })
  return grpc.open(Value.Parse(grpc.options, filled))
}

const rows = (n: number) => Array.from({ length: n }, (_, i) => `row ${i}`)

describe('a receiver from the plain .proto', () => {
  it('gets every field under its name', async () => {
    using folder = new EngineFolder()
    await using receiver = await startReceiver()
    const received = receiver.events
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

  it('reads in the metadata whether a transaction goes on in the next batch', async () => {
    using folder = new EngineFolder()
    const batches: string[] = []
    await using receiver = await startReceiver((events, { metadata }) => {
      batches.push(`${events.map(({ id }) => id)} ${metadata.get('changefeed-open')}`)
      return { ok: true }
    })
    const source = new ScriptedSource({ log: [transaction(16n, rows(3)), transaction(32n, rows(1))], chunk: 2 })
    const sink = serve(await openSink({ address: receiver.address }), {
      batch: { maxEvents: 2, maxBytes: 1e6, lingerMs: 0 },
    })
    await using engine = folder.engine(source, [sink])
    await engine.start()
    await until(() => source.slot.confirmed === 40n)
    assert.equal(batches[0], '0/10:0,0/10:1 1')
    assert.equal(batches.at(-1)?.endsWith('0/20:0 '), true, `${batches}`)
  })

  it('reads in the metadata of a batch that changes are missing before it, until it has taken that batch', async () => {
    using folder = new EngineFolder()
    const gaps: unknown[] = []
    let calls = 0
    await using receiver = await startReceiver((_, { metadata }) => {
      gaps.push(metadata.get('changefeed-gap'))
      return { ok: ++calls !== 2 }
    })
    const source = new ScriptedSource({ log: [transaction(16n, ['x'])] })
    await using engine = folder.engine(source, [serve(await openSink({ address: receiver.address }), {})])
    await engine.start()
    await until(() => calls === 1)
    await source.gap('The slot é is gone')
    for (const at of [48n, 80n]) {
      source.log.push(transaction(at, ['y']))
      await until(() => source.slot.confirmed === at + 8n)
    }
    assert.deepEqual(gaps, [[], ['The slot ? is gone'], ['The slot ? is gone'], []])
  })

  it("that rejects a batch is logged in the specification's words (fault 4)", async () => {
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

  it('that answers too late gets the batch again (fault 3)', async () => {
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

  it('that is down is tried until it answers, and the log says so', async () => {
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

  it('that answers with a status or with another message gets the batch again', async () => {
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

  it('that is out of quota gets the same batch again after a wait, whatever its words say of sizes and limits', async () => {
    using folder = new EngineFolder()
    const details = 'Quota exceeded: the size of requests exceeds the limit of 1000 bytes per minute'
    const sizes: number[] = []
    await using receiver = await startReceiver((events) => {
      sizes.push(events.length)
      if (sizes.length <= 3) throw Object.assign(new Error('no'), { code: status.RESOURCE_EXHAUSTED, details })
      return { ok: true }
    })
    const source = new ScriptedSource({ log: [transaction(16n, rows(3))] })
    await using engine = folder.engine(source, [serve(await openSink({ address: receiver.address }), {})])
    await engine.start()
    await until(() => source.slot.confirmed === 24n)
    assert.deepEqual(sizes, [3, 3, 3, 3])
    assert.equal(folder.lines.filter(({ event }) => event === 'delivery_failed').length, 3)
  })

  it('that goes silent is noticed, and reached again over a new connection', async (t) => {
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
    it(`one of ${size} MiB pauses the sink with an error that names it, and is tried once`, async () => {
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

    it(`one of ${size} MiB passes when both sides are configured for it`, async () => {
      using folder = new EngineFolder()
      await using feed = await deliver(folder, size, { maxMessageBytes: 32 * MIB }, 32 * MIB)
      await until(() => feed.source.slot.confirmed === 56n)
      assert.deepEqual(feed.received, ['0/10:0', '0/20:0', '0/30:0'])
    })
  }

  it('one that only the receiver finds too large is tried maxAttempts times, and named', async () => {
    using folder = new EngineFolder()
    await using feed = await deliver(folder, 5, { maxMessageBytes: 32 * MIB })
    await until(() => feed.engine.stats().sinks[0]?.status === 'paused')
    assert.equal(feed.engine.stats().sinks[0]?.attempts, 10, 'maxAttempts, with a wait between them')
    assert.match(
      feed.engine.stats().sinks[0]?.lastError ?? '',
      /^The event 0\/20:0 of public\.tickets is too large: 5\d{6} bytes\. The receiver said: gRPC RESOURCE_EXHAUSTED: .*larger than max/,
    )
  })

  it('many that are too large together are halved, and later batches have that size', async () => {
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
    const log = Array.from({ length: 20 }, (_, i) => transaction(BigInt(i + 1) * 16n, rows(300)))
    const source = new ScriptedSource({ log })
    await using engine = folder.engine(source, [serve(await openSink({ address: receiver.address }), {})])
    await engine.start()
    await until(() => source.slot.confirmed === 20n * 16n + 8n)
    assert.deepEqual(
      received,
      log.flatMap(({ events }) => events.map(({ id }) => id)),
    )
    // Each refusal is a failed delivery, with a wait before the next attempt.
    const failures = folder.lines.filter(({ event }) => event === 'delivery_failed')
    assert.ok(
      failures.length > 0 &&
        failures.every(({ message }) => /^The batch of \d+ events is too large/.test(message ?? '')),
    )
    assert.ok(
      sizes.slice(-10, -1).every((size) => size > 40),
      `batches of ${sizes}`,
    )
  })
})

it('a batch recovers its size when the receiver takes large ones again', async () => {
  using folder = new EngineFolder()
  const sizes: number[] = []
  await using receiver = await startReceiver((events) => {
    sizes.push(events.length)
    const details = 'Received message larger than max (20000 vs 1000)'
    if (sizes.length < 20 && events.length > 5) {
      throw Object.assign(new Error('no'), { code: status.RESOURCE_EXHAUSTED, details })
    }
    return { ok: true }
  })
  const log = Array.from({ length: 60 }, (_, i) => transaction(BigInt(i + 1) * 16n, rows(100)))
  const source = new ScriptedSource({ log })
  const sink = await openSink({ address: receiver.address, maxMessageBytes: 20_000 })
  await using engine = folder.engine(source, [serve(sink, {})])
  await engine.start()
  await until(() => source.slot.confirmed === 60n * 16n + 8n)
  assert.ok(
    sizes.slice(20).some((size) => size <= 10),
    'it was small',
  )
  assert.ok(
    sizes.slice(-20).some((size) => size > 100),
    `batches of ${sizes}`,
  )
})

describe("Python's grpcio", () => {
  it('receives the same as ours', async (t: TestContext) => {
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
