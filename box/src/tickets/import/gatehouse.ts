import { quoted } from './row.ts'
import { type CsvFormat, missing, named, type Statuses, unknownStatus } from './table.ts'

const COLUMNS = ['code', 'tier', 'seat', 'holder_name', 'email', 'valid_from', 'valid_until', 'status'] as const

const STATUS: Statuses = new Map([
  ['', { status: 'valid' }],
  ['valid', { status: 'valid' }],
  ['paid', { status: 'valid' }],
  ['pending', { status: 'pending', detail: 'not paid' }],
  ['unpaid', { status: 'pending', detail: 'not paid' }],
  ['blocked', { status: 'blocked', detail: 'blocked by the organiser' }],
  ['revoked', { status: 'revoked', detail: 'revoked by the organiser' }],
  ['cancelled', { status: 'revoked', detail: 'cancelled' }],
  ['canceled', { status: 'revoked', detail: 'cancelled' }],
  ['refunded', { status: 'revoked', detail: 'refunded' }],
])

/**
 * Our own CSV: `code, tier, seat, holder_name, email, valid_from, valid_until, status` in any order, of which only
 * `code` and `tier` are needed. Dates are ISO 8601; without an offset they are in the event's time zone, and a day
 * alone means its beginning in `valid_from` and its end in `valid_until`.
 */
export const gatehouse: CsvFormat = {
  recognises: (columns) => columns.has('code') && columns.has('tier'),

  open(columns, warn) {
    for (const column of ['code', 'tier']) {
      if (!columns.has(column)) missing('gatehouse', column, 'add it; a ticket needs at least "code" and "tier".')
    }
    const unused = columns.names.filter((name) => !COLUMNS.some((column) => column === spelt(name)))
    if (unused.length > 0) {
      warn(
        `Not used: ${unused.map((name) => quoted(name)).join(', ')}. The columns of a gatehouse CSV are ${COLUMNS.join(', ')}.`,
      )
    }
    const cell = (column: (typeof COLUMNS)[number]) =>
      columns.cell(...columns.names.map(lower).filter((name) => spelt(name) === column))
    const code = cell('code')
    const tier = cell('tier')
    const seat = cell('seat')
    const holderName = cell('holder_name')
    const email = cell('email')
    const validFrom = cell('valid_from')
    const validUntil = cell('valid_until')
    const status = cell('status')
    return (cells) => {
      const known = STATUS.get(lower(status(cells)))
      if (!known) return unknownStatus(status(cells), 'valid, pending, blocked, revoked')
      return {
        code: code(cells),
        product: named(tier(cells)),
        seat: seat(cells),
        holderName: holderName(cells),
        email: email(cells),
        validFrom: validFrom(cells),
        validUntil: validUntil(cells),
        ...known,
      }
    }
  },
}

const lower = (text: string) => text.trim().toLowerCase()

/** `Holder name` and `valid-from` are the columns that they look like. */
const spelt = (column: string) => lower(column).replace(/[ -]/g, '_')
