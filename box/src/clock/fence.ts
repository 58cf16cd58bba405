/**
 * The clock's fence: an upper bound of what the clock may have shown, kept on disk ahead of time. A box without a
 * real-time clock boots in the past; it starts above the fence, and so above everything it ever said. (What a device's
 * clock has pushed further than that is in the journal, and the ledger starts the clock above its last entry.)
 */

import { format, type HybridLogicalClock, parse } from '@gatehouse/proto/hlc.ts'
import { GatehouseError } from '../errors.ts'
import { readValue, writeValue } from '../ledger/identity.ts'
import type { Ledger } from '../ledger/ledger.ts'

const FENCE = 'clock_fence'
const SEEN = 'clock_seen'
const EVERY_MS = 5_000
/** How far ahead of the time a box may begin that has lost its power. */
export const AHEAD_MS = 10_000
/** One slot of a rotating code. A wall clock that went back less is as good as one that did not. */
const TOLERANCE_MS = 15_000

export class ClockFence {
  readonly #ledger: Ledger
  readonly #clock: HybridLogicalClock
  readonly #timer: NodeJS.Timeout
  /** The latest time that the wall clock was seen at, now or in an earlier life: unix ms. */
  #seen: number

  /** Starts the clock above the old fence, then raises the fence every few seconds. A wall clock found behind is written in the journal. */
  constructor(ledger: Ledger, clock: HybridLogicalClock) {
    this.#ledger = ledger
    this.#clock = clock
    const fence = parse(readValue(ledger.db, FENCE)?.toString() ?? '') ?? { ms: 0, count: 0 }
    clock.raiseTo(fence)
    this.#seen = Number(readValue(ledger.db, SEEN)?.toString() ?? 0)
    unlessDiskFails(() =>
      ledger.transact(() => {
        if (this.timeQuality() === 'unsynced') {
          ledger.append('clock_fence', { fence: format(fence), wall: new Date(clock.wall()).toISOString() })
        }
        this.#raise(AHEAD_MS)
      }),
    )
    this.#timer = setInterval(() => {
      // Not a transaction of its own: that would stand still for as long as another process writes.
      ledger.commit(() => this.#raise(AHEAD_MS)).catch(onlyDisk)
    }, EVERY_MS)
    this.#timer.unref()
  }

  /** `unsynced` while the wall clock shows a time that the box has already lived through. */
  timeQuality(): 'synced' | 'unsynced' {
    return this.#clock.wall() + TOLERANCE_MS < this.#seen ? 'unsynced' : 'synced'
  }

  /** Within a transaction. */
  #raise(aheadMs: number): void {
    const wall = this.#clock.wall()
    const { ms } = this.#clock.now()
    this.#seen = Math.max(this.#seen, wall)
    // A reading that is ahead of the wall clock stays in its millisecond, and needs no more room than that: a box that
    // dies and starts over and over does not run away from the time.
    const fence = { ms: Math.max(wall + aheadMs, ms + 1), count: 0 }
    writeValue(this.#ledger.db, FENCE, Buffer.from(format(fence)))
    writeValue(this.#ledger.db, SEEN, Buffer.from(String(this.#seen)))
  }

  /** An orderly end leaves the fence where the clock is. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    unlessDiskFails(() => this.#ledger.transact(() => this.#raise(0)))
  }
}

function unlessDiskFails(work: () => void): void {
  try {
    work()
  } catch (error) {
    onlyDisk(error)
  }
}

/**
 * A disk that cannot be written refuses scans as well, and those say so. The fence goes up when it can be written again;
 * no reading reaches the journal in between.
 */
function onlyDisk(error: unknown): void {
  if (!(error instanceof GatehouseError)) throw error
}
