/**
 * A change's image as a row of its readable table. Nothing that a box sends can be refused here: what does not fit its column,
 * or has none, stands in `extra` as it came. Pure.
 */
import type { Image } from './event.ts'
import type { Kind, ReadableTable } from './tables.ts'

type Value = string | number | boolean | null | object

export interface Row {
  /** Only the columns that the image has: a large value that was not changed may be missing in an update. */
  readonly values: Readonly<Record<string, Value>>
  readonly extra: Image
  /** Columns whose value does not fit. */
  readonly unfit: readonly string[]
  /** Undefined where the key does not fit: there is no row then, and `events` alone has the change. */
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
    case 'yes or no':
      return text === '1' || text === 'true' || text === 't' ? true : /^(0|false|f)$/.test(text) ? false : undefined
    case 'time':
      return timeOf(text)
    case 'json':
      return jsonOf(text)
  }
}

/** The ledger's unix milliseconds. */
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

/** What jsonb does not hold: NUL, and halves of surrogate pairs, as JSON.stringify writes them. */
const UNSTORABLE = /\\u0000|\\ud[89a-f]/i

/** PostgreSQL's text holds no NUL, and no half of a character. */
function wellFormed(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{fffd}')
}
