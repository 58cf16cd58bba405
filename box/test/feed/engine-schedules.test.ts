/** The engine's guarantees, under any schedule of failures, pauses, lost connections, restarts and crashes. */
import assert from 'node:assert/strict'
import { copyFileSync, existsSync } from 'node:fs'
import { test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { ChangeEvent } from '../../src/feed/change.ts'
import type { Engine } from '../../src/feed/engine/engine.ts'
import { comparePositions } from '../../src/feed/lsn.ts'
import { DeliveryError } from '../../src/feed/sink.ts'
import { until } from '../world/until.ts'
import { EngineFolder } from './running.ts'
import { ScriptedSink, serve } from './scripted-sink.ts'
import { idle, ScriptedSource, transaction } from './scripted-source.ts'

const RUNS = process.env.GATEHOUSE_TEST_LONG ? 3000 : 150
const SINKS = ['a', 'b'] as const

const sink = fc.constantFrom(...SINKS)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('commit' as const), rows: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('idle' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), turns: fc.integer({ min: 1, max: 12 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('fail' as const), sink, times: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refuse' as const), sink }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hang' as const), sink, ms: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const), sink }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reconnect' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('restart' as const, 'crash' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** A database, receivers that remember for ever, and one daemon after the other. */
class World implements AsyncDisposable {
  readonly #stack = new AsyncDisposableStack()
  #folder = this.#stack.use(new EngineFolder())
  readonly #slot = { confirmed: 0n }
  readonly #chunk: number
  readonly receivers = new Map(SINKS.map((id) => [id, new ScriptedSink()]))
  /** A receiver of one table. */
  #some = new ScriptedSink()
  /** Batches that receivers have taken in the runs before: of all tables, and of the one. */
  readonly marks: Record<'all' | 'some', string[]> = { all: [], some: [] }
  source = new ScriptedSource()
  engine: Engine | undefined
  #commit = 0n

  constructor(chunk: number) {
    this.#chunk = chunk
  }

