/** Reads a shop's ticket file, whichever shop it is of. */
import { setImmediate } from 'node:timers/promises'
import { SHOP_FORMATS, type ShopFormat } from '@gatehouse/proto/wire/admin.ts'
import { GatehouseError } from '../../errors.ts'
import { alfio } from './alfio.ts'
import { attendize } from './attendize.ts'
import { eachRecord, openCsv } from './csv.ts'
import { decode } from './encoding.ts'
import { eventbrite } from './eventbrite.ts'
import { gatehouse } from './gatehouse.ts'
import { hievents } from './hievents.ts'
import { Intake, type IntakeResult } from './intake.ts'
import { positionsOf } from './pretix.ts'
import { pretixCsv } from './pretix-csv.ts'
import { openPretix } from './pretix-files.ts'
import { type Columns, type CsvFormat, columnList, columnsOf } from './table.ts'
import type { Tier } from './tier.ts'

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
}

/**
 * Tickets that cannot be used are in `rejected`, each with its row and what to do about it.
 *
 * @throws GatehouseError `bad_request` or `too_large` when nothing of the file can be used, or a mapping is wrong
 */
export async function readTickets(bytes: Uint8Array, options: ReadOptions): Promise<ReadReport> {
  const into = new Intake(options)
  const { text, note } = decode(bytes)
  if (note) into.warn(note)
  const format = /^\s*[[{]/.test(text.toString('latin1', 0, 1024))
    ? await readJson(text, into, options)
    : await readCsv(text, into, options)
  const taken = into.finish()
  if (taken.read + taken.leftOut === 0) {
    throw new GatehouseError(
      'bad_request',
      'The file holds no ticket: export it again, and check that it is not empty.',
    )
  }
  return { format, ...taken }
}

async function readJson(text: Buffer, into: Intake, options: ReadOptions): Promise<ShopFormat> {
  if (options.format !== 'auto' && options.format !== 'pretix') {
    throw new GatehouseError(
      'bad_request',
      `This is a JSON file, and ${options.format} is read as CSV: leave the format at auto, or import the CSV.`,
    )
  }
  const file = openPretix([parseJson(text), ...(options.others ?? [])])
  for (const warning of file.warnings) into.warn(warning)
  let done = 0
  for (const position of positionsOf(file)) {
    into.take(++done, position)
    if (done % POSITIONS_PER_TURN === 0 || done === file.positions) await turn(done, file.positions, options)
  }
  return 'pretix'
}

function parseJson(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString())
  } catch (cause) {
    throw new GatehouseError(
      'bad_request',
      'The file starts like JSON but is broken, perhaps cut off: download it again, and import it anew.',
      { cause },
    )
  }
}

async function readCsv(text: Buffer, into: Intake, options: ReadOptions): Promise<ShopFormat> {
  if (options.others?.length) {
    throw new GatehouseError(
      'bad_request',
      'Further files belong to a pretix JSON, and this is a CSV: import each CSV alone.',
    )
  }
  const file = openCsv(text)
  const columns = columnsOf(file.header)
  const format = options.format === 'auto' ? recognise(columns) : confirm(options.format, columns)
  const read = CSV_FORMATS[format].open(columns, (sentence) => into.warn(sentence))
  const width = file.header.length
  await eachRecord(
    file,
    ({ line, cells, cut }) => {
      if (cut && cells.length < width) {
        into.take(line, { reason: 'The file ends in the middle of this row: download it again.' })
      } else if (cells.slice(width).some((cell) => cell.trim() !== '')) {
        into.take(line, {
          reason: `The row has ${cells.length} cells and the header ${width}: put cells that hold a delimiter in quotation marks.`,
        })
      } else into.take(line, read(cells))
    },
    (done) => turn(done, text.length, options),
  )
  return format
}

function recognise(columns: Columns): ShopFormat {
  const formats = fitting(columns)
  const [format, other] = formats
  if (format && !other) return format
  throw new GatehouseError(
    'bad_request',
    format
      ? `The file could be ${formats.join(' or ')}: say which with --format.`
      : `The file is of no known shop, for ${columnList(columns)}: export it in English from one of ${SHOP_FORMATS.slice(1).join(', ')}, or make a CSV with the columns "code" and "tier".`,
  )
}

/** The format that was asked for, unless the header clearly belongs to another one. */
function confirm(format: ShopFormat, columns: Columns): ShopFormat {
  const formats = fitting(columns)
  if (formats.length === 0 || formats.includes(format)) return format
  throw new GatehouseError(
    'bad_request',
    `The file was to be read as ${format} and looks like ${formats.join(' or ')}: leave the format at auto.`,
  )
}

function fitting(columns: Columns): ShopFormat[] {
  return SHOP_FORMATS.filter((format) => CSV_FORMATS[format].recognises(columns))
}

async function turn(done: number, total: number, { onProgress, pause = setImmediate }: ReadOptions): Promise<void> {
  onProgress?.(done, total)
  await pause()
}
