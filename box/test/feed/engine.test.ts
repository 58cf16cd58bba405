/** The engine with a source and receivers that the test scripts. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DeliveryError } from '../../src/feed/sink.ts'
import { until } from '../world/until.ts'
import { EngineFolder } from './running.ts'
import { ScriptedSink, serve } from './scripted-sink.ts'
import { idle, ScriptedSource, transaction } from './scripted-source.ts'

const ids = (sink: ScriptedSink) => sink.received.map(({ id }) => id)
const rows = (n: number) => Array.from({ length: n }, (_, i) => `row ${i}`)
const log = (n: number, size = 1) => Array.from({ length: n }, (_, i) => transaction(BigInt(i + 1) * 16n, rows(size)))
const idsOf = (source: ScriptedSource) => source.log.flatMap(({ events }) => events.map(({ id }) => id))

function never(): Promise<void> & { end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return Object.assign(promise, { end: resolve })
}

const TIME = '2026-07-25T18:20:00.123456Z'

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

  it('of tables that a sink does not want are skipped, and delay nothing', async () => {
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
  it('is delivered after nine failures; after ten its sink is paused, and delivers when it is resumed (fault 4)', async () => {
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

  it('is retried for ever when maxAttempts is 0', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(1) })
    const sink = new ScriptedSink()
    sink.outcomes.push(...Array.from({ length: 40 }, () => new Error('no')))
    await using engine = folder.engine(source, [serve(sink, { maxAttempts: 0 })])
    await engine.start()
    await until(() => sink.received.length === 1)
  })

  it('pauses its sink at once when the error says so', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(1) })
    const sink = new ScriptedSink()
    sink.outcomes.push(new DeliveryError('gone', { pause: true }))
    await using engine = folder.engine(source, [serve(sink, {})])
    await engine.start()
    await until(() => engine.stats().sinks[0]?.status === 'paused')
    assert.equal(sink.calls.length, 1)
  })

  it('is retried when the receiver said, and not before', async () => {
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

  it('is retried whatever is thrown, however long the text', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(1) })
    const sink = new ScriptedSink()
    const thrown = [undefined, null, 'text', 7, {}, new Error('x'.repeat(60_000)), new Error('x'.repeat(1_000_000))]
    let longest = 0
    let at = 0
    const deliver = sink.deliver.bind(sink)
    sink.deliver = async (batch) => {
      longest = Math.max(longest, engine.stats().sinks[0]?.lastError?.length ?? 0)
      if (at < thrown.length) throw thrown[at++]
      await deliver(batch, new AbortController().signal)
    }
    await using engine = folder.engine(source, [serve(sink, {})])
    await engine.start()
    await until(() => sink.received.length === 1)
    const messages = folder.lines.filter(({ event }) => event === 'delivery_failed').map(({ message }) => message)
    assert.deepEqual(messages.slice(0, 5), ['undefined', 'null', 'text', '7', '[object Object]'])
    assert.deepEqual([messages[5]?.length, messages[6]?.length, longest], [60_000, 65_536, 1000])
  })

  it('is retried when a plugin throws synchronously', async () => {
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

  it('becomes smaller with each attempt where it is too large, and waits between them', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(1, 60) })
    const sink = new ScriptedSink()
    sink.otherwise = () =>
      (sink.calls.at(-1)?.length ?? 0) > 8 ? new DeliveryError('large', { tooLarge: true }) : 'ok'
    await using engine = folder.engine(source, [serve(sink, {})])
    await engine.start()
    await until(() => source.slot.confirmed === 24n)
    assert.deepEqual(ids(sink), idsOf(source))
    assert.deepEqual(
      sink.calls.slice(0, 4).map((call) => call.length),
      [60, 30, 15, 7],
    )
    assert.ok(
      sink.calls.slice(4).every((call) => call.length <= 7),
      'later batches have that size',
    )
    const failures = folder.lines.filter(({ event }) => event === 'delivery_failed')
    assert.deepEqual(
      failures.map(({ attempt, events }) => [attempt, events]),
      [
        [1, 60],
        [2, 30],
        [3, 15],
      ],
    )
  })

  for (const [size, attempts] of [
    [1, [1, 1, 1, 1]],
    [60, [60, 30, 15, 1]],
  ] as const) {
    it(`of ${size} with an event that is too large by itself is tried maxAttempts times, the last time alone, then paused`, async () => {
      using folder = new EngineFolder()
      const source = new ScriptedSource({ log: log(1, size) })
      const sink = new ScriptedSink()
      sink.otherwise = () => {
        const [first = '', second] = sink.calls.at(-1) ?? []
        return new DeliveryError('large', { tooLarge: true, ...(second === undefined && { event: first }) })
      }
      await using engine = folder.engine(source, [serve(sink, { maxAttempts: 4 })])
      await engine.start()
      await until(() => engine.stats().sinks[0]?.status === 'paused')
      assert.deepEqual(
        sink.calls.map((call) => call.length),
        attempts,
      )
      const { stuckOn, attempts: failures, queueDepth } = engine.stats().sinks[0] ?? {}
      assert.deepEqual([stuckOn, failures, queueDepth], ['0/10:0', 4, size])
      engine.resume('sink')
      await until(() => sink.calls.length === 8)
      assert.deepEqual(sink.calls.at(-1), ['0/10:0'])
    })
  }

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
  it('are idempotent, also during a call (fault 5)', async () => {
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

  it('a call that fails after the pause leaves the sink paused, and is repeated with the resume', async () => {
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

  it('a pause between two attempts stops the second, and a resume makes it at once', async () => {
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
  it('pauses the source while its queue is full, until half of it is delivered; the statistics name the sink and the time', async () => {
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

  it('uses no memory beyond its limit in bytes', async () => {
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
  it('drops and counts the oldest events, and is told; a durable one loses nothing (fault 7)', async () => {
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

  it('has an ackedLsn of its own, also behind what is acknowledged to the source', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(4) })
    const [durable, live] = [new ScriptedSink(), new ScriptedSink()]
    const stuck = never()
    live.outcomes.push('ok', stuck)
    const one = { maxEvents: 1, maxBytes: 1e6, lingerMs: 0 }
    const sinks = [serve(durable, {}), serve(live, { id: 'live', durability: 'ephemeral', batch: one })]
    await using engine = folder.engine(source, sinks)
    await engine.start()
    const acked = () => engine.stats().sinks.map(({ ackedLsn }) => ackedLsn)
    await until(() => source.slot.confirmed === 72n && live.calls.length === 2)
    assert.deepEqual(acked(), ['0/48', '0/18'])
    stuck.end()
    await until(() => live.received.length === 4)
    assert.deepEqual(acked(), ['0/48', '0/48'])
  })

  it('never holds an event back at the source', async () => {
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
  it('goes back to what was acknowledged; nothing is sent twice or out of order', async () => {
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
    engine.resume('behind')
    await until(() => slot.confirmed === 24n)
    assert.deepEqual(ids(ahead), idsOf(source), 'nothing came twice')
    assert.deepEqual(ids(behind), idsOf(source))
    assert.deepEqual(
      engine.stats().sinks.map(({ skippedCount }) => skippedCount),
      [100, 30],
    )
  })

  it('a sink that is paused still shows what it has acknowledged before', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(3), slot: { confirmed: 24n } })
    await using engine = folder.engine(source, [serve(new ScriptedSink(), {})])
    engine.pause('sink')
    await engine.start()
    await until(() => engine.stats().sinks[0]?.queueDepth === 2)
    const { flushedLsn, sinks } = engine.stats()
    assert.deepEqual([flushedLsn, sinks[0]?.ackedLsn], ['0/18', '0/18'])
    engine.resume('sink')
    await until(() => engine.stats().flushedLsn === '0/38')
    assert.deepEqual(source.acknowledged, [56n])
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
    assert.deepEqual(sink.gaps, [
      { reason: 'What comes is read from log 2, and what came before was from log 1', after: 5 },
    ])
  })

  it('what was delivered last, and when it was committed, is what the source has to prove', async () => {
    using folder = new EngineFolder()
    const sink = new ScriptedSink()
    for (const delivered of [undefined, { identity: 'log 1', transactions: [{ commitLsn: 80n, commitTime: TIME }] }]) {
      const source = new ScriptedSource({ log: log(5) })
      await using engine = folder.engine(source, [serve(sink, {})])
      await engine.start()
      assert.deepEqual(source.delivered, delivered)
      await until(() => sink.received.length === 5)
    }
    writeFileSync(folder.positionsPath, '{"version":1,"identity":"log 1","sinks":{"sink":"0/50:0"}}')
    const source = new ScriptedSource({ log: log(5) })
    await using engine = folder.engine(source, [serve(sink, {})])
    await engine.start()
    assert.deepEqual(source.delivered?.transactions, [{ commitLsn: 80n, commitTime: undefined }])
  })

  it('a new durable sink gets what the source has, and a new ephemeral one only what is new', async () => {
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

  it('a broken file of positions costs redelivery and nothing else', async () => {
    using folder = new EngineFolder()
    writeFileSync(folder.positionsPath, '{"version":1,"identity":"log 1","sinks":{"sink":"')
    const sink = new ScriptedSink()
    const source = new ScriptedSource({ log: log(3) })
    {
      await using engine = folder.engine(source, [serve(sink, {})])
      await engine.start()
      await until(() => source.slot.confirmed === 56n)
    }
    assert.equal(JSON.parse(readFileSync(folder.positionsPath, 'utf8')).sinks.sink.delivered, '0/30:0')
  })
})

describe('a pause', () => {
  it('outlives a restart, with its reason, also when the daemon is killed; and so does a resume', async () => {
    using folder = new EngineFolder()
    const slot = { confirmed: 0n }
    const sinks = { byHand: new ScriptedSink(), byFailure: new ScriptedSink(), ephemeral: new ScriptedSink() }
    sinks.byFailure.outcomes.push(new DeliveryError('it wants no more', { pause: true }))
    const all = Object.entries(sinks).map(([id, sink]) =>
      serve(sink, { id, ...(id === 'ephemeral' && { durability: 'ephemeral' as const }) }),
    )
    {
      // Before the database answers, too.
      const never = new ScriptedSource()
      never.start = () => new Promise(() => {})
      await using engine = folder.engine(never, all)
      void engine.start()
      engine.pause('byHand')
      engine.pause('ephemeral')
      await until(() => existsSync(folder.positionsPath))
    }
    for (let run = 0; run < 2; run++) {
      await using engine = folder.engine(new ScriptedSource({ log: log(3), slot }), all)
      await engine.start()
      const states = () => engine.stats().sinks.map(({ status, lastError }) => `${status} ${lastError}`)
      await until(() => states()[1] === 'paused it wants no more')
      assert.deepEqual(states(), ['paused null', 'paused it wants no more', 'paused null'])
      assert.deepEqual(
        Object.values(sinks).map((sink) => sink.received.length),
        [0, 0, 0],
      )
      const written = () => readFileSync(folder.positionsPath, 'utf8').match(/"paused"/g)?.length
      await until(() => written() === 3)
      if (run === 0) continue
      for (const id of Object.keys(sinks)) engine.resume(id)
      await until(() => Object.values(sinks).every((sink) => sink.received.length === 3))
      await until(() => written() === undefined)
    }
  })
})

describe('closing', () => {
  it('before the source has started keeps it from starting', async () => {
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

  it('logs why the batch under way was refused', async () => {
    using folder = new EngineFolder()
    const sink = new ScriptedSink()
    const call = Promise.withResolvers<void>()
    sink.outcomes.push(call.promise)
    const engine = folder.engine(new ScriptedSource({ log: log(1) }), [serve(sink, {})])
    await engine.start()
    await until(() => sink.calls.length === 1)
    const closed = engine[Symbol.asyncDispose]()
    call.reject(new DeliveryError('gRPC consumer rejected the batch: disk full'))
    await closed
    const told = folder.lines.filter(({ event }) => event === 'delivery_failed')
    assert.deepEqual(
      told.map(({ message }) => message),
      ['gRPC consumer rejected the batch: disk full'],
    )
  })

  it('does not wait for one that never ends', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(3) })
    const sink = new ScriptedSink()
    sink.outcomes.push(never())
    const engine = folder.engine(source, [serve(sink, {})], { graceMs: 10 })
    await engine.start()
    await until(() => sink.calls.length === 1)
    await engine[Symbol.asyncDispose]()
    assert.deepEqual([source.acknowledged, sink.disposed], [[], true])
  })
})

describe('a gap of the source', () => {
  it('is told to every sink between the events that it is between, with each attempt', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(3) })
    const [quick, slow] = [new ScriptedSink(), new ScriptedSink()]
    const call = never()
    slow.outcomes.push(call)
    const lingerMs = 0
    const sinks = [
      serve(quick, { id: 'quick' }),
      serve(slow, { id: 'slow', batch: { maxEvents: 2, maxBytes: 1e6, lingerMs } }),
    ]
    await using engine = folder.engine(source, sinks)
    await engine.start()
    await until(() => quick.received.length === 3 && slow.calls.length === 1)
    await source.gap('the slot is gone')
    slow.outcomes.push('ok', new Error('no'))
    source.log.push(transaction(160n, ['after it']))
    call.end()
    await until(() => quick.received.length === 4 && slow.received.length === 4)
    assert.deepEqual(quick.gaps, [{ reason: 'the slot is gone', after: 3 }])
    assert.deepEqual(slow.gaps, Array(2).fill({ reason: 'the slot is gone', after: 3 }))
  })

  it('is told after a crash too', async () => {
    using folder = new EngineFolder()
    const slot = { confirmed: 0n }
    {
      const source = new ScriptedSource({ log: log(1), slot })
      const sink = new ScriptedSink()
      await using engine = folder.engine(source, [serve(sink, {})])
      await engine.start()
      await until(() => slot.confirmed > 0n)
      await source.gap('the slot is gone')
      // Killed here: what is written down now is what the next run has.
      writeFileSync(`${folder.positionsPath}.kept`, readFileSync(folder.positionsPath))
    }
    writeFileSync(folder.positionsPath, readFileSync(`${folder.positionsPath}.kept`))
    const sink = new ScriptedSink()
    await using engine = folder.engine(new ScriptedSource({ log: log(2), slot }), [serve(sink, {})])
    await engine.start()
    await until(() => sink.received.length === 1)
    assert.deepEqual(sink.gaps, [{ reason: 'the slot is gone', after: 0 }])
    await until(() => engine.stats().sinks[0]?.deliveredCount === 1)
    await engine[Symbol.asyncDispose]()
    assert.doesNotMatch(readFileSync(folder.positionsPath, 'utf8'), /gap/)
  })
})

describe('an event that a sink cannot take', () => {
  const poison = '0/20:1'
  /** Refuses every batch with the event, as a receiver does that checks its data. */
  function choosy(how: (batch: readonly string[]) => DeliveryError = () => new DeliveryError('no', { refused: true })) {
    const sink = new ScriptedSink()
    sink.otherwise = () => (sink.calls.at(-1)?.includes(poison) ? how(sink.calls.at(-1) ?? []) : 'ok')
    return sink
  }
  const tooLarge = () => new DeliveryError(`The event ${poison} is too large`, { pause: true, event: poison })
  const letters = (folder: EngineFolder, automatic = true) => ({
    path: `${folder.path}/letters.jsonl`,
    maxBytes: 10_000,
    automatic,
  })
  const written = (folder: EngineFolder) =>
    readFileSync(letters(folder).path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const batch = { maxEvents: 100, maxBytes: 1e6, lingerMs: 0 }

  for (const [why, how] of [
    ['is refused', undefined],
    ['is too large', tooLarge],
  ] as const) {
    it(`becomes a dead letter when it ${why}, and the rest goes on in order`, async () => {
      using folder = new EngineFolder()
      const slot = { confirmed: 0n }
      const source = new ScriptedSource({ log: log(4, 3), slot })
      const sink = choosy(how)
      const deadLetters = letters(folder)
      {
        await using engine = folder.engine(source, [serve(sink, { maxAttempts: 3, batch, deadLetters })])
        await engine.start()
        await until(() => slot.confirmed === 72n)
        const all = idsOf(source).filter((id) => id !== poison)
        assert.deepEqual([...new Set(ids(sink))], all)
        const [letter] = written(folder)
        assert.deepEqual([letter.sink, letter.by, letter.event.id], ['sink', 'feed', poison])
        assert.deepEqual(letter.event.after, { id: '1', text: 'row 1' })
        assert.match(letter.reason, how ? /too large/ : /^no$/)
        const [stats] = engine.stats().sinks
        assert.deepEqual([stats?.status, stats?.deadLetterCount, stats?.lastError], ['running', 1, null])
      }
      await using again = folder.engine(new ScriptedSource({ log: source.log, slot }), [serve(sink, { deadLetters })])
      await again.start()
      await until(() => again.stats().sinks[0]?.deadLetterCount === 1)
    })
  }

  it('is one, and not the receiver: after ten in a row the sink is paused', async () => {
    using folder = new EngineFolder()
    const sink = new ScriptedSink()
    sink.otherwise = () => new DeliveryError('disk full', { refused: true })
    const source = new ScriptedSource({ log: log(1, 50) })
    const settings = { maxAttempts: 2, batch, deadLetters: letters(folder) }
    await using engine = folder.engine(source, [serve(sink, settings)])
    await engine.start()
    await until(() => engine.stats().sinks[0]?.status === 'paused')
    const [stats] = engine.stats().sinks
    assert.deepEqual([stats?.deadLetterCount, stats?.queueDepth, stats?.lastError], [10, 40, 'disk full'])
    assert.equal(source.slot.confirmed, 0n)
  })

  it('is none while the receiver is away', async () => {
    using folder = new EngineFolder()
    const sink = new ScriptedSink()
    sink.outcomes.push(...Array.from({ length: 5 }, () => new DeliveryError('connection refused')))
    const source = new ScriptedSource({ log: log(1, 5) })
    const settings = { maxAttempts: 5, batch, deadLetters: letters(folder) }
    await using engine = folder.engine(source, [serve(sink, settings)])
    await engine.start()
    await until(() => engine.stats().sinks[0]?.status === 'paused')
    assert.equal(existsSync(letters(folder).path), false)
  })

  it('pauses the sink when its file is full, or cannot be written', async () => {
    using folder = new EngineFolder()
    for (const deadLetters of [
      { ...letters(folder), maxBytes: 100 },
      { ...letters(folder), path: `${folder.path}/nowhere/letters.jsonl` },
    ]) {
      const source = new ScriptedSource({ log: [transaction(32n, rows(12))] })
      await using engine = folder.engine(source, [serve(choosy(tooLarge), { batch, deadLetters })])
      await engine.start()
      await until(() => engine.stats().sinks[0]?.status === 'paused')
      assert.match(
        engine.stats().sinks[0]?.lastError ?? '',
        /too large It cannot become a dead letter: .*(maxBytes|ENOENT)/,
      )
      assert.deepEqual([engine.stats().sinks[0]?.queueDepth, source.slot.confirmed], [12, 0n])
      rmSync(folder.positionsPath, { force: true })
      await engine[Symbol.asyncDispose]()
      rmSync(folder.positionsPath, { force: true })
    }
  })

  it('is skipped by hand: the one that the sink is stuck on, or one that is named', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: [transaction(32n, rows(12))] })
    const sink = choosy((calls) => (calls.length > 5 ? new DeliveryError('no', { pause: true }) : tooLarge()))
    await using engine = folder.engine(source, [serve(sink, { batch, deadLetters: letters(folder, false) })])
    await engine.start()
    const stats = () => engine.stats().sinks[0]
    await until(() => stats()?.status === 'paused' && stats()?.queueDepth === 12)
    assert.equal(await engine.skip('nobody'), undefined)
    const refusal = async (id?: string) => {
      const outcome = await engine.skip('sink', id)
      return outcome && 'refused' in outcome ? outcome.refused : outcome
    }
    assert.match(String(await refusal()), /has 12 events, 0\/20:0 to 0\/20:11: name one/)
    assert.match(String(await refusal('0/50:0')), /none has this id/)
    assert.deepEqual(await engine.skip('sink', '0/20:0'), { skipped: '0/20:0' })
    assert.deepEqual(await engine.skip('sink', poison), { skipped: poison })
    assert.deepEqual(
      written(folder).map(({ by, event }) => [by, event.id]),
      [
        ['admin', '0/20:0'],
        ['admin', poison],
      ],
    )
    engine.resume('sink')
    assert.match(String(await refusal()), /pause it first/)
    await until(() => source.slot.confirmed === 40n)
    assert.deepEqual(
      ids(sink),
      idsOf(source).filter((id) => id !== '0/20:0' && id !== poison),
    )
    engine.pause('sink')
    assert.match(String(await refusal()), /nothing to skip/)
  })
})

