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
  /**
   * When a scanner that was alone says that it let the person in, unix ms: `hlc` is when a box was told, which says nothing about
   * who was first. Null where a box was asked.
   */
  aloneAt: number | null
}

/** When the person stood there, as far as anybody says. Unix ms. */
export function stoodAt({ hlc, aloneAt }: Pick<Placed, 'hlc' | 'aloneAt'>): number {
  return aloneAt ?? parse(hlc)?.ms ?? 0
}

/**
 * A scanner has told when it had a box again, perhaps of two that it asked: neither the box nor its clock then says where it belongs.
 * @returns the same records, sorted alike at every box, and whether somebody may say "this one was first"
 */
export function inOrder<T extends Placed>(records: readonly T[]): { sorted: T[]; certain: boolean } {
  const sorted = records.toSorted(
    (a, b) =>
      Number(b.confirmed) - Number(a.confirmed) ||
      stoodAt(a) - stoodAt(b) ||
      compareTexts(boxTime(a), boxTime(b)) ||
      compareTexts(a.scanId, b.scanId),
  )
  const [first, second] = sorted
  // No box keeps a scanner's clock: it may have been any time before it told, also before all others.
  if (first && second && !first.confirmed && sorted.some(({ aloneAt }) => aloneAt !== null)) {
    return { sorted, certain: false }
  }
  if (!first || !second || first.box === second.box || first.confirmed !== second.confirmed) {
    return { sorted, certain: true }
  }
  return { sorted, certain: stoodAt(second) - stoodAt(first) > MAX_OFFSET_MS }
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

function boxTime({ hlc, box, aloneAt }: Placed): string {
  return aloneAt === null ? `${hlc} ${box}` : ''
}
