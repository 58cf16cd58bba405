/** The times at which the box is asked: often enough to notice a revoked ticket, seldom enough for a stadium full of phones. */

export const POLL_MS = 30_000
const LONGEST_MS = 5 * 60_000

/**
 * Milliseconds until the next question: twice as long after each failure, and with a jitter, because all phones would ask in the
 * same second when the network of a whole venue comes back.
 * @param failures in a row
 * @param random 0 to 1
 */
export function pollDelay(failures: number, random: number): number {
  const delay = Math.min(POLL_MS * 2 ** failures, LONGEST_MS)
  return Math.round(delay * (0.9 + 0.2 * random))
}

export interface Polling {
  /** Asks, unless a question is under way. */
  now(): Promise<void>
  /** Asks again after the question that is under way, which may be too old. */
  anew(): Promise<void>
  stop(): void
}

export interface PollingDeps {
  visible: () => boolean
  random: () => number
  /** @returns what cancels it */
  after: (ms: number, run: () => void) => () => void
}

/** Asks while the page is visible, one question at a time. @param ask resolves to whether the box has answered */
export function poll(ask: () => Promise<boolean>, { visible, random, after }: PollingDeps): Polling {
  let failures = 0
  let cancel = () => {}
  let running: Promise<void> | undefined
  let stopped = false

  const round = async () => {
    cancel()
    // An unforeseen failure counts as no answer: the next question must still follow.
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
