import { sentence } from './row.ts'
import { CHECKED_IN, type CsvFormat, fullName, missing, named, soldAs } from './table.ts'

/** Column names: of the database, in English, and as they are exported where a translation is missing. */
const CODE = ['private_reference_number', 'private reference number', 'ticket.id', 'ticket id'] as const
const TICKET = ['ticket title', 'ticket type', 'ticket.ticket_type', 'title', 'ticket'] as const
const ORDER = ['order_reference', 'order reference', 'order.order_ref', 'order ref.', 'reference'] as const
const ARRIVED = ['has_arrived', 'has arrived', 'attendee.has_arrived'] as const

/** The attendee export of Attendize, saved as CSV. The printed code is the private reference number, 15 digits. */
export const attendize: CsvFormat = {
  recognises: (columns) => columns.has(...CODE) && columns.has(...ORDER) && columns.has(...TICKET),

  open(columns, warn) {
    if (!columns.has(...CODE)) {
      missing(
        'Attendize',
        'private_reference_number',
        'it is what the ticket shows, so export the attendees of the event again, in English, as CSV.',
      )
    }
    if (!columns.has(...TICKET)) missing('Attendize', 'ticket title', 'export the attendees again, in English, as CSV.')
    warn(
      sentence(
        'cancelled_left_out',
        'Attendize leaves cancelled tickets out of its export: revoke those that were imported before by hand.',
      ),
    )
    const code = columns.cell(...CODE)
    const ticket = columns.cell(...TICKET)
    const arrived = columns.cell(...ARRIVED)
    const first = columns.cell('first_name', 'first name')
    const last = columns.cell('last_name', 'last name')
    const email = columns.cell('email')
    const order = columns.cell(...ORDER)
    return (cells) => ({
      code: code(cells),
      product: named(ticket(cells)),
      holderName: fullName(first(cells), last(cells)),
      email: email(cells),
      details: { ...soldAs(ticket(cells)), orderCode: order(cells) },
      status: 'valid',
      notes: arrived(cells).trim().toLowerCase() === 'yes' ? CHECKED_IN : [],
    })
  },
}
