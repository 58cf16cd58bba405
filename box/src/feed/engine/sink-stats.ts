/** The statistics of one sink: the specification's fields, and more. */
import { stuckEvent } from './after-failure.ts'
import type { EngineSink } from './engine-sink.ts'
import type { Queue } from './queue.ts'
import type { Setbacks } from './setbacks.ts'

/** Counts since the start. */
export interface Tally {
  delivered: number
  dropped: number
  /** Events that came again after a restart and had been delivered before it. */
  skipped: number
  /** Unix ms. */
  lastDeliveredAt: number | null
}

interface SinkParts {
  readonly config: EngineSink
  readonly status: 'running' | 'paused'
  readonly queue: Queue
  readonly setbacks: Setbacks
  readonly tally: Tally
  readonly deadLetters: number
  /** Milliseconds until the next attempt; undefined when none is waited for. */
  readonly untilRetry: number | undefined
}

/** @param now Unix ms */
export function sinkStats({ config, status, queue, setbacks, tally, deadLetters, untilRetry }: SinkParts, now: number) {
  const { id, name, durability, spill, sink } = config
  const { attempts, lastError, stuckOn } = setbacks
  const { oldest } = queue
  return {
    id,
    name,
    durability,
    status,
    lastError,
    queueDepth: queue.size,
    deliveredCount: tally.delivered,
    droppedCount: tally.dropped,
    queueBytes: queue.bytes,
    /** Of the queue, on disk; and the most that it takes there. */
    queueDiskBytes: queue.diskBytes,
    queueDiskLimit: spill?.maxBytes ?? 0,
    skippedCount: tally.skipped,
    /** The event that a paused sink cannot take, where that is known. */
    stuckOn: status === 'paused' && attempts > 0 ? stuckEvent(queue.batch, stuckOn) : null,
    /** Events in its file of dead letters. */
    deadLetterCount: deadLetters,
    /** Failures of the batch that is under way. */
    attempts,
    /** Unix ms. */
    nextRetryAt: untilRetry === undefined ? null : Math.round(now + untilRetry),
    lastDeliveredAt: tally.lastDeliveredAt,
    /** Since the commit of the oldest waiting event, by the clocks of the two machines; 0 when none waits. */
    lagMs: oldest ? Math.max(0, now - Date.parse(oldest.commitTime) || 0) : 0,
    ...sink.details?.(),
  }
}
