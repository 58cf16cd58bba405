/**
 * Hybrid logical clock: Kulkarni, Demirbas, Madappa, Avva, Leone, "Logical Physical Clocks and Consistent Snapshots
 * in Globally Distributed Databases" (2014). A reading is never behind the wall clock, grows with every event, and
 * stays close to the wall clock as long as the clocks that it receives readings from do.
 *
 * Text form: 13-digit milliseconds, a dot, 6-digit counter, always at full width, so that strings sort as clocks do.
 */
export interface Timestamp {
  /** Unix milliseconds. */
  readonly ms: number
  /** Events within that millisecond. */
  readonly count: number
}

const MAX_MS = 9_999_999_999_999
const MAX_COUNT = 999_999

/** The reading after `last` when the wall clock shows `wall` (unix ms). A full counter moves to the next millisecond. */
export function tick(last: Timestamp, wall: number): Timestamp {
  if (wall > last.ms) return { ms: wall, count: 0 }
  return next(last)
}

/** The reading for an event that follows `remote`: after `last` and after `remote`. */
export function merge(last: Timestamp, remote: Timestamp, wall: number): Timestamp {
  return tick(compare(remote, last) > 0 ? remote : last, wall)
}

function next({ ms, count }: Timestamp): Timestamp {
  return count < MAX_COUNT ? { ms, count: count + 1 } : { ms: ms + 1, count: 0 }
}

/** Negative, zero or positive, as `a` is before, at or after `b`. */
export function compare(a: Timestamp, b: Timestamp): number {
  return a.ms - b.ms || a.count - b.count
}

export function format({ ms, count }: Timestamp): string {
  return `${String(ms).padStart(13, '0')}.${String(count).padStart(6, '0')}`
}

/**
 * Reads `digits.digits` of any width as two integers (never as one decimal: `.10` is after `.9`). Undefined for any other text,
 * and for a reading out of range: a caller records such a text as it came, and does not merge it.
 */
export function parse(text: string): Timestamp | undefined {
  const match = /^0*(\d{1,13})\.0*(\d{1,6})$/.exec(text)
  if (!match) return undefined
  return { ms: Number(match[1]), count: Number(match[2]) }
}

/** True if a reading from another clock was merged. */
export type Received = { merged: true; offsetMs: number } | { merged: false; reason: 'unreadable' | 'too_far_ahead' }

/**
 * A clock with a state. Readings grow strictly for as long as the process lives. They also grow across restarts of a box,
 * because its clock starts at `floor`, which the ledger keeps above every reading that was ever given out.
 */
export class HybridLogicalClock {
  readonly #wallClock: () => number
  readonly #maxOffsetMs: number
  #last: Timestamp

  /**
   * @param wallClock unix milliseconds
   * @param maxOffsetMs how far ahead of the wall clock another clock may be to be merged
   * @param floor the first reading is after this one
   */
  constructor(options: { wallClock: () => number; maxOffsetMs: number; floor?: Timestamp }) {
    this.#wallClock = options.wallClock
    this.#maxOffsetMs = options.maxOffsetMs
    this.#last = options.floor ?? { ms: 0, count: 0 }
  }

  /** A new reading, after all earlier ones. */
  now(): Timestamp {
    this.#last = tick(this.#last, this.#wallClock())
    return this.#last
  }

  /** The wall clock, unix milliseconds: for freshness and opening hours. It may jump back; readings do not. */
  wall(): number {
    return this.#wallClock()
  }

  /** Later readings are after this one, which was read back from the ledger, whatever the wall clock says now. */
  raiseTo(floor: Timestamp): void {
    if (compare(floor, this.#last) > 0) this.#last = floor
  }

  /**
   * Merges another clock's reading, in its text form. A clock that is too far ahead is not followed: otherwise a single hostile
   * or broken phone would move all later readings into next year.
   */
  receive(text: string): Received {
    const remote = parse(text)
    if (!remote) return { merged: false, reason: 'unreadable' }
    const offsetMs = remote.ms - this.#wallClock()
    if (offsetMs > this.#maxOffsetMs || remote.ms > MAX_MS - this.#maxOffsetMs) {
      return { merged: false, reason: 'too_far_ahead' }
    }
    this.raiseTo(remote)
    return { merged: true, offsetMs }
  }
}
