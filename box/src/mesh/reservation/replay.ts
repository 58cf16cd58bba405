/**
 * Makes the reservation stream say what the journal says, for every right in the queue and in the order of the journal: after the
 * others are reachable again, after an undo, after a reservation whose answer was lost.
 */
import { factsIn } from '../../ledger/facts.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Movement } from '../../ledger/schema.ts'
import type { Right } from '../../rights/reservation.ts'
import type { Tickets } from '../../tickets/tickets.ts'
import type { QueuedRight, ReservationQueue } from './queue.ts'
import { holdersOf, type ReservationRecord } from './record.ts'
import { release, reserve } from './reserve.ts'
import type { RightLocks } from './right-locks.ts'
import { BACKGROUND_TIMEOUTS, type ReservationStream } from './stream.ts'

export interface ReplayContext {
  boxId: string
  stream: ReservationStream
  queue: ReservationQueue
  ledger: Ledger
  tickets: Tickets
  locks: Pick<RightLocks, 'tryHold'>
  /** Milliseconds that never jump. */
  monotonic: () => number
}

const PAGE = 512
/** Writes on their way at once. More are no faster, and a scan that comes in between waits for all of them. */
const CONCURRENCY = 128

/** Returns when the queue is empty, or when the voters no longer answer. */
export async function replay(context: ReplayContext): Promise<void> {
  const { queue, locks } = context
  for (;;) {
    const queued = queue.oldest(PAGE)
    const done: QueuedRight[] = []
    const isAnswered = await forEachConcurrently(queued, async (row) => {
      const right = { ticket: row.ticketRef, slot: row.slot }
      const letGo = locks.tryHold(right)
      if (!letGo) return true
      try {
        const result = await replayOne(row, right, context)
        if (result === 'done') done.push(row)
        return result !== 'unanswered'
      } finally {
        letGo()
      }
    })
    await queue.remove(done)
    if (!isAnswered || done.length === 0) return
  }
}

async function replayOne(
  { scanId, entry }: QueuedRight,
  right: Right,
  { boxId, stream, ledger, tickets, monotonic }: ReplayContext,
): Promise<'done' | 'later' | 'unanswered'> {
  const ticket = tickets.byRef(right.ticket)
  const uses = ticket ? tickets.movementsOf(ticket.id).filter(({ slot }) => slot === right.slot) : []
  const subject = stream.subjects.rightSubject(right.ticket, right.slot)
  const use = uses.find((movement) => movement.scanId === scanId)
  if (use) {
    const answer = await reserve(stream, subject, recordOf(use, right, boxId), {
      timeouts: BACKGROUND_TIMEOUTS,
      monotonic,
      isVoid: (record) => isVoid(record, right, { boxId, tickets }),
      happened: true,
    })
    // A conflict is two admissions of one ticket: a case for the control room, and no error here.
    return answer.outcome === 'unanswered' ? 'unanswered' : answer.outcome === 'unclear' ? 'later' : 'done'
  }
  // Another scan is inside on this right: it stays reserved, by whichever scan.
  if (uses.length > 0) return 'done'
  const asked = { scan_id: scanId, box: boxId, checkpoint: '', at: 0, hlc: '0.0', occurrence: 0 }
  const undone = isUndo(ledger, entry, scanId)
  const mine = { kind: 'claim', ...asked } as const
  return (await release(stream, subject, mine, { timeouts: BACKGROUND_TIMEOUTS, undone })) ? 'done' : 'unanswered'
}

/** True if the entry takes the scan's admission back, at this box or at the one that it was replicated from. */
function isUndo(ledger: Ledger, entry: number, scanId: string): boolean {
  const facts = factsIn(ledger, ledger.read(entry, 1))
  return facts.some(({ kind, fields }) => kind === 'undo' && fields.scan_id === scanId)
}

/** The record of an admission. @param box where it is */
export function recordOf(
  { scanId, checkpoint, at, hlc, occurrence }: Pick<Movement, 'scanId' | 'checkpoint' | 'at' | 'hlc' | 'occurrence'>,
  right: Right,
  box: string,
): ReservationRecord {
  return { kind: 'claim', scan_id: scanId, box, checkpoint, at, hlc, occurrence, right }
}

/**
 * True if nobody was admitted on a reservation: a box that lost its power between reserving and writing has admitted nobody. A
 * box can say so of itself only.
 */
export function isVoid(
  record: ReservationRecord,
  right: Right,
  { boxId, tickets }: { boxId: string; tickets: Tickets },
): boolean {
  return holdersOf(record).every((box) => box === boxId) && !isAdmittedHere(record.scan_id, right, tickets)
}

/** True if this box has written down the admission. */
export function isAdmittedHere(scanId: string, { ticket: ref, slot }: Right, tickets: Tickets): boolean {
  const ticket = tickets.byRef(ref)
  return ticket !== undefined && tickets.movementsOf(ticket.id).some((m) => m.scanId === scanId && m.slot === slot)
}

/**
 * Runs `work` over all items, `CONCURRENCY` at a time and begun in their order, until one returns false.
 * @returns whether none did
 */
export async function forEachConcurrently<T>(all: Iterable<T>, work: (item: T) => Promise<boolean>): Promise<boolean> {
  const rest = all[Symbol.iterator]()
  let goesOn = true
  const lane = async () => {
    while (goesOn) {
      const next = rest.next()
      if (next.done) return
      if (!(await work(next.value))) goesOn = false
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, lane))
  return goesOn
}
