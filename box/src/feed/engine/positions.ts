/**
 * How far the log may be acknowledged to the source: to the end of the last transaction whose events every durable sink has
 * taken. Never to a commit's own position, which would bring that transaction again at every restart.
 */
import { comparePositions, type Lsn, type Position } from '../lsn.ts'

/** Once no event up to and with `commitLsn` is outstanding, `end` may be acknowledged. */
interface Mark {
  readonly commitLsn: Lsn
  readonly end: Lsn
}

const BEFORE_ALL: Position = { commitLsn: -1n, index: -1 }

export class Acknowledgement {
  /** In order, at most one for each event that is outstanding: ends with no event between them are one. */
  readonly #marks: Mark[] = []
  /** The furthest event that was told; the source goes back after a reconnect. */
  #told = BEFORE_ALL
  /** Whether that event's transaction has not been told to its end yet. */
  #open = false
  #end: Lsn = 0n
  #acknowledged: Lsn = 0n

  get acknowledged(): Lsn {
    return this.#acknowledged
  }

  /** @returns false for one that was told before, which nobody needs to get again */
  event(position: Position): boolean {
    if (comparePositions(position, this.#told) <= 0) return false
    this.#told = position
    this.#open = true
    return true
  }

  commit(commitLsn: Lsn, end: Lsn): void {
    // An earlier transaction may end while a later one is open: the source has gone back to it.
    if (commitLsn >= this.#told.commitLsn) this.#open = false
    this.#mark(end)
  }

  /** Nothing is believed of it in the middle of a transaction: acknowledged, the rest of that would not come again. */
  idle(end: Lsn): void {
    if (!this.#open) this.#mark(end)
  }

  #mark(end: Lsn): void {
    if (end <= this.#end) return
    this.#end = end
    const { commitLsn } = this.#told
    if (this.#marks.at(-1)?.commitLsn === commitLsn) this.#marks.pop()
    this.#marks.push({ commitLsn, end })
  }

  /**
   * How far a sink has got on its own.
   * @param oldest the commit of the first event that it has not taken; undefined when it has taken all
   */
  reached(oldest: Lsn | undefined): Lsn {
    return this.#marks.findLast((mark) => oldest === undefined || mark.commitLsn < oldest)?.end ?? this.#acknowledged
  }

  /**
   * @param oldest the commit of the first event that some durable sink has not taken; undefined when they have taken all
   * @returns what is to be acknowledged now; undefined when that has not grown
   */
  advance(oldest: Lsn | undefined): Lsn | undefined {
    const blocked = oldest === undefined ? -1 : this.#marks.findIndex((mark) => mark.commitLsn >= oldest)
    const last = this.#marks.splice(0, blocked === -1 ? this.#marks.length : blocked).at(-1)
    if (last) this.#acknowledged = last.end
    return last?.end
  }
}
