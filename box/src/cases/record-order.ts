/** Sorts the records of a case by who was first, and says whether that is certain, and what two uses look like. Pure. */
import { parse } from '@gatehouse/proto/hlc.ts'
import type { Flag } from '@gatehouse/proto/wire/admin.ts'

/** The most by which the clocks of two boxes may differ: records closer than this have no certain order. */
const MAX_OFFSET_MS = 5_000
/** Within this, a person shows a code again, or a scanner reads it twice. */
const RETRY_MS = 3_000

export interface OrderedRecord {
  scanId: string
  hlc: string
  /** The box that recorded it; empty for a box alone. */
  box: string
  /** The right was reserved for this scan with the other boxes, which is stronger evidence than any clock. */
  confirmed: boolean
  /**
   * For an offline admission, when it happened by the scanner's clock, unix ms: `hlc` is when it was uploaded, which is no
   * evidence of who was first. Null where a box was asked.
   */
  offlineAt: number | null
}

/** When the person passed, unix ms, by the best evidence that there is. */
export function passedAt({ hlc, offlineAt }: Pick<OrderedRecord, 'hlc' | 'offlineAt'>): number {
  return offlineAt ?? parse(hlc)?.ms ?? 0
}

/**
 * An offline admission is uploaded when its scanner reaches a box again, whichever that is: neither the box nor its clock
 * gives it a place among the others.
 * @returns the same records, sorted alike at every box, and whether it is certain which of them was first
 */
export function sortRecords<T extends OrderedRecord>(records: readonly T[]): { sorted: T[]; certain: boolean } {
  const sorted = records.toSorted(
    (a, b) =>
      Number(b.confirmed) - Number(a.confirmed) ||
      passedAt(a) - passedAt(b) ||
      compareTexts(boxTimeOf(a), boxTimeOf(b)) ||
      compareTexts(a.scanId, b.scanId),
  )
  const [first, second] = sorted
  // Nobody sets a scanner's clock: its admission may have been at any time before the upload, also before all others.
  if (first && second && !first.confirmed && sorted.some(({ offlineAt }) => offlineAt !== null)) {
    return { sorted, certain: false }
  }
  if (!first || !second || first.box === second.box || first.confirmed !== second.confirmed) {
    return { sorted, certain: true }
  }
  return { sorted, certain: passedAt(second) - passedAt(first) > MAX_OFFSET_MS }
}

export interface RightUse {
  device: string
  /** Hash of the code that was shown. */
  code: string | null
  gate: string
  /** Unix ms. */
  observedAt: number
}

/**
 * Classifies two uses of one right by their likely cause.
 * @param walkingSeconds between the two gates; null where no map has the way
 */
export function suspicionOf(a: RightUse, b: RightUse, walkingSeconds: number | null): Flag['suspicion'] {
  const apartMs = Math.abs(a.observedAt - b.observedAt)
  if (a.device === b.device && a.code !== null && a.code === b.code && apartMs <= RETRY_MS) return 'retry'
  if (a.gate !== b.gate && walkingSeconds !== null && apartMs < walkingSeconds * 1000) return 'impossible_travel'
  return undefined
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function boxTimeOf({ hlc, box, offlineAt }: OrderedRecord): string {
  return offlineAt === null ? `${hlc} ${box}` : ''
}
