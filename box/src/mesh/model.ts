/** What the rest of the box knows of the mesh: one object, which a box alone has too. */
import type { MeshStanding } from '@gatehouse/proto/wire/mesh.ts'
import type { Mode } from '../control/mode.ts'
import type { Claim } from '../scan/claim.ts'

export interface Mesh extends AsyncDisposable {
  /** Secures a right with the other boxes before it is written down. */
  readonly claim: Claim
  readonly mode: Mode
  /** Undefined for a box alone. */
  standing(): MeshStanding | undefined
  /** Calls `listener` when mode, or whom this box hears, has changed. */
  onChange(listener: () => void): () => void
}
