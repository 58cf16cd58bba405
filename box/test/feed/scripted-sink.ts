/** A sink whose receiver does what the test says, and keeps every event in the order of arrival. */
import type { ChangeEvent } from '../../src/feed/change.ts'
import type { EngineSink } from '../../src/feed/engine/engine-sink.ts'
import type { Durability, Sink } from '../../src/feed/sink.ts'
import type { SourceGap } from '../../src/feed/source.ts'

/** The outcome of one delivery: taken, refused with this error, or settled with the promise. */
export type Outcome = 'ok' | Error | Promise<void>

export class ScriptedSink implements Sink {
  readonly batch = { maxEvents: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY }
  /** Ids of each call's events. */
  readonly calls: string[][] = []
  /** Everything that the receiver got, with duplicates. */
  readonly received: ChangeEvent[] = []
  /** Used up from the front; then everything is taken. */
  readonly outcomes: Outcome[] = []
  /** Each batch that was taken, as its ids; with ` open` where its last transaction goes on. */
  readonly marks: string[] = []
  readonly lostEvents: number[] = []
  /** Each gap with the number of events that came before it; again with each attempt. */
  readonly gaps: { reason: string; after: number }[] = []
  /** Asked where `outcomes` has nothing to say. */
  otherwise: () => Outcome = () => 'ok'
  /** The process is dead: what still runs in it has no effect. */
  dead = false
  disposed = false
  #under = false

  async deliver(batch: readonly ChangeEvent[], signal: AbortSignal, _waiting = 0, open = false): Promise<void> {
    if (this.#under) throw new Error('a second batch while one is under way')
    this.#under = true
    try {
      if (this.dead) return await untilAborted(signal)
      this.calls.push(batch.map(({ id }) => id))
      const outcome = this.outcomes.shift() ?? this.otherwise()
      if (outcome instanceof Promise) await Promise.race([outcome, untilAborted(signal)])
      else if (outcome !== 'ok') throw outcome
      if (this.dead) return await untilAborted(signal)
      signal.throwIfAborted()
      this.received.push(...batch)
      this.marks.push(`${batch.map(({ id }) => id)}${open ? ' open' : ''}`)
    } finally {
      this.#under = false
    }
  }

  lost(events: number): void {
    this.lostEvents.push(events)
  }

  gap({ reason }: SourceGap): void {
    this.gaps.push({ reason, after: this.received.length })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.disposed = true
  }
}

/** Rejects when the call is cut off, and never settles otherwise. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

/** The configuration's defaults, with waits that are short enough for a test. */
export function serve(
  sink: Sink,
  settings: Partial<Omit<EngineSink, 'sink'>> & { id?: string; durability?: Durability },
) {
  const { id = 'sink', name = id, durability = 'durable', ...rest } = settings
  return {
    id,
    name,
    durability,
    sink,
    maxAttempts: 10,
    backoff: { initialMs: 1, maxMs: 4, factor: 2, jitter: 0.2 },
    deadLetters: { path: '/nonexistent/dead-letters.jsonl', maxBytes: 1e6, automatic: false },
    queue: { maxEvents: 10_000, maxBytes: 64 * 1024 * 1024 },
    batch: { maxEvents: 500, maxBytes: 1024 * 1024, lingerMs: 1 },
    ...rest,
  } satisfies EngineSink
}
