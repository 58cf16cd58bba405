import { sentence } from './row.ts'
import {
  CHECKED_IN,
  type CsvFormat,
  fullName,
  missing,
  named,
  priceOf,
  type Statuses,
  soldAs,
  unknownStatus,
} from './table.ts'

const STATUS: Statuses = new Map([
  ['acquired', { status: 'valid' }],
  ['checked_in', { status: 'valid', notes: CHECKED_IN }],
  ['to_be_paid', { status: 'pending', detail: 'to be paid on site' }],
  ['pending', { status: 'pending', detail: 'not paid at alf.io' }],
  ['cancelled', { status: 'revoked', detail: 'cancelled at alf.io' }],
  ['released', { status: 'revoked', detail: 'given back at alf.io' }],
  ['expired', { status: 'revoked', detail: 'expired at alf.io' }],
  ['invalidated', { status: 'revoked', detail: 'invalidated at alf.io' }],
])

/**
 * The attendee export of alf.io, with one more column. An alf.io code is `ID/signature`, and the export has only the ID: its
 * tickets would be imported without an error, and the gate would refuse all of them. So this requires a column `Code` with the
 * printed text, and compares it with the ID.
 */
export const alfio: CsvFormat = {
  recognises: (columns) =>
    columns.has('id') && columns.has('category') && columns.has('reservationid', 'event') && columns.has('status'),

  open(columns) {
    for (const column of ['ID', 'Category', 'Status']) {
      if (!columns.has(column.toLowerCase()))
        missing('alf.io', column, 'choose it among the fields, and export again.', 'column_absent')
    }
    if (!columns.has('code')) {
      missing(
        'alf.io',
        'Code',
        'alf.io prints ID/signature on its tickets and exports the ID alone, so add a column "Code" with the full text of each QR code.',
        'column_full_code',
      )
    }
    const id = columns.cell('id')
    const code = columns.cell('code')
    const category = columns.cell('category')
    const status = columns.cell('status')
    const full = columns.cell('full name')
    const first = columns.cell('first name')
    const last = columns.cell('last name')
    const email = columns.cell('e-mail')
    const reservation = columns.cell('reservationid')
    const paid = columns.cell('paidprice')
    const currency = columns.cell('currency')
    return (cells) => {
      const known = STATUS.get(status(cells).trim().toLowerCase())
      if (!known) return unknownStatus(status(cells), 'ACQUIRED, CHECKED_IN, TO_BE_PAID, CANCELLED')
      const printed = code(cells).trim()
      const start = `${id(cells).trim()}/`
      if (start === '/' || !printed.startsWith(start) || printed.length === start.length) {
        return sentence(
          'qr_incomplete',
          'The code is not the ID, a slash and a signature: copy the full text of the QR code.',
        )
      }
      return {
        code: code(cells),
        product: named(category(cells)),
        holderName: fullName(full(cells)) || fullName(first(cells), last(cells)),
        email: email(cells),
        details: {
          ...soldAs(category(cells)),
          orderCode: reservation(cells),
          price: priceOf(paid(cells), currency(cells)),
        },
        ...known,
      }
    }
  },
}
