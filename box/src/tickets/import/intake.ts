/** Collects the tickets of one file, and applies the checks that all formats share. */
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import type { TicketExtra } from '@gatehouse/proto/wire/ticket-details.ts'
import { codeColumn, readCode } from './code.ts'
import { detailFields, extrasOf, productKey, productText, SHORTENED } from './details.ts'
import { momentReader } from './moment.ts'
import {
  plainText,
  quoted,
  type Rejection,
  type Sentence,
  type ShopDetails,
  type ShopRecord,
  sentence,
  type TicketRow,
} from './row.ts'
import { mappingFor, noTier, type Tier, tierMatcher } from './tier.ts'

const ROWS_NAMED = 5
const MAX_TEXT = 500
/** Of a cell within a sentence. */
const MOST_SHOWN = 80
const MOST_PRODUCTS = 1_000

const ROUNDED = sentence(
  'digits_rounded',
  'The last digits of all long codes are zeros, as a spreadsheet rounds them: import the file as the shop exported it, without opening it in a spreadsheet.',
)
const FEWER_DIGITS = sentence(
  'digits_short',
  'The code has fewer digits than the others, and no code starts with 0: compare it with a printed ticket, because a spreadsheet eats leading zeros.',
)

interface RejectedRow extends Rejection {
  row: number
}

type ImportWarning = NonNullable<ImportReport['warned']>[number]

/** A sentence that concerns the file, or some of its rows. */
interface Warning {
  said: Sentence
  /** The first few. */
  rows: number[]
  /** Of all of them. */
  count: number
}

export interface IntakeResult {
  /** `rows.length + rejected.length`: the records that are tickets or should be. */
  read: number
  rows: TicketRow[]
  rejected: RejectedRow[]
  /** Records of products that are no tickets: counted here, named in a warning, and in no other number. */
  leftOut: number
  warnings: string[]
  /** The same in parts, for an app. */
  warned: ImportWarning[]
  /** `Product` as canonical JSON by key, of the tickets and of their add-ons; at most 1,000. */
  products: ReadonlyMap<string, string>
}

interface IntakeOptions {
  tiers: readonly Tier[]
  tierMap: Readonly<Record<string, string>>
  timezone: string
}

export class Intake {
  readonly #tiers: readonly Tier[]
  readonly #matcher: ReturnType<typeof tierMatcher>
  readonly #moment: ReturnType<typeof momentReader>
  readonly #column = codeColumn()
  /** By code. */
  readonly #firstRow = new Map<string, number>()
  readonly #warnings = new Map<string, Warning>()
  #rows: TicketRow[] = []
  readonly #rejected: RejectedRow[] = []
  readonly #products = new Map<string, string>()
  /** Add-ons that are no tickets, by the code of their ticket and then by their own. */
  readonly #extras = new Map<string, Map<string, TicketExtra>>()
  #leftOut = 0

  /** @throws GatehouseError `bad_request` for a mapping to a tier that the event does not have */
  constructor({ tiers, tierMap, timezone }: IntakeOptions) {
    this.#tiers = tiers
    this.#matcher = tierMatcher(tiers, tierMap)
    this.#moment = momentReader(timezone)
  }

  take(row: number, record: ShopRecord | Rejection): void {
    const result = 'reason' in record ? record : this.#check(row, record)
    if (result === undefined) this.#leftOut++
    else if ('reason' in result) this.#rejected.push({ row, ...result })
    else this.#rows.push(result)
  }

  /** Adds a sentence for the organiser; equal sentences become one warning that names the first rows. */
  warn(said: Sentence, row?: number): void {
    const warning = this.#warnings.get(said.reason) ?? { said, rows: [], count: 0 }
    this.#warnings.set(said.reason, warning)
    if (row === undefined) return
    warning.count++
    if (warning.rows.length < ROWS_NAMED) warning.rows.push(row)
  }

