/** A sink whose receiver does what the test says, and remembers every event in the order in which it came. */
import type { ChangeEvent } from '../src/feed/change.ts'
import type { EngineSink } from '../src/feed/engine/pump.ts'
import type { Durability, Sink } from '../src/feed/sink.ts'

/** What becomes of one delivery: taken, refused with this error, or not settled before the promise is. */
export type Outcome = 'ok' | Error | Promise<void>

export class ScriptedSink implements Sink {
  readonly batch = { maxEvents: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY }
  /** Ids of each call's events. */
  readonly calls: string[][] = []
  /** What the receiver has, with what came twice. */
  readonly received: ChangeEvent[] = []
  /** Used up from the front; then everything is taken. */
  readonly outcomes: Outcome[] = []
  readonly lostEvents: number[] = []
  /** Asked where `outcomes` has nothing to say. */
  otherwise: () => Outcome = () => 'ok'
  /** The process is dead: whatever still runs in it changes nothing any more. */
  dead = false
  disposed = false
  #under = false

  async deliver(batch: readonly ChangeEvent[], signal: AbortSignal): Promise<void> {
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
    } finally {
      this.#under = false
    }
  }

  lost(events: number): void {
    this.lostEvents.push(events)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.disposed = true
  }
}

/** Rejects when the call is cut off, and never settles otherwise. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

/** What the configuration says by default, but waits that a test can wait for. */
export function serve(
  sink: Sink,
  settings: Partial<Omit<EngineSink, 'sink'>> & { id?: string; durability?: Durability },
) {
  const { id = 'sink', name = id, durability = 'durable', ...rest } = settings
  return {
    ...{ id, name, durability, sink, maxAttempts: 10, backoff: { initialMs: 1, maxMs: 4, factor: 2, jitter: 0.2 } },
    queue: { maxEvents: 10_000, maxBytes: 64 * 1024 * 1024 },
    batch: { maxEvents: 500, maxBytes: 1024 * 1024, lingerMs: 1 },
    ...rest,
  } satisfies EngineSink
}
