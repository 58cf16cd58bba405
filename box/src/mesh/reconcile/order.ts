/** Who was first, of several who used one right at boxes that may not have heard each other; and what it looks like. Pure. */
import { parse } from '@gatehouse/proto/hlc.ts'
import type { Flag } from '@gatehouse/proto/wire/admin.ts'

/** Boxes whose clocks differ by more do not believe each other's: within it, nobody knows which of two came first. */
const MAX_OFFSET_MS = 5_000
/** A person who shows a code again, or a scanner that reads it twice. */
const RETRY_MS = 3_000

export interface Placed {
  scanId: string
  hlc: string
  /** Empty for the only one there is. */
  box: string
  /** The right was this scan's, by the word of all boxes: that is stronger than any clock. */
  confirmed: boolean
}

/** @returns the same records, sorted alike at every box, and whether somebody may say "this one was first" */
export function inOrder<T extends Placed>(records: readonly T[]): { sorted: T[]; certain: boolean } {
  const sorted = records.toSorted(
    (a, b) =>
      Number(b.confirmed) - Number(a.confirmed) ||
      compareTexts(a.hlc, b.hlc) ||
      compareTexts(a.box, b.box) ||
      compareTexts(a.scanId, b.scanId),
  )
  const [first, second] = sorted
  if (!first || !second || first.box === second.box || first.confirmed !== second.confirmed) {
    return { sorted, certain: true }
  }
  return { sorted, certain: msOf(second.hlc) - msOf(first.hlc) > MAX_OFFSET_MS }
}

export interface Seen {
  device: string
  /** Hash of the code that was shown. */
  code: string | null
  gate: string
  /** Unix ms. */
  observedAt: number
}

/**
 * What two uses of one right look like, beyond being two.
 * @param walkingSeconds between the two gates; null where no map says
 */
export function suspicionOf(a: Seen, b: Seen, walkingSeconds: number | null): Flag['suspicion'] {
  const apartMs = Math.abs(a.observedAt - b.observedAt)
  if (a.device === b.device && a.code !== null && a.code === b.code && apartMs <= RETRY_MS) return 'retry'
  if (a.gate !== b.gate && walkingSeconds !== null && apartMs < walkingSeconds * 1000) return 'impossible_travel'
  return undefined
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function msOf(hlc: string): number {
  return parse(hlc)?.ms ?? 0
}
