/**
 * A shop's change as the feed tells it, read. Whoever delivers may send anything: what is no change is known as such, and
 * what cannot be placed in the order of changes is refused with its whole batch.
 */
import type { ChangeEvent } from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import { type Position, parseEventId } from '../../feed/lsn.ts'
import type { MappedTable, ShopMapping } from './mapping.ts'

/** Column to text; a column that is not there was not told. */
export type Image = { readonly [column: string]: string | null }

interface Told {
  readonly position: Position
  /** Unix ms of the commit. */
  readonly committedAt: number
  readonly table: string
}

export type ShopChange = Told &
  (
    | { readonly op: 'ignored' }
    | { readonly op: 'truncate' }
    /** `key` is undefined where the row's old key was not told, because it is the same. */
    | {
        readonly op: 'row'
        readonly inserted: boolean
        readonly key: string
        readonly before: string | undefined
        readonly image: Image
      }
    | { readonly op: 'delete'; readonly key: string }
    /** It stands in the order, and cannot be applied. */
    | { readonly op: 'broken'; readonly reason: string }
  )

/** The batch is no feed's. The message goes back to whoever sent it. */
export class BatchError extends Error {
  override readonly name = 'BatchError'
}

/** Longer values serve nothing that a ticket has: the longest is a code of 1,024 bytes. */
const LONGEST_VALUE = 4096
const LONGEST_KEY = 1024

/** @throws BatchError for an event without a place in the order */
export function readChange(event: ChangeEvent, { tables }: Pick<ShopMapping, 'tables'>): ShopChange {
  const position = parseEventId(event.id)
  if (!position)
    throw new BatchError(`The event id ${JSON.stringify(event.id.slice(0, 60))} is not <commit_lsn>:<index>.`)
  const committedAt = Date.parse(event.commitTime)
  if (Number.isNaN(committedAt)) throw new BatchError(`The commit time of event ${event.id} is no time.`)
  const name = `${event.schema}.${event.table}`
  const told = { position, committedAt, table: name }
  const table = tables.get(name)
  if (!table) return { ...told, op: 'ignored' }
  const broken = (reason: string) => ({ ...told, op: 'broken', reason }) as const
  switch (event.op) {
    case 'truncate':
      return { ...told, op: 'truncate' }
    case 'insert':
    case 'update': {
      const after = readImage(event.afterJson, table)
      if (!after) return broken('the row in after_json is no JSON object')
      const key = keyOf(after, table)
      if (key === undefined) return broken(`the row has no ${table.key.join(', ')}: is it the primary key?`)
      const before = event.beforeJson === '' ? undefined : readImage(event.beforeJson, table)
      return {
        ...told,
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
      if (key !== undefined) return { ...told, op: 'delete', key }
      return broken(`the deleted row has no ${table.key.join(', ')}: make it the table's replica identity`)
    }
    default:
      return broken(`there is no change of the kind ${JSON.stringify(event.op.slice(0, 20))}`)
  }
}

/** What the mapping reads of a row image; undefined for what is none. */
function readImage(json: string, { columns }: MappedTable): Image | undefined {
  let said: unknown
  try {
    said = JSON.parse(json)
  } catch {
    return undefined
  }
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return undefined
  const image: Record<string, string | null> = {}
  for (const column of columns) {
    if (!Object.hasOwn(said, column)) continue
    const value = (said as Record<string, unknown>)[column]
    if (value === null) image[column] = null
    // The contract has texts only; what another receiver's toolchain makes of a number is one all the same.
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
