/** The mesh as the rest of the box sees it. A single box has one, too. */
import type { MeshStanding } from '@gatehouse/proto/wire/mesh.ts'
import type { Mode, UnreachablePeer } from '../rights/mode.ts'
import type { Reservations } from '../rights/reservation.ts'
import type { Lease } from './reservation/lease.ts'

export interface Mesh extends AsyncDisposable {
  /** Reserves a right with the other boxes before the ledger writes down what it is used for. */
  readonly reservations: Reservations
  readonly mode: Mode
  /** Lets one box of the event do a task for all. A single box always has it. */
  lease(name: string): Pick<Lease, 'hold'>
  /** Undefined for a single box. */
  status(): MeshStanding | undefined
  /** The boxes with gates that are unreachable now; undefined for a single box. */
  unreachable(): UnreachablePeer[] | undefined
  /** Calls `listener` when the mode or the set of reachable boxes has changed. @returns what ends that */
  onChange(listener: () => void): () => void
}
