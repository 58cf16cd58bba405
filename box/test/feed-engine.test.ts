/** The engine with a source that is written by the test, and receivers that do as they are told. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DeliveryError } from '../src/feed/sink.ts'
import { EngineFolder } from './feed-running.ts'
import { ScriptedSink, serve } from './scripted-sink.ts'
import { idle, ScriptedSource, transaction } from './scripted-source.ts'
import { until } from './until.ts'

const ids = (sink: ScriptedSink) => sink.received.map(({ id }) => id)
const rows = (n: number) => Array.from({ length: n }, (_, i) => `row ${i}`)
const log = (n: number, size = 1) => Array.from({ length: n }, (_, i) => transaction(BigInt(i + 1) * 16n, rows(size)))
const idsOf = (source: ScriptedSource) => source.log.flatMap(({ events }) => events.map(({ id }) => id))

function never(): Promise<void> & { end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return Object.assign(promise, { end: resolve })
}

describe('events', () => {
  it('come in order, in batches, and are acknowledged by the end of their transactions', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: [...log(50, 3), idle(5000n)] })
    const sink = new ScriptedSink()
    await using engine = folder.engine(source, [serve(sink, { batch: { maxEvents: 7, maxBytes: 1e6, lingerMs: 0 } })])
    await engine.start()
    await until(() => source.slot.confirmed === 5000n)
    assert.deepEqual(ids(sink), idsOf(source))
    assert.ok(sink.calls.every((call) => call.length <= 7))
    const { eventsTotal, flushedLsn, sinks } = engine.stats()
    assert.deepEqual([eventsTotal, flushedLsn, sinks[0]?.ackedLsn], [150, '0/1388', '0/1388'])
  })

  it('are sent at once when the sink is idle, and together when it is not', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(1) })
    const sink = new ScriptedSink()
    const lingerMs = 60_000
    await using engine = folder.engine(source, [serve(sink, { batch: { maxEvents: 4, maxBytes: 1e6, lingerMs } })])
    await engine.start()
    await until(() => sink.received.length === 1)
    for (const more of log(4).slice(1)) source.log.push(more)
    await sleep(50)
    assert.equal(sink.calls.length, 1, 'three wait for a fourth')
    source.log.push(transaction(80n, ['fills the batch']))
    await until(() => sink.received.length === 5)
    assert.deepEqual(
      sink.calls.map((call) => call.length),
      [1, 4],
    )
  })

  it('of other tables than a sink wants are not for it, and hold nothing up', async () => {
    using folder = new EngineFolder()
    const other = transaction(32n, ['a', 'b'], 'audit')
    const source = new ScriptedSource({ log: [transaction(16n, ['x']), other, transaction(48n, ['y'])] })
    const [some, all] = [new ScriptedSink(), new ScriptedSink()]
    const tables = ['public.audit', 'other.tickets']
    await using engine = folder.engine(source, [serve(some, { id: 'some', tables }), serve(all, { id: 'all' })])
    await engine.start()
    await until(() => source.slot.confirmed === 56n)
    assert.deepEqual(
      ids(some),
      other.events.map(({ id }) => id),
    )
    assert.equal(all.received.length, 4)
  })
})

describe('a keepalive', () => {
  it('is not acknowledged while a batch is pending (fault 17)', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: [...log(1), idle(900n)] })
    const sink = new ScriptedSink()
    const call = never()
    sink.outcomes.push(call)
    await using engine = folder.engine(source, [serve(sink, {})])
    await engine.start()
    await until(() => sink.calls.length === 1)
    await sleep(30)
    assert.deepEqual(source.acknowledged, [])
    call.end()
    await until(() => source.slot.confirmed === 900n)
    source.log.push(idle(1000n))
    await until(() => source.slot.confirmed === 1000n)
  })
})

describe('a batch that fails', () => {
  it('nine times and then passes is delivered; ten times, and the sink is paused and then resumed (fault 4)', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(3) })
    const sink = new ScriptedSink()
    const rejected = () => new DeliveryError('gRPC consumer rejected the batch: disk full')
    sink.outcomes.push(...Array.from({ length: 9 }, rejected), 'ok')
    await using engine = folder.engine(source, [serve(sink, {})])
    await engine.start()
    await until(() => source.slot.confirmed === 56n)
    assert.deepEqual(new Set(sink.calls.slice(0, 10).map(String)).size, 1, 'the same batch each time')
    assert.equal(engine.stats().sinks[0]?.lastError, null)

    const before = sink.calls.length
    sink.outcomes.push(...Array.from({ length: 10 }, rejected))
    source.log.push(transaction(100n, ['poison']))
    await until(() => engine.stats().sinks[0]?.status === 'paused')
    source.log.push(transaction(200n, ['behind it']))
    await until(() => engine.stats().sinks[0]?.queueDepth === 2)
    await sleep(30)
    const paused = engine.stats().sinks[0]
    assert.equal(paused?.lastError, 'gRPC consumer rejected the batch: disk full')
    assert.deepEqual([paused?.attempts, paused?.queueDepth, paused?.nextRetryAt], [10, 2, null])
    assert.equal(sink.calls.length - before, 10)
    assert.equal(source.slot.confirmed, 56n)

    const wait = never()
    sink.outcomes.push(wait)
    assert.equal(engine.resume('sink'), true)
    assert.deepEqual(sink.calls.at(-1), sink.calls.at(-2), 'the same batch, at once')
    assert.equal(engine.stats().sinks[0]?.status, 'running')
    assert.match(engine.stats().sinks[0]?.lastError ?? '', /disk full/, 'until a batch is taken')
    wait.end()
    await until(() => source.slot.confirmed === 208n)
    assert.equal(engine.stats().sinks[0]?.lastError, null)
    assert.deepEqual(ids(sink), idsOf(source))
    const told = folder.lines.filter(({ message }) => message === 'gRPC consumer rejected the batch: disk full')
    assert.equal(told.length, 19, 'one line an attempt')
    assert.equal(told.filter(({ level }) => level === 'error').length, 1)
  })

  it('has all its attempts again after a resume', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(1) })
    const sink = new ScriptedSink()
    sink.outcomes.push(...Array.from({ length: 5 }, () => new Error('no')))
    await using engine = folder.engine(source, [serve(sink, { maxAttempts: 3 })])
    await engine.start()
    await until(() => engine.stats().sinks[0]?.status === 'paused')
    engine.resume('sink')
    await until(() => sink.received.length === 1)
    assert.equal(sink.calls.length, 6)
  })

  it('is tried for ever where maxAttempts is 0', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(1) })
    const sink = new ScriptedSink()
    sink.outcomes.push(...Array.from({ length: 40 }, () => new Error('no')))
    await using engine = folder.engine(source, [serve(sink, { maxAttempts: 0 })])
    await engine.start()
    await until(() => sink.received.length === 1)
  })

  it('pauses at once where the sink says that nothing would change', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(1) })
    const sink = new ScriptedSink()
    sink.outcomes.push(new DeliveryError('gone', { pause: true }))
    await using engine = folder.engine(source, [serve(sink, {})])
    await engine.start()
    await until(() => engine.stats().sinks[0]?.status === 'paused')
    assert.equal(sink.calls.length, 1)
  })

  it('comes again when the receiver said, and not before', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(1) })
    const sink = new ScriptedSink()
    sink.outcomes.push(new DeliveryError('busy', { retryAfterMs: 50_000 }))
    await using engine = folder.engine(source, [serve(sink, {})])
    await engine.start()
    await until(() => engine.stats().sinks[0]?.lastError === 'busy')
    const { nextRetryAt } = engine.stats().sinks[0] ?? {}
    assert.ok(Math.abs((nextRetryAt ?? 0) - Date.now() - 50_000) < 5000, String(nextRetryAt))
  })

  it('does so whatever is thrown, and however long its text is', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(1) })
    const sink = new ScriptedSink()
    const thrown = [undefined, null, 'text', 7, {}, new Error('x'.repeat(1_000_000))]
    let at = 0
    const deliver = sink.deliver.bind(sink)
    sink.deliver = async (batch) => {
      if (at < thrown.length) throw thrown[at++]
      await deliver(batch, new AbortController().signal)
    }
    await using engine = folder.engine(source, [serve(sink, {})])
    await engine.start()
    await until(() => sink.received.length === 1)
    const messages = folder.lines.filter(({ event }) => event === 'delivery_failed').map(({ message }) => message)
    assert.deepEqual(messages.slice(0, 5), ['undefined', 'null', 'text', '7', '[object Object]'])
    assert.equal(messages[5]?.length, 1000)
  })

  it('does so when a plugin throws before it has promised anything', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(1) })
    const sink = new ScriptedSink()
    const deliver = sink.deliver.bind(sink)
    let failures = 0
    sink.deliver = (batch, signal) => {
      if (failures++ < 2) throw new Error('not yet')
      return deliver(batch, signal)
    }
    await using engine = folder.engine(source, [serve(sink, {})])
    await engine.start()
    await until(() => sink.received.length === 1)
    assert.equal(engine.stats().sinks[0]?.deliveredCount, 1)
  })

  it('waits by a clock that does not jump (fault 29)', async () => {
    using folder = new EngineFolder()
    let jump = 0
    folder.now = () => Date.now() + jump
    const source = new ScriptedSource({ log: log(1) })
    const sink = new ScriptedSink()
    const failures = [86_400_000, -86_400_000, 3_600_000]
    sink.otherwise = () => {
      jump = failures.shift() ?? jump
      return failures.length > 0 ? new Error('no') : 'ok'
    }
    const backoff = { initialMs: 30, maxMs: 30, factor: 1, jitter: 0 }
    await using engine = folder.engine(source, [serve(sink, { backoff })])
    const since = performance.now()
    await engine.start()
    await until(() => sink.received.length === 1)
    const took = performance.now() - since
    assert.ok(took >= 55 && took < 25_000, `${took} ms for two waits of 30 ms`)
  })
})

describe('pause and resume', () => {
  it('as the table has them: pause twice, resume twice, pause during a call (fault 5)', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(1) })
    const sink = new ScriptedSink()
    const call = never()
    sink.outcomes.push(call)
    await using engine = folder.engine(source, [serve(sink, {})])
    await engine.start()
    await until(() => sink.calls.length === 1)
    const status = () => engine.stats().sinks[0]?.status

    assert.equal(engine.resume('sink'), true)
    assert.equal(status(), 'running')
    assert.equal(engine.pause('sink'), true)
    assert.equal(engine.pause('sink'), true)
    assert.equal(status(), 'paused')
    source.log.push(transaction(100n, ['waits']))
    call.end()
    await until(() => engine.stats().sinks[0]?.deliveredCount === 1)
    assert.equal(source.slot.confirmed, 24n, 'what was under way counts')
    await until(() => engine.stats().sinks[0]?.queueDepth === 1, 'the queue keeps filling')
    await sleep(30)
    assert.deepEqual([status(), sink.calls.length], ['paused', 1])
    assert.equal(engine.resume('sink'), true)
    assert.equal(engine.resume('sink'), true)
    await until(() => source.slot.confirmed === 108n)
    assert.deepEqual([engine.pause('nobody'), engine.resume('nobody')], [false, false])
  })

  it('a call that fails after the pause changes nothing about it, and comes again with the resume', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(1) })
    const sink = new ScriptedSink()
    const call = Promise.withResolvers<void>()
    sink.outcomes.push(call.promise)
    await using engine = folder.engine(source, [serve(sink, { maxAttempts: 1 })])
    await engine.start()
    await until(() => sink.calls.length === 1)
    engine.pause('sink')
    call.reject(new DeliveryError('too late', { retryAfterMs: 3_000_000 }))
    await until(() => engine.stats().sinks[0]?.lastError === 'too late')
    await sleep(20)
    assert.deepEqual([engine.stats().sinks[0]?.status, sink.calls.length], ['paused', 1])
    engine.resume('sink')
    await until(() => sink.received.length === 1)
    assert.deepEqual(sink.calls[0], sink.calls[1])
  })

  it('a pause between two attempts stops the second, a resume makes it at once', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(1) })
    const sink = new ScriptedSink()
    sink.outcomes.push(new DeliveryError('busy', { retryAfterMs: 3_000_000 }))
    await using engine = folder.engine(source, [serve(sink, {})])
    await engine.start()
    await until(() => engine.stats().sinks[0]?.lastError === 'busy')
    engine.pause('sink')
    assert.equal(engine.stats().sinks[0]?.nextRetryAt, null)
    engine.resume('sink')
    await until(() => sink.received.length === 1)
  })
})

describe('a slow sink', () => {
  it('holds the source up when its queue is full, until half of it is gone; the statistics say who and how long', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(2000), chunk: 1 })
    const [slow, quick] = [new ScriptedSink(), new ScriptedSink()]
    const queue = { maxEvents: 100, maxBytes: 1e9 }
    const batch = { maxEvents: 10, maxBytes: 1e6, lingerMs: 0 }
    const sinks = [serve(slow, { id: 'slow', queue, batch }), serve(quick, { id: 'quick', queue, batch })]
    await using engine = folder.engine(source, sinks)
    engine.pause('slow')
    await engine.start()
    await until(() => source.isPaused && quick.received.length === 100)
    await sleep(20)
    const stalled = engine.stats()
    assert.deepEqual(stalled.stalledBy, ['slow'])
    assert.ok(stalled.stalledMs >= 10)
    assert.deepEqual(
      stalled.sinks.map(({ stalledBy }) => stalledBy),
      [[], ['slow']],
    )
    assert.equal(stalled.sinks[0]?.stalledMs, 0)
    assert.equal(stalled.sinks[1]?.stalledMs, stalled.stalledMs)
    assert.deepEqual(
      stalled.sinks.map(({ queueDepth }) => queueDepth),
      [100, 0],
    )
    assert.equal(source.slot.confirmed, 0n)

    engine.resume('slow')
    await until(() => slow.received.length === 2000 && quick.received.length === 2000)
    await until(() => source.slot.confirmed === 2000n * 16n + 8n)
    assert.deepEqual(ids(slow), ids(quick))
    const { stalledBy, stalledMs } = engine.stats()
    assert.deepEqual([stalledBy, stalledMs], [[], 0])
  })

  it('fills no memory beyond its limit in bytes', async () => {
    using folder = new EngineFolder()
    const large = 'x'.repeat(100_000)
    const source = new ScriptedSource({
      chunk: 1,
      log: log(100).map(({ commitLsn = 0n }) => transaction(commitLsn, [large])),
    })
    const sink = new ScriptedSink()
    await using engine = folder.engine(source, [serve(sink, { queue: { maxEvents: 10_000, maxBytes: 1_000_000 } })])
    engine.pause('sink')
    await engine.start()
    await until(() => source.isPaused)
    await sleep(20)
    assert.equal(engine.stats().sinks[0]?.queueDepth, 10)
    engine.resume('sink')
    await until(() => sink.received.length === 100)
  })
})

describe('an ephemeral sink that is paused', () => {
  it('drops the oldest and counts them, and is told; a durable one loses nothing (fault 7)', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(500) })
    const [live, durable] = [new ScriptedSink(), new ScriptedSink()]
    const queue = { maxEvents: 100, maxBytes: 1e9 }
    const sinks = [serve(live, { id: 'live', durability: 'ephemeral', queue }), serve(durable, { id: 'durable' })]
    await using engine = folder.engine(source, sinks)
    engine.pause('live')
    await engine.start()
    await until(() => durable.received.length === 500)
    await until(() => source.slot.confirmed === 500n * 16n + 8n)
    assert.equal(source.pauses, 0, 'it holds nobody up')
    const [stats] = engine.stats().sinks
    assert.deepEqual([stats?.droppedCount, stats?.queueDepth, stats?.deliveredCount], [400, 100, 0])
    engine.resume('live')
    await until(() => live.received.length === 100)
    assert.deepEqual(ids(live), idsOf(source).slice(400))
    assert.deepEqual(live.lostEvents, [400])
  })

  it('is never why an event stays at the source', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(3) })
    const live = new ScriptedSink()
    await using engine = folder.engine(source, [serve(live, { durability: 'ephemeral' })])
    engine.pause('sink')
    await engine.start()
    await until(() => source.slot.confirmed === 56n)
  })
})

describe('a source that loses its connection', () => {
  it('goes back to what was acknowledged, and nothing is sent twice or in another order', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(40, 25), chunk: 10 })
    const sink = new ScriptedSink()
    sink.otherwise = () => sleep(1)
    await using engine = folder.engine(source, [serve(sink, { batch: { maxEvents: 40, maxBytes: 1e6, lingerMs: 0 } })])
    await engine.start()
    for (let i = 0; i < 8; i++) {
      await until(() => sink.received.length > i * 100)
      source.reconnect()
    }
    await until(() => source.slot.confirmed === 40n * 16n + 8n)
    assert.deepEqual(ids(sink), idsOf(source))
    assert.equal(engine.stats().eventsTotal, 1000)
  })
})

describe('after a restart', () => {
  it('each sink goes on where it was, in the middle of a transaction too', async () => {
    using folder = new EngineFolder()
    const slot = { confirmed: 0n }
    const source = new ScriptedSource({ log: log(1, 100), slot })
    const [ahead, behind] = [new ScriptedSink(), new ScriptedSink()]
    const batch = { maxEvents: 30, maxBytes: 1e6, lingerMs: 0 }
    const sinks = () => [serve(ahead, { id: 'ahead', batch }), serve(behind, { id: 'behind', batch })]
    {
      await using engine = folder.engine(source, sinks())
      behind.outcomes.push('ok', new DeliveryError('no', { pause: true }))
      await engine.start()
      await until(() => ahead.received.length === 100 && engine.stats().sinks[1]?.status === 'paused')
    }
    assert.equal(slot.confirmed, 0n)
    await using engine = folder.engine(new ScriptedSource({ log: source.log, slot }), sinks())
    await engine.start()
    await until(() => slot.confirmed === 24n)
    assert.deepEqual(ids(ahead), idsOf(source), 'nothing came twice')
    assert.deepEqual(ids(behind), idsOf(source))
    assert.deepEqual(
      engine.stats().sinks.map(({ skippedCount }) => skippedCount),
      [100, 30],
    )
  })

  it('positions in another log are not used, and the log says so', async () => {
    using folder = new EngineFolder()
    const sink = new ScriptedSink()
    {
      await using engine = folder.engine(new ScriptedSource({ log: log(5) }), [serve(sink, {})])
      await engine.start()
      await until(() => sink.received.length === 5)
    }
    const restored = new ScriptedSource({ log: log(5), identity: 'log 2' })
    await using engine = folder.engine(restored, [serve(sink, {})])
    await engine.start()
    await until(() => sink.received.length === 10)
    const [line] = folder.lines.filter(({ event }) => event === 'positions_discarded')
    assert.deepEqual([line?.level, line?.of, line?.source], ['warn', 'log 1', 'log 2'])
  })

  it('a new durable sink gets what the source has, a new ephemeral one only what is new', async () => {
    using folder = new EngineFolder()
    const slot = { confirmed: 0n }
    const source = new ScriptedSource({ log: log(4), slot })
    const [first, stuck, live, late] = Array.from({ length: 4 }, () => new ScriptedSink()) as [
      ScriptedSink,
      ScriptedSink,
      ScriptedSink,
      ScriptedSink,
    ]
    stuck.otherwise = () => new DeliveryError('no', { pause: true })
    {
      await using engine = folder.engine(source, [serve(first, { id: 'first' }), serve(stuck, { id: 'stuck' })])
      await engine.start()
      await until(() => first.received.length === 4)
    }
    const again = new ScriptedSource({ log: [...source.log, transaction(500n, ['new'])], slot })
    await using engine = folder.engine(again, [
      serve(first, { id: 'first' }),
      serve(stuck, { id: 'stuck' }),
      serve(live, { id: 'live', durability: 'ephemeral' }),
      serve(late, { id: 'late' }),
    ])
    await engine.start()
    await until(() => late.received.length === 5 && live.received.length === 1)
    assert.deepEqual(ids(live), ['0/1F4:0'])
    assert.deepEqual(ids(first), idsOf(again))
  })

  it('a file of positions that is broken costs redelivery and nothing else', async () => {
    using folder = new EngineFolder()
    writeFileSync(folder.positionsPath, '{"version":1,"identity":"log 1","sinks":{"sink":"')
    const sink = new ScriptedSink()
    const source = new ScriptedSource({ log: log(3) })
    {
      await using engine = folder.engine(source, [serve(sink, {})])
      await engine.start()
      await until(() => source.slot.confirmed === 56n)
    }
    assert.equal(JSON.parse(readFileSync(folder.positionsPath, 'utf8')).sinks.sink, '0/30:0')
  })
})

describe('closing', () => {
  it('before the start has come to the source keeps it from starting', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(3) })
    const sink = new ScriptedSink()
    const engine = folder.engine(source, [serve(sink, {})])
    const started = assert.rejects(engine.start(), /closed before it had started/)
    await engine[Symbol.asyncDispose]()
    await started
    assert.deepEqual([source.state.state, sink.disposed, sink.calls], ['stopped', true, []])
  })

  it('waits for the batch under way, and counts it', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(3) })
    const sink = new ScriptedSink()
    const call = never()
    sink.outcomes.push(call)
    const engine = folder.engine(source, [serve(sink, {})])
    await engine.start()
    await until(() => sink.calls.length === 1)
    const closed = engine[Symbol.asyncDispose]()
    setTimeout(call.end, 20)
    await closed
    assert.ok(source.slot.confirmed >= 24n)
    assert.equal(sink.disposed, true)
    assert.equal(source.state.state, 'stopped')
    assert.ok(existsSync(folder.positionsPath))
  })

  it('does not wait for one that never ends', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(3) })
    const sink = new ScriptedSink()
    sink.outcomes.push(never())
    const engine = folder.engine(source, [serve(sink, {})], 10)
    await engine.start()
    await until(() => sink.calls.length === 1)
    await engine[Symbol.asyncDispose]()
    assert.deepEqual([source.acknowledged, sink.disposed], [[], true])
  })
})
