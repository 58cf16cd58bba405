import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { type ReadOptions, readTickets } from './read.ts'

const EVENT: ReadOptions = {
  format: 'auto',
  tiers: [
    { id: 'day', name: 'Day ticket' },
    { id: 'vip', name: 'Backstage' },
  ],
  tierMap: {},
  timezone: 'Europe/Berlin',
}
const read = (json: unknown, options: Partial<ReadOptions> = {}) =>
  readTickets(Buffer.from(JSON.stringify(json)), { ...EVENT, tierMap: { 'item:1': 'day' }, ...options })

let made = 0
const position = (fields: object = {}) => ({ id: ++made, positionid: 1, item: 1, secret: `s${made}`, ...fields })
const order = (fields: object = {}, ...positions: object[]) => ({
  code: 'AB3CD',
  status: 'p',
  email: 'jo@example.org',
  positions: positions.length > 0 ? positions : [position()],
  ...fields,
})

const ITEMS = {
  count: 3,
  next: null,
  results: [
    {
      id: 1,
      name: { de: 'Tagesticket', en: 'Day ticket' },
      admission: true,
      variations: [
        { id: 11, value: { en: 'Regular' } },
        { id: 12, value: { en: 'Sponsor' } },
      ],
    },
    { id: 2, name: { en: 'T-shirt' }, admission: false, variations: [] },
    { id: 3, name: { en: 'Workshop' }, admission: true, variations: [] },
  ],
}

describe('what pretix JSON may be', () => {
  const one = () => order({}, position())
  const page = (...orders: object[]) => ({ count: orders.length, next: null, previous: null, results: orders })
  for (const [name, json, count] of [
    ['one order', one(), 1],
    ['a list of orders', [one(), one()], 2],
    ['a page', page(one(), one(), one()), 3],
    ['a list of pages', [page(one(), one()), page(one())], 3],
    ['the export "Order data (JSON)"', { event: { items: [], orders: [one(), one()] } }, 2],
  ] as const) {
    it(name, async () => {
      const { format, rows } = await read(json)
      assert.deepEqual([format, rows.length], ['pretix', count])
      assert.deepEqual(
        rows.map(({ row }) => row),
        Array.from({ length: count }, (_, n) => n + 1),
      )
    })
  }

  for (const [name, json, message] of [
    ['items alone', ITEMS, /no orders/],
    ['positions', [position()], /Entry 1 .* not a pretix order/],
    ['an order among other things', [one(), 'x'], /Entry 2 .* not a pretix order/],
    ['an empty page', page(), /no orders/],
    ['orders without positions', [{ status: 'c', positions: [] }], /no ticket/],
  ] as const) {
    it(`not ${name}`, () => assert.rejects(read(json), message))
  }

  it('a page of several is read, and says that there are more', async () => {
    const { rows, warnings } = await read({ count: 120, next: 'https://pretix.example/?page=2', results: [one()] })
    assert.equal(rows.length, 1)
    assert.match(warnings[0] ?? '', /one page of several/)
  })

  it('all pages together do not', async () => {
    const [first, last] = [one(), one()]
    const pages = [
      { count: 2, next: 'https://pretix.example/?page=2', results: [first] },
      { count: 2, next: null, results: [last] },
    ]
    assert.deepEqual((await read(pages)).warnings, [])
  })
})

