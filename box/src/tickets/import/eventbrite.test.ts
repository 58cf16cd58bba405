import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NO_DETAILS } from '../details.ts'
import { type ReadOptions, readTickets } from './read.ts'

const EVENT: ReadOptions = {
  format: 'auto',
  tiers: [
    { id: 'day', name: 'General Admission' },
    { id: 'vip', name: 'VIP' },
  ],
  tierMap: { 'Early Bird': 'day' },
  timezone: 'Europe/Dublin',
}
const HEADER = [
  'Order #,Order Date,First Name,Last Name,Email,Quantity,Price Tier,Ticket Type,Attendee #,Barcode #,Group,Order Type',
  'Currency,Total Paid,Fees Paid,Eventbrite Fees,Eventbrite Payment Processing,Attendee Status,Home City,Status',
].join(',')
/** The last column is a question of the organiser's that is called like one of Eventbrite's. */
const row = (ticket: string, barcode: string, status: string, quantity = '1') =>
  `7010000001,2026-05-01 10:00:00,Maeve,O'Neill,maeve@example.org,${quantity},,${ticket},8010000001,${barcode},,Free Order,EUR,0.00,0.00,0.00,0.00,${status},Cork,Refunded`
const read = (...lines: string[]) => readTickets(Buffer.from(lines.join('\r\n')), EVENT)

describe('an Eventbrite attendee report', () => {
  it('is recognised, and its barcode is the code', async () => {
    const report = await read(HEADER, row('General Admission', '0701000000180100000100', 'Attending'))
    assert.equal(report.format, 'eventbrite')
    assert.deepEqual(report.rows, [
      {
        row: 2,
        code: '0701000000180100000100',
        tier: 'day',
        seat: null,
        holderName: "Maeve O'Neill",
        email: 'maeve@example.org',
        validFrom: null,
        validUntil: null,
        status: 'valid',
        detail: null,
        details: { ...NO_DETAILS, product: 'General Admission', orderCode: '7010000001', price: '0.00 EUR' },
      },
    ])
  })

  for (const [word, status, detail] of [
    ['Attending', 'valid', null],
    ['Checked In', 'valid', null],
    ['Unpaid', 'pending', 'not paid at Eventbrite'],
    ['Not Attending', 'revoked', 'cancelled at Eventbrite'],
    ['Refunded', 'revoked', 'refunded at Eventbrite'],
    ['Deleted', 'revoked', 'deleted at Eventbrite'],
    ['Transferred', 'revoked', 'transferred at Eventbrite to another ticket'],
  ] as const) {
    it(`${word} is ${status}`, async () => {
      const { rows } = await read(HEADER, row('VIP', 'B1', word))
      assert.deepEqual([rows[0]?.status, rows[0]?.detail], [status, detail])
    })
  }

  it('says who is already checked in', async () => {
    const { warnings } = await read(HEADER, row('VIP', 'B1', 'Checked In'), row('Early Bird', 'B2', 'Attending'))
    assert.match(warnings[0] ?? '', /^Row 2: .* already checked in at the shop/)
  })

  it('rejects a quantity over 1, a status nobody knows, and a ticket type nobody mapped', async () => {
    const { rejected } = await read(
      HEADER,
      row('VIP', 'B1', 'Attending', '2'),
      row('VIP', 'B2', 'Teilnehmend'),
      row('Student', 'B3', 'Attending'),
    )
    assert.deepEqual(
      rejected.map((r) => r.row),
      [2, 3, 4],
    )
    assert.match(
      rejected[0]?.reason ?? '',
      /quantity is "2", but one barcode admits one person: export the attendee report/,
    )
    assert.match(rejected[1]?.reason ?? '', /"Teilnehmend" is not known/)
    assert.match(rejected[2]?.reason ?? '', /add --tier "Student=<tier>" with one of day, vip/)
  })

  it('without barcodes is refused, with how to get them', () =>
    assert.rejects(
      read(
        'Order #,First Name,Surname,Email,Quantity,Ticket Type,Attendee Status',
        '1,A,B,c@example.org,1,VIP,Attending',
      ),
      /no column "Barcode #": .* add that column to the attendee report/,
    ))

  it('without a status counts all as valid, and says so', async () => {
    const { rows, warnings } = await read('Order #,First Name,Surname,Ticket Type,Barcode #', '1,Ann,Lee,VIP,B1')
    assert.deepEqual([rows[0]?.holderName, rows[0]?.status], ['Ann Lee', 'valid'])
    assert.match(warnings[0] ?? '', /no column "Attendee Status"/)
  })

  it('that a spreadsheet has opened is caught', async () => {
    const { rejected } = await read(HEADER, row('VIP', '7.01E+21', 'Attending'))
    assert.match(rejected[0]?.reason ?? '', /A spreadsheet wrote the code as a rounded number/)
  })
})
