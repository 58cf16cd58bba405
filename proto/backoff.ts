/** Waits between tries of something that fails, each longer than the one before. */
export interface Backoff {
  /** The first wait, before the jitter. */
  readonly initialMs: number
  /** The longest wait, before the jitter. */
  readonly maxMs: number
  /** Factor by which each wait is longer than the one before. 2 by default. */
  readonly factor?: number
  /** The smallest and the largest part of a wait that is really waited. From half to all of it by default. */
  readonly jitter?: readonly [from: number, to: number]
}

/**
 * Time to wait before the next try. The jitter keeps fifty scanners that lost the box in the same second from coming back in
 * the same second.
 * @param failures in a row, 0 before the first wait
 * @param random from 0 to under 1
 */
export function backoffMs(failures: number, backoff: Backoff, random: number): number {
  const { initialMs, maxMs, factor = 2, jitter = [0.5, 1] } = backoff
  const [from, to] = jitter
  return Math.min(maxMs, initialMs * factor ** failures) * (from + random * (to - from))
}
