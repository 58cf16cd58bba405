/** Names and codes of sales, guest lists, paper lists and the desk: in the tables of tickets alone. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../src/drizzle/core.ts'
import { answers, tickets } from '../../src/ledger/schema.ts'
import { sayOfTicket, sellProduct } from '../world/details.ts'
import { TEST_EVENT } from '../world/event.ts'
import { World } from '../world/world.ts'

/** In every name and note of this test. */
const PERSON = /Zyxwvut|Quibble/i

it('a sale, a guest list, a paper list, a look-up and answers at the gate leave no name and no code in journal, feed, log, manifest or refusal', async () => {
  const lines: string[] = []
  const event = { ...TEST_EVENT, currency: 'EUR', scanners_see: 'name_and_notes' as const, evacuation_names: true }
  await using world = await World.open({ event, log: { write: (line) => void lines.push(line) } })
  const [admin, device] = [await world.admin(), await world.supervisor()]
  const actor = 'Mia'
  const refusals: string[] = []
  const must = <T>({ data, error }: { data?: T; error?: unknown }): T => data ?? assert.fail(JSON.stringify(error))

  const sale = { sale_id: crypto.randomUUID(), tier: 'once', tickets: 2, paid: 'cash' as const, price: 100, actor }
  const named = { name: 'Zyxwvut Reis', note: 'Friend of Quibble' }
  const sold = must(await admin.POST('/v1/admin/sales', { body: { ...sale, ...named } }))
  const other = { ...sale, ...named, tickets: 3 }
  refusals.push(JSON.stringify((await admin.POST('/v1/admin/sales', { body: other })).error ?? assert.fail()))
  must(await admin.GET('/v1/admin/sales', {}))
  const guests = { list_id: 'l-1', tier: 'daily', dry_run: false, actor, list: 'Zyxwvut Orr, +2\nAda Quibble' }
  must(await admin.POST('/v1/admin/guests', { body: guests }))

  const query = { gate: 'a', order: 'name' as const, actor }
  const page = String(must(await admin.GET('/v1/admin/paper/list', { params: { query }, parseAs: 'text' })))
  assert.match(page, PERSON, 'the list on paper has names')
  const sheet = /paper list ([2-9A-Z]{6})</.exec(page)?.[1] ?? ''
  const short = [...page.matchAll(/<td class="code">([^<]*)<\/td>/g)].map(([, code = '']) => code)
  const [from = '', until = ''] = [3_600_000, 1_200_000].map((ms) => new Date(world.now() - ms).toISOString())
  const times = { paper_id: 'p-1', checkpoint: 'a-in', from, until, dry_run: false, actor }
  must(await admin.POST('/v1/admin/paper/admissions', { body: { ...times, sheet, codes: short.slice(0, 2) } }))

  must(await admin.POST('/v1/admin/desk/look-up', { body: { text: 'Zyxwvut', actor } }))
  must(await device.client.POST('/v1/look-up', { body: { text: 'quibble', actor } }))
  const code = sold.made[0]?.code ?? assert.fail()
  const { db } = world.box.ledger
  const [size, diet] = ['size', 'diet'].map((id) => ({ id, text: `${id}?`, kind: 'text' as const, required: true }))
  sellProduct(db, 'day', {
    questions: [size ?? assert.fail(), diet ?? assert.fail()],
    attention: true,
    note: 'Quibble?',
  })
  const personal = { ...named, company: 'Quibble Ltd', phone: 'Zyxwvut 1', answers: { diet: 'Quibble bread' } }
  sayOfTicket(db, code, { product: 'day', orderCode: 'QUIBBLE', personal })
  const asked = await device.scan(code)
  assert.deepEqual(
    asked.questions?.map(({ id }) => id),
    ['size'],
  )
  const again = { asked_by: asked.scan_id, answers: [{ question: 'size', answer: 'Zyxwvut XL' }] }
  const shown = JSON.stringify(await device.scan(code, again))
  for (const text of ['Zyxwvut Reis', 'Friend of Quibble']) assert.ok(shown.includes(text), 'the scanner shows it')
  assert.match(JSON.stringify(db.drizzle.select().from(answers).all()), /Zyxwvut XL/)
  must(await admin.POST('/v1/admin/desk/ticket', { body: { ticket: code, actor } }))
  must(await admin.GET('/v1/admin/evacuation', {}))
  const manifest = JSON.stringify(must(await device.client.GET('/v1/manifest', {})))

  const { drizzle } = world.box.ledger.db
  const feed = drizzle.all(sql`SELECT * FROM changefeed_log`)
  assert.match(JSON.stringify(feed), /"sales"/, 'the feed tells of the sale')
  const all = drizzle.select().from(tickets).all()
  assert.ok(all.some(({ holderName }) => PERSON.test(holderName ?? '')))
  const secrets = all.flatMap(({ code, capability }) => [code, capability]).filter((text) => text.length > 8)
  const journal = world.box.ledger.read(0, 10_000).map(({ bytes }) => bytes.toString())
  assert.ok(journal.some((entry) => entry.includes('"kind":"sale"')))
  for (const text of [...journal, ...lines, ...refusals, manifest, JSON.stringify(feed)]) {
    assert.doesNotMatch(text, PERSON)
    for (const secret of [...secrets, ...short]) assert.ok(!text.includes(secret), `${secret} in ${text.slice(0, 200)}`)
  }
})
