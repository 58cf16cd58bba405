/**
 * The clock's fence: an upper bound of every reading that may have been given out, kept on disk ahead of time. A box
 * without a real-time clock boots in the past; it starts above the fence, and so above everything it ever said.
 */
import { readValue, writeValue } from '../ledger/identity.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { format, type HybridLogicalClock, parse, type Timestamp } from './hlc.ts'

const NAME = 'clock_fence'
const EVERY_MS = 5_000
const AHEAD_MS = 10_000
/** A crash leaves a fence up to `AHEAD_MS` ahead of a clock that is right; only beyond that is it wrong. */
const TOLERANCE_MS = AHEAD_MS + EVERY_MS

export class ClockFence {
  readonly #ledger: Ledger
  readonly #clock: HybridLogicalClock
  readonly #floor: Timestamp
  readonly #timer: NodeJS.Timeout

  /** Starts the clock above the old fence, then raises the fence every few seconds. A wall clock found behind the old fence is written in the journal. */
  constructor(ledger: Ledger, clock: HybridLogicalClock) {
    this.#ledger = ledger
    this.#clock = clock
    this.#floor = parse(readValue(ledger.db, NAME)?.toString() ?? '') ?? { ms: 0, count: 0 }
    clock.raiseTo(this.#floor)
    if (this.timeQuality() === 'unsynced') {
      ledger.transact(() =>
        ledger.append('clock_fence', { fence: format(this.#floor), wall: new Date(clock.wall()).toISOString() }),
      )
    }
    this.#raise(AHEAD_MS)
    this.#timer = setInterval(() => this.#raise(AHEAD_MS), EVERY_MS)
    this.#timer.unref()
  }

  /** `unsynced` while the wall clock shows a time that the box has already lived through. */
  timeQuality(): 'synced' | 'unsynced' {
    return this.#clock.wall() + TOLERANCE_MS < this.#floor.ms ? 'unsynced' : 'synced'
  }

  #raise(aheadMs: number): void {
    const { ms } = this.#clock.now()
    try {
      this.#ledger.db.transaction(() =>
        writeValue(this.#ledger.db, NAME, Buffer.from(format({ ms: ms + aheadMs, count: 0 }))),
      )
    } catch {
      // A full disk refuses scans as well, and those say so. The fence goes up when the disk can be written again; no
      // reading reaches the journal in between.
    }
  }

  /** An orderly end leaves the fence where the clock is, so that the next start is not told to distrust itself. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#raise(0)
  }
}