describe('who may enter', () => {
  for (const [what, orderFields, positionFields, status, detail] of [
    ['paid', { status: 'p' }, {}, 'valid', null],
    ['pending', { status: 'n' }, {}, 'pending', 'not paid in pretix'],
    ['pending, valid all the same', { status: 'n', valid_if_pending: true }, {}, 'valid', null],
    [
      'not approved',
      { status: 'n', valid_if_pending: true, require_approval: true },
      {},
      'pending',
      'not approved by the organiser in pretix, and not paid',
    ],
    [
      'expired',
      { status: 'e', valid_if_pending: true },
      {},
      'revoked',
      'the order expired in pretix before it was paid',
    ],
    ['cancelled', { status: 'c' }, {}, 'revoked', 'cancelled in pretix'],
    ['refunded, in an old version', { status: 'r' }, {}, 'revoked', 'refunded in pretix'],
    ['cancelled alone', { status: 'p' }, { canceled: true }, 'revoked', 'cancelled in pretix'],
    [
      'blocked',
      { status: 'p' },
      { blocked: ['admin', 'api:theft'] },
      'blocked',
      'blocked in pretix (admin, api:theft)',
    ],
    ['not blocked', { status: 'p' }, { blocked: [] }, 'valid', null],
    ['cancelled and blocked', { status: 'c' }, { blocked: ['admin'] }, 'revoked', 'cancelled in pretix'],
    ['blocked and not paid', { status: 'n' }, { blocked: ['admin'] }, 'blocked', 'blocked in pretix (admin)'],
  ] as const) {
    it(what, async () => {
      const { rows } = await read(order(orderFields, position(positionFields)))
      assert.deepEqual([rows[0]?.status, rows[0]?.detail], [status, detail])
    })
  }

  it('within its validity', async () => {
    const { rows } = await read(
      order({}, position({ valid_from: '2026-07-04T16:00:00+02:00', valid_until: '2026-07-05T00:00:00.000Z' })),
    )
    assert.deepEqual(
      [rows[0]?.validFrom, rows[0]?.validUntil],
      ['2026-07-04T14:00:00.000Z', '2026-07-05T00:00:00.000Z'],
    )
  })

  for (const [what, orderFields, positionFields, reason] of [
    ['an unknown status', { status: 'x' }, {}, /status "x" is not known/],
    ['no secret', {}, { secret: undefined }, /has no secret/],
    ['a secret that is not text', {}, { secret: 7 }, /has no secret/],
    ['no item', {}, { item: null }, /names no item/],
    ['a validity that is not a date', {}, { valid_until: 'soon' }, /valid_until "soon" is not a date/],
    ['a validity that is a number', {}, { valid_from: 1783180800 }, /valid_from is not a date/],
  ] as const) {
    it(`rejects ${what}`, async () => {
      const { rejected } = await read(order(orderFields, position(positionFields)))
      assert.match(rejected[0]?.reason ?? '', reason)
    })
  }
})

describe('products', () => {
  const tierOf = async (fields: object, options: Partial<ReadOptions> = {}) => {
    const report = await read(order({}, position(fields)), { tierMap: {}, ...options })
    return report.rows[0]?.tier ?? report.rejected[0]?.reason ?? report.warnings[0]
  }

  it('have numbers alone, unless their names are given', async () => {
    assert.equal(
      await tierOf({}),
      '"item:1" fits no ticket type: add --tier "item:1=<tier>" with one of day, vip, or --tier "item:1=" if it is not a ticket.',
    )
    assert.match(String(await tierOf({ item: 3 }, { others: [ITEMS] })), /^"item:3" \("Workshop"\) fits no ticket type/)
    assert.equal(await tierOf({}, { others: [ITEMS] }), 'day')
    assert.equal(await tierOf({}, { others: [ITEMS.results] }), 'day')
    assert.equal(await tierOf({}, { others: [ITEMS.results[0]] }), 'day')
  })

  it('are mapped by number, by name in any language, and by variation', async () => {
    assert.equal(await tierOf({}, { tierMap: { 'item:1': 'vip' } }), 'vip')
    assert.equal(await tierOf({}, { tierMap: { tagesticket: 'vip' }, others: [ITEMS] }), 'vip')
    const tierMap = { 'item:1/12': 'vip', 'item:1': 'day' }
    assert.equal(await tierOf({ variation: 11 }, { tierMap }), 'day')
    assert.equal(await tierOf({ variation: 12 }, { tierMap }), 'vip')
    const named = { tierMap: { 'Day ticket - Sponsor': 'vip' }, others: [ITEMS] }
    assert.equal(await tierOf({ variation: 11 }, named), 'day')
    assert.equal(await tierOf({ variation: 12 }, named), 'vip')
  })

  it('come with their names in the export "Order data (JSON)"', async () => {
    const items = [{ id: 1, name: 'Backstage', admission: true, variations: [] }]
    const { rows, warnings } = await read({ event: { items, orders: [order()] } }, { tierMap: {} })
    assert.equal(rows[0]?.tier, 'vip')
    assert.match(warnings[0] ?? '', /no blocked and no cancelled tickets/)
  })

  it('that nobody enters with are left out, unless they are mapped', async () => {
    const shirt = () => order({}, position(), position({ item: 2 }))
    const { rows, read: count, leftOut, warnings } = await read(shirt(), { tierMap: {}, others: [ITEMS] })
    assert.deepEqual([rows.length, count, leftOut], [1, 1, 1])
    assert.equal(
      warnings[0],
      'Row 2: "T-shirt" is not an admission product and fits no ticket type, so it was left out: add --tier "item:2=<tier>" if people enter with it.',
    )
    const mapped = await read(shirt(), { tierMap: { 'T-shirt': 'vip' }, others: [ITEMS] })
    assert.deepEqual(
      mapped.rows.map(({ tier }) => tier),
      ['day', 'vip'],
    )
  })

  it('an add-on has its own code: it is a ticket where it fits a tier, and else left out', async () => {
    const parent = position({
      attendee_name: '',
      attendee_name_parts: { _scheme: 'given_family', given_name: 'Ada', family_name: 'Holm' },
      attendee_email: 'ada@example.org',
    })
    const addon = position({ positionid: 2, item: 9, addon_to: parent.id })
    const left = await read(order({}, parent, addon))
    assert.deepEqual([left.rows.length, left.leftOut], [1, 1])
    assert.match(left.warnings[0] ?? '', /^Row 2: "item:9" is an add-on and fits no ticket type/)

    const { rows } = await read(order({}, parent, addon), { tierMap: { 'item:1': 'day', 'item:9': 'vip' } })
    assert.deepEqual(
      rows.map(({ tier, holderName, email }) => [tier, holderName, email]),
      [
        ['day', 'Ada Holm', 'ada@example.org'],
        ['vip', 'Ada Holm', 'ada@example.org'],
      ],
    )
  })
})

