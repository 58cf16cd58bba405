/** Microseconds between 1970 and 2000, where PostgreSQL's time begins. */
const EPOCH = 946_684_800_000_000n

/**
 * ISO 8601 with all six digits: a `Date` would keep three.
 *
 * @param micros since 2000-01-01T00:00:00Z, as the server sends it
 * @throws RangeError outside the years that ISO 8601 can express
 */
export function commitTime(micros: bigint): string {
  const unix = micros + EPOCH
  const rest = ((unix % 1000n) + 1000n) % 1000n
  const milliseconds = new Date(Number((unix - rest) / 1000n)).toISOString()
  return `${milliseconds.slice(0, -1)}${String(rest).padStart(3, '0')}Z`
}

/** The same clock for what is sent to the server. @param now Unix ms */
export function serverTime(now: number): bigint {
  return BigInt(Math.trunc(now)) * 1000n - EPOCH
}
