/** Counts by minute, of the last hour: unix time in minutes, and how many. */
export type Minutes = Map<number, number>

const MINUTE_MS = 60_000
/** Minutes kept, and so the length of a sparkline. */
export const SPARKLINE = 60

/**
 * Counts one person at the minute when they stood there, where that is within the hour before the box learned of it: what
 * a scanner uploads late belongs where it happened, not on one high spike.
 * @param at when the box learned of it, unix ms; `observedAt` as the scanner says
 */
export function countMinute(minutes: Minutes, { at, observedAt }: { at: number; observedAt: number }): void {
  const current = Math.floor(at / MINUTE_MS)
  const minute = Math.floor(Math.min(observedAt, at) / MINUTE_MS)
  if (!(minute > current - SPARKLINE)) return
  if (!minutes.has(minute)) {
    for (const old of minutes.keys()) {
      // One ahead: a clock that was set back a little. Further ahead: the box's clock was wrong, and those are no minutes of ours.
      if (old <= current - SPARKLINE || old > current + 1) minutes.delete(old)
    }
  }
  addTo(minutes, minute, 1)
}

/** The hour that ends now, oldest minute first; the last one is still under way. @param now unix ms */
export function sparklineOf(minutes: Minutes | undefined, now: number): number[] {
  const current = Math.floor(now / MINUTE_MS)
  return Array.from({ length: SPARKLINE }, (_, i) => minutes?.get(current - SPARKLINE + 1 + i) ?? 0)
}

/** A rate over this many minutes, as the queues' (`lanes.ts`). */
const RATE_MINUTES = 5

/** How many a minute, over `window` minutes that end at `now` (unix ms), the last one included as far as it goes. */
export function perMinute(minutes: Minutes | undefined, now: number, window = RATE_MINUTES): number {
  const current = Math.floor(now / MINUTE_MS)
  let sum = 0
  for (let minute = current - window + 1; minute <= current; minute++) sum += minutes?.get(minute) ?? 0
  return sum / window
}

export function addTo<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}