  async start(): Promise<void> {
    const { log } = this.source
    const onAcknowledge = (end: bigint) => this.#assertTaken(end)
    this.source = new ScriptedSource({ log, slot: this.#slot, chunk: this.#chunk, onAcknowledge })
    const queue = { maxEvents: 12, maxBytes: 1e6 }
    const batch = { maxEvents: 5, maxBytes: 900, lingerMs: 0 }
    const sinks = [...this.receivers].map(([id, sink]) => serve(sink, { id, queue, batch, maxAttempts: 3 }))
    this.#some = new ScriptedSink()
    const some = serve(this.#some, { id: 'some', queue, batch, tables: ['public.tickets'] })
    const live = serve(new ScriptedSink(), { id: 'live', durability: 'ephemeral', queue, batch })
    this.engine = this.#folder.engine(this.source, [...sinks, some, live], { graceMs: 0, heldMs: 600_000 })
    await this.engine.start()
  }

  async do(step: Step): Promise<void> {
    switch (step.do) {
      case 'commit':
        return this.#write(step.rows)
      case 'idle':
        this.source.log.push(idle(this.#commit + 16n))
        return
      case 'wait':
        for (let i = 0; i < step.turns; i++) await nextTurn()
        return
      case 'fail':
        this.#of(step.sink).outcomes.push(...Array.from({ length: step.times }, () => new Error('no')))
        return
      case 'refuse':
        this.#of(step.sink).outcomes.push(new DeliveryError('gone', { pause: true }))
        return
      case 'hang':
        this.#of(step.sink).outcomes.push(sleep(step.ms))
        return
      case 'pause':
      case 'resume':
        this.engine?.[step.do](step.sink)
        return
      case 'reconnect':
        return this.source.reconnect()
      case 'restart':
        await this.stop()
        return this.start()
      case 'crash':
        this.crash()
        return this.start()
    }
  }

  /** Every third row is of another table. */
  #write(rows: number): void {
    this.#commit += 32n
    const texts = Array.from({ length: rows }, (_, i) => `row ${i}`)
    const { events, ...entry } = transaction(this.#commit, texts)
    const mixed = events.map((event, i) => (i % 3 === 2 ? { ...event, table: 'audit' } : event))
    this.source.log.push({ ...entry, events: mixed })
  }

  /** A killed process has no effect any more: receivers go on as another object. */
  crash(): void {
    for (const [id, receiver] of this.receivers) {
      const next = new ScriptedSink()
      next.received.push(...receiver.received)
      next.outcomes.push(...receiver.outcomes)
      receiver.dead = true
      this.marks.all.push(...receiver.marks)
      this.receivers.set(id, next)
    }
    this.#some.dead = true
    this.marks.some.push(...this.#some.marks)
    // Its source delivers nothing more, and its acknowledgements are ignored.
    const { source, engine } = this
    source.acknowledge = () => {}
    void source[Symbol.asyncDispose]()
    // The positions that it still writes are in a folder that is not read any more.
    const { positionsPath } = this.#folder
    const ended = engine?.[Symbol.asyncDispose]()
    this.#stack.defer(() => ended)
    this.#folder = this.#stack.use(new EngineFolder())
    if (existsSync(positionsPath)) copyFileSync(positionsPath, this.#folder.positionsPath)
  }

  async stop(): Promise<void> {
    await this.engine?.[Symbol.asyncDispose]()
    this.marks.some.push(...this.#some.marks.splice(0))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    await this.#stack.disposeAsync()
  }

  #of(id: (typeof SINKS)[number]): ScriptedSink {
    return this.receivers.get(id) ?? assert.fail()
  }

  /** Every durable receiver has every event that the database may discard. */
  #assertTaken(end: bigint): void {
    const before = this.source.log.filter((entry) => entry.end <= end).flatMap(({ events }) => events)
    for (const [id, { received }] of this.receivers) {
      const has = new Set(received.map((event) => event.id))
      for (const event of before) assert.ok(has.has(event.id), `${end} acknowledged, and ${id} has no ${event.id}`)
    }
  }
}

/** Under any schedule, this is what a receiver that drops what it knows has in the end. */
function withoutDuplicates(sink: ScriptedSink): string[] {
  return [...new Map(sink.received.map((event) => [event.id, event])).keys()]
}

/** The law of the mark: a batch is marked exactly where its last event is followed by another one of its transaction. */
function assertMarks(marks: readonly string[], events: readonly ChangeEvent[]): void {
  const next = new Map(events.map((event, i) => [event.id, events[i + 1]]))
  for (const mark of marks) {
    const last = mark.replace(' open', '').split(',').at(-1) ?? ''
    const [commit] = last.split(':')
    assert.equal(mark.endsWith(' open'), next.get(last)?.commitLsn === commit, mark)
  }
}

test('every durable receiver has every event, in order and in whole transactions by the marks, and nothing is acknowledged before (property)', async () => {
  const chunk = fc.integer({ min: 1, max: 6 })
  await fc.assert(
    fc.asyncProperty(chunk, fc.array(step, { minLength: 5, maxLength: 60 }), async (size, steps) => {
      await using world = new World(size)
      await world.start()
      for (const step of steps) await world.do(step)
      for (const sink of world.receivers.values()) sink.outcomes.length = 0
      for (const id of SINKS) world.engine?.resume(id)
      const { log } = world.source
      const end = log.reduce((last, entry) => (entry.end > last ? entry.end : last), 0n)
      await until(() => {
        for (const id of SINKS) world.engine?.resume(id)
        return end === 0n || world.source.slot.confirmed >= end
      })
      const all = log.flatMap(({ events }) => events)
      for (const sink of world.receivers.values()) {
        assert.deepEqual(
          withoutDuplicates(sink),
          all.map(({ id }) => id),
        )
        for (const [i, event] of sink.received.entries()) {
          const next = sink.received[i + 1]
          // Events that come again are a run that begins earlier, and goes on to the end: never one that skips ahead.
          if (next && comparePositions(next.position, event.position) > 0) {
            const here = all.findIndex(({ id }) => id === event.id)
            assert.equal(all[here + 1]?.id, next.id)
          }
        }
      }
      await world.stop()
      for (const { marks } of world.receivers.values()) world.marks.all.push(...marks)
      assertMarks(world.marks.all, all)
      const some = all.filter(({ table }) => table === 'tickets')
      assertMarks(world.marks.some, some)
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})
