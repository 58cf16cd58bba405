/** Counts of the last hour by minute; the key is unix time in minutes. */
export type Minutes = Map<number, number>

const MINUTE_MS = 60_000
/** Minutes kept, and so the length of a sparkline. */
export const SPARKLINE = 60

/**
 * Counts one person at the minute of the passage, if that is within the hour before the box learned of it: what a scanner
 * uploads late belongs where it happened, and must not make one high spike.
 * @param at when the box learned of it, unix ms; `observedAt` as the scanner says
 */
export function countMinute(minutes: Minutes, { at, observedAt }: { at: number; observedAt: number }): void {
  const current = Math.floor(at / MINUTE_MS)
  const minute = Math.floor(Math.min(observedAt, at) / MINUTE_MS)
  if (!(minute > current - SPARKLINE)) return
  if (!minutes.has(minute)) {
    for (const old of minutes.keys()) {
      // One minute ahead: the clock was set back a little. Further ahead: the box's clock was wrong, and the counts are void.
      if (old <= current - SPARKLINE || old > current + 1) minutes.delete(old)
    }
  }
  addTo(minutes, minute, 1)
}

/** The hour that ends now, oldest minute first; the last minute is incomplete. @param now unix ms */
export function sparklineOf(minutes: Minutes | undefined, now: number): number[] {
  const current = Math.floor(now / MINUTE_MS)
  return Array.from({ length: SPARKLINE }, (_, i) => minutes?.get(current - SPARKLINE + 1 + i) ?? 0)
}

/** Minutes that a rate is taken over, as in `lanes.ts`. */
const RATE_MINUTES = 5

/** The rate a minute over the `window` minutes that end at `now` (unix ms), the incomplete last one included. */
export function perMinute(minutes: Minutes | undefined, now: number, window = RATE_MINUTES): number {
  const current = Math.floor(now / MINUTE_MS)
  let sum = 0
  for (let minute = current - window + 1; minute <= current; minute++) sum += minutes?.get(minute) ?? 0
  return sum / window
}

/** People let in at all gates within the `window` minutes that end at `now` (unix ms). */
export function admittedWithin(
  window: number,
  { gateMinutes }: { gateMinutes: ReadonlyMap<string, Minutes> },
  now: number,
): number {
  let sum = 0
  for (const minutes of gateMinutes.values()) sum += Math.round(perMinute(minutes, now, window) * window)
  return sum
}

export function addTo<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}
