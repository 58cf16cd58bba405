/**
 * When admissions of one right are a double use: what every box makes of the same records, whichever it heard first. Pure.
 */
import { compare, parse, type Timestamp } from '@gatehouse/proto/hlc.ts'
import type { EntryPolicy } from '../../event/event.ts'

/** A passage, at whichever box. */
export interface PassageRecord {
  scanId: string
  direction: 'in' | 'out'
  slot: string
  from: string | null
  to: string | null
  /** Of the entry that says so. */
  hlc: string
  /** When the person stood there, unix ms; for a scanner that was alone, as it says. */
  at: number
  occurrence: number
  /** Whether nobody could be asked whether the right was used. */
  provisional: boolean
  /** A supervisor had the earlier use on the screen and let the person in all the same: that is a decision, and no case. */
  knowing: boolean
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
  // Such a ticket has as many rights as it is shown; two boxes that do not hear each other number them alike.
  if (policy === 'unlimited') return undefined
  const admissions = passages.filter((passage) => passage.direction === 'in' && passage.slot === slot).sort(byClock)
  const [, second] = admissions
  if (!second || !admissions.some((one, i) => admissions.slice(i + 1).some((other) => collide(one, other)))) {
    return undefined
  }
  return {
    scanIds: admissions.map(({ scanId }) => scanId),
    since: second.hlc,
    occurrence: Math.max(admissions.length, ...admissions.map(({ occurrence }) => occurrence)),
  }

  /** Whether both were in by it at once, and neither gate knew. */
  function collide(earlier: PassageRecord, later: PassageRecord): boolean {
    if (earlier.knowing || later.knowing) return false
    // Out through one box and in through another is one person, who may come back.
    const [first, then] = isAfter(earlier, later) ? [later, earlier] : [earlier, later]
    const left = (exit: PassageRecord) =>
      exit.direction === 'out' && exit.from === first.to && isAfter(exit, first) && isAfter(then, exit)
    return policy !== 'reentry' || !passages.some(left)
  }
}

/** Sorts as every box does: by clock, and two of one reading by scan. */
function byClock(a: PassageRecord, b: PassageRecord): number {
  return compare(readingOf(a.hlc), readingOf(b.hlc)) || (a.scanId < b.scanId ? -1 : 1)
}

/** What a scanner reports late happened when the scanner says. */
function isAfter(a: PassageRecord, b: PassageRecord): boolean {
  if ((a.provisional || b.provisional) && a.at !== b.at) return a.at > b.at
  return byClock(a, b) > 0
}

function readingOf(hlc: string): Timestamp {
  return parse(hlc) ?? { ms: 0, count: 0 }
}