describe('the last event of a batch', () => {
  it('is not said to be followed by others where only the commit was not read yet', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(1, 3), chunk: 2 })
    const sink = new ScriptedSink()
    const { marks } = sink
    await using engine = folder.engine(source, [serve(sink, {})], { heldMs: 600_000 })
    await engine.start()
    await until(() => source.slot.confirmed === 24n)
    assert.deepEqual(marks, ['0/10:0,0/10:1,0/10:2'])
  })

  it('is said to be the last one where what follows is of tables that the sink does not get', async () => {
    using folder = new EngineFolder()
    const { commitLsn, end, events } = transaction(16n, rows(3))
    const others = events.slice(1).map((event) => ({ ...event, table: 'audit' }))
    const source = new ScriptedSource({
      log: [{ commitLsn, end, events: [...events.slice(0, 1), ...others] }],
      chunk: 1,
    })
    const sink = new ScriptedSink()
    const { marks } = sink
    await using engine = folder.engine(source, [serve(sink, { tables: ['public.tickets'] })], { heldMs: 600_000 })
    await engine.start()
    await until(() => source.slot.confirmed === end)
    assert.deepEqual(marks, ['0/10:0'])
  })

  it('goes out marked after a while where the source stalls in the middle of a transaction', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: log(1, 4), chunk: 3 })
    const sink = new ScriptedSink()
    const { marks } = sink
    await using engine = folder.engine(source, [serve(sink, {})], { heldMs: 20 })
    source.pauseAfter(3)
    await engine.start()
    await until(() => marks.length === 1)
    assert.deepEqual(marks, ['0/10:0,0/10:1,0/10:2 open'])
    source.resume()
    await until(() => source.slot.confirmed === 24n)
    assert.deepEqual(marks.slice(1), ['0/10:3'])
  })

  for (const [what, queue] of [
    ['events', { maxEvents: 1, maxBytes: 1e6 }],
    ['bytes', { maxEvents: 100, maxBytes: 1024 }],
  ] as const) {
    it(`does not stop the source where it fills the queue alone, in ${what}`, async () => {
      using folder = new EngineFolder()
      const source = new ScriptedSource({
        log: [
          transaction(
            16n,
            Array.from({ length: 9 }, () => 'x'.repeat(2000)),
          ),
        ],
        chunk: 1,
      })
      const sink = new ScriptedSink()
      const { marks } = sink
      await using engine = folder.engine(source, [serve(sink, { queue })], { heldMs: 600_000 })
      await engine.start()
      await until(() => source.slot.confirmed === 24n)
      assert.deepEqual(ids(sink), idsOf(source))
      assert.deepEqual(
        [marks.at(-1), marks.filter((mark) => mark.endsWith('open')).length],
        ['0/10:8', marks.length - 1],
      )
    })
  }

  it('is told apart from what waits on disk', async () => {
    using folder = new EngineFolder()
    const source = new ScriptedSource({ log: [transaction(16n, rows(40)), transaction(48n, rows(40))] })
    const sink = new ScriptedSink()
    const { marks } = sink
    const spill = { path: `${folder.path}/queue`, maxBytes: 1e6 }
    const batch = { maxEvents: 20, maxBytes: 1e6, lingerMs: 0 }
    const served = serve(sink, { queue: { maxEvents: 10, maxBytes: 1e6 }, spill, batch })
    await using engine = folder.engine(source, [served], { heldMs: 600_000 })
    engine.pause('sink')
    await engine.start()
    await until(() => engine.stats().eventsTotal === 80)
    engine.resume('sink')
    await until(() => source.slot.confirmed === 56n)
    for (const mark of marks) {
      const last = mark.replace(' open', '').split(',').at(-1)
      assert.equal(mark.endsWith(' open'), last !== '0/10:39' && last !== '0/30:39', mark)
    }
  })
})

