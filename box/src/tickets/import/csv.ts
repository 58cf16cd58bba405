/** Reads CSV as shops and spreadsheets write it, a slice at a time. */
import { pipeline } from 'node:stream/promises'
import { CsvError, type Options, parse } from 'csv-parse'
import { parse as parseSync } from 'csv-parse/sync'
import { GatehouseError } from '../../errors.ts'

const DELIMITERS = [',', ';', '\t'] as const
const HEAD_BYTES = 64 * 1024
/** Bytes parsed between two turns of the event loop, so that scans are answered meanwhile. */
const SLICE_BYTES = 16 * 1024
/** Without a limit, a quotation mark that is never closed would take in the rest of the file. */
const MAX_RECORD_BYTES = 128 * 1024
const CR = 13
const LF = 10

interface CsvRecord {
  /** The line where it starts, from 1, with line breaks inside quotes counted. */
  line: number
  cells: string[]
  /** The file ends within this record: the download was cut off. */
  cut: boolean
}

/** The cells of the first record, and how to read the others. */
interface CsvFile {
  header: string[]
  text: Buffer
  delimiter: string
  /** Bytes of a `sep=;` line, by which Excel names the delimiter. */
  start: number
}

const DIALECT = {
  // All three, because a file that was edited on two systems mixes them.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
  max_record_size: MAX_RECORD_BYTES,
} satisfies Options

/**
 * Finds delimiter and header of a CSV in UTF-8 without a byte order mark.
 *
 * @throws GatehouseError `bad_request` when the first line is not a row of several columns
 */
export function openCsv(text: Buffer): CsvFile {
  const sep = /^sep=([,;\t])(\r\n|\n|\r)/i.exec(text.toString('latin1', 0, 8))
  const start = sep?.[0].length ?? 0
  const head = text.subarray(start, start + HEAD_BYTES)
  const found = (sep?.[1] ? [sep[1]] : DELIMITERS)
    .map((delimiter) => ({ delimiter, header: firstRecord(head, delimiter) }))
    .reduce((best, next) => (next.header.length > best.header.length ? next : best))
  if (found.header.length < 2) {
    throw new GatehouseError(
      'bad_request',
      'The first line is not a row of a table: export the tickets as CSV with a header line, or as JSON from pretix.',
    )
  }
  return { ...found, text, start }
}

function firstRecord(head: Buffer, delimiter: string): string[] {
  try {
    return parseSync(head, { ...DIALECT, delimiter, skip_records_with_empty_values: true, to: 1 })[0] ?? []
  } catch (error) {
    if (error instanceof CsvError) return []
    throw error
  }
}

/**
 * Hands every record after the header to `take`, and pauses after every few hundred of them.
 *
 * @throws GatehouseError `bad_request` naming the line, for quotation marks that do not pair up
 */
export async function eachRecord(
  file: CsvFile,
  take: (record: CsvRecord) => void,
  pause: (bytesDone: number) => Promise<unknown>,
): Promise<void> {
  const { text, delimiter, start } = file
  const lines = lineCounter(text)
  let end = start
  let header = true
  try {
    await pipeline(
      slices(text, start, pause),
      parse({ ...DIALECT, delimiter, info: true }),
      async (records: AsyncIterable<{ record: string[]; info: { bytes: number } }>) => {
        for await (const { record, info } of records) {
          const line = lines(end)
          end = start + info.bytes
          const cut = end === text.length && text[end - 1] !== LF && text[end - 1] !== CR
          if (record.every((cell) => cell.trim() === '')) continue
          if (header) header = false
          else take({ line, cells: record, cut })
        }
      },
    )
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // The end of the last whole cell. Records of the same slice that were not taken yet are lost with the error.
    const cellEnd = typeof error.bytes === 'number' ? error.bytes : 0
    throw new GatehouseError('bad_request', csvProblem(error.code, lineCounter(text)(start + cellEnd)), {
      cause: error,
    })
  }
}

function csvProblem(code: string, line: number): string {
  const cell = `the cell that starts on line ${line}`
  if (code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE') {
    return `A quotation mark in ${cell} is never closed: close it, or export the file again.`
  }
  return `A quotation mark stands inside ${cell}: write it twice ("") and the cell in quotation marks, or remove it.`
}

async function* slices(
  text: Buffer,
  start: number,
  pause: (bytesDone: number) => Promise<unknown>,
): AsyncGenerator<Buffer> {
  for (let at = start; at < text.length; at += SLICE_BYTES) {
    const slice = text.subarray(at, at + SLICE_BYTES)
    yield slice
    await pause(at + slice.length)
  }
}

/**
 * The line of the first text at or after an offset. The parser's own count takes a line break of two characters within quotes for
 * two lines. Offsets must not decrease.
 */
function lineCounter(text: Buffer): (offset: number) => number {
  let at = 0
  let line = 1
  return (offset) => {
    while (at < text.length && (at < offset || text[at] === LF || text[at] === CR)) {
      if (text[at] === LF || (text[at] === CR && text[at + 1] !== LF)) line++
      at++
    }
    return line
  }
}
