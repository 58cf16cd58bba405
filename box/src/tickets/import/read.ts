/** Reads a shop's ticket file, whichever shop it is of. */
import { setImmediate } from 'node:timers/promises'
import { SHOP_FORMATS, type ShopFormat } from '@gatehouse/proto/wire/admin.ts'
import type { ColumnMatch, KeptMatch } from '@gatehouse/proto/wire/import-columns.ts'
import { GatehouseError } from '../../errors.ts'
import { alfio } from './alfio.ts'
import { attendize } from './attendize.ts'
import { eachRecord, openCsv } from './csv.ts'
import { decode } from './encoding.ts'
import { eventbrite } from './eventbrite.ts'
import { gatehouse } from './gatehouse.ts'
import { hievents } from './hievents.ts'
import { Intake, type IntakeResult } from './intake.ts'
import { labelsOf, matchedColumns, sameHeader } from './match.ts'
import { positionsOf } from './pretix.ts'
import { pretixCsv } from './pretix-csv.ts'
import { openPretix } from './pretix-files.ts'
import { type Rejection, type Sentence, type ShopRecord, sentence } from './row.ts'
import { type Columns, type CsvFormat, columnList, columnsOf } from './table.ts'
import type { Tier } from './tier.ts'
import { unusable } from './unusable.ts'

const CSV_FORMATS: Readonly<Record<ShopFormat, CsvFormat>> = {
  gatehouse,
  pretix: pretixCsv,
  eventbrite,
  alfio,
  hievents,
  attendize,
}

/** Positions of a pretix file between two pauses. */
const POSITIONS_PER_TURN = 200

export interface ReadOptions {
  /** `auto` looks at the content. */
  format: ShopFormat | 'auto'
  tiers: readonly Tier[]
  /** Names of the shop's products, to a tier's id or name, or to '' for a product that is not a ticket. See `parseTierMap`. */
  tierMap: Readonly<Record<string, string>>
  /** Meaning of the columns of a CSV, given for this file. */
  match?: ColumnMatch | undefined
  /** Meanings given for earlier files: for a file of no known shop with just the same columns. */
  kept?: readonly KeptMatch[] | undefined
  /** IANA name of the event's time zone: dates without an offset are local there. */
  timezone: string
  /** Further files of the same shop, parsed: of pretix its items, questions, check-in lists and event, in any order. */
  others?: readonly unknown[]
  /** Called with bytes of a CSV, or positions of a JSON. */
  onProgress?(done: number, total: number): void
  /** Awaited every few milliseconds, so that other work gets its turn. */
  pause?(): Promise<unknown>
}

export interface ReadReport extends IntakeResult {
  format: ShopFormat
  /** Its columns were matched by hand: with these options, or for an earlier file. */
  matched?: 'now' | 'kept'
}

/** A CSV whose format is known, before its first ticket. */
interface OpenedCsv {
  file: ReturnType<typeof openCsv>
  columns: Columns
  format: ShopFormat
  matched?: 'now' | 'kept'
  /** Tiers of products that were chosen for an earlier file of the same columns. */
  tiers: KeptMatch['tiers']
}

interface OpenedFile {
  text: Buffer
  /** For the organiser, where the encoding had to be guessed. */
  note: Sentence | undefined
  /** Undefined for a JSON file. */
  csv: OpenedCsv | undefined
}

/** Takes the records of a file, as `Intake` does. */
export interface Taker {
  take(row: number, record: ShopRecord | Rejection): void
  warn(said: Sentence): void
}

/**
 * Tickets that cannot be used are in `rejected`, each with its row and what to do about it.
 *
 * @throws GatehouseError `bad_request` or `too_large` when nothing of the file can be used, or a mapping is wrong
 */
export async function readTickets(bytes: Uint8Array, options: ReadOptions): Promise<ReadReport> {
  const opened = openFile(bytes, options)
  const { csv } = opened
  const into = new Intake({ ...options, tierMap: { ...keptTiers(csv, options), ...options.tierMap } })
  await readInto(into, opened, options)
  const taken = into.finish()
  if (taken.read + taken.leftOut === 0) {
    throw unusable('no_ticket', 'The file holds no ticket: export it again, and check that it is not empty.')
  }
  return { format: csv?.format ?? 'pretix', ...taken, ...(csv?.matched && { matched: csv.matched }) }
}

