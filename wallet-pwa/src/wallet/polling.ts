/** When the box is asked again: often enough for a revoked ticket, seldom enough for a stadium full of phones. */

export const POLL_MS = 30_000
const LONGEST_MS = 5 * 60_000

/**
 * Milliseconds until the next question. Twice as long after each failure, and never for all phones at once: when the network
 * of a whole venue comes back, they would all ask in the same second.
 * @param failures in a row
 * @param random 0 to 1
 */
export function pollDelay(failures: number, random: number): number {
  const delay = Math.min(POLL_MS * 2 ** failures, LONGEST_MS)
  return Math.round(delay * (0.9 + 0.2 * random))
}

/**
 * Asks while the page is visible. `ask` answers whether the box did; it is never asked twice at once.
 * @returns `now`: asks, unless that is under way. `anew`: asks after what is under way, which does not know of it yet.
 */
export function poll(
  ask: () => Promise<boolean>,
  {
    visible,
    random,
    after,
  }: { visible: () => boolean; random: () => number; after: (ms: number, run: () => void) => () => void },
): { now: () => Promise<void>; anew: () => Promise<void>; stop: () => void } {
  let failures = 0
  let cancel = () => {}
  let running: Promise<void> | undefined
  let stopped = false

  const round = async () => {
    cancel()
    // A question that failed in an unforeseen way is one that was not answered: the next one must still come.
    const answered = await ask().catch(() => false)
    failures = answered ? 0 : failures + 1
    running = undefined
    if (!stopped) cancel = after(pollDelay(failures, random()), () => visible() && void now())
  }
  const now = () => {
    running ??= round()
    return running
  }
  let next: Promise<void> | undefined
  const anew = () => {
    if (!running) return now()
    next ??= running.then(() => {
      next = undefined
      return now()
    })
    return next
  }
  return {
    now,
    anew,
    stop() {
      stopped = true
      cancel()
    },
  }
}
