/** What is owed to the stream of claims is told, in the order of the journal: after a healing, after an undo, after a doubt. */
import type { Ledger } from '../../ledger/ledger.ts'
import type { Movement } from '../../ledger/schema.ts'
import type { Right } from '../../scan/claim.ts'
import type { UndoEntry } from '../../scan/entry.ts'
import type { Tickets } from '../../tickets/tickets.ts'
import { factsIn } from '../facts.ts'
import { contest, release } from './contest.ts'
import type { ClaimQueue, Owed } from './queue.ts'
import { boxesOf, type ClaimRecord } from './record.ts'
import { AT_LEISURE, type ClaimStream } from './stream.ts'

export interface Telling {
  boxId: string
  stream: ClaimStream
  queue: ClaimQueue
  ledger: Ledger
  tickets: Tickets
  /** Milliseconds that never jump. */
  monotonic: () => number
  /** Keeps scans of this box from asking about a right meanwhile; undefined while one does. */
  hold: (right: Right) => (() => void) | undefined
}

const PAGE = 512
/** On the way at once. More are no faster, and a scan that comes in between waits for all of them. */
const WIDTH = 128

/** Returns when nothing is owed, or when the voters no longer answer. */
export async function replay(telling: Telling): Promise<void> {
  const { queue } = telling
  for (;;) {
    const owed = queue.oldest(PAGE)
    const answered: Owed[] = []
    const isHeard = await eachOf(owed, async (row) => {
      const right = { ticket: row.ticketRef, slot: row.slot }
      const free = telling.hold(right)
      if (!free) return true
      try {
        const told = await tell(row, right, telling)
        if (told === 'told') answered.push(row)
        return told !== 'unheard'
      } finally {
        free()
      }
    })
    await queue.answered(answered)
    if (!isHeard || answered.length === 0) return
  }
}

/** Makes the stream say what the ledger says. */
async function tell(
  { scanId, entry }: Owed,
  right: Right,
  { boxId, stream, ledger, tickets, monotonic }: Telling,
): Promise<'told' | 'later' | 'unheard'> {
  const ticket = tickets.byRef(right.ticket)
  const users = ticket ? tickets.movementsOf(ticket.id).filter(({ slot }) => slot === right.slot) : []
  const subject = stream.names.claimOf(right.ticket, right.slot)
  const user = users.find((movement) => movement.scanId === scanId)
  if (user) {
    const answer = await contest(stream, subject, claimOf(user, right, boxId), {
      ...{ patience: AT_LEISURE, monotonic },
      isVoid: (claim) => isVoid(claim, right, { boxId, tickets }),
      happened: true,
    })
    // Another gate may have it: two admissions of one ticket, which is a case and no error.
    return answer.outcome === 'unheard' ? 'unheard' : answer.outcome === 'unclear' ? 'later' : 'told'
  }
  // Somebody else is inside on this right: then it stays taken, whoever it says by.
  if (users.length > 0) return 'told'
  const asked = { scan_id: scanId, box: boxId, checkpoint: '', at: 0, hlc: '0.0', occurrence: 0 }
  const undone = isUndo(ledger, entry, scanId)
  const isReleased = await release(stream, subject, { kind: 'claim', ...asked }, { patience: AT_LEISURE, undone })
  return isReleased ? 'told' : 'unheard'
}

/** Whether the entry takes the scan's admission back, here or, as was heard, at another box. */
function isUndo(ledger: Ledger, entry: number, scanId: string): boolean {
  const facts = factsIn(ledger, ledger.read(entry, 1))
  return facts.some(({ kind, fields }) => kind === 'undo' && (fields as UndoEntry).scan_id === scanId)
}

export function claimOf({ scanId, checkpoint, at, hlc, occurrence }: Movement, right: Right, box: string): ClaimRecord {
  return { kind: 'claim', scan_id: scanId, box, checkpoint, at, hlc, occurrence, right }
}

/**
 * Whether nobody was admitted on a claim: a box that lost its power between asking and writing has admitted nobody. No box can
 * say so of another.
 */
export function isVoid(
  claim: ClaimRecord,
  right: Right,
  { boxId, tickets }: { boxId: string; tickets: Tickets },
): boolean {
  return boxesOf(claim).every((box) => box === boxId) && !isWritten(claim.scan_id, right, tickets)
}

/** Whether this box knows of the admission. */
export function isWritten(scanId: string, { ticket: ref, slot }: Right, tickets: Tickets): boolean {
  const ticket = tickets.byRef(ref)
  return ticket !== undefined && tickets.movementsOf(ticket.id).some((m) => m.scanId === scanId && m.slot === slot)
}

/** Runs `work` over all, `WIDTH` at a time, begun in their order, until one says no. @returns whether none has */
export async function eachOf<T>(all: Iterable<T>, work: (one: T) => Promise<boolean>): Promise<boolean> {
  const rest = all[Symbol.iterator]()
  let goesOn = true
  const lane = async () => {
    while (goesOn) {
      const next = rest.next()
      if (next.done) return
      if (!(await work(next.value))) goesOn = false
    }
  }
  await Promise.all(Array.from({ length: WIDTH }, lane))
  return goesOn
}
