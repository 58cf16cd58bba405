/** Instants as the wire and the journal have them: ISO 8601 in UTC, with milliseconds. */

/** @param unixMs within the years that a date may have, or it throws RangeError */
export function iso(unixMs: number): string {
  return new Date(unixMs).toISOString()
}

export function isoOrNull(unixMs: number | null): string | null {
  return unixMs === null ? null : iso(unixMs)
}