describe('people and seats', () => {
  for (const [what, fields, expected] of [
    ['whole', { attendee_name: 'Jo Berg' }, 'Jo Berg'],
    ['in one part', { attendee_name: null, attendee_name_parts: { _scheme: 'full', full_name: 'Jo Berg' } }, 'Jo Berg'],
    ['in parts', { attendee_name_parts: { title: 'Dr', given_name: 'Jo', family_name: 'Berg' } }, 'Dr Jo Berg'],
    ['missing', { attendee_name: '', attendee_name_parts: { _scheme: 'given_family' } }, null],
  ] as const) {
    it(`a name ${what}`, async () =>
      assert.equal((await read(order({}, position(fields)))).rows[0]?.holderName, expected))
  }

  it('an e-mail of the attendee, else of the order', async () => {
    const { rows } = await read(order({}, position({ attendee_email: 'own@example.org' }), position()))
    assert.deepEqual(
      rows.map(({ email }) => email),
      ['own@example.org', 'jo@example.org'],
    )
  })

  for (const [seat, expected] of [
    [{ id: 3, name: 'Stand A, row 4, seat 2', seat_guid: 'a-4-2' }, 'Stand A, row 4, seat 2'],
    [{ seat_guid: 'a-4-2' }, 'a-4-2'],
    ['a-4-2', 'a-4-2'],
    [null, null],
  ] as const) {
    it(`the seat ${JSON.stringify(seat)}`, async () =>
      assert.equal((await read(order({}, position({ seat })))).rows[0]?.seat, expected))
  }
})

describe('what the organiser should know', () => {
  for (const [what, json, warning] of [
    ['test mode', order({ testmode: true }), /^Row 1: The order was made in pretix in test mode/],
    ['earlier check-ins', order({}, position({ checkins: [{ list: 1 }] })), /^Row 1: .* already checked in/],
    ['positions that pretix hides', order({}, position({ positionid: 2 })), /include_canceled_positions=true/],
    [
      'several dates of a series',
      order({}, position({ subevent: 1 }), position({ subevent: 2 })),
      /2 dates of an event series/,
    ],
  ] as const) {
    it(what, async () => {
      const { warnings } = await read(json)
      assert.equal(warnings.length, 1)
      assert.match(warnings[0] ?? '', warning)
    })
  }

  it('nothing, where cancelled positions are in the file and there is one date', async () => {
    const json = order({}, position({ positionid: 3, subevent: 1 }), position({ canceled: true, subevent: 1 }))
    assert.deepEqual((await read(json)).warnings, [])
  })
})

