/**
 * The place up to which the log may be acknowledged to the source: the end of the last transaction whose events are delivered to every
 * durable sink. Never to a commit's own position, which would bring that transaction again at every restart.
 */
import { comparePositions, type Lsn, type Position } from '../lsn.ts'

/** Once no event up to and with `commitLsn` is outstanding, `end` may be acknowledged. */
interface Mark {
  readonly commitLsn: Lsn
  readonly end: Lsn
}

/** The most marks that are kept; a slow sink may have millions of small transactions before it. */
const MOST_MARKS = 65_536

const BEFORE_ALL: Position = { commitLsn: -1n, index: -1 }

export class Acknowledgement {
  /** In order, at most one for each outstanding event: ends with no event between them are merged. */
  #marks: Mark[] = []
  /** The first mark that is not acknowledged yet; those before it are kept for sinks that lag behind. */
  #next = 0
  /** The end of the last mark that every sink is behind. */
  #forgotten: Lsn = 0n
  /** The furthest event that was received; the source goes back after a reconnect. */
  #received = BEFORE_ALL
  /** True while the end of that event's transaction is still to come. */
  #open = false
  #end: Lsn = 0n
  #acknowledged: Lsn = 0n

  get acknowledged(): Lsn {
    return this.#acknowledged
  }

  /** Everything before `end` was acknowledged in the runs before: every durable sink is behind it. */
  begin(end: Lsn): void {
    if (end > this.#end) this.#end = end
    if (end > this.#acknowledged) this.#acknowledged = end
    if (end > this.#forgotten) this.#forgotten = end
  }

  /** @returns false for an event that was received before: no sink needs it again */
  event(position: Position): boolean {
    if (comparePositions(position, this.#received) <= 0) return false
    this.#received = position
    this.#open = true
    return true
  }

  commit(commitLsn: Lsn, end: Lsn): void {
    // An earlier transaction may end while a later one is open: the source has gone back to it.
    if (commitLsn >= this.#received.commitLsn) this.#open = false
    this.#mark(end)
  }

  /** Ignored in the middle of a transaction: once acknowledged, the rest of it would not come again. */
  idle(end: Lsn): void {
    if (!this.#open) this.#mark(end)
  }

  #mark(end: Lsn): void {
    if (end <= this.#end) return
    this.#end = end
    const { commitLsn } = this.#received
    if (this.#marks.at(-1)?.commitLsn === commitLsn) {
      this.#marks.pop()
      this.#next = Math.min(this.#next, this.#marks.length)
    }
    this.#marks.push({ commitLsn, end })
    if (this.#marks.length > MOST_MARKS) this.#thinOut()
  }

  /**
   * Position of one sink by itself, durable or not.
   * @param oldest the commit of its first undelivered event; undefined when all are delivered
   */
  reached(oldest: Lsn | undefined): Lsn {
    return this.#marks.findLast((mark) => oldest === undefined || mark.commitLsn < oldest)?.end ?? this.#forgotten
  }

  /**
   * @param oldest the commit of the first event that is undelivered to some durable sink; undefined when there is none
   * @returns what is to be acknowledged now; undefined when that has not grown
   */
  advance(oldest: Lsn | undefined): Lsn | undefined {
    const before = this.#acknowledged
    for (let mark = this.#marks[this.#next]; mark && (oldest === undefined || mark.commitLsn < oldest); ) {
      this.#acknowledged = mark.end
      mark = this.#marks[++this.#next]
    }
    return this.#acknowledged > before ? this.#acknowledged : undefined
  }

  /** @param oldest the commit of the first event that is undelivered to any sink: nobody asks for marks before it */
  forget(oldest: Lsn | undefined): void {
    let gone = 0
    for (; gone < this.#next; gone++) {
      const mark = this.#marks[gone]
      if (!mark || (oldest !== undefined && mark.commitLsn >= oldest)) break
      this.#forgotten = mark.end
    }
    if (gone === 0) return
    this.#marks.splice(0, gone)
    this.#next -= gone
  }

  /** Every second mark goes: what is acknowledged is then less exact, and never too much. */
  #thinOut(): void {
    const last = this.#marks.length - 1
    this.#marks = this.#marks.filter((_, i) => i % 2 === 1 || i === last)
    const acknowledged = this.#acknowledged
    this.#next = this.#marks.findIndex(({ end }) => end > acknowledged)
    if (this.#next === -1) this.#next = this.#marks.length
  }
}
