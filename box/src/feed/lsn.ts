/**
 * Positions in a source's log. An LSN is a 64-bit number, written as two hexadecimal halves with a slash between, as
 * PostgreSQL writes it; the SQLite source puts its incarnation into the upper half and its sequence into the lower one.
 */

export type Lsn = bigint

/** The position of an event: its transaction's commit, and its place in the transaction. */
export interface Position {
  readonly commitLsn: Lsn
  readonly index: number
}

const LSN = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i

/** @returns undefined for what is not an LSN */
export function parseLsn(text: string): Lsn | undefined {
  const [, upper, lower] = LSN.exec(text) ?? []
  return upper === undefined || lower === undefined ? undefined : (BigInt(`0x${upper}`) << 32n) | BigInt(`0x${lower}`)
}

export function formatLsn(lsn: Lsn): string {
  return `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffff_ffffn).toString(16).toUpperCase()}`
}

/** `<commit_lsn>:<index>`: the id of an event, the same at every delivery. */
export function eventId({ commitLsn, index }: Position): string {
  return `${formatLsn(commitLsn)}:${index}`
}

/** @returns undefined for what is not an event id */
export function parseEventId(text: string): Position | undefined {
  const [, lsn = '', index = ''] = /^([^:]{3,17}):(0|[1-9]\d{0,14})$/.exec(text) ?? []
  const commitLsn = parseLsn(lsn)
  return commitLsn === undefined ? undefined : { commitLsn, index: Number(index) }
}

/** Negative when `a` comes first. Compares integers: as strings, `0/9` would come after `0/10`. */
export function comparePositions(a: Position, b: Position): number {
  if (a.commitLsn !== b.commitLsn) return a.commitLsn < b.commitLsn ? -1 : 1
  return a.index - b.index
}
