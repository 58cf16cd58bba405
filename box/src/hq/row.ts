/**
 * Makes a row of a readable table of a change's image. No value is refused: what does not fit its column, or has none, is kept
 * in `extra` as it came. Pure.
 */
import type { Image } from './event.ts'
import type { Kind, ReadableTable } from './readable.ts'

type Value = string | number | boolean | null | object

export interface Row {
  /** Only the columns of the image: an update may lack a large value that did not change. */
  readonly values: Readonly<Record<string, Value>>
  readonly extra: Image
  /** Columns whose value does not fit. */
  readonly unfit: readonly string[]
  /** Undefined where the key does not fit: no row is written then, and only `events` has the change. */
  readonly key: string | undefined
}

export function readRow({ columns, key }: ReadableTable, image: Image): Row {
  const values: Record<string, Value> = {}
  const extra: Record<string, string | null> = {}
  const unfit: string[] = []
  for (const [name, text] of Object.entries(image)) {
    const kind = columns.get(name)
    const value = kind && fit(text, kind)
    if (value === undefined) {
      extra[wellFormed(name)] = text === null ? null : wellFormed(text)
      if (kind) unfit.push(name)
      if (kind) values[name] = null
    } else values[name] = value
  }
  return { values, extra, unfit, key: keyOf(key, values) }
}

function keyOf(key: readonly string[], values: Readonly<Record<string, Value>>): string | undefined {
  const parts = key.map((column) => values[column])
  return parts.every((part) => part !== undefined && part !== null) ? JSON.stringify(parts) : undefined
}

/** @returns undefined for what the column cannot hold */
function fit(text: string | null, kind: Kind): Value | undefined {
  if (text === null) return null
  switch (kind) {
    case 'text':
      return wellFormed(text)
    case 'whole':
      return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text) ? text : undefined
    case 'real':
      return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined
    case 'boolean':
      return text === '1' || text === 'true' || text === 't' ? true : /^(0|false|f)$/.test(text) ? false : undefined
    case 'time':
      return timeOf(text)
    case 'json':
      return jsonOf(text)
  }
}

/** From the ledger's unix milliseconds. */
function timeOf(text: string): string | undefined {
  const ms = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return Math.abs(ms) < LAST_TIME ? new Date(ms).toISOString() : undefined
}

/** Up to the year 9999, and as far back: beyond that, ISO 8601 has more digits than PostgreSQL reads. */
const LAST_TIME = 62_000_000_000_000

function jsonOf(text: string): Value | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (value === null) return null
    return UNSTORABLE.test(JSON.stringify(value)) ? undefined : (value as Value)
  } catch {
    return undefined
  }
}

/** Characters that jsonb cannot hold, as JSON.stringify writes them: NUL, and halves of surrogate pairs. */
const UNSTORABLE = /\\u0000|\\ud[89a-f]/i

/** PostgreSQL's text can hold neither NUL nor half of a surrogate pair. */
function wellFormed(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{fffd}')
}