/** True for the beginning of a JSON file; every other one is read as a CSV. */
export function isJson(text: Buffer): boolean {
  return /^\s*[[{]/.test(text.toString('latin1', 0, 1024))
}

/** @throws GatehouseError as `readTickets` */
export function openFile(bytes: Uint8Array, options: ReadOptions): OpenedFile {
  const { text, note } = decode(bytes)
  return { text, note, csv: isJson(text) ? undefined : openKnown(text, options) }
}

/** Hands over each record of the file, a few at a time. @throws GatehouseError as `readTickets` */
export async function readInto(into: Taker, { text, note, csv }: OpenedFile, options: ReadOptions): Promise<void> {
  if (note) into.warn(note)
  if (csv) await readCsv(csv, into, options)
  else await readJson(text, into, options)
}

async function readJson(text: Buffer, into: Taker, options: ReadOptions): Promise<void> {
  if (options.match) {
    throw new GatehouseError('bad_request', 'This is a JSON file, which has no columns: import it without naming any.')
  }
  if (options.format !== 'auto' && options.format !== 'pretix') {
    throw unusable(
      'json_as_csv',
      `This is a JSON file, and ${options.format} is read as CSV: leave the format at auto, or import the CSV.`,
      { values: { format: options.format } },
    )
  }
  const file = openPretix([parseJson(text), ...(options.others ?? [])])
  for (const warning of file.warnings) into.warn(warning)
  let done = 0
  for (const position of positionsOf(file)) {
    into.take(++done, position)
    if (done % POSITIONS_PER_TURN === 0 || done === file.positions) await turn(done, file.positions, options)
  }
}

function parseJson(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString())
  } catch (cause) {
    throw unusable(
      'json_broken',
      'The file starts like JSON but is broken, perhaps cut off: download it again, and import it anew.',
      { cause },
    )
  }
}

/** @throws GatehouseError `bad_request` for a file that nobody has said how to read */
function openKnown(text: Buffer, options: ReadOptions): OpenedCsv {
  if (options.others?.length) {
    throw new GatehouseError(
      'bad_request',
      'Further files belong to a pretix JSON, and this is a CSV: import each CSV alone.',
    )
  }
  const file = openCsv(text)
  const columns = columnsOf(file.header)
  const { match, format } = options
  if (match) {
    if (format !== 'auto') {
      throw new GatehouseError('bad_request', `Columns are named, and the format ${format}: leave the format at auto.`)
    }
    const labels = labelsOf(file.header)
    return { file, columns: matchedColumns(match, labels), format: 'gatehouse', matched: 'now', tiers: [] }
  }
  if (format !== 'auto') return { file, columns, format: confirm(format, columns), tiers: [] }
  const kept = fitting(columns).length === 0 ? keptFor(file.header, options.kept ?? []) : undefined
  if (!kept) return { file, columns, format: recognise(columns), tiers: [] }
  const { labels, one } = kept
  return {
    file,
    ...{ columns: matchedColumns(one.match, labels), format: 'gatehouse', matched: 'kept', tiers: one.tiers },
  }
}

function keptFor(header: readonly string[], kept: readonly KeptMatch[]) {
  if (kept.length === 0) return undefined
  const labels = labelsOf(header)
  const one = kept.findLast((each) => sameHeader(each.header, labels))
  return one && { labels, one }
}

/** Those of an earlier file that this event still has: the rest is asked again, as for a product that is new. */
function keptTiers(csv: OpenedCsv | undefined, { tiers }: ReadOptions): Record<string, string> {
  const ids = new Set(['', ...tiers.map(({ id }) => id)])
  const known = csv?.tiers.filter(({ tier }) => ids.has(tier)) ?? []
  return Object.fromEntries(known.map(({ product, tier }) => [product, tier]))
}

async function readCsv({ file, columns, format }: OpenedCsv, into: Taker, options: ReadOptions): Promise<void> {
  const read = CSV_FORMATS[format].open(columns, (said) => into.warn(said))
  const width = file.header.length
  await eachRecord(
    file,
    ({ line, cells, cut }) => {
      if (cut && cells.length < width) {
        into.take(line, sentence('row_cut_off', 'The file ends in the middle of this row: download it again.'))
      } else if (cells.slice(width).some((cell) => cell.trim() !== '')) {
        into.take(
          line,
          sentence(
            'cells_many',
            `The row has ${cells.length} cells and the header ${width}: put cells that hold a delimiter in quotation marks.`,
            { cells: cells.length, header: width },
          ),
        )
      } else into.take(line, read(cells))
    },
    (done) => turn(done, file.text.length, options),
  )
}

/** The format of a header; undefined for none, and for a header that could be of several. */
export function recognised(columns: Columns): ShopFormat | undefined {
  const [format, other] = fitting(columns)
  return other ? undefined : format
}

function recognise(columns: Columns): ShopFormat {
  const formats = fitting(columns)
  const [format, other] = formats
  if (format && !other) return format
  throw new GatehouseError(
    'bad_request',
    format
      ? `The file could be ${formats.join(' or ')}: say which with --format.`
      : `The file is of no known shop, for ${columnList(columns)}: export it in English from one of ${SHOP_FORMATS.slice(1).join(', ')}, make a CSV with the columns "code" and "tier", or say what its columns mean with --column.`,
  )
}

/** The format that was asked for, unless the header clearly belongs to another one. */
function confirm(format: ShopFormat, columns: Columns): ShopFormat {
  const formats = fitting(columns)
  if (formats.length === 0 || formats.includes(format)) return format
  throw unusable(
    'other_format',
    `The file was to be read as ${format} and looks like ${formats.join(' or ')}: leave the format at auto.`,
    { values: { format, formats: formats.join(', ') } },
  )
}

function fitting(columns: Columns): ShopFormat[] {
  return SHOP_FORMATS.filter((format) => CSV_FORMATS[format].recognises(columns))
}

async function turn(done: number, total: number, { onProgress, pause = setImmediate }: ReadOptions): Promise<void> {
  onProgress?.(done, total)
  await pause()
}
