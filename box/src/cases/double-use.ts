/**
 * Decides when admissions of one right are a double use: alike at every box, in whatever order the records reached it. Pure.
 */
import { compare, parse, type Timestamp } from '@gatehouse/proto/hlc.ts'
import type { EntryPolicy } from '../event/event.ts'

/** A passage, at whichever box. */
export interface PassageRecord {
  scanId: string
  direction: 'in' | 'out'
  slot: string
  from: string | null
  to: string | null
  /** Of the passage's entry. */
  hlc: string
  /** When the person stood there, unix ms; for an offline admission, by the scanner's clock. */
  at: number
  occurrence: number
  /** No other box, or for an offline admission no box at all, could be asked whether the right was used. */
  provisional: boolean
  /** A supervisor saw the earlier use on the screen and let the person in all the same: that is a decision, and no case. */
  deliberate: boolean
}

export interface DoubleUse {
  /** Every admission by this right. */
  scanIds: string[]
  /** Clock of the second of them: from then on it was one right for two. */
  since: string
  occurrence: number
}

/**
 * @param passages of one ticket, all of them
 * @returns undefined where no two people stand on the same right
 */
export function doubleUse(
  slot: string,
  passages: readonly PassageRecord[],
  policy: EntryPolicy,
): DoubleUse | undefined {
  // Such a ticket uses another right each time, and two boxes that cannot reach each other give two rights one number.
  if (policy === 'unlimited') return undefined
  const admissions = passages.filter((passage) => passage.direction === 'in' && passage.slot === slot).sort(byClock)
  const [, second] = admissions
  // Hundreds of a supervisor's admissions are not compared with each other.
  const unaware = admissions.filter(({ deliberate }) => !deliberate)
  if (!second || !unaware.some((one, i) => unaware.slice(i + 1).some((other) => collide(one, other)))) return undefined
  return {
    scanIds: admissions.map(({ scanId }) => scanId),
    since: second.hlc,
    occurrence: Math.max(admissions.length, ...admissions.map(({ occurrence }) => occurrence)),
  }

  /** True if both were inside by the right at once, and neither gate knew. */
  function collide(earlier: PassageRecord, later: PassageRecord): boolean {
    // An exit in between, through whichever box: it is one person, who may come back.
    const [first, then] = isAfter(earlier, later) ? [later, earlier] : [earlier, later]
    const left = (exit: PassageRecord) =>
      exit.direction === 'out' && exit.from === first.to && isAfter(exit, first) && isAfter(then, exit)
    return policy !== 'reentry' || !passages.some(left)
  }
}

/** The same order at every box: by clock, and for equal readings by scan id. */
function byClock(a: PassageRecord, b: PassageRecord): number {
  return compare(readingOf(a.hlc), readingOf(b.hlc)) || (a.scanId < b.scanId ? -1 : 1)
}

/** A passage that a scanner reports late is ordered by the scanner's time. */
function isAfter(a: PassageRecord, b: PassageRecord): boolean {
  if ((a.provisional || b.provisional) && a.at !== b.at) return a.at > b.at
  return byClock(a, b) > 0
}

function readingOf(hlc: string): Timestamp {
  return parse(hlc) ?? { ms: 0, count: 0 }
}
