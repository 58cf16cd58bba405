/** Brings the reservation stream up to date in the background: backfill, then the queue, then abandoned reservations. */
import type { Event } from '../../event/event.ts'
import { AbandonedReservations } from './abandoned.ts'
import { Backfill } from './backfill.ts'
import type { EpochStream } from './epoch-stream.ts'
import { type ReplayContext, replay } from './replay.ts'

export interface CatchUpDeps extends Omit<ReplayContext, 'stream'> {
  event: Event
  streams: Pick<EpochStream, 'current' | 'opened'>
}

export class CatchUp {
  readonly #deps: CatchUpDeps
  readonly #backfill: Backfill
  readonly #abandoned = new AbandonedReservations()
  /** One run at a time. */
  #running: Promise<void> | undefined

  constructor(deps: CatchUpDeps) {
    this.#deps = deps
    this.#backfill = new Backfill(deps)
  }

  /** True if the stream holds everything that this box knew when the stream was created. */
  isBackfilled(): boolean {
    return this.#backfill.isDone(this.#deps.streams.opened?.probe.identity)
  }

  /** The stream has lost a write: it is filled anew. */
  startOver(): void {
    this.#backfill.forget()
  }

  /** Starts a run where something is missing in the stream and it can be written to. Returns at once. */
  run(): void {
    const { queue, streams } = this.#deps
    const current = streams.current()
    const identity = current?.probe.identity
    if (this.#running || !current || identity === undefined) return
    if (this.#backfill.isDone(identity) && this.#abandoned.isDone(identity) && queue.length === 0) return
    this.#running = this.#bringUpToDate({ ...this.#deps, stream: current.stream }, identity)
      // The next look tries again. A disk that cannot be written is reported by the next scan.
      .catch(() => {})
      .finally(() => {
        this.#running = undefined
      })
  }

  /** Resolves when no run is going on. */
  async settled(): Promise<void> {
    await this.#running
  }

  async #bringUpToDate(context: ReplayContext, identity: string): Promise<void> {
    if (!this.#backfill.isDone(identity)) await this.#backfill.run(context, identity)
    await replay(context)
    if (!this.#backfill.isDone(identity) || this.#abandoned.isDone(identity)) return
    await this.#abandoned.run(context, identity)
    await replay(context)
  }
}
