import { CHECKED_IN, type CsvFormat, fullName, missing, named, type Statuses, soldAs, unknownStatus } from './table.ts'

const STATUS: Statuses = new Map([
  ['active', { status: 'valid' }],
  ['awaiting_payment', { status: 'pending', detail: 'not paid at Hi.Events' }],
  ['cancelled', { status: 'revoked', detail: 'cancelled at Hi.Events' }],
])

/** The attendee export of Hi.Events, in English. The printed code is the public id (`A-...`). */
export const hievents: CsvFormat = {
  recognises: (columns) =>
    columns.has('public id') && columns.has('product name', 'product id', 'ticket name', 'ticket id'),

  open(columns) {
    if (!columns.has('public id')) {
      missing('Hi.Events', 'Public ID', 'it is what the ticket shows, so export the attendees again, in English.')
    }
    if (!columns.has('product name', 'ticket name')) {
      missing('Hi.Events', 'Product Name', 'export the attendees again, in English.')
    }
    if (!columns.has('status')) missing('Hi.Events', 'Status', 'export the attendees again, in English.')
    const code = columns.cell('public id')
    const product = columns.cell('product name', 'ticket name')
    const status = columns.cell('status')
    const checkIns = columns.cell('check ins', 'is checked in')
    const first = columns.cell('first name')
    const last = columns.cell('last name')
    const email = columns.cell('email')
    const order = columns.cell('order public id', 'order id')
    const price = columns.cell('price')
    return (cells) => {
      const known = STATUS.get(status(cells).trim().toLowerCase())
      if (!known) return unknownStatus(status(cells), 'ACTIVE, AWAITING_PAYMENT, CANCELLED')
      const inside = !['', '0', 'no'].includes(checkIns(cells).trim().toLowerCase())
      return {
        code: code(cells),
        product: named(product(cells)),
        holderName: fullName(first(cells), last(cells)),
        email: email(cells),
        details: { ...soldAs(product(cells)), orderCode: order(cells), price: price(cells) },
        notes: inside ? CHECKED_IN : [],
        ...known,
      }
    }
  },
}
