/**
 * Reads and checks the changes of a batch. The sender is a box that was added, and may still be broken or taken over: a batch
 * that contradicts itself is refused as a whole, and the box keeps it.
 */
import type { ChangeEvent } from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import { parseEventId, parseLsn } from '../feed/lsn.ts'

export type Op = 'insert' | 'update' | 'delete' | 'truncate'
/** Column to text, or SQL's NULL. */
export type Image = Readonly<Record<string, string | null>>

export interface HqEvent {
  readonly id: string
  readonly lsn: string
  /** Upper half of the commit's position: the incarnation of the ledger's change log. */
  readonly history: number
  /** Lower half of the commit's position. */
  readonly sequence: number
  readonly index: number
  /** ISO 8601; null where the box's clock gave no usable time. */
  readonly committedAt: string | null
  readonly table: string
  readonly op: Op
  readonly before: Image | null
  readonly after: Image | null
  /** The images as they came; null where there is none. */
  readonly beforeJson: string | null
  readonly afterJson: string | null
}

/** The batch contradicts itself. The message names the event and shows no value of it. */
export class BadBatch extends Error {
  override readonly name = 'BadBatch'
}

/** `<history>/<sequence>:<index>`, as numbers. */
export type At = Pick<HqEvent, 'sequence' | 'index'>

export function compareEvents(a: Pick<HqEvent, 'history'> & At, b: Pick<HqEvent, 'history'> & At): number {
  return a.history - b.history || a.sequence - b.sequence || a.index - b.index
}

/** Every event of the batch once, in the order of the commits. @throws BadBatch */
export function readBatch(batch: readonly ChangeEvent[]): HqEvent[] {
  const byId = new Map<string, HqEvent>()
  for (const wire of batch) {
    const event = readEvent(wire)
    // Compared by position and not by text: `0/a:0` and `0/A:0` are the same change.
    const id = `${event.history}/${event.sequence}:${event.index}`
    if (!byId.has(id)) byId.set(id, event)
  }
  return [...byId.values()].sort(compareEvents)
}

const OPS: readonly string[] = ['insert', 'update', 'delete', 'truncate'] satisfies Op[]
const LONGEST_NAME = 200
const LAST_INDEX = 2 ** 31 - 1

function readEvent(wire: ChangeEvent): HqEvent {
  const { id, commitLsn, lsn, table, op, commitTime, beforeJson, afterJson } = wire
  const position = parseEventId(id)
  if (!position || position.index > LAST_INDEX || parseLsn(commitLsn) !== position.commitLsn) {
    throw new BadBatch(`event ${quoted(id)} has no position that agrees with its commit_lsn`)
  }
  if (parseLsn(lsn) === undefined) throw new BadBatch(`event ${id} has no lsn`)
  if (!OPS.includes(op)) throw new BadBatch(`event ${id} has the op ${quoted(op)}, which is none`)
  if (table === '' || table.length > LONGEST_NAME || table.includes('\0')) {
    throw new BadBatch(`event ${id} has no name of a table`)
  }
  const [before, after] = [readImage(beforeJson, id), readImage(afterJson, id)]
  if (op === 'delete' ? !before : op !== 'truncate' && !after) {
    throw new BadBatch(`event ${id} is without a row, and says ${op}`)
  }
  const time = Date.parse(commitTime)
  return {
    id,
    lsn,
    table,
    op: op as Op,
    before,
    after,
    history: Number(position.commitLsn >> 32n),
    sequence: Number(position.commitLsn & 0xffff_ffffn),
    index: position.index,
    // A box without a clock may send a year that PostgreSQL does not accept.
    committedAt: time >= 0 && time < LAST_TIME ? commitTime : null,
    beforeJson: beforeJson || null,
    afterJson: afterJson || null,
  }
}

const LAST_TIME = Date.UTC(9999, 0)

/** @throws BadBatch for what is not an object */
function readImage(json: string, id: string): Image | null {
  if (json === '') return null
  let image: unknown
  try {
    image = JSON.parse(json)
  } catch {
    throw new BadBatch(`event ${id} has a row that is not JSON`)
  }
  if (typeof image !== 'object' || image === null || Array.isArray(image)) {
    throw new BadBatch(`event ${id} has a row that is not an object`)
  }
  return Object.fromEntries(
    Object.entries(image).map(([column, value]) => [
      column,
      value === null || typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 60))
}
