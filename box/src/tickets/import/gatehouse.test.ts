import assert from 'node:assert/strict'
import { it } from 'node:test'
import { NO_DETAILS } from '../details.ts'
import { type ReadOptions, readTickets } from './read.ts'

const EVENT: ReadOptions = {
  format: 'auto',
  tiers: [
    { id: 'day', name: 'Day ticket' },
    { id: 'vip', name: 'Backstage' },
  ],
  tierMap: {},
  timezone: 'Europe/Lisbon',
}
const read = (...lines: string[]) => readTickets(Buffer.from(lines.join('\n')), EVENT)

it('reads every column', async () => {
  assert.deepEqual(
    await read(
      'code,tier,seat,holder_name,email,valid_from,valid_until,status',
      'HS-0001,day,"A, 12",Ines Duarte,ines@example.org,2026-07-04 16:00,2026-07-05 02:00,valid',
      'HS-0002,Backstage,,,,,,',
    ),
    {
      format: 'gatehouse',
      read: 2,
      leftOut: 0,
      rejected: [],
      warnings: [],
      warned: [],
      products: new Map(),
      rows: [
        {
          row: 2,
          code: 'HS-0001',
          tier: 'day',
          seat: 'A, 12',
          holderName: 'Ines Duarte',
          email: 'ines@example.org',
          validFrom: '2026-07-04T15:00:00.000Z',
          validUntil: '2026-07-05T01:00:00.000Z',
          status: 'valid',
          detail: null,
          details: NO_DETAILS,
        },
        {
          row: 3,
          code: 'HS-0002',
          tier: 'vip',
          seat: null,
          holderName: null,
          email: null,
          validFrom: null,
          validUntil: null,
          status: 'valid',
          detail: null,
          details: NO_DETAILS,
        },
      ],
    },
  )
})

it('columns come in any order and spelling, and unknown ones are named', async () => {
  const { rows, warnings } = await read('Colour,Tier,Holder name,CODE,Valid-Until', 'x,day,Bo,A1,2026-07-04')
  assert.deepEqual(
    rows.map(({ code, holderName, validUntil }) => [code, holderName, validUntil]),
    [['A1', 'Bo', '2026-07-04T22:59:59.999Z']],
  )
  assert.deepEqual(warnings, [
    'Not used: "Colour". The columns of a gatehouse CSV are code, tier, seat, holder_name, email, valid_from, valid_until, status, order_code, position, addon_to, product, price, company, phone, note, attention.',
  ])
})

it('a short row leaves the last columns empty', async () => {
  const { rows } = await read('code,tier,seat,status', 'A1,day', 'A2,day,4')
  assert.deepEqual(
    rows.map(({ code, seat, status }) => [code, seat, status]),
    [['A1', null, 'valid']],
  )
})

for (const [word, status, detail] of [
  ['valid', 'valid', null],
  [' Paid ', 'valid', null],
  ['pending', 'pending', 'not paid'],
  ['UNPAID', 'pending', 'not paid'],
  ['blocked', 'blocked', 'blocked by the organiser'],
  ['revoked', 'revoked', 'revoked by the organiser'],
  ['Cancelled', 'revoked', 'cancelled'],
  ['canceled', 'revoked', 'cancelled'],
  ['refunded', 'revoked', 'refunded'],
] as const) {
  it(`status ${word}`, async () => {
    const { rows } = await read('code,tier,status', `A1,day,${word}`)
    assert.deepEqual([rows[0]?.status, rows[0]?.detail], [status, detail])
  })
}

for (const [what, columns, cells, reason] of [
  ['an unknown status', 'status', 'maybe', /"maybe" is not known: .* valid, pending, blocked, revoked/],
  ['a status that objects give a meaning', 'status', 'constructor', /not known/],
  ['a date in another order', 'valid_from', '04/07/2026', /valid_from "04\/07\/2026" is not a date: write 2026-07-04/],
  ['a day that does not exist', 'valid_until', '2026-06-31', /valid_until "2026-06-31" is not a date/],
  [
    'an end before the beginning',
    'valid_from,valid_until',
    '2026-07-05,2026-07-04',
    /valid_until is before valid_from/,
  ],
] as const) {
  it(`rejects ${what}`, async () => {
    const { rejected } = await read(`code,tier,${columns}`, `A1,day,${cells}`)
    assert.match(rejected[0]?.reason ?? '', reason)
  })
}

it('what the shop says beyond that has columns of its own, of which any may be absent', async () => {
  const { rows, products, warnings } = await read(
    'code,tier,Order code,position,addon-to,product,price,company,phone,note,attention',
    'A1,day,AB3,2,1,Early Bird,23.00 EUR,Berg AS,+351 900,Has the keys,yes',
    'A2,day,,x,-1,,,,,,no',
  )
  assert.deepEqual(warnings, [])
  assert.deepEqual(rows[0]?.details, {
    product: 'Early Bird',
    orderCode: 'AB3',
    position: 2,
    addonTo: 1,
    price: '23.00 EUR',
    attention: 1,
    personal: '{"company":"Berg AS","note":"Has the keys","phone":"+351 900"}',
    extras: null,
  })
  assert.deepEqual(rows[1]?.details, NO_DETAILS)
  assert.deepEqual(JSON.parse(products.get('Early Bird') ?? '').name, 'Early Bird')
})