describe('a sink that stalls', () => {
  it('does not hold up the others while its events fit on disk, within the bound that is shown, and gets them all in order', async () => {
    using folder = new EngineFolder()
    const slot = { confirmed: 0n }
    const many = Array.from({ length: 400 }, (_, i) => transaction(BigInt(i + 1) * 16n, [`${i} ${'é'.repeat(500)}`]))
    const [stalled, other] = [new ScriptedSink(), new ScriptedSink()]
    const spill = { path: `${folder.path}/queue-stalled`, maxBytes: 300_000 }
    const settings = { queue: { maxEvents: 20, maxBytes: 1e6 }, batch: { maxEvents: 7, maxBytes: 1e6, lingerMs: 0 } }
    writeFileSync(`${spill.path}.0`, 'of a run before')
    const sinks = [serve(stalled, { id: 'stalled', spill, ...settings }), serve(other, { id: 'other', ...settings })]
    const source = new ScriptedSource({ log: many.slice(0, 200), slot })
    await using engine = folder.engine(source, sinks)
    engine.pause('stalled')
    await engine.start()
    await until(() => other.received.length === 200)
    const own = () => engine.stats().sinks[0]
    assert.deepEqual([own()?.queueDepth, own()?.queueDiskLimit, engine.stats().stalledBy], [200, 300_000, []])
    assert.ok((own()?.queueDiskBytes ?? 0) > 100_000)
    assert.equal(slot.confirmed, 0n)
    // The disk's bound is reached: now the source waits, as the specification says.
    source.log.push(...many.slice(200))
    await until(() => engine.stats().stalledBy.length > 0)
    assert.deepEqual(engine.stats().stalledBy, ['stalled'])
    assert.ok((own()?.queueDiskBytes ?? 0) < 450_000 && other.received.length < 400)
    engine.resume('stalled')
    await until(() => stalled.received.length === 400 && other.received.length === 400)
    for (const sink of [stalled, other]) assert.deepEqual(ids(sink), idsOf(source))
    assert.deepEqual(stalled.received[399], many[399]?.events[0])
    await until(() => slot.confirmed === 6408n)
    assert.deepEqual([own()?.queueDiskBytes, existsSync(`${spill.path}.0`)], [0, false])
  })
})
