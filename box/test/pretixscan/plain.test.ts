/** Plain mode: the shop's own redeem and search, what is uploaded later, and who may look people up. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sayOfTicket, sellProduct } from '../world/details.ts'
import { TEST_EVENT } from '../world/event.ts'
import { checkBody, listsOf, type PretixApp, pairApp } from '../world/pretix-app.ts'
import { World } from '../world/world.ts'

const ORGANIZER = '/api/v1/organizers/gatehouse'
const REDEEM = `${ORGANIZER}/checkinrpc/redeem/?expand=answers.question`
const OF_LISTS = `${ORGANIZER}/events/test-fair/checkinlists`

/** A search is for choosing one of those that it finds. */
const MORE_AT_A_SCAN = new Set(['attendee_name_parts', 'tax_rate', 'order__require_approval', 'order__locale'])

let world: World
let app: PretixApp
let list: number

before(async () => {
  world = await World.open({
    event: { ...TEST_EVENT, scanners_see: 'name' },
    tickets: [
      ...['P-1', 'P-2', 'P-3', 'P-4', 'P-5', 'P-6'].map((code) => `${code},once,,,,,,valid`),
      'ANA-2,once,Row 9,Ana Dias,,,,valid',
      'ASK-1,once,,,,,,valid',
      'ANA-1,once,"Row 1, seat 2",Ana Reis,,,,valid',
      'PENDING-1,once,,,,,,pending',
      'REVOKED-1,once,,,,,,revoked',
      'VIP-1,vip,,,,,,valid',
      'LATER-1,once,,,,2099-01-01T10:00:00+01:00,,valid',
      'PHONE-1,phone,,,,,,valid',
      'OUT-1,reentry,,,,,,valid',
    ],
    environment: { GATEHOUSE_PRETIXSCAN_PORT: '0' },
  })
  app = await pairApp(world, { mode: 'plain', checkpoints: ['a-in', 'a-out'] })
  list = (await listsOf(app))['A entry'] ?? 0
})
after(async () => {
  app[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

const body = (secret: string, nonce: string, more: object = {}) => ({
  ...{ secret, lists: [list], type: 'entry', source_type: 'barcode', force: false, ignore_unpaid: false, nonce },
  ...{ answers: {}, questions_supported: true, canceled_supported: true, use_order_locale: false, ...more },
})

describe('redeem in plain mode', () => {
  test('admits with 201, and the same nonce gets the same answer for ever', async () => {
    const first = await app.post(REDEEM, body('P-1', 'a'))
    assert.deepEqual([first.status, first.json.status, first.json.list.id], [201, 'ok', list])
    const names = 'id order positionid item price secret pseudonymization_id checkins order__status answers'
    for (const name of names.split(' ')) assert.ok(name in first.json.position, name)
    assert.equal((await app.post(REDEEM, body('P-1', 'a'))).status, 201)
    const used = await app.post(REDEEM, body('P-1', 'b'))
    assert.deepEqual([used.status, used.json.status, used.json.reason], [400, 'error', 'already_redeemed'])
    assert.deepEqual(
      used.json.position.checkins.map(({ list }: { list: number }) => list),
      [list],
    )
  })

  test('has every field that a decoder insists on, of its type', async () => {
    const { status, json } = await app.post(REDEEM, body('ANA-2', 'every'))
    const { id, item, ...position } = json.position
    assert.ok([id, item].every((number) => Number.isInteger(number) && number > 0 && number < 2 ** 31))
    assert.deepEqual(position, {
      ...{ order: '', positionid: 1, variation: null, price: '0.00', secret: 'ANA-2', pseudonymization_id: '' },
      ...{ attendee_name: 'Ana Dias', attendee_name_parts: {}, attendee_email: null, addon_to: null, subevent: null },
      ...{ tax_rate: '0.00', seat: { id: 0, name: 'Row 9', seat_guid: '' }, checkins: [], answers: [], downloads: [] },
      ...{ print_logs: [], require_attention: false, order__status: 'p', order__valid_if_pending: false },
      ...{ order__require_approval: false, order__locale: 'en' },
    })
    const { position: _, ...rest } = json
    const shown = { id: list, name: 'A entry', event: 'test-fair', subevent: null, include_pending: false }
    assert.deepEqual([status, rest], [201, { status: 'ok', require_attention: false, checkin_texts: [], list: shown }])
    const [found] = (await app.call(`${OF_LISTS}/${list}/positions/?search=ANA-2`)).json.results
    for (const name of Object.keys(json.position).filter((one) => !MORE_AT_A_SCAN.has(one))) {
      assert.equal(typeof found[name], typeof json.position[name], name)
    }
    assert.deepEqual([found.seat.name, found.checkins[0].list], ['Row 9', list])
  })

  test('asks what the shop wants to know as a 400 that is incomplete, takes the answers, and shows what to look at', async () => {
    const size = { id: '41', text: { de: 'Größe?', en: 'Size?' }, kind: 'choice' as const, required: true }
    const options = ['Small', 'Large'].map((text, i) => ({ id: String(7 + i), text }))
    const veg = { id: 'veg', text: 'Vegetarian?', kind: 'yes_no' as const, required: false }
    const { db } = world.box.ledger
    sellProduct(db, 'shirt', { questions: [{ ...size, options }, veg], attention: true, note: 'Check the age.' })
    sayOfTicket(db, 'ASK-1', { product: 'shirt', orderCode: 'FOO12', position: 2 })
    const asked = await app.post(REDEEM, body('ASK-1', 'ask'))
    assert.deepEqual([asked.status, asked.json.status], [400, 'incomplete'])
    assert.deepEqual([asked.json.require_attention, asked.json.position.require_attention], [true, true])
    assert.deepEqual([asked.json.position.order, asked.json.position.positionid], ['FOO12', 2])
    const [first, second] = asked.json.questions
    assert.deepEqual(first, {
      ...{ id: 41, question: { en: 'Size?' }, type: 'C', identifier: 'Q41', position: 0, required: true },
      ...{ ask_during_checkin: true, show_during_checkin: false, hidden: false, items: [], help_text: {} },
      options: [
        { id: 7, identifier: 'O7', position: 0, answer: { en: 'Small' } },
        { id: 8, identifier: 'O8', position: 1, answer: { en: 'Large' } },
      ],
      ...{ dependency_question: null, dependency_value: null, dependency_values: [] },
      ...{ valid_number_min: null, valid_number_max: null, valid_date_min: null, valid_date_max: null },
      ...{ valid_datetime_min: null, valid_datetime_max: null, valid_file_portrait: false },
      valid_string_length_max: null,
    })
    assert.deepEqual([second.type, second.required, second.options], ['B', false, []])
    const kiosk = await app.post(REDEEM, body('ASK-1', 'kiosk', { questions_supported: false }))
    assert.deepEqual([kiosk.status, kiosk.json.status, kiosk.json.reason], [400, 'error', 'rules'])
    const given = await app.post(REDEEM, body('ASK-1', 'given', { answers: { 41: '8', [second.id]: '' } }))
    assert.deepEqual([given.status, given.json.checkin_texts], [201, ['Check the age.']], given.text)
  })

  test('refuses in the words of the shop, with our sentence', async () => {
    for (const [code, status, reason] of [
      ['NO-SUCH', 404, 'invalid'],
      ['PENDING-1', 400, 'unpaid'],
      ['REVOKED-1', 400, 'canceled'],
    ] as const) {
      const said = await app.post(REDEEM, body(code, `r-${code}`))
      assert.deepEqual([said.status, said.json.status, said.json.reason], [status, 'error', reason], code)
      assert.equal(typeof said.json.reason_explanation, 'string')
    }
  })

  test('has the shop’s reason for a ticket of another entrance, one that is not good yet, and a printed code of a phone’s ticket', async () => {
    for (const [secret, reason] of [
      ['VIP-1', 'product'],
      ['LATER-1', 'invalid_time'],
      ['PHONE-1', 'blocked'],
    ] as const) {
      const { status, json } = await app.post(REDEEM, body(secret, `of ${secret}`))
      assert.deepEqual([status, json.status, json.reason], [400, 'error', reason])
      assert.ok(json.reason_explanation.length > 5, secret)
    }
  })

  test('lets out at an exit list, and in again', async () => {
    const exits = (await listsOf(app))['A exit'] ?? 0
    assert.equal((await app.post(REDEEM, body('OUT-1', 'in'))).status, 201)
    const out = await app.post(REDEEM, body('OUT-1', 'out', { lists: [exits], type: 'exit' }))
    assert.deepEqual([out.status, out.json.status, out.json.list.id], [201, 'ok', exits])
    assert.equal((await app.post(REDEEM, body('OUT-1', 'in again'))).status, 201)
  })

  test('is the same at the older address, with the code in the path', async () => {
    const at = (code: string) => `${OF_LISTS}/${list}/positions/${encodeURIComponent(code)}/redeem/?pdf_data=true`
    const { secret, lists, ...rest } = body('', 'old')
    assert.equal((await app.post(at('P-2'), rest)).status, 201)
    const unknown = await app.post(at('a/b c'), { ...rest, nonce: 'old-2' })
    assert.deepEqual([unknown.status, unknown.json.reason], [404, 'invalid'])
  })

  test('says which field is missing, and takes no nonsense', async () => {
    assert.deepEqual(Object.keys((await app.post(REDEEM, body('P-3', 'x', { lists: [] }))).json), ['lists'])
    assert.deepEqual(Object.keys((await app.post(REDEEM, body('', 'x'))).json), ['secret'])
    assert.equal((await app.post(REDEEM, body('P-3', 'x', { lists: 'all' }))).status, 400)
    assert.equal((await app.post(REDEEM, body('P-3', 'x', { answers: { 1: 2 } }))).status, 400)
    assert.equal((await app.post(REDEEM.replace('gatehouse', 'other'), body('P-3', 'x'))).status, 404)
  })

  test('writes down as admitted offline what the app let in without the box, and opens its case', async () => {
    const datetime = new Date(world.now() - 600_000).toISOString()
    const late = { force: true, questions_supported: false, datetime }
    assert.equal((await app.post(REDEEM, body('P-4', 'q-1', late))).status, 201)
    // Already used: the person is inside all the same.
    assert.equal((await app.post(REDEEM, body('P-4', 'q-2', late))).status, 201)
    assert.equal((await app.post(REDEEM, body('P-4', 'q-2', late))).status, 201)
    const { data } = await (await world.admin()).GET('/v1/admin/flags', { params: { query: {} } })
    assert.ok(
      data?.flags.some(({ kind, records }) => kind === 'double_use' && records.length === 2),
      JSON.stringify(data),
    )
    const failed = `${OF_LISTS}/${list}/failed_checkins/`
    assert.equal((await app.post(failed, { raw_barcode: 'x', error_reason: 'invalid', nonce: 'f' })).status, 201)
  })
})

describe('searching', () => {
  const rpc = (from: PretixApp, query: string) =>
    from.post('/proxyapi/v1/rpc/search/', { events_and_checkin_lists: { 'test-fair': list }, query, page: 1 })

  test('finds an exact code for everybody, and no name', async () => {
    const { json } = await rpc(app, 'ANA-1')
    assert.equal(json.length, 1)
    const [{ secret, ticket, seat, status, isRedeemed, redeemed }] = json
    assert.deepEqual([secret, ticket, seat, status], ['ANA-1', 'Day ticket', 'Row 1, seat 2', 'PAID'])
    assert.deepEqual([isRedeemed, redeemed], [false, false])
    assert.deepEqual((await rpc(app, 'an')).json, [])
    const named = await rpc(app, 'Ana Reis')
    assert.equal(named.status, 400)
    assert.match(named.json.title, /looks nobody up/)
    const page = await app.call(`${ORGANIZER}/checkinrpc/search/?list=${list}&search=P-1&page=1`)
    assert.deepEqual([page.json.count, page.json.results[0].secret], [1, 'P-1'])
    const older = await app.call(`${OF_LISTS}/${list}/positions/?search=P-1`)
    assert.deepEqual(older.json.results, page.json.results)
  })

  test('by name gives a handle in place of the code, good for that device alone, and an entry in the journal', async () => {
    using finder = await pairApp(world, { supervisor: true, name: 'Finder' })
    const { json } = await rpc(finder, 'Ana Reis')
    assert.deepEqual([json.length, json[0].attendee_name], [1, 'Ana Reis'])
    assert.ok(!JSON.stringify(json).includes('ANA-1'))
    const check = (by: PretixApp) => by.post('/proxyapi/v1/rpc/check/', checkBody(list, json[0].secret))
    assert.equal((await check(app)).json.type, 'INVALID')
    assert.equal((await check(finder)).json.type, 'VALID')
    const { data } = await (await world.admin()).GET('/v1/admin/log', { params: { query: { kind: 'look_up' } } })
    assert.ok(data?.rows.some(({ summary }) => summary.includes('Finder')))
    assert.ok(!JSON.stringify(data).includes('Reis'))
  })

  test('is slowed like a supervisor’s scanner, and a letter typed after it ends the one before', async () => {
    using finder = await pairApp(world, { supervisor: true })
    const typed = ['ana', 'ana r', 'ana re'].map((query) => rpc(finder, query))
    const [one, two, three] = await Promise.all(typed)
    assert.deepEqual([one?.json, two?.json, three?.json.length], [[], [], 1])
    world.holdRates()
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await rpc(finder, `reis ${'x'.repeat(i)}`.trim())).status)
    assert.equal(statuses.at(-1), 400)
    assert.ok(!statuses.includes(429))
  })
})
