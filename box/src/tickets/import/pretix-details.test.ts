/** Details of tickets in the files of pretix. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { Product, TicketPersonal } from '@gatehouse/proto/wire/ticket-details.ts'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { type ReadOptions, readTickets } from './read.ts'

const EVENT: ReadOptions = {
  format: 'auto',
  tiers: [{ id: 'day', name: 'Day ticket' }],
  tierMap: { 'item:1': 'day' },
  timezone: 'Europe/Berlin',
}
const read = (json: unknown, ...others: unknown[]) =>
  readTickets(Buffer.from(JSON.stringify(json)), { ...EVENT, others })

const ORDER = {
  code: 'AB3CD',
  event: 'fair',
  status: 'p',
  email: 'jo@example.org',
  phone: '+351 900 000 001',
  checkin_attention: true,
  checkin_text: 'Has the\nkeys',
  invoice_address: { company: 'Payer Ltd' },
  positions: [
    {
      id: 71,
      positionid: 1,
      item: 1,
      variation: 12,
      secret: 's71',
      price: '23.00',
      company: 'Berg AS',
      answers: [
        { question: 5, answer: 'True', options: [] },
        { question: 6, answer: 'Large', options: [62], option_identifiers: ['L'] },
        { question: 7, answer: '18:30:00', options: [] },
        { question: 8, answer: 'https://pretix.example/file', options: [] },
        { question: 9, answer: 'Nuts, Milk', options: [92, 91] },
      ],
    },
    { id: 72, positionid: 2, item: 2, variation: null, secret: 's72', price: '5.00', addon_to: 71 },
    { id: 73, positionid: 3, item: 3, variation: null, secret: 's73', price: '0.00', addon_to: 71, canceled: true },
  ],
}
const ITEMS = {
  results: [
    {
      id: 1,
      name: { de: 'Tagesticket', en: 'Day ticket' },
      admission: true,
      checkin_attention: false,
      checkin_text: 'Check the age.',
      variations: [{ id: 12, value: { en: 'Student' }, checkin_attention: true, checkin_text: 'Ask for the card.' }],
    },
    { id: 2, name: 'Parking', admission: false, variations: [] },
  ],
}
const question = (id: number, type: string, fields: object = {}) => ({
  id,
  type,
  question: { en: `Question ${id}`, de: `Frage ${id}` },
  items: [1],
  position: 10 - id,
  required: true,
  ask_during_checkin: true,
  options: [],
  ...fields,
})
const QUESTIONS = [
  question(5, 'B'),
  question(6, 'C', {
    options: [
      { id: 61, identifier: 'S', answer: { en: 'Small' } },
      { id: 62, identifier: 'L', answer: { en: 'Large' } },
    ],
    dependency_question: 5,
    dependency_values: ['True'],
  }),
  question(7, 'H', { dependency_question: 6, dependency_values: ['L'], required: false }),
  question(8, 'F'),
  question(9, 'M', { ask_during_checkin: false }),
  question(10, 'S', { items: [2] }),
]
const FAIR = { slug: 'fair', currency: 'EUR', name: { en: 'Fair' } }

describe('what pretix says of a ticket', () => {
  it('order, place in it, product, price, attention, people, answers and add-ons that are no tickets', async () => {
    const { rows, products, leftOut } = await read(ORDER, ITEMS, QUESTIONS, FAIR)
    assert.equal(leftOut, 2)
    const { personal, extras, ...details } = rows[0]?.details ?? assert.fail()
    assert.deepEqual(details, {
      product: 'item:1/12',
      orderCode: 'AB3CD',
      position: 1,
      addonTo: null,
      price: '23.00 EUR',
      attention: 1,
    })
    assert.deepEqual(JSON.parse(personal ?? ''), {
      company: 'Berg AS',
      phone: '+351 900 000 001',
      note: 'Has the keys',
      answers: { 5: 'true', 6: '62', 7: '18:30', 9: '92,91' },
    })
    assert.deepEqual(JSON.parse(extras ?? ''), [{ position: 2, product: 'item:2' }], 'and not the cancelled one')
    assert.deepEqual([...products.keys()].sort(), ['item:1/12', 'item:2'])
  })

  it('a product with its variation, what to look at, and the questions that are asked at the gate', async () => {
    const { products } = await read(ORDER, ITEMS, QUESTIONS)
    const product = JSON.parse(products.get('item:1/12') ?? '')
    assert.ok(Value.Check(Product, product))
    const { questions, ...rest } = product
    assert.deepEqual(rest, {
      name: 'Day ticket',
      variation: 'Student',
      attention: true,
      note: 'Check the age. · Ask for the card.',
      admission: true,
    })
    assert.deepEqual(
      questions.map(({ id, kind, required }) => [id, kind, required]),
      [
        ['8', 'not_askable', true],
        ['7', 'time', false],
        ['6', 'choice', true],
        ['5', 'yes_no', true],
      ],
    )
    assert.deepEqual(questions[1]?.depends_on, { question: '6', values: ['62'] })
    assert.deepEqual(questions[2]?.depends_on, { question: '5', values: ['true'] })
    assert.deepEqual(questions[2]?.options?.[1], { id: '62', text: 'Large' })
    assert.deepEqual(questions[3]?.text, { en: 'Question 5', de: 'Frage 5' })
    assert.deepEqual(JSON.parse(products.get('item:2') ?? '').admission, false)
  })

  it('an add-on with a tier is a ticket that names its parent, and is no extra', async () => {
    const tierMap = { 'item:1': 'day', 'item:2': 'day' }
    const { rows } = await readTickets(Buffer.from(JSON.stringify(ORDER)), { ...EVENT, tierMap })
    assert.deepEqual(
      rows.map(({ details: { position, addonTo, extras, price } }) => [position, addonTo, extras, price]),
      [
        [1, null, null, '23.00'],
        [2, 1, null, '5.00'],
      ],
    )
  })

  it('files in any order, in one file or in several, say the same', async () => {
    const parts: (object | object[])[] = [ORDER, ITEMS, QUESTIONS, FAIR]
    const wanted = await read(ORDER, ...parts.slice(1))
    const said = ({ rows, products }: typeof wanted) =>
      canonicalJson({ rows: rows as never, products: Object.fromEntries(products) })
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(parts, { minLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        async (all, cut) => {
          const together = all.slice(0, cut).flatMap((part) => (Array.isArray(part) ? part : [part]))
          assert.equal(said(await read(together, ...all.slice(cut))), said(wanted))
        },
      ),
      { numRuns: 30 },
    )
  })

  it('an order that is twice in the files has its extras once', async () => {
    const { rows } = await read([ORDER, ORDER], ITEMS)
    assert.equal(rows[0]?.details.extras, '[{"position":2,"product":"item:2"}]')
  })

  it('a file of something else is refused, and names its place', () =>
    assert.rejects(read(ORDER, ITEMS, [FAIR, { id: 1 }]), /Entry 2 of the JSON is not a pretix order/))

  it('answers that are too long are left out with a warning, and the rest stays', async () => {
    const answers = Array.from({ length: 20 }, (_, question) => ({ question, answer: 'x'.repeat(1999) }))
    const { rows, warnings } = await read({ ...ORDER, positions: [{ ...ORDER.positions[0], answers }] })
    const personal = JSON.parse(rows[0]?.details.personal ?? '')
    assert.ok(Value.Check(TicketPersonal, personal))
    assert.deepEqual([personal.answers, personal.company], [undefined, 'Berg AS'])
    assert.match(warnings.join(), /answers are too long/)
  })
})

describe('rules of check-in lists', () => {
  const warningsWith = async (rules: object, fields: object = {}) => {
    const list = { id: 1, name: 'VIP', all_products: true, limit_products: [], subevent: null, rules, ...fields }
    return (await read({ ...ORDER, positions: ORDER.positions.slice(0, 1) }, list)).warnings
  }
  const among = (kind: string, ...ids: number[]) => ({
    inList: [{ var: kind }, { objectList: ids.map((one) => ({ lookup: [kind, String(one), 'x'] })) }],
  })
  const once = { '<': [{ var: 'entries_number' }, 1] }

  it('that product or variation decide are evaluated', async () => {
    assert.deepEqual(await warningsWith({}), [])
    assert.deepEqual(await warningsWith(among('product', 1, 4)), [])
    assert.deepEqual(await warningsWith({ or: [once, among('variation', 12)] }), [])
    const [warning = ''] = await warningsWith({ and: [once, among('product', 4)] })
    assert.match(warning, /^Row 1: The check-in list "VIP" of pretix never admits tickets of item:1\/12\./)
  })

  it('that ask for more are named, for each ticket that they concern', async () => {
    const now = { isAfter: [{ var: 'now' }, { buildTime: ['date_admission'] }, null] }
    const [warning = ''] = await warningsWith({ and: [once, now, among('product', 1)] })
    assert.match(
      warning,
      /^Row 1: .*"VIP" of pretix are not supported for tickets of item:1\/12: they ask for "entries_number", "now"/,
    )
    assert.deepEqual(await warningsWith(once, { all_products: false, limit_products: [4] }), [])
    assert.match((await warningsWith({ newer: [1] }))[0] ?? '', /what this version of the box cannot read/)
  })

  it('name every product whose tickets they concern, also where a warning lists some rows alone', async () => {
    const positions = Array.from({ length: 20 }, (_, i) => {
      return { id: i, positionid: i, item: 1, variation: i % 2 ? 12 : null, secret: `s${i}` }
    })
    const list = { id: 1, name: 'VIP', all_products: true, limit_products: [], subevent: null, rules: once }
    const { warnings } = await read({ ...ORDER, positions }, ITEMS, list)
    assert.deepEqual(
      warnings.map((warning) => /for tickets of (.*): they ask/.exec(warning)?.[1]),
      ['"Day ticket" (item:1)', '"Day ticket – Student" (item:1/12)'],
    )
    const never = { ...list, rules: among('product', 4) }
    const [warning = ''] = (await read({ ...ORDER, positions }, ITEMS, never)).warnings
    assert.match(warning, /^Rows 1, 3, 5, 7, 9 and 5 more: .* never admits tickets of "Day ticket" \(item:1\)\./)
  })

  it('do not make a report endless: after a thousand sentences one says that there are more', async () => {
    const positions = Array.from({ length: 1_500 }, (_, i) => {
      return { id: i, positionid: i, item: 1, variation: i + 1, secret: `s${i}` }
    })
    const list = { id: 1, name: 'VIP', all_products: true, limit_products: [], subevent: null, rules: once }
    const { warnings } = await read({ ...ORDER, positions }, list)
    assert.equal(warnings.length, 1_001)
    assert.match(warnings.at(-1) ?? '', /^Rows 1001, .* and 495 more: Other rules/)
  })

  it('of any shape are survived', () =>
    fc.assert(
      fc.asyncProperty(fc.object({ maxDepth: 6 }), async (rules) => {
        const warnings = await warningsWith(rules)
        assert.ok(warnings.length <= 1)
      }),
      { numRuns: 100 },
    ))
})
