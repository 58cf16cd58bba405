/** Tickets of pretix files, as far as the scanner that reads their codes. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { answers } from '../../src/ledger/schema.ts'
import type { TestDevice } from '../world/device.ts'
import { scanOf } from '../world/scan-of.ts'
import { World } from '../world/world.ts'

const FIXTURES = new URL('../../../../shared/fixtures/pretix/', import.meta.url)
const read = (path: string) => JSON.parse(readFileSync(new URL(`${path}.json`, FIXTURES), 'utf8'))

const person = (positionid: number, fields: object = {}) => ({
  ...{ id: 70 + positionid, positionid, item: 1, variation: null, secret: `pretix-${positionid}`, price: '20.00' },
  ...{ attendee_name: `Person ${positionid}`, addon_to: null, answers: [] },
  ...fields,
})
const SHOP = [
  {
    ...{ code: 'FAM11', event: 'fair', status: 'p', email: 'jo@example.org', checkin_text: 'Wheelchair' },
    positions: [
      ...[1, 2, 3, 4].map((n) => person(n)),
      person(5, { answers: [{ question: 5, answer: 'Emergency 112', options: [] }] }),
      person(6, { item: 2, addon_to: 71 }),
    ],
  },
  {
    id: 1,
    name: { en: 'Day ticket' },
    admission: true,
    checkin_attention: true,
    checkin_text: 'Ask for the card.',
    variations: [],
  },
  { id: 2, name: { en: 'Parking' }, admission: false, variations: [] },
  {
    ...{ id: 5, type: 'S', question: { en: 'Whom to call?', de: 'Wen anrufen?' }, items: [1], position: 1 },
    ...{ required: true, ask_during_checkin: true, options: [] },
  },
]

async function importInto(world: World, shop: readonly unknown[]): Promise<void> {
  const { data } = await (await world.admin()).POST('/v1/admin/import/tickets', {
    params: { query: { tier: ['item:1=once'] } },
    body: JSON.stringify(shop) as never,
    bodySerializer: (body) => body,
    headers: { 'content-type': 'application/octet-stream' },
  })
  assert.deepEqual(data?.rejected, [])
}

async function scan(gate: TestDevice, world: World, payload: string, fields: object = {}) {
  const { data } = await gate.client.POST('/v1/scan', { body: { ...scanOf(payload, world.now()), ...fields } })
  return data ?? assert.fail()
}

describe('orders of pretix at the gate', () => {
  it('carry their attention text, add-ons and questions to the scanner, and take the answer', async () => {
    await using world = await World.open()
    await importInto(world, SHOP)
    const gate = await world.device()

    const asked = await scan(gate, world, 'pretix-1')
    assert.equal(asked.verdict, 'BLOCKED')
    assert.deepEqual(
      asked.questions?.map(({ id, kind, required }) => [id, kind, required]),
      [['5', 'text', true]],
    )
    assert.deepEqual(
      [asked.product, asked.attention, asked.addons],
      ['Day ticket', { text: 'Ask for the card.' }, ['Parking']],
    )
    assert.deepEqual([asked.holder, asked.note], [undefined, undefined], 'the event lets no scanner see names')

    const given = [{ question: '5', answer: 'Jo, 112' }]
    const admitted = await scan(gate, world, 'pretix-1', { answers: given, asked_by: asked.scan_id })
    assert.deepEqual([admitted.verdict, admitted.answered], ['ADMIT', 1])
    const [row] = world.box.ledger.db.drizzle.select().from(answers).all()
    assert.deepEqual(row?.answers, { 5: 'Jo, 112' })

    // Answered in the shop. The other three have to be asked, each by itself.
    const fifth = await scan(gate, world, 'pretix-5')
    assert.deepEqual(
      [fifth.verdict, fifth.questions, fifth.order],
      ['ADMIT', undefined, { code: 'FAM11', of: 5, inside: 2, own_scan: 3 }],
    )
  })

  it('of real events keep what their shop says', {
    skip: existsSync(FIXTURES) ? false : 'the pretix fixtures are not on this machine',
  }, async () => {
    await using world = await World.open()
    // Order 4 has an answer, order 8 an add-on, and their product asks for attention.
    const orders = [read('orders/order4'), read('orders/order8')]
    await importInto(world, [...orders, read('items/item1'), read('items/item2')])
    const gate = await world.device()
    const positions = orders.flatMap((order) => order.positions)
    const parent = positions.find(({ id }) => positions.some(({ addon_to }) => addon_to === id)) ?? assert.fail()
    const verdict = await scan(gate, world, parent.secret)
    assert.deepEqual(
      [verdict.product, verdict.attention !== undefined, verdict.addons],
      ['Regular ticket', true, ['Merch']],
    )
    const { data } = await (await world.admin()).POST('/v1/admin/desk/ticket', {
      body: {
        ticket: positions.find((position) => position.answers.length > 0)?.secret ?? assert.fail(),
        actor: 'Ana',
      },
    })
    assert.deepEqual(
      data?.answers.map(({ answer }) => answer),
      ['True'],
      'as the shop writes it, where no file says what kind of question it is',
    )
  })
})
