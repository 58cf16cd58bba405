import type { ShopDetails } from './row.ts'
import { plainText, quoted, sentence } from './row.ts'
import { type CsvFormat, isYes, missing, named, type Statuses, soldAs, unknownStatus } from './table.ts'

const GATE = ['code', 'tier', 'seat', 'holder_name', 'email', 'valid_from', 'valid_until', 'status'] as const
const DETAILS = [
  'order_code',
  'position',
  'addon_to',
  'product',
  'price',
  'company',
  'phone',
  'note',
  'attention',
] as const
const COLUMNS: readonly string[] = [...GATE, ...DETAILS]

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
 * Gatehouse's own CSV: `code, tier, seat, holder_name, email, valid_from, valid_until, status`, and what the shop says beyond that,
 * `order_code, position, addon_to, product, price, company, phone, note, attention`, in any order, of which only `code`
 * and `tier` are required. `position` and `addon_to` are numbers within the order. Dates are ISO 8601. Without an offset they are in the event's time zone; a date without a time is the
 * beginning of that day in `valid_from`, and its end in `valid_until`.
 */
export const gatehouse: CsvFormat = {
  recognises: (columns) => columns.has('code') && columns.has('tier'),

  open(columns, warn) {
    for (const column of ['code', 'tier']) {
      if (!columns.has(column))
        missing('gatehouse', column, 'add it; a ticket needs at least "code" and "tier".', 'column_needed')
    }
    const unused = columns.names.filter((name) => !COLUMNS.includes(spelt(name)))
    if (unused.length > 0) {
      warn(
        sentence(
          'columns_unused',
          `Not used: ${unused.map((name) => quoted(name)).join(', ')}. The columns of a gatehouse CSV are ${COLUMNS.join(', ')}.`,
          {
            columns: unused.map((name) => plainText(name)).join(', '),
            known: COLUMNS.join(', '),
          },
        ),
      )
    }
    const cell = (column: (typeof GATE)[number] | (typeof DETAILS)[number]) =>
      columns.cell(...columns.names.map(lower).filter((name) => spelt(name) === column))
    const code = cell('code')
    const tier = cell('tier')
    const seat = cell('seat')
    const holderName = cell('holder_name')
    const email = cell('email')
    const validFrom = cell('valid_from')
    const validUntil = cell('valid_until')
    const status = cell('status')
    const detailsOf = columns.names.some((name) => DETAILS.some((column) => column === spelt(name))) && details(cell)
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
        ...(detailsOf && { details: detailsOf(cells) }),
        ...known,
      }
    }
  },
}

/** Reads what the shop says beyond what a gate needs. */
function details(cell: (column: (typeof DETAILS)[number]) => (cells: readonly string[]) => string) {
  const [orderCode, product, price] = [cell('order_code'), cell('product'), cell('price')]
  const [position, addonTo, attention] = [cell('position'), cell('addon_to'), cell('attention')]
  const [company, phone, note] = [cell('company'), cell('phone'), cell('note')]
  return (cells: readonly string[]): ShopDetails => ({
    ...soldAs(product(cells)),
    orderCode: orderCode(cells),
    ...numbered('position', position(cells)),
    ...numbered('addonTo', addonTo(cells)),
    price: price(cells),
    attention: isYes(attention(cells)),
    personal: { company: company(cells), phone: phone(cells), note: note(cells) },
  })
}

function numbered(name: 'position' | 'addonTo', cell: string): Pick<ShopDetails, 'position' | 'addonTo'> {
  return /^\s*\d{1,9}\s*$/.test(cell) ? { [name]: Number(cell) } : {}
}

const lower = (text: string) => text.trim().toLowerCase()

/** Also accepts spellings such as `Holder name` and `valid-from`. */
const spelt = (column: string) => lower(column).replace(/[ -]/g, '_')
