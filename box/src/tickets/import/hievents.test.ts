import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NO_DETAILS } from '../details.ts'
import { type ReadOptions, readTickets } from './read.ts'

const EVENT: ReadOptions = {
  format: 'auto',
  tiers: [{ id: 'day', name: 'Day Pass' }],
  tierMap: {},
  timezone: 'Europe/Dublin',
}
const HEADER =
  'ID,First Name,Last Name,Email,Status,Check Ins,Product ID,Product Name,Event ID,Public ID,Short ID,Created Date,Last Updated Date,Notes'
const row = (id: string, status: string, checkIns = '', product = 'Day Pass') =>
  `17,Noor,Haddad,noor@example.org,${status},${checkIns},3,${product},9,${id},a_x1,2026-05-01 10:00:00,2026-05-01 10:00:00,`
const read = (...lines: string[]) => readTickets(Buffer.from(lines.join('\n')), EVENT)

describe('a Hi.Events attendee export', () => {
  it('is recognised, and its public id is the code', async () => {
    const { format, rows } = await read(HEADER, row('A-QW3RTY1', 'ACTIVE'))
    assert.equal(format, 'hievents')
    assert.deepEqual(
      rows.map(({ code, tier, holderName, email }) => [code, tier, holderName, email]),
      [['A-QW3RTY1', 'day', 'Noor Haddad', 'noor@example.org']],
    )
  })

  it('says order and price where it has them', async () => {
    const { rows } = await read(
      `${HEADER},Order Public ID,Price`,
      `${row('A-1', 'ACTIVE')},O-7,23.00`,
      `${row('A-2', 'ACTIVE')},,`,
    )
    const product = 'Day Pass'
    assert.deepEqual(
      rows.map(({ details }) => details),
      [
        { ...NO_DETAILS, product, orderCode: 'O-7', price: '23.00' },
        { ...NO_DETAILS, product },
      ],
    )
  })

  it('has three statuses', async () => {
    const { rows, rejected } = await read(
      HEADER,
      ...['ACTIVE', 'AWAITING_PAYMENT', 'CANCELLED', 'RESERVED'].map((status, n) => row(`A-${n}`, status)),
    )
    assert.deepEqual(
      rows.map(({ status, detail }) => [status, detail]),
      [
        ['valid', null],
        ['pending', 'not paid at Hi.Events'],
        ['revoked', 'cancelled at Hi.Events'],
      ],
    )
    assert.match(rejected[0]?.reason ?? '', /"RESERVED" is not known/)
  })

  it('says who is already checked in', async () => {
    const { warnings } = await read(HEADER, row('A-1', 'ACTIVE', '0'), row('A-2', 'ACTIVE', 'Main gate'))
    assert.match(warnings.join(), /^Row 3: .* already checked in at the shop/)
  })

  it('of an older version is read too', async () => {
    const { format, rows, warnings } = await read(
      'ID,First Name,Last Name,Email,Status,Is Checked In,Checked In At,Ticket ID,Ticket Name,Event ID,Public ID,Short ID',
      '1,Ann,Lee,a@example.org,ACTIVE,No,,3,Day Pass,9,A-1,a_1',
    )
    assert.deepEqual([format, rows[0]?.tier, warnings], ['hievents', 'day', []])
  })
})
