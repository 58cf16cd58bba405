/** Times as the wire and the journal write them: ISO 8601 in UTC, with milliseconds. */
import { parse } from '@gatehouse/proto/hlc.ts'

/** When a clock's reading was, as far as it can be read. */
export function isoOfReading(hlc: string): string {
  return iso(parse(hlc)?.ms ?? 0)
}

/** @throws RangeError for a time outside the years that a date may have */
export function iso(unixMs: number): string {
  return new Date(unixMs).toISOString()
}

export function isoOrNull(unixMs: number | null): string | null {
  return unixMs === null ? null : iso(unixMs)
}
