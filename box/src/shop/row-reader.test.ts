import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { TEST_EVENT } from '../../test/world/event.ts'
import { parseEvent } from '../event/event.ts'
import type { Image } from './event.ts'
import { parseMapping } from './mapping.ts'
import { rowReader } from './row-reader.ts'

const parsed = parseEvent(TEST_EVENT)
const event = 'event' in parsed ? parsed.event : assert.fail()
const read = rowReader(event)
const tickets =
  parseMapping(
    `tables:
  public.t:
    key: id
    code: code
    tier: { column: tier, values: { Gold: vip, Mug: "" }, empty: once }
    seat: seat
    holder_name: o.name
    valid_from: from
    valid_until: until
    status:
      - { column: refunded_at, empty: paid, otherwise: refunded }
      - { column: o.state, values: { 1: paid, 2: pending, 3: blocked }, empty: pending }
    where: [{ column: live, in: [true] }, { column: kind, notIn: [null, voucher] }]
    lookups: { o: { table: public.o, key: id, by: o_id } }`,
    'shop.yaml',
    event,
  ).tables.get('public.t')?.tickets ?? assert.fail()

const QUESTIONS = [{ id: 'size', text: 'Size?', kind: 'choice', required: true, options: [{ id: 'l', text: 'Large' }] }]
const detailed =
  parseMapping(
    `tables:
  public.t:
    key: id
    code: code
    tier: { value: once }
    order_code: o.code
    position: positionid
    addon_to: parent_position
    price: { column: price, currency: EUR }
    attention: o.attention
    product: { name: item, variation: variation, attention: heed, note: heed_text, questions: asked }
    company: o.company
    phone: o.phone
    note: o.note
    answers: o.answers
    lookups: { o: { table: public.o, key: id, by: o_id } }`,
    'shop.yaml',
    event,
  ).tables.get('public.t')?.tickets ?? assert.fail()
const DETAILED = {
  ...{ code: 'A-1', positionid: '2', parent_position: '1', price: '23.00' },
  ...{ item: '{"de": "Wochenende", "en": "Weekend"}', variation: 'Child', heed: 'true', heed_text: 'Check the age.' },
  asked: JSON.stringify(QUESTIONS),
}
const DETAILED_ORDER = {
  ...{ code: 'AB12', attention: 't', company: 'Acme', phone: '+351 1', note: ' Has the  keys. ' },
  answers: '{"size": "l"}',
}
const detailsOf = (row: Image, order: Image = {}) => {
  const said = read(detailed, { ...DETAILED, ...row }, new Map([['o', { ...DETAILED_ORDER, ...order }]]))
  return said.is === 'ticket' ? said : assert.fail(JSON.stringify(said))
}

const ROW = { code: 'A-1', tier: 'gold', seat: ' Row\t1 ', live: 't', kind: 'x', refunded_at: null }
const ORDER = { state: '1', name: 'Ana' }
const reading = (row: Image = {}, order: Image | 'waiting' | 'gone' = ORDER) =>
  read(tickets, { ...ROW, ...row }, new Map([['o', order]]))
const fieldsOf = (row: Image, order?: Image) => {
  const said = reading(row, order)
  return said.is === 'ticket' ? said.fields : assert.fail(JSON.stringify(said))
}
const problemOf = (row: Image, order?: Image) => {
  const said = reading(row, order)
  return said.is === 'problem' ? said : assert.fail(JSON.stringify(said))
}

