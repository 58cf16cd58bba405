/** How long to wait before a batch is sent again. */

export interface Backoff {
  /** The first wait. */
  readonly initialMs: number
  /** The longest wait, before the jitter. */
  readonly maxMs: number
  /** How much longer each wait is than the one before. */
  readonly factor: number
  /** By which part a wait is made shorter or longer: senders that failed together must not come back together. */
  readonly jitter: number
}

/** @param failures in a row, 1 at the least @param random from 0 to under 1 */
export function backoffMs(failures: number, backoff: Backoff, random: () => number): number {
  const { initialMs, maxMs, factor, jitter } = backoff
  return Math.min(maxMs, initialMs * factor ** (failures - 1)) * (1 + jitter * (2 * random() - 1))
}