  finish(): IntakeResult {
    this.#checkColumn()
    this.#giveExtras()
    for (const name of this.#matcher.unused()) {
      this.warn(
        sentence('mapping_unused', `The mapping of ${quoted(name)} fitted no record: check its spelling.`, {
          product: plainText(name),
        }),
      )
    }
    return {
      read: this.#rows.length + this.#rejected.length,
      rows: this.#rows,
      rejected: this.#rejected,
      leftOut: this.#leftOut,
      warnings: [...this.#warnings.values()].map(({ said, rows, count }) => `${rowList(rows, count)}${said.reason}`),
      warned: [...this.#warnings.values()].map(({ said: { reason, coded }, rows, count }) => ({
        ...{ text: reason, rows, count, ...(coded && { coded }) },
      })),
      products: this.#products,
    }
  }

  /** @returns undefined for a record that is left out */
  #check(row: number, record: ShopRecord): TicketRow | Rejection | undefined {
    const { product } = record
    const match = this.#matcher.match(product)
    if (match === 'leave out' || (match === 'none' && product.extra)) {
      const name = product.label ?? product.key
      const why =
        match === 'leave out'
          ? sentence('left_out_mapped', `${quoted(name)} was left out, as its empty mapping asks.`, {
              name: plainText(name),
            })
          : sentence(
              'left_out_extra',
              `${quoted(name)} is ${product.extra} and fits no ticket type, so it was left out: add ${mappingFor(product.key)} if people enter with it.`,
              { name: plainText(name), product: plainText(product.key) },
            )
      this.warn(why, row)
      this.#keepExtra(row, record)
      return undefined
    }
    const read = readCode(record.code)
    if ('reason' in read) return read
    const { code, note } = read
    const earlier = this.#firstRow.get(code)
    if (earlier !== undefined)
      return sentence('code_twice', `Row ${earlier} has the same code: remove one of the two.`, { row: earlier })
    this.#firstRow.set(code, row)
    this.#column.see(code)
    if (match === 'none') return noTier(product, this.#tiers)
    const validity = this.#validity(record)
    if ('reason' in validity) return validity
    for (const said of [...(note ? [note] : []), ...(record.notes ?? [])]) this.warn(said, row)
    const text = (cell: string | undefined) => tidy(cell, () => this.warn(SHORTENED, row))
    return {
      row,
      code,
      tier: match.tier,
      seat: text(record.seat),
      holderName: text(record.holderName),
      email: text(record.email),
      ...validity,
      status: record.status,
      detail: text(record.detail),
      details: this.#details(row, record.details),
    }
  }

  #details(row: number, details: ShopDetails | undefined): TicketRow['details'] {
    if (details?.sold) this.#keepProduct(row, details.sold)
    return detailFields(details, (said) => this.warn(said, row))
  }

  #keepProduct(row: number, { key: name, product }: NonNullable<ShopDetails['sold']>): void {
    const key = productKey(name)
    if (!product || this.#products.has(key)) return
    if (this.#products.size < MOST_PRODUCTS) {
      const json = productText(product, (said) => this.warn(said, row))
      this.#products.set(key, json)
    } else
      this.warn(
        sentence(
          'products_many',
          `The file names more than ${MOST_PRODUCTS} products: the others are known by their key alone.`,
          { most: MOST_PRODUCTS },
        ),
        row,
      )
  }

  /** An add-on that is no ticket is listed on its ticket, unless it was cancelled. */
  #keepExtra(row: number, { code, status, details }: ShopRecord): void {
    const { sold, position = null, extraOf } = details ?? {}
    if (!sold || extraOf === undefined || status === 'revoked') return
    const parent = readCode(extraOf)
    if ('reason' in parent) return
    this.#keepProduct(row, sold)
    const extras = this.#extras.get(parent.code) ?? new Map()
    this.#extras.set(parent.code, extras.set(code, { position, product: productKey(sold.key) }))
  }

  #giveExtras(): void {
    if (this.#extras.size === 0) return
    for (const row of this.#rows) {
      const extras = this.#extras.get(row.code)
      if (extras) row.details = { ...row.details, extras: extrasOf([...extras.values()]) }
    }
  }

  #validity(record: ShopRecord): Pick<TicketRow, 'validFrom' | 'validUntil'> | Rejection {
    const validFrom = record.validFrom?.trim() ? this.#moment(record.validFrom, 'from') : null
    const validUntil = record.validUntil?.trim() ? this.#moment(record.validUntil, 'until') : null
    if (validFrom === undefined) return unreadable('valid_from', record.validFrom)
    if (validUntil === undefined) return unreadable('valid_until', record.validUntil)
    if (validFrom && validUntil && validFrom > validUntil) {
      return sentence('dates_swapped', 'valid_until is before valid_from: correct one of the two.')
    }
    return { validFrom, validUntil }
  }

  /** Damage to codes that only shows once all of them were seen. */
  #checkColumn(): void {
    const { rounded, shortened } = this.#column.damage()
    if (rounded) {
      for (const { code, row } of this.#rows) if (rounded(code)) this.#rejected.push({ row, ...ROUNDED })
      this.#rejected.sort((a, b) => a.row - b.row)
      this.#rows = this.#rows.filter(({ code }) => !rounded(code))
    }
    if (shortened) for (const { code, row } of this.#rows) if (shortened(code)) this.warn(FEWER_DIGITS, row)
  }
}

function unreadable(column: string, text = ''): Rejection {
  return sentence(
    'date_unreadable',
    `${column} ${quoted(text)} is not a date: write 2026-07-04 or 2026-07-04 18:00, year first.`,
    { column, text: plainText(text).slice(0, MOST_SHOWN) },
  )
}

function rowList(rows: readonly number[], count: number): string {
  if (rows.length === 0) return ''
  const more = count > rows.length ? ` and ${count - rows.length} more` : ''
  return `${count === 1 ? 'Row' : 'Rows'} ${rows.join(', ')}${more}: `
}

/** A text on one line, short enough for a phone's screen; null when nothing is left. */
function tidy(text: string | undefined, shortened: () => void): string | null {
  if (!text) return null
  const plain = plainText(text)
  if (plain.length > MAX_TEXT) {
    shortened()
    return plain.slice(0, MAX_TEXT).toWellFormed()
  }
  return plain || null
}
