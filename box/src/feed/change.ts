/** One change of one row, as every sink receives it: `ChangeEvent` of the change feed's specification. */
import type { Position } from './lsn.ts'

export interface ChangeEvent {
  /** `<commit_lsn>:<index>`, the same at every delivery. */
  readonly id: string
  /** The change's own position in the log. Neither unique nor in order: compare `position`. */
  readonly lsn: string
  readonly commitLsn: string
  /** ISO 8601, UTC, with the source's precision. */
  readonly commitTime: string
  readonly schema: string
  readonly table: string
  readonly op: 'insert' | 'update' | 'delete' | 'truncate'
  /** JSON object of column to text or null; empty where there is no image. */
  readonly beforeJson: string
  readonly afterJson: string
  /** The same as `id`, to compare with. */
  readonly position: Position
  /** A row that was there before the first change, and no change of it. */
  readonly snapshot?: true
  /** About how many bytes it takes on the wire and in memory: queues and batches are limited by it. */
  readonly bytes: number
}
