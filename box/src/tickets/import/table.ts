import { GatehouseError } from '../../errors.ts'
import type { TicketStatus } from '../../ledger/schema.ts'
import { type Found, quoted, type Refused } from './row.ts'

/** Reads one column of a record; empty where the record or the file has none. */
type Cell = (cells: readonly string[]) => string

/** The header of a CSV. Names are compared without regard to case and blanks around them; the first of two equal ones counts. */
export interface Columns {
  /** As the file has them. */
  readonly names: readonly string[]
  has(...names: readonly string[]): boolean
  /** The first of `names` that the file has. */
  cell(...names: readonly string[]): Cell
}

/** One shop's CSV export. */
export interface CsvFormat {
  /** Whether a header is this shop's, in English. */
  recognises(columns: Columns): boolean
  /**
   * Finds what it needs, and answers how a record is read.
   *
   * @throws GatehouseError `bad_request` when the export cannot serve the gate, and how to export it so that it can
   */
  open(columns: Columns, warn: (sentence: string) => void): (cells: readonly string[]) => Found | Refused
}

export function columnsOf(header: readonly string[]): Columns {
  const at = new Map<string, number>()
  for (const [index, name] of header.entries()) {
    const key = name.trim().toLowerCase()
    if (!at.has(key)) at.set(key, index)
  }
  const find = (names: readonly string[]) => names.map((name) => at.get(name)).find((index) => index !== undefined)
  return {
    names: header,
    has: (...names) => find(names) !== undefined,
    cell: (...names) => {
      const index = find(names)
      return index === undefined ? () => '' : (cells) => cells[index] ?? ''
    },
  }
}

/** The columns of a file, for a sentence. Of a file without a header this would be somebody's ticket: then it says so. */
export function columnList({ names }: Columns): string {
  const isData = (name: string) => /@|\d{4}/.test(name)
  if (names.some(isData)) return 'its first line looks like a ticket, not like a header'
  const shown = names.slice(0, 30).map((name) => quoted(name))
  return `it has the columns ${shown.join(', ')}${names.length > shown.length ? ' and more' : ''}`
}

/** @throws GatehouseError `bad_request` saying that a column is missing and what to do in the shop */
export function missing(shop: string, column: string, advice: string): never {
  throw new GatehouseError('bad_request', `This ${shop} export has no column ${quoted(column)}: ${advice}`)
}

/** A product that a CSV knows by its name alone. */
export function named(...names: readonly [string, ...string[]]): { names: readonly string[]; key: string } {
  return { names, key: names[0].trim() }
}

/** What a shop's word for a status means; words in lower case. A map, because a file may say `constructor`. */
export type Statuses = ReadonlyMap<string, { status: TicketStatus; detail?: string; notes?: readonly string[] }>

export const CHECKED_IN: readonly string[] = [
  'The ticket is already checked in at the shop: the box does not know of that, and will admit it.',
]

export function unknownStatus(status: string, known: string): Refused {
  return { reason: `The status ${quoted(status)} is not known: it should be one of ${known}.` }
}

export function fullName(...parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join(' ')
}
