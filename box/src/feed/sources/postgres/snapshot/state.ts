/**
 * The file in which a snapshot remembers how far every durable sink has its rows. It is written before the slot exists: after
 * a crash between the two, the slot alone would look as if the rows had been sent.
 */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { readIfThere, replaceDurably } from '../../../../durable-file.ts'
import { SourceError } from '../faults.ts'

const State = Type.Object({
  version: Type.Literal(1),
  /** Cluster, database and slot that the rows are read beside. */
  place: Type.String(),
  /** Pages up to this number may have been sent: none of them is given to other rows. */
  reserved: Type.Integer({ minimum: 0 }),
  /** `schema.table` of the last row that every durable sink has, and its key; null before the first one. */
  table: Type.Union([Type.String(), Type.Null()]),
  after: Type.Union([Type.Array(Type.String()), Type.Null()]),
  /** Rows up to there. */
  rows: Type.Integer({ minimum: 0 }),
  /** Every durable sink has every row. */
  done: Type.Boolean(),
})
export type SnapshotState = Static<typeof State>

/** The state of a snapshot that begins. @param reserved of the one before */
export function beginning(place: string, reserved = 0): SnapshotState {
  return { version: 1, place, reserved, table: null, after: null, rows: 0, done: false }
}

/** Undefined when there is no file. @throws SourceError for a file that says nothing */
export async function readState(path: string): Promise<SnapshotState | undefined> {
  const text = await readIfThere(path)
  if (text === undefined) return undefined
  try {
    const state: unknown = JSON.parse(text)
    if (Value.Check(State, state)) return state
  } catch {
    // The same as a file with other contents.
  }
  throw new SourceError(
    `${path} cannot be read, so it is not known which rows were sent. Set source.snapshot to never to go on without the others; or drop the slot and remove the file to send all of them again`,
  )
}

export function writeState(path: string, state: SnapshotState): Promise<void> {
  return replaceDurably(path, `${JSON.stringify(state)}\n`)
}
