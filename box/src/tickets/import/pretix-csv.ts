import { sentence } from './row.ts'
import { CHECKED_IN, type CsvFormat, isYes, missing, named, soldAs, unknownStatus } from './table.ts'

/**
 * The check-in list of pretix as CSV, in English. The printed code is in `Secret`, a column that has to be ticked. It says less
 * than the API: no blocks, no validity, no cancelled tickets, and no pending tickets that are valid.
 */
export const pretixCsv: CsvFormat = {
  // A gatehouse CSV may spell its `order_code` so.
  recognises: (columns) =>
    columns.has('order code') && columns.has('product') && !(columns.has('code') && columns.has('tier')),

  open(columns, warn) {
    if (!columns.has('secret')) {
      missing(
        'pretix',
        'Secret',
        'export the check-in list again with "Include QR-code secret" ticked and pretix set to English, or import the orders as JSON.',
        'column_secret',
      )
    }
    if (!columns.has('product'))
      missing('pretix', 'Product', 'export the check-in list again with pretix set to English.')
    warn(
      sentence(
        'pretix_list',
        'A pretix check-in list has no blocked and no cancelled tickets and no validity times: import the orders as JSON from the API where these matter.',
      ),
    )
    const code = columns.cell('secret')
    const product = columns.cell('product')
    const hasPaid = columns.has('paid')
    const paid = columns.cell('paid')
    const checkedIn = columns.cell('checked in')
    const name = columns.cell('attendee name')
    const email = columns.cell('e-mail')
    const seatName = columns.cell('seat name')
    const seatId = columns.cell('seat id')
    const orderCode = columns.cell('order code')
    const price = columns.cell('price')
    const company = columns.cell('company')
    const phone = columns.cell('phone number')
    const attention = columns.cell('requires special attention')
    const note = columns.cell('check-in text')
    return (cells) => {
      const answer = hasPaid ? paid(cells).trim().toLowerCase() : 'yes'
      if (answer !== 'yes' && answer !== 'no') return unknownStatus(paid(cells), 'Yes, No')
      const sold = product(cells)
      // pretix writes "product – variation"; the tier may be called like the product alone.
      const [item = sold] = sold.split(' – ')
      return {
        code: code(cells),
        product: named(sold, item),
        seat: seatName(cells).trim() || seatId(cells),
        holderName: name(cells),
        email: email(cells),
        status: answer === 'yes' ? 'valid' : 'pending',
        detail: answer === 'yes' ? '' : 'not paid in pretix',
        details: {
          ...soldAs(sold),
          orderCode: orderCode(cells),
          price: price(cells),
          attention: isYes(attention(cells)),
          personal: { company: company(cells), phone: phone(cells), note: note(cells) },
        },
        notes: checkedIn(cells).trim() === '' ? [] : CHECKED_IN,
      }
    }
  },
}
