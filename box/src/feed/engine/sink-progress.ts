/** The progress of one sink: the last event that it was sent, in this run or before. */
import type { ChangeEvent } from '../change.ts'
import { comparePositions, type Position } from '../lsn.ts'

export class SinkProgress {
  #position: Position | undefined
  /** When the transaction of that event was committed. */
  #committed: string | undefined
  /** Up to here, events were delivered before the restart; undefined once they are past. */
  #skipTo: Position | undefined
  /** The last event of the batch that became a dead letter. */
  #buried: ChangeEvent | undefined

  get position(): Position | undefined {
    return this.#position
  }

  get committed(): string | undefined {
    return this.#committed
  }

  /** Called before the first event, with what was written down in the run before. */
  startAfter(position: Position | undefined, committed: string | undefined): void {
    this.#position = position
    this.#skipTo = position
    this.#committed = committed
  }

  /** The next events are of another log, in which nothing was delivered yet. */
  startOver(): void {
    this.startAfter(undefined, undefined)
  }

  /** Tells if an event that comes from the source was delivered before the restart. */
  has({ position }: ChangeEvent): boolean {
    if (!this.#skipTo) return false
    if (comparePositions(position, this.#skipTo) <= 0) return true
    this.#skipTo = undefined
    return false
  }

  /** An event of the batch became a dead letter: it counts once the rest of the batch has passed. */
  bury(event: ChangeEvent): void {
    this.#buried = event
  }

  /** These events, and the one that was buried before, need not come again. */
  passed(events: readonly ChangeEvent[]): void {
    let last = events.at(-1)
    if (this.#buried && (!last || comparePositions(this.#buried.position, last.position) > 0)) last = this.#buried
    this.#buried = undefined
    this.#position = last?.position ?? this.#position
    this.#committed = last?.commitTime ?? this.#committed
  }
}
