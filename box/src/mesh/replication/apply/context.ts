/** The dependencies of the effects of another box's entries. */
import type { Overrides } from '../../../cases/overrides.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { Scans } from '../../../rights/scans.ts'
import type { CodeReader } from '../../../tickets/codes.ts'
import type { Tickets } from '../../../tickets/tickets.ts'

export interface ApplyDeps {
  ledger: Ledger
  tickets: Tickets
  codes: CodeReader
  scans: Scans
  overrides: Overrides
}

export interface ApplyContext extends ApplyDeps {
  /** The box whose entries they are. */
  readonly box: string
  /** Index of the `heard` entry in this box's journal that records the replicated ones. */
  readonly recordedBy: number
}
