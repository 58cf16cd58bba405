/** An app in proxy mode at a gate: what it is answered about each code, in the shape and the words that a person sees. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { eventTag, keyFromSeed, signCode, slotAt } from '@gatehouse/proto/code.ts'
import { eq } from '../../src/drizzle/core.ts'
import { answers, tickets } from '../../src/ledger/schema.ts'
import { sayOfTicket, sellProduct } from '../world/details.ts'
import { TEST_EVENT, TEST_TICKETS } from '../world/event.ts'
import { type Answer, checkBody, listsOf, type PretixApp, pairApp, portOf } from '../world/pretix-app.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'

const CHECK = '/proxyapi/v1/rpc/check/'
const more = Array.from({ length: 40 }, (_, i) => `N-${i},once,,,,,,valid`)

const SIGNER = generateKeyPairSync('ed25519')
const SIGNER_KEY = Buffer.from(SIGNER.publicKey.export({ type: 'spki', format: 'pem' })).toString('base64')

let world: World
let app: PretixApp
let lists: Record<string, number>

before(async () => {
  world = await World.open({
    event: { ...TEST_EVENT, scanners_see: 'name_and_notes', pretix_keys: [SIGNER_KEY] },
    tickets: [...TEST_TICKETS, ...more, 'ASK-1,once,,,,,,valid', 'ASK-2,once,,,,,,valid'],
    environment: { GATEHOUSE_PRETIXSCAN_PORT: '0' },
  })
  app = await pairApp(world, { checkpoints: ['a-in', 'a-out', 'b-in', 'late-in'] })
  lists = await listsOf(app)
})
after(async () => {
  app[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

const ask = (ticket: string, more: object = {}, list = 'A entry') =>
  app.post(CHECK, checkBody(lists[list] ?? -1, ticket, more))
const result = async (ticket: string, more: object = {}, list = 'A entry') => {
  const { status, json, text } = await ask(ticket, more, list)
  assert.equal(status, 200, text)
  return json
}

describe('a code that is shown to a pretixSCAN', () => {
  test('is answered in a shape in which nothing is null that the app reads without a check', async () => {
    const admitted = await result('ONCE-1')
    assert.deepEqual(admitted, {
      ...{ type: 'VALID', scanType: 'ENTRY', ticket: 'Day ticket', variation: null, attendee_name: 'Ana Reis' },
      ...{ seat: 'Row 1, seat 2', orderCode: null, positionId: null, addonText: null, firstScanned: null },
      ...{ message: null, reasonExplanation: null, checkinTexts: [], isRequireAttention: false },
      ...{ requireAttention: false, isCheckinAllowed: false, checkinAllowed: false, requiredAnswers: [] },
      ...{ shownAnswers: [], position: null, eventSlug: 'test-fair', offline: false, locale: null },
    })
  })

  test('gets the type and the sentence that say what is wrong', async () => {
    const expected: [string, string, RegExp, string?][] = [
      ['NO-SUCH', 'INVALID', /^Not a ticket for this event/],
      ['PENDING-1', 'UNPAID', /^Not paid/],
      ['BLOCKED-1', 'BLOCKED', /^Blocked/],
      ['REVOKED-1', 'CANCELED', /^Revoked by the organiser/],
      ['FUTURE-1', 'INVALID_TIME', /valid from/],
      ['PAST-1', 'INVALID_TIME', /^Expired /],
      ['VIP-1', 'PRODUCT', /send to Gate B/],
      ['ONCE-2', 'INVALID_TIME', /gate opens/, 'Late entry'],
      ['PHONE-1', 'BLOCKED', /code on the phone/],
    ]
    for (const [code, type, explanation, list] of expected) {
      const said = await result(code, {}, list)
      assert.deepEqual([said.type, said.scanType, said.isCheckinAllowed], [type, 'ENTRY', false], code)
      assert.match(said.reasonExplanation, explanation)
    }
  })

  test('cancelled by the event’s own people is REVOKED, and a gate on hold RULES', async () => {
    const admin = await world.admin()
    await admin.POST('/v1/admin/tickets/{id}/revoke', {
      params: { path: { id: 'N-0' } },
      body: { actor: 'Rita', reason: 'stolen' },
    })
    assert.equal((await result('N-0')).type, 'REVOKED')
    const hold = { params: { path: { id: 'b' } }, body: { actor: 'Rita', reason: 'crush' } }
    assert.equal((await admin.POST('/v1/admin/gates/{id}/hold', hold as never)).response.status, 201)
    const held = await result('N-1', {}, 'B entry')
    assert.deepEqual([held.type, /^Stop: crush/.test(held.reasonExplanation)], ['RULES', true])
  })

  test('is used the second time: when and where, and that this very scanner admitted it', async () => {
    const { type } = await result('N-2')
    const again = await result('N-2')
    assert.deepEqual([type, again.type], ['VALID', 'USED'])
    assert.ok(Math.abs(again.firstScanned - world.now()) < 60_000)
    assert.match(again.reasonExplanation, /This scanner admitted this ticket \d+ s ago/)
    const other = await pairApp(world)
    const there = await other.post(CHECK, checkBody(lists['A entry'] ?? 0, 'N-2'))
    assert.match(there.json.reasonExplanation, /^Used at Gate A/)
    other[Symbol.dispose]()
  })

  test('goes out at the gate where it came in: by the switch, or by the list of the exit', async () => {
    const went = async (type: string, list?: string) => {
      const { type: said, scanType } = await result('FLEX-1', { type }, list)
      return `${said} ${scanType}`
    }
    assert.equal(await went('ENTRY'), 'VALID ENTRY')
    assert.equal(await went('exit'), 'VALID EXIT')
    assert.equal(await went('entry'), 'VALID ENTRY')
    assert.equal(await went('ENTRY', 'A exit'), 'VALID EXIT')
    const nowhere = await result('FLEX-1', { type: 'EXIT' }, 'B entry')
    assert.deepEqual([nowhere.type, /no exit for this scanner/.test(nowhere.message)], ['ERROR', true])
  })

  test('of the phone is good, too, and a stale one says to open the ticket again', async () => {
    const row = world.box.ledger.db.drizzle.select().from(tickets).where(eq(tickets.code, 'PHONE-1')).get()
    const [tag, key] = [await eventTag('test-fair'), await keyFromSeed(row?.seed ?? Buffer.alloc(32))]
    const at = slotAt(world.now())
    const stale = await result(await signCode(key, tag, at - 40))
    assert.equal(stale.type, 'RULES')
    assert.equal((await result(await signCode(key, tag, at))).type, 'VALID')
  })

  test('is read without what a scanner’s hardware puts into it', async () => {
    assert.equal((await result(`\\000026N-3\u001d`)).type, 'VALID')
    assert.equal((await result('N-3')).type, 'USED')
  })

  test('that the shop has signed, and that is not here, admits nobody, and the person is told', async () => {
    const payload = Buffer.from([0x0a, 1, 0x41, 0x10, 42])
    const head = Buffer.from([1, 0, payload.length, 0, 64])
    const bytes = Buffer.concat([head, payload, sign(null, payload, SIGNER.privateKey)])
    const said = await result([...bytes.toString('base64')].reverse().join(''))
    assert.deepEqual([said.type, /signed this code/.test(said.reasonExplanation)], ['INVALID', true])
  })

  test('shows what the shop asks to look at, and its notes', async () => {
    const { db } = world.box.ledger
    sellProduct(db, 'camp', { name: 'Camping', attention: true, note: 'Check the age.' })
    sayOfTicket(db, 'N-4', { product: 'camp', orderCode: 'FOO12', position: 1, personal: { note: 'Has the keys.' } })
    const said = await result('N-4')
    assert.deepEqual([said.ticket, said.orderCode, said.isRequireAttention], ['Camping', 'FOO12', true])
    assert.deepEqual(said.checkinTexts, ['Check the age.', 'Has the keys.'])
  })
})

describe('questions of the shop at a pretixSCAN', () => {
  const questions = [
    {
      ...{ id: '41', text: { de: 'Größe?', en: 'Size?' }, kind: 'choice' as const, required: true },
      options: [
        { id: '7', text: 'Small' },
        { id: '8', text: 'Large' },
      ],
    },
    { id: 'veg', text: 'Vegetarian?', kind: 'yes_no' as const, required: false },
    { id: 'photo', text: 'Photo', kind: 'not_askable' as const, required: true },
  ]

  test('are asked in the form that the app shows, and answered by the same question with answers', async () => {
    sellProduct(world.box.ledger.db, 'shirt', { questions })
    sayOfTicket(world.box.ledger.db, 'ASK-1', { product: 'shirt' })
    const asked = await result('ASK-1')
    assert.equal(asked.type, 'ANSWERS_REQUIRED')
    assert.equal(asked.requiredAnswers.length, 2)
    for (const { question, currentValue } of asked.requiredAnswers) {
      assert.deepEqual(Object.keys(question).sort(), ['json_data', 'position', 'required', 'server_id'])
      assert.equal(currentValue, '')
      const form = JSON.parse(question.json_data)
      assert.deepEqual([form.id, form.position], [question.server_id, question.position])
      assert.ok(Array.isArray(form.options) && Array.isArray(form.dependency_values) && form.ask_during_checkin)
    }
    const [size, veg] = asked.requiredAnswers.map(({ question }: { question: { json_data: string } }) =>
      JSON.parse(question.json_data),
    )
    assert.deepEqual([size.id, size.type, size.question, size.options[1].id], [41, 'C', { en: 'Size?' }, 8])
    assert.equal(veg.type, 'B')
    // As the desktop app sends it: with the whole question in each answer.
    const given = [
      { question: { server_id: size.id, json_data: '{}', required: true }, value: '8', options: [] },
      { question: { server_id: veg.id }, value: '', options: null },
    ]
    assert.equal((await result('ASK-1', { answers: given })).type, 'VALID')
    const rows = world.box.ledger.db.drizzle.select().from(answers).all()
    assert.ok(JSON.stringify(rows).includes('8'))
  })

  test('are refused with a sentence where the app has no form, and answers that nobody asked for are left out', async () => {
    sayOfTicket(world.box.ledger.db, 'ASK-2', { product: 'shirt' })
    const early = await result('ASK-2', { answers: [{ question: { server_id: 41 }, value: '8' }] })
    assert.equal(early.type, 'ANSWERS_REQUIRED')
    const kiosk = await result('ASK-2', { allowQuestions: false })
    assert.deepEqual([kiosk.type, kiosk.requiredAnswers], ['RULES', []])
    assert.match(kiosk.reasonExplanation, /^Ask first/)
    const wrong = await result('ASK-2', { answers: [{ question: { server_id: 41 }, value: '99' }] })
    assert.equal(wrong.type, 'ANSWERS_REQUIRED')
    assert.match(JSON.parse(wrong.requiredAnswers[0].question.json_data).question.en, /Choose from the list/)
  })
})

describe('a question that an app asks again', () => {
  test('gets the first answer for ever where it has a nonce, and none for another code', async () => {
    const first = await result('N-5', { nonce: 'n-1' })
    const again = await result('N-5', { nonce: 'n-1' })
    assert.deepEqual([first.type, again.type], ['VALID', 'VALID'])
    assert.equal((await result('N-6', { nonce: 'n-1' })).type, 'ERROR')
    assert.equal((await result('N-6')).type, 'VALID')
  })

  test('shows one admission once, however often connections break', async () => {
    // An app that gets VALID lets somebody in: two answers of that kind for one ticket are two people.
    for (let i = 10; i < 40; i++) {
      const broken = app.call(CHECK, { body: checkBody(lists['A entry'] ?? 0, `N-${i}`), hangUp: 'when sent' })
      await broken.catch(() => undefined)
      const seen = []
      for (let n = 0; n < 3; n++) seen.push((await result(`N-${i}`)).type)
      assert.ok(seen.filter((type) => type === 'VALID').length <= 1, `${i}: ${seen}`)
      world.elapsedMs += 1000
    }
  })
})

describe('what an app may ask of a box', () => {
  const bad = async (path: string, body: unknown): Promise<Answer> => {
    const answer = await app.post(path, body)
    assert.ok(answer.status === 400, `${path}: ${answer.status}`)
    return answer
  }

  test('a question that cannot be read is a 400 with the title that the app shows', async () => {
    for (const body of [{}, [], 'x', { ticketid: '' }, { ticketid: 7 }, checkBody(1.5, 'x'), checkBody(-1, 'x')]) {
      assert.equal(typeof (await bad(CHECK, body)).json.title, 'string')
    }
    await bad(CHECK, { ...checkBody(1, 'x'), events_and_checkin_lists: { other: 1 } })
    await bad(CHECK, { ...checkBody(1, 'x'), events_and_checkin_lists: null })
    await bad(CHECK, { ...checkBody(1, 'x'), events_and_checkin_lists: JSON.parse('{"__proto__":{"test-fair":1}}') })
    const long = await result('x'.repeat(3000))
    assert.deepEqual([long.type, /longer than 1 KiB/.test(long.message)], ['ERROR', true])
  })

  test('a list that it was not paired for is an ERROR card', async () => {
    using narrow = await pairApp(world, { checkpoints: ['b-in'] })
    const { status, json } = await narrow.post(CHECK, checkBody(lists['A entry'] ?? 0, 'N-7'))
    assert.deepEqual([status, json.type], [200, 'ERROR'])
    assert.match(json.message, /not paired for that list/)
    assert.equal((await result('N-7')).type, 'VALID')
  })

  test('the older path, with one list in it, is the same', async () => {
    const path = `/proxyapi/v1/rpc/test-fair/${lists['A entry']}/check`
    const { events_and_checkin_lists, ...body } = checkBody(0, 'N-8') as Record<string, unknown>
    assert.equal((await app.post(path, body)).json.type, 'VALID')
    assert.equal((await app.post(`${path}/`, body)).json.type, 'USED')
    assert.equal((await app.post(path.replace('test-fair', 'other'), body)).status, 404)
  })

  test('a flood of one device is slowed and shown, never answered 429, and holds up no other', async () => {
    using flooder = await pairApp(world, { name: 'Flooder' })
    world.holdRates()
    const statuses = new Set<number>()
    const flood = Array.from({ length: 80 }, async () => {
      statuses.add((await flooder.post(CHECK, checkBody(lists['A entry'] ?? 0, 'NO-SUCH'))).status)
    })
    await until(() => statuses.has(503))
    const admin = await world.admin()
    await until(async () => {
      const { data } = await admin.GET('/v1/admin/devices')
      return data?.devices.some(({ name, app }) => name === 'Flooder' && app?.slowed_at) === true
    })
    assert.equal((await result('N-9')).type, 'VALID')
    world.elapsedMs += 60_000
    await Promise.all(flood)
    assert.deepEqual([...statuses].sort(), [200, 503])
  })

  test('everything else under the prefix is a 404 without an object, which an app would take for data', async () => {
    for (const path of [
      '/',
      '/api/v1/organizers/',
      '/api/v1/organizers/other/events/',
      '/api/v1/organizers/gatehouse/events/other/items/',
      '/api/v1/organizers/gatehouse/events/test-fair/nothing/',
      '/v1/admin/stats',
      '/v1/scan',
      '/dashboard/',
      '/proxyapi/v1/rpc/nothing/',
    ]) {
      const { status, text, headers } = await app.call(path)
      assert.deepEqual([status, text], [404, 'Not Found'], path)
      assert.match(String(headers['content-type']), /^text\/plain/)
    }
    assert.ok(portOf(world) > 0)
  })
})
