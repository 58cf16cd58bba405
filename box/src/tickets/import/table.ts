/** The common parts of all shops' CSV formats: columns by name, statuses, messages about mistakes. */
import type { CodeOf } from '@gatehouse/proto/said.ts'
import type { TicketStatus } from '../../ledger/schema.ts'
import { plainText, quoted, type Rejection, type Sentence, type ShopDetails, type ShopRecord, sentence } from './row.ts'
import { unusable } from './unusable.ts'

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
  /** True for this shop's header, in English. */
  recognises(columns: Columns): boolean
  /**
   * Finds the columns that it needs, and returns the function that reads a record.
   *
   * @throws GatehouseError `bad_request` when the export lacks what the gate needs, saying how to export it
   */
  open(columns: Columns, warn: (said: Sentence) => void): (cells: readonly string[]) => ShopRecord | Rejection
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

/** The columns of a file, for a sentence. The first line of a file without header is somebody's ticket, and is not quoted. */
export function columnList({ names }: Columns): string {
  const isData = (name: string) => /@|\d{4}/.test(name)
  if (names.some(isData)) return 'its first line looks like a ticket, not like a header'
  const shown = names.slice(0, 30).map((name) => quoted(name))
  return `it has the columns ${shown.join(', ')}${names.length > shown.length ? ' and more' : ''}`
}

/**
 * @param advice what to do in the shop
 * @param code the same for apps; `column_english` for columns of an export that may be in another language
 * @throws GatehouseError `bad_request` that names the missing column
 */
export function missing(
  shop: string,
  column: string,
  advice: string,
  code: CodeOf<'file'> & `column_${string}` = 'column_english',
): never {
  throw unusable(code, `This ${shop} export has no column ${quoted(column)}: ${advice}`, { values: { shop, column } })
}

/** A product of which a CSV has only the name. */
export function named(...names: readonly [string, ...string[]]): { names: readonly string[]; key: string } {
  return { names, key: names[0].trim() }
}

/** A product of which a CSV has only the name, for those who look at the ticket; undefined without a name. */
export function soldAs(name: string): Pick<ShopDetails, 'sold'> {
  const key = name.trim()
  if (key === '') return {}
  return { sold: { key, product: { name: key, attention: false, admission: true, questions: [] } } }
}

/** A price with its currency, where there is one. */
export function priceOf(amount: string, currency: string): string {
  return amount.trim() && `${amount} ${currency}`.trim()
}

/** True for a cell that says yes. */
export function isYes(cell: string): boolean {
  return ['yes', 'true', '1', 'x'].includes(cell.trim().toLowerCase())
}

/** The meaning of a shop's statuses, by their names in lower case. A map, because a file may say `constructor`. */
export type Statuses = ReadonlyMap<string, { status: TicketStatus; detail?: string; notes?: readonly Sentence[] }>

export const CHECKED_IN: readonly Sentence[] = [
  sentence(
    'checked_in',
    'The ticket is already checked in at the shop: the box does not know of that, and will admit it.',
  ),
]

export function unknownStatus(status: string, known: string): Rejection {
  return sentence('status_unknown', `The status ${quoted(status)} is not known: it should be one of ${known}.`, {
    status: plainText(status).slice(0, 80),
    known,
  })
}

export function fullName(...parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join(' ')
}
