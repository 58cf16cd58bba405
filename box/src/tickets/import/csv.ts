/** Reads CSV as shops and spreadsheets write it, a slice at a time. */
import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import type { GatehouseError } from '../../errors.ts'
import { DIALECT, findHeader } from './header.ts'
import { unusable } from './unusable.ts'

const DELIMITERS = [',', ';', '\t'] as const
const HEAD_BYTES = 64 * 1024
/** Bytes parsed between two turns of the event loop, so that scans are answered meanwhile. */
const SLICE_BYTES = 16 * 1024
const CR = 13
const LF = 10

interface CsvRecord {
  /** The line where it starts, from 1, with line breaks inside quotes counted. */
  line: number
  cells: string[]
  /** The file ends within this record: the download was cut off. */
  cut: boolean
}

/** The cells of the header, and how to read the records below it. */
interface CsvFile {
  header: string[]
  text: Buffer
  delimiter: string
  /** Bytes above the header: titles, and a `sep=;` line, by which Excel names the delimiter. */
  start: number
}

/**
 * Finds delimiter and header of a CSV in UTF-8 without a byte order mark.
 *
 * @throws GatehouseError `bad_request` when neither the first line nor one below titles is a row of several columns
 */
export function openCsv(text: Buffer): CsvFile {
  const sep = /^sep=([,;\t])(\r\n|\n|\r)/i.exec(text.toString('latin1', 0, 8))
  const start = sep?.[0].length ?? 0
  const head = text.subarray(start, start + HEAD_BYTES)
  const found = findHeader(head, sep?.[1] ? [sep[1]] : DELIMITERS)
  if (found === undefined || found.cells.length < 2) {
    throw unusable(
      'no_header',
      'The first line is not a row of a table: export the tickets as CSV with a header line, or as JSON from pretix.',
    )
  }
  return { header: found.cells, text, delimiter: found.delimiter, start: start + found.at }
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
    throw csvProblem(error, lineCounter(text)(start + cellEnd))
  }
}

function csvProblem(cause: CsvError, line: number): GatehouseError {
  const cell = `the cell that starts on line ${line}`
  if (cause.code === 'CSV_QUOTE_NOT_CLOSED' || cause.code === 'CSV_MAX_RECORD_SIZE') {
    return unusable('quote_open', `A quotation mark in ${cell} is never closed: close it, or export the file again.`, {
      values: { line },
      cause,
    })
  }
  return unusable(
    'quote_inside',
    `A quotation mark stands inside ${cell}: write it twice ("") and the cell in quotation marks, or remove it.`,
    { values: { line }, cause },
  )
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
