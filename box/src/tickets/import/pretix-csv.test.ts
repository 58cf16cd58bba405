import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NO_DETAILS } from '../details.ts'
import { type ReadOptions, readTickets } from './read.ts'

const EVENT: ReadOptions = {
  format: 'auto',
  tiers: [
    { id: 'day', name: 'Festival' },
    { id: 'camp', name: 'Festival – with camping' },
  ],
  tierMap: {},
  timezone: 'Europe/Berlin',
}
const HEADER = [
  'Order code;Attendee name;Attendee name: Given name;Attendee name: Family name;Product;Price;Checked in;Checked out',
  'Automatically checked in;Paid;Secret;E-mail;Company;Voucher code;Order date;Requires special attention;Comment',
  'Seat ID;Seat name;Seat zone;Seat row;Seat number',
].join(';')
const row = (product: string, secret: string, { paid = 'Yes', checkedIn = '' } = {}) =>
  `AB3CD;Jo Berg;Jo;Berg;${product};23.00;${checkedIn};;No;${paid};${secret};jo@example.org;;;2026-05-01;No;;s-1;Stand, row 4, seat 2;Stand;4;2`
const read = (...lines: string[]) => readTickets(Buffer.from(`\ufeff${lines.join('\r\n')}\r\n`), EVENT)

describe('a pretix check-in list', () => {
  it('is recognised, and its secret is the code', async () => {
    const { format, rows } = await read(HEADER, row('Festival', 'k3n7uw'))
    assert.equal(format, 'pretix')
    assert.deepEqual(rows, [
      {
        row: 2,
        code: 'k3n7uw',
        tier: 'day',
        seat: 'Stand, row 4, seat 2',
        holderName: 'Jo Berg',
        email: 'jo@example.org',
        validFrom: null,
        validUntil: null,
        status: 'valid',
        detail: null,
        details: { ...NO_DETAILS, product: 'Festival', orderCode: 'AB3CD', price: '23.00' },
      },
    ])
  })

  it('puts a variation on its own tier, or on that of the product', async () => {
    const { rows } = await read(HEADER, row('Festival – with camping', 'a'), row('Festival – Saturday', 'b'))
    assert.deepEqual(
      rows.map(({ tier }) => tier),
      ['camp', 'day'],
    )
  })

  it('knows who has not paid and who is checked in, and says what it does not know', async () => {
    const { rows, warnings } = await read(
      HEADER,
      row('Festival', 'a', { paid: 'No' }),
      row('Festival', 'b', { checkedIn: '07/04/2026 6 p.m.' }),
    )
    assert.deepEqual(
      rows.map(({ status, detail }) => [status, detail]),
      [
        ['pending', 'not paid in pretix'],
        ['valid', null],
      ],
    )
    assert.match(warnings[0] ?? '', /no blocked and no cancelled tickets/)
    assert.match(warnings[1] ?? '', /^Row 3: .* already checked in/)
  })

  it('without the secret is refused, with what to tick', () =>
    assert.rejects(
      read('Order code;Attendee name;Product;Price;Checked in;E-mail', 'AB3CD;Jo;Festival;23.00;;jo@example.org'),
      /no column "Secret": .* "Include QR-code secret" ticked/,
    ))

  it('in another language is refused, with what to choose', () =>
    assert.rejects(read('Bestellnummer;Name;Produkt;Geheimnis', 'AB3CD;Jo;Festival;a'), /export it in English/))
})
