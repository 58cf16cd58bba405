/** The push's view of the ledger: scans and tickets. */
import type { Overrides } from '../../../cases/overrides.ts'
import { passageFact } from '../../../cases/passage-fact.ts'
import type { EntryFields } from '../../../ledger/entries.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
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
