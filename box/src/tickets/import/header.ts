/** Finds delimiter and header in the first lines of a CSV, which may have a title above its header. */
import { IMPORT_FIELDS } from '@gatehouse/proto/wire/import-columns.ts'
import { CsvError, type Options } from 'csv-parse'
import { parse } from 'csv-parse/sync'

/** Lines above a header: a title, a date, who made it. */
const MOST_TITLES = 5
/** Without a limit, a quotation mark that is never closed would take in the rest of the file. */
const MAX_RECORD_BYTES = 128 * 1024

export const DIALECT = {
  // All three, because a file that was edited on two systems mixes them.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
  max_record_size: MAX_RECORD_BYTES,
} satisfies Options

/** A row as one of the delimiters reads it. */
interface Row {
  delimiter: string
  cells: string[]
  /** The offset where it begins, after the row before. */
  at: number
  filled: number
  /** The row after it has as many cells, and both have several. */
  fits: boolean
}

/**
 * The first row, by the delimiter that fills most of its cells. Rows below are looked at if the first is a title: otherwise the comma
 * in "Müller, Anna" would make a header of the first ticket.
 */
export function findHeader(head: Buffer, delimiters: readonly string[]): Row | undefined {
  const tables = delimiters.map((delimiter) => firstRows(head, delimiter))
  const firsts = tables.flatMap(([first]) => first ?? [])
  const first = highest(firsts, ({ filled, fits, cells }) => [filled, Number(fits), cells.length])
  if (first === undefined) return undefined
  // A first row that is filled up with delimiters says which one it is.
  const isPadded = isTitle(first) && first.cells.length > 1
  const below = highest(
    tables.filter(([row]) => !isPadded || row === first).flatMap((rows) => headerBelow(rows) ?? []),
    ({ fits, at, filled }) => [Number(fits), fits ? -at : filled],
  )
  return below && (isTitle(first) || isSplitTitle(first, below, tables)) ? below : first
}

/** The header below titles, unless the first row is one that names few of its columns. */
function headerBelow(rows: readonly Row[]): Row | undefined {
  const wide = rows.findIndex(({ cells }) => cells.length > 1)
  const top = rows[wide]
  if (top === undefined || wide > MOST_TITLES) return undefined
  const next = isTitle(top) ? rows.slice(0, MOST_TITLES + 1).find((row, i) => i > wide && !isTitle(row)) : undefined
  const found = next && namesAll(next) ? next : top
  return found === rows[0] ? undefined : found
}

/** "Guests, 3 May" above a table with semicolons: no comma is in the line below, which is a header by another delimiter. */
function isSplitTitle(first: Row, below: Row, tables: readonly Row[][]): boolean {
  const second = tables.find(([row]) => row === first)?.[1]
  return first.filled > 1 && second?.cells.length === 1 && below.fits && namesAll(below)
}

/** One filled cell, which is no column of ours. */
function isTitle({ cells, filled }: Row): boolean {
  const only = cells
    .find((cell) => cell.trim() !== '')
    ?.trim()
    .toLowerCase()
  return filled === 1 && !IMPORT_FIELDS.some((field) => field === only)
}

/** A row of names: codes of tickets have digits, and tickets have empty cells. */
function namesAll({ cells }: Row): boolean {
  return cells.every((cell) => cell.trim() !== '' && !/\p{Nd}/u.test(cell))
}

/** Rows up to the one after the last possible header, or up to the first that cannot be read; empty ones are left out. */
function firstRows(head: Buffer, delimiter: string): Row[] {
  const records: { cells: string[]; end: number }[] = []
  try {
    parse(head, {
      ...{ ...DIALECT, delimiter, skip_records_with_empty_values: true, to: MOST_TITLES + 2 },
      on_record: (cells: string[], { bytes }) => {
        records.push({ cells, end: bytes })
        return null
      },
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
  }
  return records.map(({ cells }, i) => ({
    ...{ delimiter, cells, at: records[i - 1]?.end ?? 0 },
    filled: cells.filter((cell) => cell.trim() !== '').length,
    fits: cells.length > 1 && cells.length === records[i + 1]?.cells.length,
  }))
}

/** The first of those with the highest rank, whose numbers are compared one after another. */
function highest(rows: readonly Row[], rank: (row: Row) => readonly number[]): Row | undefined {
  const isHigher = (one: readonly number[], other: readonly number[]) => {
    const i = one.findIndex((n, at) => n !== other[at])
    return (one[i] ?? 0) > (other[i] ?? 0)
  }
  return rows.reduce<Row | undefined>((best, row) => (best && !isHigher(rank(row), rank(best)) ? best : row), undefined)
}
