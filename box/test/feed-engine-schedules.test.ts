/** The engine's promise, under any schedule of failures, pauses, lost connections, restarts and crashes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { Engine } from '../src/feed/engine/engine.ts'
import { comparePositions } from '../src/feed/lsn.ts'
import { DeliveryError } from '../src/feed/sink.ts'
import { EngineFolder } from './feed-running.ts'
import { ScriptedSink, serve } from './scripted-sink.ts'
import { idle, ScriptedSource, transaction } from './scripted-source.ts'
import { until } from './until.ts'

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
class World {
  readonly folder = new EngineFolder()
  readonly #slot = { confirmed: 0n }
  readonly #chunk: number
  readonly receivers = new Map(SINKS.map((id) => [id, new ScriptedSink()]))
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
    const live = serve(new ScriptedSink(), { id: 'live', durability: 'ephemeral', queue, batch })
    this.engine = this.folder.engine(this.source, [...sinks, live], 0)
    await this.engine.start()
  }

  async do(step: Step): Promise<void> {
    switch (step.do) {
      case 'commit':
        this.#commit += 32n
        this.source.log.push(
          transaction(
            this.#commit,
            Array.from({ length: step.rows }, (_, i) => `row ${i}`),
          ),
        )
        return
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

  /** What a killed process would still have done, it does to nobody: receivers go on as another object. */
  crash(): void {
    for (const [id, receiver] of this.receivers) {
      const next = new ScriptedSink()
      next.received.push(...receiver.received)
      next.outcomes.push(...receiver.outcomes)
      receiver.dead = true
      this.receivers.set(id, next)
    }
    // Its source tells nothing more, and its acknowledgements go nowhere.
    const { source, engine } = this
    source.acknowledge = () => {}
    void source[Symbol.asyncDispose]()
    void engine?.[Symbol.asyncDispose]()
  }

  async stop(): Promise<void> {
    await this.engine?.[Symbol.asyncDispose]()
  }

  #of(id: (typeof SINKS)[number]): ScriptedSink {
    return this.receivers.get(id) ?? assert.fail()
  }

  /** Nobody may be without an event that the database is free to forget. */
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

test('every durable receiver has every event, in order, and nothing is acknowledged before (property)', async () => {
  const chunk = fc.integer({ min: 1, max: 6 })
  await fc.assert(
    fc.asyncProperty(chunk, fc.array(step, { minLength: 5, maxLength: 60 }), async (size, steps) => {
      const world = new World(size)
      using _folder = world.folder
      try {
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
            // What comes again is a run that begins earlier, and goes on to the end: never one that skips ahead.
            if (next && comparePositions(next.position, event.position) > 0) {
              const here = all.findIndex(({ id }) => id === event.id)
              assert.equal(all[here + 1]?.id, next.id)
            }
          }
        }
      } finally {
        await world.stop()
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})
