/** A sink as the engine is given it. */
import type { Durability, Sink, SinkLog } from '../sink.ts'
import type { DeadLetterOptions } from './dead-letters.ts'
import type { QueueLimits } from './queue.ts'
import type { SpillOptions } from './spill.ts'

/** A sink with its configuration. */
export interface EngineSink {
  readonly id: string
  readonly name: string
  readonly durability: Durability
  readonly sink: Sink
  /** `schema.table`; undefined for all. */
  readonly tables?: readonly string[] | undefined
  /** Failed deliveries of a batch until the sink is paused; 0 for never. */
  readonly maxAttempts: number
  /** `jitter`: by which part a wait is made shorter or longer. */
  readonly backoff: {
    readonly initialMs: number
    readonly maxMs: number
    readonly factor: number
    readonly jitter: number
  }
  readonly queue: QueueLimits
  /** On disk, for a durable sink's events that do not fit into its queue; without it, the source waits. */
  readonly spill?: SpillOptions | undefined
  readonly deadLetters: DeadLetterOptions
  /** The sink's own limits may be lower. */
  readonly batch: QueueLimits & {
    /** A batch that is not full waits at least this long after the last one; it is sent at once when the sink was idle. */
    readonly lingerMs: number
  }
}

export interface PumpOptions {
  readonly log: SinkLog
  /** Unix ms, for what people read. */
  readonly now: () => number
  /** Milliseconds, never going back: what waits are measured by. */
  readonly monotonic: () => number
  readonly random: () => number
  /** A batch was delivered. */
  readonly onDelivered: () => void
  /** The longest time that an event is kept back to learn whether its transaction goes on, milliseconds. */
  readonly heldMs: number
  /** It has failed so often that it is paused. */
  readonly onPaused: () => void
}
