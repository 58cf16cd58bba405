/** The pace of work beside the gates: how long one transaction of it may take, and how long it leaves the ledger alone after it. */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../ledger/db.ts'

export interface Pace {
  /** True if others write to the ledger at this time. */
  readonly isBusy: boolean
  /** Milliseconds that a transaction may take. */
  readonly sliceMs: number
  /** Resolves when the next piece may be done. @param tookMs of the transaction before; 0 for none */
  rest(tookMs: number): Promise<void>
}

/** For a thread that does scans itself, in between. */
export const CALM: Pace = { isBusy: false, sliceMs: 10, rest: () => setImmediate() }

/** While nobody else writes. The first scan after it may wait for so long. The more rows, the fewer times a page is written. */
const QUIET_SLICE_MS = 40

/** While others write: a scan that meets a transaction waits for its end. */
const BUSY_SLICE_MS = 2
/**
 * Pieces in a transaction at least, while nobody else writes and while others do. On a slow card the commit alone takes longer than a
 * slice: fewer pieces would not make it shorter, and one at a time an import of 2,000 tickets took two minutes there.
 */
const LEAST_QUIET = 20
const LEAST_BUSY = 4
/** After somebody has written, others are about to. */
const BUSY_FOR_MS = 1_000
const MOST_REST_MS = 20

/**
 * In a thread or process beside the one that scans.
 * @param now milliseconds, monotonic
 */
export function paceBeside(db: Pick<Db, 'dataVersion'>, now: () => number = () => performance.now()): Pace {
  let version = db.dataVersion()
  let busyUntil = 0
  const look = () => {
    const seen = db.dataVersion()
    if (seen !== version) busyUntil = now() + BUSY_FOR_MS
    version = seen
    return now() < busyUntil
  }
  return {
    get isBusy() {
      return now() < busyUntil
    },
    get sliceMs() {
      return look() ? BUSY_SLICE_MS : QUIET_SLICE_MS
    },
    async rest(tookMs) {
      if (tookMs > 0 && look()) await sleep(Math.min(MOST_REST_MS, tookMs))
    },
  }
}

/** Of the time that a reader spends while others write. */
const READERS_SHARE = 1 / 4

/**
 * For a thread that only reads: it takes a quarter of its processor's time while others write.
 * @returns waits; called after each piece
 */
export function turnsBeside(db: Pick<Db, 'dataVersion'>, now = () => performance.now()): () => Promise<void> {
  const pace = paceBeside(db, now)
  let began = now()
  return async () => {
    await pace.rest((now() - began) * (1 / READERS_SHARE - 1))
    began = now()
  }
}

/**
 * Runs `some` in one transaction after the other, until it returns false.
 * @param begin how many pieces at first: then as many as the pace has time for, and a few where it has time for none
 * @param some does that many pieces
 */
export async function inSlices(
  pace: Pace,
  db: Pick<Db, 'transaction'>,
  begin: number,
  some: (most: number) => boolean,
): Promise<void> {
  for (let [most, more] = [begin, true]; more; ) {
    const started = performance.now()
    more = db.transaction(() => some(Math.floor(most)))
    const took = performance.now() - started
    const least = pace.isBusy ? LEAST_BUSY : LEAST_QUIET
    most = Math.max(least, Math.min(most * 2, (most * pace.sliceMs) / Math.max(took, 0.1)))
    if (more) await pace.rest(took)
  }
}
