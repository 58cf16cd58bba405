/** Reserves a right in the stream by compare-and-set, and releases it again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { holdersOf, type ReservationRecord } from './record.ts'
import type { ReservationStream, StoredRecord, Timeouts } from './stream.ts'
import { shortHash } from './subjects.ts'

/**
 * `unanswered`: the write may have been carried out, or may be yet. `unclear`: the voters answer, but nobody can say who has the
 * right. Neither is ever a reason to refuse a ticket.
 */
export type ReserveOutcome =
  | { outcome: 'reserved' }
  | { outcome: 'conflict'; with: ReservationRecord }
  | { outcome: 'unanswered' | 'unclear'; why: string }

export interface ReserveOptions {
  timeouts: Timeouts
  /** By when it has to be over, on the clock of `monotonic`. */
  deadline?: number
  monotonic: () => number
  /** True if nobody was admitted on a reservation, so that it may be taken over. */
  isVoid: (record: ReservationRecord) => boolean
  /** The admission has happened: a record that cannot be read is overwritten with it. */
  happened?: boolean
  onUnanswered?: () => void
}

/** A right may change hands while it is asked for, and the stream may be between two states for a moment. */
const MOST_ROUNDS = 8
const PAUSE_MS = 20

/** Reserves the right of `subject` for `mine`. */
export async function reserve(
  stream: ReservationStream,
  subject: string,
  mine: ReservationRecord,
  options: ReserveOptions,
): Promise<ReserveOutcome> {
  const { onUnanswered } = options
  /** Boxes that this very scan was sent to before. */
  let also: string[] = []
  let isPending = false
  for (let [round, expected] = [0, 0]; round < MOST_ROUNDS; round++) {
    const id = attemptId(mine, expected)
    const body = stream.sealed(also.length > 0 ? { ...mine, also } : mine, subject)
    const write = await stream.write(subject, { body, id, expected }, timeLeft(options), onUnanswered)
    if (write.outcome === 'written') return { outcome: 'reserved' }
    if (write.outcome === 'unanswered') return write
    const last = await stream.last(subject, timeLeft(options).firstMs)
    if (last === 'unanswered') {
      // That the write was refused does not say that somebody is inside: what is stored may be a release, or our own reservation.
      onUnanswered?.()
      return { outcome: 'unanswered', why: 'who has this ticket could not be read' }
    }
    also = []
    isPending = last === 'empty'
    if (last === 'empty') {
      // Another write of the same moment was in the way, and has not been carried out yet.
      expected = 0
      await sleep(PAUSE_MS)
      continue
    }
    const found = judge(last, mine, options)
    if ('outcome' in found) return found
    also = found.also
    expected = last.sequence
    if (timeLeft(options).firstMs === 0) return { outcome: 'unanswered', why: 'no answer in time' }
  }
  // The leader has a write, perhaps this one, that the other voters do not carry out: it has lost them.
  if (isPending) return { outcome: 'unanswered', why: 'what was written about this ticket is not carried out' }
  return { outcome: 'unclear', why: 'this ticket is being shown in many places at once' }
}

/** @returns who has the right; or, where it may be taken over, the boxes that asked with the same scan */
function judge(
  { record }: StoredRecord,
  mine: ReservationRecord,
  { isVoid, happened = false }: ReserveOptions,
): ReserveOutcome | { also: string[] } {
  if (record?.kind === 'claim') {
    const boxes = holdersOf(record)
    const isSameScan = record.scan_id === mine.scan_id
    if (isSameScan && boxes.includes(mine.box)) return { outcome: 'reserved' }
    // The other box may have died before it wrote this scan down. It would release its reservation when it is back, so the
    // record has to name every box that admits on it now.
    if (isSameScan) return { also: boxes }
    return isVoid(record) ? { also: [] } : { outcome: 'conflict', with: record }
  }
  if (!record && !happened) return { outcome: 'unclear', why: 'who has this ticket cannot be read' }
  return { also: [] }
}

/** The timeouts, cut to what is left until the deadline. */
function timeLeft({
  timeouts,
  deadline = Number.POSITIVE_INFINITY,
  monotonic,
}: Pick<ReserveOptions, 'timeouts' | 'deadline' | 'monotonic'>): Timeouts {
  const ms = Math.max(0, deadline - monotonic())
  const firstMs = Math.min(timeouts.firstMs, ms)
  return { firstMs, againMs: Math.min(timeouts.againMs, ms - firstMs) }
}

/**
 * Releases a right if this scan still has it. Where the scan was sent to other boxes too, they keep it.
 * @param options.undone the admission was taken back: the scan gives the right up at every box
 * @returns whether it is certain that the scan no longer has the right at the box of `mine`
 */
export async function release(
  stream: ReservationStream,
  subject: string,
  mine: ReservationRecord,
  { timeouts, undone }: { timeouts: Timeouts; undone: boolean },
): Promise<boolean> {
  const last = await stream.last(subject, timeouts.firstMs)
  if (last === 'unanswered') return false
  if (last === 'empty' || last.record?.kind !== 'claim' || last.record.scan_id !== mine.scan_id) return true
  const { sequence: expected, record } = last
  const boxes = holdersOf(record)
  if (!undone && !boxes.includes(mine.box)) return true
  const [box, ...also] = undone ? [] : boxes.filter((other) => other !== mine.box)
  const body = stream.sealed(box === undefined ? { ...mine, kind: 'release' } : { ...record, box, also }, subject)
  const id = attemptId({ ...mine, kind: 'release' }, expected)
  const write = await stream.write(subject, { body, id, expected }, timeouts)
  return write.outcome === 'written'
}

/** The same for a repetition of one attempt only. A write on top of another sequence is another attempt. */
function attemptId({ kind, scan_id, box }: ReservationRecord, expected: number): string {
  return shortHash(JSON.stringify([kind, scan_id, box, expected]))
}
