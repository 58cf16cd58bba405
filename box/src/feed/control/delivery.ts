/** The engine, as the control plane uses it. */

export interface SinkStats {
  readonly id: string
  readonly name: string
  readonly durability: 'durable' | 'ephemeral'
  readonly status: 'running' | 'paused'
  readonly lastError: string | null
  readonly queueDepth: number
  readonly deliveredCount: number
  readonly droppedCount: number
  readonly ackedLsn: string
  readonly queueBytes: number
  /** Of the queue, on disk; and the most that it takes there. */
  readonly queueDiskBytes: number
  readonly queueDiskLimit: number
  /** The event that a paused sink cannot take, where that is known. */
  readonly stuckOn: string | null
  /** Events in its file of dead letters. */
  readonly deadLetterCount: number
  /** Failures of the batch that is under way. */
  readonly attempts: number
  /** Since the commit of the oldest waiting change. */
  readonly lagMs: number
  /** The sinks whose full queues it waits for, through the source. */
  readonly stalledBy: readonly string[]
}

export interface EngineStats {
  readonly eventsTotal: number
  readonly flushedLsn: string
  /** The sinks whose full queues the source waits for, and since when. */
  readonly stalledBy: readonly string[]
  readonly stalledMs: number
  /** Reason why the sinks' positions could not be written. */
  readonly positionsError: string | null
  readonly sinks: readonly SinkStats[]
}

export interface Delivery {
  stats(): EngineStats
  /** @returns false when there is no such sink */
  pause(id: string): boolean
  resume(id: string): boolean
  /** @returns why the event is not skipped, in `refused`; undefined when there is no such sink */
  skip(id: string, event?: string): Promise<{ skipped: string } | { refused: string } | undefined>
}
