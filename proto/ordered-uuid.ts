/**
 * A UUID of version 7 (RFC 9562): the time, and 74 random bits. Ids that are made one after the other are next to each other in an index,
 * so a ledger writes one page for many of them.
 * @param ms unix ms, of a clock that may be wrong
 */
export function orderedUuid(ms: number): string {
  const time = Math.min(Math.max(Math.floor(ms), 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`
}
