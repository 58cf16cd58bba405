/** What the rest of the box knows of the mesh: one object, which a box alone has too. */
import type { MeshStanding } from '@gatehouse/proto/wire/mesh.ts'
import type { Mode } from '../control/mode.ts'
import type { Claim } from '../scan/claim.ts'
import type { Unheard } from './mode/words.ts'

export interface Mesh extends AsyncDisposable {
  /** Secures a right with the other boxes before it is written down. */
  readonly claim: Claim
  readonly mode: Mode
  /** Undefined for a box alone. */
  standing(): MeshStanding | undefined
  /** The boxes with gates that are not heard now; undefined for a box alone. */
  unheard(): Unheard[] | undefined
  /** Calls `listener` when mode, or whom this box hears, has changed. @returns what ends that */
  onChange(listener: () => void): () => void
}
