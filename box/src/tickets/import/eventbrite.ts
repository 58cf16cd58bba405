import { plainText, quoted, sentence } from './row.ts'
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
  ['attending', { status: 'valid' }],
  ['checked in', { status: 'valid', notes: CHECKED_IN }],
  ['unpaid', { status: 'pending', detail: 'not paid at Eventbrite' }],
  ['pending', { status: 'pending', detail: 'not paid at Eventbrite' }],
  ['not attending', { status: 'revoked', detail: 'cancelled at Eventbrite' }],
  ['cancelled', { status: 'revoked', detail: 'cancelled at Eventbrite' }],
  ['canceled', { status: 'revoked', detail: 'cancelled at Eventbrite' }],
  ['refunded', { status: 'revoked', detail: 'refunded at Eventbrite' }],
  ['refunded/canceled', { status: 'revoked', detail: 'refunded at Eventbrite' }],
  ['deleted', { status: 'revoked', detail: 'deleted at Eventbrite' }],
  ['transferred', { status: 'revoked', detail: 'transferred at Eventbrite to another ticket' }],
])

/** Eventbrite's attendee report, in English. The printed code is the barcode number, a column that has to be added to it. */
export const eventbrite: CsvFormat = {
  recognises: (columns) =>
    columns.has('ticket type') && columns.has('order #', 'attendee #', 'attendee status', 'barcode #'),

  open(columns, warn) {
    if (!columns.has('barcode #', 'barcode')) {
      missing(
        'Eventbrite',
        'Barcode #',
        'it is what the ticket shows, so add that column to the attendee report (not the orders report) at Eventbrite, and export it again.',
        'column_barcode',
      )
    }
    if (!columns.has('ticket type'))
      missing('Eventbrite', 'Ticket Type', 'export the attendee report with it.', 'column_absent')
    const hasStatus = columns.has('attendee status')
    if (!hasStatus) {
      warn(
        sentence(
          'no_status_column',
          'There is no column "Attendee Status", so refunded tickets cannot be told and all count as valid.',
          { column: 'Attendee Status' },
        ),
      )
    }
    const code = columns.cell('barcode #', 'barcode')
    const ticketType = columns.cell('ticket type')
    const quantity = columns.cell('quantity')
    const status = columns.cell('attendee status')
    const first = columns.cell('first name')
    const last = columns.cell('last name', 'surname')
    const email = columns.cell('email', 'email address')
    const order = columns.cell('order #')
    const paid = columns.cell('total paid')
    const currency = columns.cell('currency')
    const company = columns.cell('company')
    const phone = columns.cell('cell phone', 'mobile phone', 'home phone', 'work phone')
    return (cells) => {
      const known = hasStatus ? STATUS.get(status(cells).trim().toLowerCase()) : { status: 'valid' as const }
      if (!known) return unknownStatus(status(cells), 'Attending, Checked In, Not Attending, Refunded, Deleted, Unpaid')
      const people = quantity(cells).trim()
      if (people !== '' && Number(people) !== 1) {
        return sentence(
          'quantity',
          `The quantity is ${quoted(people)}, but one barcode admits one person: export the attendee report, which has a row for each.`,
          { quantity: plainText(people) },
        )
      }
      return {
        code: code(cells),
        product: named(ticketType(cells)),
        holderName: fullName(first(cells), last(cells)),
        email: email(cells),
        details: {
          ...soldAs(ticketType(cells)),
          orderCode: order(cells),
          price: priceOf(paid(cells), currency(cells)),
          personal: { company: company(cells), phone: phone(cells) },
        },
        ...known,
      }
    }
  },
}
