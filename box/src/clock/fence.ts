/**
 * The clock's fence: an upper bound of every reading of the clock, written to disk ahead of time. A box without a real-time
 * clock boots in the past; its clock starts above the fence, and so above everything that it showed before. (A device's clock
 * may have pushed it further: that is in the journal, and the ledger starts the clock above its last entry.)
 */
import { format, type HybridLogicalClock, parse } from '@gatehouse/proto/hlc.ts'
import { GatehouseError } from '../errors.ts'
import { readValue, writeValue } from '../ledger/identity.ts'
import type { Ledger } from '../ledger/ledger.ts'

const FENCE = 'clock_fence'
const SEEN = 'clock_seen'
const EVERY_MS = 5_000
/**
 * After a power cut the clock of a box may start this far ahead of the time. More than from one fence on disk to the next: `EVERY_MS`, and
 * `RIDE_MS` of the group commit.
 */
export const AHEAD_MS = 10_000
/** One slot of a rotating code: a wall clock that went back by less makes no difference. */
const TOLERANCE_MS = 15_000

export class ClockFence {
  readonly #ledger: Ledger
  readonly #clock: HybridLogicalClock
  readonly #timer: NodeJS.Timeout
  #aheadMs = AHEAD_MS
  /** The latest time that the wall clock has shown, before restarts as well: unix ms. */
  #seen: number

  /** Starts the clock above the old fence, then raises the fence every few seconds. Journals a wall clock that is behind. */
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
        this.#raise()
      }),
    )
    this.#timer = setInterval(() => {
      // Not a transaction of its own: that would block for as long as another process writes. Nor a commit of its own while people are
      // being scanned: at 16 scans/s every eightieth scan would wait for its sync, and that is the p99.
      ledger.commit(() => this.#raise(), { rides: true, redo: true }).catch(onlyDisk)
    }, EVERY_MS)
    this.#timer.unref()
  }

  /** `unsynced` while the wall clock shows a time that is past already. */
  timeQuality(): 'synced' | 'unsynced' {
    return this.#clock.wall() + TOLERANCE_MS < this.#seen ? 'unsynced' : 'synced'
  }

  /** Within a transaction. */
  #raise(): void {
    const wall = this.#clock.wall()
    const { ms } = this.#clock.now()
    this.#seen = Math.max(this.#seen, wall)
    // A reading ahead of the wall clock stays in its millisecond and needs no more room than that: the clock of a box that
    // crashes and starts again and again does not run away from the time.
    const fence = { ms: Math.max(wall + this.#aheadMs, ms + 1), count: 0 }
    writeValue(this.#ledger.db, FENCE, Buffer.from(format(fence)))
    writeValue(this.#ledger.db, SEEN, Buffer.from(String(this.#seen)))
  }

  /** After an orderly end the fence is where the clock is. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    // Also for one that still waits to be committed: the ledger does that when it closes.
    this.#aheadMs = 0
    unlessDiskFails(() => this.#ledger.transact(() => this.#raise()))
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
 * Ignores a disk that cannot be written: scans are refused too, and report it. What was to be written (the fence, a snapshot)
 * is written when that is possible again.
 */
export function onlyDisk(error: unknown): void {
  if (!(error instanceof GatehouseError)) throw error
}
