/** Reads a CSV of no known shop by what somebody said of its columns: as Gatehouse's own CSV, under other names. */
import {
  type ColumnMatch,
  IMPORT_FIELDS,
  type ImportField,
  LONGEST_COLUMN,
  MATCHED_STATUSES,
  MOST_COLUMNS,
} from '@gatehouse/proto/wire/import-columns.ts'
import { GatehouseError } from '../../errors.ts'
import { plainText, quoted } from './row.ts'
import { type Columns, fullName } from './table.ts'
import { unusable } from './unusable.ts'

/**
 * The names under which columns are matched and kept: on one line, shortened, and each different from the others.
 *
 * @throws GatehouseError `bad_request` for too many columns, and for a first line that is a ticket: it would be kept
 */
export function labelsOf(header: readonly string[]): string[] {
  if (header.length > MOST_COLUMNS) {
    throw unusable(
      'columns_many',
      `The file has ${header.length} columns, and at most ${MOST_COLUMNS} can be matched by hand: remove those that no gate needs.`,
      { values: { columns: header.length, most: MOST_COLUMNS } },
    )
  }
  if (header.some((name) => /\S@\S|\d{6}/.test(name))) {
    throw unusable(
      'header_is_ticket',
      'The first line looks like a ticket, not like a header: add a line with the names of the columns.',
    )
  }
  const taken = new Set<string>()
  return header.map((name, i) => {
    const plain = plainText(name.slice(0, LONGEST_COLUMN * 4))
      .slice(0, LONGEST_COLUMN)
      .toWellFormed()
      .trim()
    let label = plain || `#${i + 1}`
    for (let n = 2; taken.has(label); n++) label = `${plain} (${n})`
    taken.add(label)
    return label
  })
}

/**
 * Reads a match as a command or a query gives it.
 *
 * @param given `FIELD=COLUMN` and `WORD=STATUS`
 * @returns undefined where no column was named
 * @throws GatehouseError `bad_request`
 */
export function parseMatch(given: {
  columns: readonly string[]
  statuses: readonly string[]
  everyTier: string | undefined
}): ColumnMatch | undefined {
  const { everyTier = null } = given
  if (given.columns.length === 0) {
    if (given.statuses.length === 0 && everyTier === null) return undefined
    throw new GatehouseError('bad_request', 'No column is named: say at least which one holds the code, code=COLUMN.', {
      reason: 'code_column_missing',
    })
  }
  const columns = given.columns.map((text) => {
    const at = text.indexOf('=')
    const field = IMPORT_FIELDS.find((name) => name === text.slice(0, at).trim())
    const column = text.slice(at + 1).trim()
    if (field && column !== '') return { field, column }
    throw new GatehouseError(
      'bad_request',
      `The column ${quoted(text)} is not of the form FIELD=COLUMN with one of the fields ${IMPORT_FIELDS.join(', ')}.`,
    )
  })
  const statuses = given.statuses.map((text) => {
    const at = text.lastIndexOf('=')
    const status = MATCHED_STATUSES.find((name) => name === text.slice(at + 1).trim())
    if (status && at > 0) return { word: text.slice(0, at).trim(), status }
    throw new GatehouseError(
      'bad_request',
      `The status ${quoted(text)} is not of the form WORD=STATUS with one of ${MATCHED_STATUSES.join(', ')}.`,
    )
  })
  return { columns, every_tier: everyTier, statuses }
}

/**
 * The columns of a file under the names of Gatehouse's own CSV.
 *
 * @param labels of its header: `labelsOf`
 * @throws GatehouseError `bad_request` where the match needs a column that the file lacks, or says too little or twice
 */
export function matchedColumns({ columns, every_tier, statuses }: ColumnMatch, labels: readonly string[]): Columns {
  const at = new Map<string, number>()
  for (const { field, column } of columns) {
    const index = labels.indexOf(column)
    if (index < 0)
      throw new GatehouseError('bad_request', `The file has no column ${quoted(column)}: match its columns again.`, {
        reason: 'column_missing',
        values: { column },
      })
    if (at.has(field))
      throw new GatehouseError('bad_request', `Two columns were named as ${field}: choose one of them.`, {
        reason: 'columns_same',
      })
    at.set(field, index)
  }
  if (!at.has('code'))
    throw new GatehouseError('bad_request', 'No column was named as the code: choose the one that the tickets show.', {
      reason: 'code_column_missing',
    })
  if (at.has('tier') === (every_tier !== null)) {
    throw new GatehouseError(
      'bad_request',
      'Name either the column with the ticket type, or one ticket type for all tickets.',
    )
  }
  const raw = (field: ImportField) => {
    const index = at.get(field)
    return index === undefined ? () => '' : (cells: readonly string[]) => cells[index] ?? ''
  }
  const words = new Map(statuses.map(({ word, status }) => [folded(word), status]))
  const cells: Record<string, (cells: readonly string[]) => string> = {}
  for (const field of at.keys()) cells[field] = raw(field as ImportField)
  const status = raw('status')
  if (at.has('status')) cells.status = (row) => words.get(folded(status(row))) ?? status(row)
  if (every_tier !== null) cells.tier = () => every_tier
  const [whole, first, last] = [raw('holder_name'), raw('first_name'), raw('last_name')]
  if (at.has('first_name') || at.has('last_name')) {
    delete cells.first_name
    delete cells.last_name
    cells.holder_name = (row) => whole(row).trim() || fullName(first(row), last(row))
  }
  const names = Object.keys(cells)
  const find = (wanted: readonly string[]) => wanted.find((name) => names.includes(name))
  return {
    names,
    has: (...wanted) => find(wanted) !== undefined,
    cell: (...wanted) => cells[find(wanted) ?? ''] ?? (() => ''),
  }
}

/** True if both are the same columns in the same order. */
export function sameHeader(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, i) => name === other[i])
}

const folded = (word: string) => plainText(word).toLowerCase()
