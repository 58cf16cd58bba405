/** The push's view of the ledger: scans and tickets. */
import type { Overrides } from '../../../cases/overrides.ts'
import { passageFact } from '../../../cases/passage-fact.ts'
import type { EntryFields } from '../../../ledger/entries.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import { type PassageEntry, passageIn } from '../../../rights/passage.ts'
import type { Scans } from '../../../rights/scans.ts'
import type { Tickets } from '../../../tickets/tickets.ts'

export interface LedgerSide {
  ledger: Pick<Ledger, 'db'>
  tickets: Tickets
  scans: Pick<Scans, 'find'>
  overrides: Pick<Overrides, 'find'>
}

/** The passage that a scan was; undefined where nobody passed, and where it was undone: pretix would take it for a new one. */
export function passageOfScan(scanId: string, deps: LedgerSide): EntryFields<'scan'> | undefined {
  const { ledger, scans, overrides } = deps
  const stored = scans.find(scanId)
  if (!stored || overrides.find(scanId, 'undo')) return undefined
  const fact = passageFact(ledger.db, { entry: stored.entry, scanId, kind: 'scan' })
  return fact && fact.fields.slot !== null ? fact.fields : undefined
}

/** When somebody went in by this scan, or by a supervisor's decision about it, unix ms; also where it was undone. */
export function admittedAt(scanId: string, decided: boolean, deps: LedgerSide): number | undefined {
  const { ledger, scans, overrides } = deps
  const kind = decided ? 'supervisor_admit' : 'scan'
  const stored = decided ? overrides.find(scanId, 'supervisor_admit') : scans.find(scanId)
  const fact = stored && passageFact(ledger.db, { entry: stored.entry, scanId, kind })
  const passage = fact && passageIn({ kind, fields: fact.fields } as PassageEntry)
  return passage && Date.parse(passage.observed_at)
}

/** When a ticket went through, unix ms. */
export function ownTimesOf(ref: string, { tickets }: Pick<LedgerSide, 'tickets'>): number[] {
  const ticket = tickets.byRef(ref)
  return ticket ? tickets.movementsOf(ticket.id).map(({ at }) => at) : []
}

/** Answers given at any gate, by question id. */
export function answersOfTicket(
  ref: string,
  { tickets }: Pick<LedgerSide, 'tickets'>,
): Readonly<Record<string, string>> {
  return tickets.answers.of(ref)
}
