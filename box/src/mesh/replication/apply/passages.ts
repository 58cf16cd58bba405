/**
 * Applies passages of other boxes: a union by scan id. A scan that two boxes have admitted is one person, whose scanner went to
 * the second because the first did not answer; the earlier admission counts, whichever was replicated first.
 */
import { and, eq, gt, lt } from '../../../drizzle/core.ts'
import { type Movement, waitingPassages } from '../../../ledger/schema.ts'
import type { PeerEntry } from '../envelope.ts'
import type { OverrideRow } from '../rows.ts'
import type { ApplyContext } from './context.ts'

type Placing = Pick<ApplyContext, 'ledger' | 'tickets' | 'overrides' | 'recordedBy'>

type Passage = Omit<Movement, 'ticket' | 'surplus' | 'entry'>

/** Applies the answer to a scan, and the passage where somebody passed. */
export function applyScan(entry: PeerEntry<'scan'>, context: ApplyContext): void {
  const { scan_id: scanId } = entry.fields
  const { scan } = entry.rows
  const earlier = context.scans.find(scanId)
  // An answer is replaced only where somebody who was refused here turns out to be inside.
  if (scan && (!earlier || (scan.passed && !earlier.passed))) {
    const { passed, response } = scan
    const digest = Buffer.from(scan.digest, 'base64')
    context.scans.put({ scanId, digest, passed, response, entry: context.recordedBy })
  }
  addPassage(entry, context)
}

export function applySupervisorAdmit(entry: PeerEntry<'supervisor_admit'>, context: ApplyContext): void {
  const { scan_id: scanId } = entry.fields
  putOverride(scanId, 'supervisor_admit', entry.rows.override, context)
  addPassage(entry, context)
}

/** Removes the passage, also one that is replicated later. */
export function applyUndo({ fields, hlc, rows }: PeerEntry<'undo'>, context: ApplyContext): void {
  const { scan_id: scanId, ticket: ref } = fields
  const { ledger, tickets } = context
  putOverride(scanId, 'undo', rows.override, context)
  const ticket = tickets.byRef(ref)
  const movement = ticket && tickets.movementsOf(ticket.id).find((m) => m.scanId === scanId && m.hlc < hlc)
  if (movement) tickets.removeMovement(movement)
  const waiting = and(eq(waitingPassages.ticketRef, ref), eq(waitingPassages.scanId, scanId))
  ledger.db.drizzle
    .delete(waitingPassages)
    .where(and(waiting, lt(waitingPassages.hlc, hlc)))
    .run()
}

/** Places the passages that were replicated before their ticket was. @returns the rights that they used */
export function placeWaiting(ref: string, context: Placing): string[] {
  const { drizzle } = context.ledger.db
  const rows = drizzle.select().from(waitingPassages).where(eq(waitingPassages.ticketRef, ref)).all()
  if (rows.length === 0) return []
  drizzle.delete(waitingPassages).where(eq(waitingPassages.ticketRef, ref)).run()
  const passages = rows.map(({ passage }) => JSON.parse(passage) as Passage)
  for (const passage of passages) place(ref, passage, context)
  return [...new Set(passages.map(({ slot }) => slot))]
}

function addPassage({ fields, hlc, rows }: PeerEntry<'scan' | 'supervisor_admit'>, context: ApplyContext): void {
  const { ticket, slot, direction, checkpoint, scan_id: scanId } = fields
  if (ticket === null || slot === null || !rows.passage) return
  const { at, from, to, occurrence, provisional } = rows.passage
  place(ticket, { slot, direction, checkpoint, from, to, occurrence, at, hlc, scanId, provisional }, context)
}

function place(ref: string, passage: Passage, context: Placing): void {
  const { ledger, tickets, recordedBy: entry } = context
  if (isUndone(passage, context)) return
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
  const others = movements.filter((m) => m !== same && m.slot === passage.slot)
  const surplus = others.reduce((highest, m) => Math.max(highest, m.surplus), -1) + 1
  tickets.recordMovement({ ...passage, ticket: ticket.id, surplus, entry })
}

/** True if it was undone after it was made, at whichever box. */
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

/** Of several decisions of one kind about a scan, the first one counts. */
function putOverride(
  scanId: string,
  kind: 'supervisor_admit' | 'undo',
  row: OverrideRow | undefined,
  context: ApplyContext,
) {
  if (!row || context.overrides.find(scanId, kind)) return
  context.overrides.put({ ...row, scanId, kind, entry: context.recordedBy })
}
