/**
 * Who passed at other boxes: a union by scan. One scan id that two boxes have admitted is one person, who was at the second
 * because the first did not answer: the earlier one stands, whichever was heard of first.
 */
import { and, eq, gt, lt } from '../../../drizzle/core.ts'
import { type Movement, waitingPassages } from '../../../ledger/schema.ts'
import type { ScanEntry, SupervisorAdmitEntry, UndoEntry } from '../../../scan/entry.ts'
import type { PeerEntry } from '../envelope.ts'
import type { OverrideRow } from '../rows.ts'
import type { Hearing } from './hearing.ts'

type Placing = Pick<Hearing, 'ledger' | 'tickets' | 'overrides' | 'heard'>

type Passage = Omit<Movement, 'ticket' | 'surplus' | 'entry'>

/** An answer to a scan, and the passage where there was one. */
export function hearScan(entry: PeerEntry, hearing: Hearing): void {
  const { scan_id: scanId } = entry.fields as ScanEntry
  const { scan } = entry.rows
  const earlier = hearing.scans.find(scanId)
  // Somebody who was refused turns out to be inside: the only second answer there is.
  if (scan && (!earlier || (scan.passed && !earlier.passed))) {
    const { passed, response } = scan
    const digest = Buffer.from(scan.digest, 'base64')
    hearing.scans.put({ scanId, digest, passed, response, entry: hearing.heard })
  }
  addPassage(entry, hearing)
}

export function hearSupervisorAdmit(entry: PeerEntry, hearing: Hearing): void {
  const { scan_id: scanId } = entry.fields as SupervisorAdmitEntry
  putOverride(scanId, 'supervisor_admit', entry.rows.override, hearing)
  addPassage(entry, hearing)
}

/** Takes a passage back, also one that is heard of later. */
export function hearUndo({ fields, hlc, rows }: PeerEntry, hearing: Hearing): void {
  const { scan_id: scanId, ticket: ref } = fields as UndoEntry
  const { ledger, tickets } = hearing
  putOverride(scanId, 'undo', rows.override, hearing)
  const ticket = tickets.byRef(ref)
  const movement = ticket && tickets.movementsOf(ticket.id).find((m) => m.scanId === scanId && m.hlc < hlc)
  if (movement) tickets.removeMovement(movement)
  const waiting = and(eq(waitingPassages.ticketRef, ref), eq(waitingPassages.scanId, scanId))
  ledger.db.drizzle
    .delete(waitingPassages)
    .where(and(waiting, lt(waitingPassages.hlc, hlc)))
    .run()
}

/** Passages of a ticket that were heard of before it. @returns the rights that they used */
export function placeWaiting(ref: string, hearing: Placing): string[] {
  const { drizzle } = hearing.ledger.db
  const rows = drizzle.select().from(waitingPassages).where(eq(waitingPassages.ticketRef, ref)).all()
  if (rows.length === 0) return []
  drizzle.delete(waitingPassages).where(eq(waitingPassages.ticketRef, ref)).run()
  const passages = rows.map(({ passage }) => JSON.parse(passage) as Passage)
  for (const passage of passages) place(ref, passage, hearing)
  return [...new Set(passages.map(({ slot }) => slot))]
}

function addPassage({ fields, hlc, rows }: PeerEntry, hearing: Hearing): void {
  const { ticket, slot, direction, checkpoint, scan_id: scanId } = fields as ScanEntry | SupervisorAdmitEntry
  if (ticket === null || slot === null || !rows.passage) return
  const { at, from, to, occurrence, provisional } = rows.passage
  place(ticket, { slot, direction, checkpoint, from, to, occurrence, at, hlc, scanId, provisional }, hearing)
}

function place(ref: string, passage: Passage, hearing: Placing): void {
  const { ledger, tickets, heard: entry } = hearing
  if (isUndone(passage, hearing)) return
  const ticket = tickets.byRef(ref)
  if (!ticket) {
    const { scanId, hlc } = passage
    ledger.db.drizzle
      .insert(waitingPassages)
      .values({ ticketRef: ref, scanId, hlc, passage: JSON.stringify(passage) })
      .onConflictDoUpdate({
        target: [waitingPassages.ticketRef, waitingPassages.scanId],
        set: { hlc, passage: JSON.stringify(passage) },
        setWhere: gt(waitingPassages.hlc, hlc),
      })
      .run()
    return
  }
  const movements = tickets.movementsOf(ticket.id)
  const same = movements.find(({ scanId }) => scanId === passage.scanId)
  if (same && same.hlc <= passage.hlc) return
  if (same) tickets.removeMovement(same)
  const taken = movements.filter((m) => m !== same && m.slot === passage.slot).map(({ surplus }) => surplus)
  tickets.recordMovement({ ...passage, ticket: ticket.id, surplus: Math.max(-1, ...taken) + 1, entry })
}

/** Whether it was taken back, at whichever box, after it was made. */
function isUndone({ scanId, hlc }: Passage, { overrides }: Placing): boolean {
  const undone = overrides.find(scanId, 'undo')
  return undone !== undefined && hlcOf(undone.response) > hlc
}

function hlcOf(response: string): string {
  try {
    return String((JSON.parse(response) as { hlc?: unknown }).hlc ?? '')
  } catch {
    return ''
  }
}

/** The first decision of its kind about a scan stands. */
function putOverride(
  scanId: string,
  kind: 'supervisor_admit' | 'undo',
  row: OverrideRow | undefined,
  hearing: Hearing,
) {
  if (!row || hearing.overrides.find(scanId, kind)) return
  hearing.overrides.put({ ...row, scanId, kind, entry: hearing.heard })
}