describe('a row of the shop', () => {
  it('is a ticket, with what its columns say', () => {
    const { tier, seat, holderName, status } = fieldsOf({})
    assert.deepEqual(
      { tier, seat, holderName, status },
      { tier: 'vip', seat: 'Row 1', holderName: 'Ana', status: 'valid' },
    )
    assert.equal(fieldsOf({ tier: null }).tier, 'once')
    assert.equal(fieldsOf({ tier: 'Pass' }).tier, 'daily', "by the tier's own name")
    const { validFrom, validUntil } = fieldsOf({ from: '2026-07-04 10:00:00.5+00', until: 'infinity' })
    assert.deepEqual([validFrom, validUntil], [Date.parse('2026-07-04T10:00:00.500Z'), null])
    assert.equal(fieldsOf({ until: '2026-07-04' }).validUntil, Date.parse('2026-07-04T22:59:59.999Z'), 'in Lisbon')
  })

  it('has the strictest of its statuses', () => {
    assert.equal(fieldsOf({}, { ...ORDER, state: '2' }).status, 'pending')
    assert.equal(fieldsOf({ refunded_at: '2026-01-01' }, { ...ORDER, state: '2' }).status, 'revoked')
    assert.equal(fieldsOf({}, { ...ORDER, state: '3' }).status, 'blocked')
    assert.equal(fieldsOf({}, {}).status, 'pending', 'no order: as an outer join has it')
  })

  it('is none where the conditions say so, and gone with its order', () => {
    const none: Image[] = [{ live: 'f' }, { live: null }, { kind: null }, { kind: 'Voucher' }, { tier: 'mug' }]
    for (const row of none) {
      assert.equal(reading(row).is, 'no ticket', JSON.stringify(row))
    }
    assert.equal(reading({}, 'gone').is, 'gone')
    assert.equal(reading({}, 'waiting').is, 'problem')
  })

  it('that cannot be applied says why, and whether it is refused all the same', () => {
    assert.equal(
      problemOf({ tier: 'Silver' }).problem.reason,
      '"Silver" of tier fits no ticket type: add it to the values of tier.',
    )
    assert.equal(problemOf({ tier: 'Silver', refunded_at: 'x' }).refused?.status, 'revoked')
    assert.match(problemOf({}, { state: '9' }).problem.reason, /"9" of o\.state has no meaning/)
    assert.equal(problemOf({ code: null }).problem.kind, 'code')
    assert.equal(problemOf({ code: 'a\ufffdb' }).problem.kind, 'code')
    assert.equal(problemOf({ from: 'soon' }).problem.kind, 'time')
    assert.equal(problemOf({ from: '2026-07-05', until: '2026-07-04' }).problem.kind, 'time')
  })

  it('says what its columns say of order, product and person, and nothing of what no column is named for', () => {
    assert.deepEqual(Object.keys(fieldsOf({})), [
      ...['tier', 'seat', 'holderName', 'email', 'validFrom', 'validUntil', 'status', 'statusDetail'],
    ])
    const whole = detailsOf({})
    assert.deepEqual(whole.fields, {
      ...fieldsOf({}),
      ...{ tier: 'once', seat: null, holderName: null },
      product: 'Weekend, Child',
      orderCode: 'AB12',
      position: 2,
      addonTo: 1,
      price: '23.00 EUR',
      attention: 1,
      personal: '{"answers":{"size":"l"},"company":"Acme","note":"Has the keys.","phone":"+351 1"}',
    })
    assert.deepEqual(JSON.parse(whole.product?.product ?? ''), {
      ...{ name: 'Weekend', variation: 'Child', attention: true, note: 'Check the age.', admission: true },
      questions: QUESTIONS,
    })
    assert.equal(whole.problem, undefined)
    assert.equal(detailsOf({}, { note: null, company: ' ', phone: null, answers: null }).fields.personal, null)
    assert.equal(detailsOf({ item: null }).product, undefined)
  })

  it('that says something unreadable beyond what a gate needs is a ticket without it, and says so', () => {
    for (const [row, reason] of [
      [{ positionid: '-1' }, 'positionid is not a whole number: the ticket is applied without it.'],
      [{ asked: '{"id": 1}' }, 'asked is not a list of questions as JSON: the ticket is applied without it.'],
      [{}, 'o.answers is not an object with a text for each question as JSON: the ticket is applied without it.'],
    ] as const) {
      const { problem, fields } = detailsOf(row, Object.keys(row).length === 0 ? { answers: '[]' } : {})
      assert.deepEqual(problem, { kind: 'detail', reason })
      assert.equal(fields.status, 'valid')
    }
    assert.equal(detailsOf({}, { note: 'x'.repeat(3000) }).problem?.reason, 'A long text was shortened.')
  })

  it('never tells its code, whatever column holds it', () => {
    const text = fc.oneof(fc.constantFrom('SECRET', 'x SECRET y', '', 'Gold', '2026-07-04'), fc.string())
    const some = fc.record({ tier: text, from: text, until: text, seat: text, refunded_at: fc.option(text) })
    fc.assert(
      fc.property(some, text, (row, state) => {
        const said = reading({ ...row, code: 'SECRET' }, { state })
        assert.ok(said.is !== 'problem' || !said.problem.reason.includes('SECRET'))
      }),
    )
  })
})
