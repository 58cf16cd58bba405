/** One change of one row, as every sink gets it: `ChangeEvent` of the change feed's specification. */
import type { Position } from './lsn.ts'

export interface ChangeEvent {
  /** `<commit_lsn>:<index>`, the same at every delivery. */
  readonly id: string
  /** Where the change itself stands in the log. Not unique, and not in order: use `position`. */
  readonly lsn: string
  readonly commitLsn: string
  /** ISO 8601, UTC, as exact as the source tells it. */
  readonly commitTime: string
  readonly schema: string
  readonly table: string
  readonly op: 'insert' | 'update' | 'delete' | 'truncate'
  /** JSON object of column to text or null; empty where there is no image. */
  readonly beforeJson: string
  readonly afterJson: string
  /** The same as `id`, to compare with. */
  readonly position: Position
  /** About how many bytes it takes on the wire and in memory: what queues and batches are limited by. */
  readonly bytes: number
}
