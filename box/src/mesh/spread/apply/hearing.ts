/** What everything that is applied needs: whose journal it is from, and which entry of this box's own says that it was heard. */
import type { Ledger } from '../../../ledger/ledger.ts'
import type { Overrides } from '../../../scan/overrides.ts'
import type { Scans } from '../../../scan/scans.ts'
import type { CodeReader } from '../../../tickets/codes.ts'
import type { Tickets } from '../../../tickets/tickets.ts'

export interface ApplyDeps {
  ledger: Ledger
  tickets: Tickets
  codes: CodeReader
  scans: Scans
  overrides: Overrides
}

export interface Hearing extends ApplyDeps {
  /** Index, in this box's journal, of the entry that says what was heard. */
  readonly heard: number
}
