/**
 * Reads a shop's change as the feed delivers it. The sender may send anything: what is not a change becomes `broken`, and a batch
 * with an event that has no position is refused as a whole.
 */
import type { ChangeEvent } from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import { type Position, parseEventId } from '../feed/lsn.ts'
import type { MappedTable, Mapping } from './mapping.ts'

/** Column to text; an update may lack columns that did not change. */
export type Image = { readonly [column: string]: string | null }

interface Placed {
  readonly position: Position
  /** Unix ms of the commit. */
  readonly committedAt: number
  readonly table: string
}

export type Change = Placed &
  (
    | { readonly op: 'ignored' }
    | { readonly op: 'truncate' }
    /** `before` is the old key, and undefined where the feed does not send it because it is the same. */
    | {
        readonly op: 'row'
        readonly inserted: boolean
        readonly key: string
        readonly before: string | undefined
        readonly image: Image
      }
    | { readonly op: 'delete'; readonly key: string }
    /** Has a position, and cannot be applied. */
    | { readonly op: 'broken'; readonly reason: string }
  )

/** The batch cannot be from a feed. The message is sent back. */
export class BatchError extends Error {
  override readonly name = 'BatchError'
}

/** No field of a ticket needs more: the longest is a code of 1,024 bytes. */
const LONGEST_VALUE = 4096
const LONGEST_KEY = 1024

/** @throws BatchError for an event without a position */
export function readChange(event: ChangeEvent, { tables }: Pick<Mapping, 'tables'>): Change {
  const position = parseEventId(event.id)
  if (!position)
    throw new BatchError(`The event id ${JSON.stringify(event.id.slice(0, 60))} is not <commit_lsn>:<index>.`)
  const committedAt = Date.parse(event.commitTime)
  if (Number.isNaN(committedAt)) throw new BatchError(`The commit time of event ${event.id} is not a time.`)
  const name = `${event.schema}.${event.table}`
  const placed = { position, committedAt, table: name }
  const table = tables.get(name)
  if (!table) return { ...placed, op: 'ignored' }
  const broken = (reason: string) => ({ ...placed, op: 'broken', reason }) as const
  switch (event.op) {
    case 'truncate':
      return { ...placed, op: 'truncate' }
    case 'insert':
    case 'update': {
      const after = readImage(event.afterJson, table)
      if (!after) return broken('the row in after_json is not a JSON object')
      const key = keyOf(after, table)
      if (key === undefined) return broken(`the row has no ${table.key.join(', ')}: is it the primary key?`)
      const before = event.beforeJson === '' ? undefined : readImage(event.beforeJson, table)
      return {
        ...placed,
        op: 'row',
        inserted: event.op === 'insert',
        key,
        before: before && keyOf(before, table),
        image: after,
      }
    }
    case 'delete': {
      const before = readImage(event.beforeJson, table)
      const key = before && keyOf(before, table)
      if (key !== undefined) return { ...placed, op: 'delete', key }
      return broken(`the deleted row has no ${table.key.join(', ')}: make it the table's replica identity`)
    }
    default:
      return broken(`there is no change of the kind ${JSON.stringify(event.op.slice(0, 20))}`)
  }
}

/** The mapped columns of a row image; undefined for what is not an object. */
function readImage(json: string, { columns }: MappedTable): Image | undefined {
  let row: unknown
  try {
    row = JSON.parse(json)
  } catch {
    return undefined
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return undefined
  const image: Record<string, string | null> = {}
  for (const column of columns) {
    if (!Object.hasOwn(row, column)) continue
    const value = (row as Record<string, unknown>)[column]
    if (value === null) image[column] = null
    // By the contract all values are texts; a number or boolean is accepted as its text.
    else
      image[column] = (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, LONGEST_VALUE).toWellFormed()
  }
  return image
}

/** One text for a row's key; undefined where a part of it is missing. */
function keyOf(image: Image, { key }: MappedTable): string | undefined {
  return joinedKey(key.map((column) => image[column]))
}

export function joinedKey(values: readonly (string | null | undefined)[]): string | undefined {
  if (values.some((value) => value === null || value === undefined)) return undefined
  const joined = values.length === 1 ? (values[0] ?? '') : JSON.stringify(values)
  return joined.length > LONGEST_KEY ? undefined : joined
}