const FIXTURES = new URL('../../../../../shared/fixtures/pretix/', import.meta.url)
const skip = existsSync(FIXTURES) ? false : 'the pretix fixtures are not here'

describe('the orders of libpretixsync', { skip }, () => {
  const json = (path: string): unknown => JSON.parse(readFileSync(new URL(path, FIXTURES), 'utf8'))
  const products = ['item:1', 'item:2', 'item:3', 'item:42', 'item:214', 'item:215']
  const tierMap = Object.fromEntries(products.map((item) => [item, 'day']))

  const NO = { pending: 'not paid in pretix', revoked: 'cancelled in pretix' }
  const expected: Record<string, (string | null)[]> = {
    'event2-order1.json': [null, null, null],
    'order1-modified.json': [null, null, null],
    'order1.json': [null, null, null],
    'order10.json': [null],
    'order2.json': [NO.pending, NO.pending],
    'order3.json': [NO.pending, NO.pending],
    'order4.json': [null, null],
    'order5.json': Array(2).fill('not approved by the organiser in pretix, and not paid'),
    'order6.json': [NO.revoked, NO.revoked],
    'order7.json': [null, null],
    'order8.json': [null, null],
    'order9.json': [null, 'blocked in pretix (admin)', null, null],
    'rmevent1-order1.json': Array(8).fill(null),
    'rmevent2-order1.json': Array(8).fill(null),
  }

  it('are all expected', () =>
    assert.deepEqual(readdirSync(new URL('orders/', FIXTURES)).sort(), Object.keys(expected)))

  for (const [name, details] of Object.entries(expected)) {
    it(`${name}: who may enter, and why the others may not`, async () => {
      const { rows, rejected } = await read(json(`orders/${name}`), { tierMap })
      assert.deepEqual(rejected, [])
      assert.deepEqual(
        rows.map(({ detail }) => detail),
        details,
      )
      assert.deepEqual(
        rows.map(({ status }) => status === 'valid'),
        details.map((detail) => detail === null),
      )
    })
  }

  it('order9.json: from when and until when', async () => {
    const { rows } = await read(json('orders/order9.json'), { tierMap })
    const day = '2023-03-04T00:00:00.000Z'
    assert.deepEqual(
      rows.map(({ validFrom, validUntil }) => [validFrom, validUntil]),
      [
        [null, null],
        [null, null],
        [null, day],
        [day, null],
      ],
    )
  })

  it('order8.json: the add-on bears the name of whom it belongs to', async () => {
    const { rows } = await read(json('orders/order8.json'), { tierMap })
    assert.ok(rows[0]?.holderName)
    assert.equal(rows[1]?.holderName, rows[0].holderName)
  })

  it('together, with the names of their products: merchandise is left out, an order twice is named', async () => {
    const event1 = readdirSync(new URL('orders/', FIXTURES)).filter((name) => name.startsWith('order'))
    const orders = event1.map((name) => json(`orders/${name}`))
    const others = ['item1', 'item2', 'item3'].map((name) => json(`items/${name}.json`))
    const report = await read(orders, { tierMap: { 'Regular ticket': 'day' }, others })
    // 25 positions: 10 of item 1 and 1 of item 42 are tickets, 14 of item 2 are not
    assert.deepEqual([report.read, report.rows.length, report.leftOut], [11, 10, 14])
    assert.deepEqual(
      report.rejected.map(({ reason }) => reason),
      ['Row 1 has the same code: remove one of the two.'],
    )
    assert.match(report.warnings.join('\n'), /"Merch" is not an admission product and fits no ticket type/)
    assert.match(report.warnings.join('\n'), /"Merch" is an add-on and fits no ticket type/)
  })

  it('without names: the report says which mappings to add', async () => {
    const { rows, rejected } = await read(json('orders/rmevent1-order1.json'), { tierMap: {} })
    assert.equal(rows.length, 0)
    assert.equal(rejected.length, 8)
    assert.match(rejected[0]?.reason ?? '', /add --tier "item:214=<tier>"/)
  })
})
