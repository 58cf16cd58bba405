import { codeColumn, readCode } from './code.ts'
import { momentReader } from './moment.ts'
import { type Found, plainText, quoted, type Refused, type TicketRow } from './row.ts'
import { mappingFor, noTier, type Tier, tierMatcher } from './tier.ts'

const ROWS_NAMED = 5
const MAX_TEXT = 500

const ROUNDED =
  'The last digits of all long codes are zeros, as a spreadsheet rounds them: import the file as the shop exported it, without opening it in a spreadsheet.'
const SHORTENED =
  'The code has fewer digits than the others, and no code starts with 0: compare it with a printed ticket, because a spreadsheet eats leading zeros.'

interface Rejected {
  row: number
  reason: string
}

export interface Taken {
  /** `rows.length + rejected.length`: the records that are tickets or should be. */
  read: number
  rows: TicketRow[]
  rejected: Rejected[]
  /** Records of products that are no tickets: counted here, named in a warning, and in no other number. */
  leftOut: number
  warnings: string[]
}

/** Collects the tickets of one file, and applies the checks that all formats share. */
export interface Intake {
  take(row: number, record: Found | Refused): void
  /** A sentence for the organiser; equal sentences become one warning that names the first rows. */
  warn(sentence: string, row?: number): void
  finish(): Taken
}

/** @throws GatehouseError `bad_request` for a mapping to a tier that the event does not have */
export function intake(event: {
  tiers: readonly Tier[]
  tierMap: Readonly<Record<string, string>>
  timezone: string
}): Intake {
  const { tiers } = event
  const matcher = tierMatcher(tiers, event.tierMap)
  const moment = momentReader(event.timezone)
  const column = codeColumn()
  const firstRow = new Map<string, number>()
  const sentences = new Map<string, { rows: number[]; count: number }>()
  let rows: TicketRow[] = []
  const rejected: Rejected[] = []
  let leftOut = 0

  function warn(sentence: string, row?: number): void {
    const seen = sentences.get(sentence) ?? { rows: [], count: 0 }
    sentences.set(sentence, seen)
    if (row === undefined) return
    seen.count++
    if (seen.rows.length < ROWS_NAMED) seen.rows.push(row)
  }

  function check(row: number, found: Found): TicketRow | Refused | undefined {
    const { product } = found
    const match = matcher.match(product)
    if (match === 'leave out' || (match === 'none' && product.extra)) {
      const name = quoted(product.label ?? product.key)
      warn(
        match === 'leave out'
          ? `${name} was left out, as its empty mapping asks.`
          : `${name} is ${product.extra} and fits no tier, so it was left out: add ${mappingFor(product.key)} if people enter with it.`,
        row,
      )
      return undefined
    }

    const read = readCode(found.code)
    if ('reason' in read) return read
    const { code } = read
    const earlier = firstRow.get(code)
    if (earlier !== undefined) return { reason: `Row ${earlier} has the same code: remove one of the two.` }
    firstRow.set(code, row)
    column.see(code)
    if (match === 'none') return { reason: noTier(product, tiers) }

    const validFrom = found.validFrom?.trim() ? moment(found.validFrom, 'from') : null
    const validUntil = found.validUntil?.trim() ? moment(found.validUntil, 'until') : null
    if (validFrom === undefined) return { reason: unreadable('valid_from', found.validFrom) }
    if (validUntil === undefined) return { reason: unreadable('valid_until', found.validUntil) }
    if (validFrom && validUntil && validFrom > validUntil) {
      return { reason: 'valid_until is before valid_from: correct one of the two.' }
    }

    if (read.note) warn(read.note, row)
    for (const note of found.notes ?? []) warn(note, row)
    const words = (text: string | undefined) => tidy(text, () => warn('A long text was shortened.', row))
    return {
      row,
      code,
      tier: match.tier,
      seat: words(found.seat),
      holderName: words(found.holderName),
      email: words(found.email),
      validFrom,
      validUntil,
      status: found.status,
      detail: words(found.detail),
    }
  }

  return {
    warn,
    take(row, record) {
      const result = 'reason' in record ? record : check(row, record)
      if (result === undefined) leftOut++
      else if ('reason' in result) rejected.push({ row, reason: result.reason })
      else rows.push(result)
    },
    finish() {
      const { rounded, shortened } = column.damage()
      if (rounded) {
        for (const { code, row } of rows) if (rounded(code)) rejected.push({ row, reason: ROUNDED })
        rejected.sort((a, b) => a.row - b.row)
        rows = rows.filter(({ code }) => !rounded(code))
      }
      if (shortened) for (const { code, row } of rows) if (shortened(code)) warn(SHORTENED, row)
      for (const name of matcher.unused()) {
        warn(`The mapping of ${quoted(name)} fitted no record: check its spelling.`)
      }
      const warnings = [...sentences].map(([sentence, { rows, count }]) => `${rowList(rows, count)}${sentence}`)
      return { read: rows.length + rejected.length, rows, rejected, leftOut, warnings }
    },
  }
}

function unreadable(column: string, text = ''): string {
  return `${column} ${quoted(text)} is no date: write 2026-07-04 or 2026-07-04 18:00, year first.`
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
