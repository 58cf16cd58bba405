import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Desk } from '../../test/world/desk.ts'
import { COMMAND_LINE } from '../ca/actor.ts'
import { products } from '../ledger/schema.ts'
import { importTickets } from './import-tickets.ts'
import { Products } from './products.ts'

const ORDER = {
  code: 'AB3CD',
  status: 'p',
  phone: '+351 900',
  positions: [
    { id: 1, positionid: 1, item: 1, secret: 'S1', price: '9.00' },
    { id: 2, positionid: 2, item: 2, secret: 'S2', addon_to: 1, price: '4.00' },
  ],
}
const items = (note: string) => [
  { id: 1, name: 'Once', admission: true, checkin_text: note },
  { id: 2, name: 'Parking', admission: false },
]

async function open(t: TestContext) {
  const desk = await Desk.open({ now: Date.parse('2026-07-04T18:00:00Z') })
  t.after(() => desk[Symbol.dispose]())
  const take = (note: string, dryRun = false) =>
    importTickets(
      Buffer.from(JSON.stringify(ORDER)),
      { format: 'auto', tierMap: { Once: 'once' }, dryRun, by: COMMAND_LINE, others: [items(note)] },
      desk.deps,
    )
  const rows = () => desk.deps.ledger.db.drizzle.select().from(products).all()
  const ticket = () => desk.deps.tickets.lookUp('S1', desk.deps.codes) ?? assert.fail()
  return { desk, take, rows, ticket }
}

test('an import brings its products and its tickets name them; imported twice is imported once', async (t) => {
  const { desk, take, rows, ticket } = await open(t)
  const { ledger, tickets } = desk.deps
  assert.equal((await take('Look', true)).added, 1)
  assert.deepEqual(rows(), [], 'a dry run stores nothing')
  await take('Look')
  const details = tickets.details.detailsOf(ticket())
  assert.deepEqual(details.order, { code: 'AB3CD', position: 1 })
  assert.equal(details.product?.note, 'Look')
  assert.deepEqual(
    details.extras.map(({ position, key, product }) => [position, key, product?.name, product?.admission]),
    [[2, 'item:2', 'Parking', false]],
  )
  assert.deepEqual(details.personal, { phone: '+351 900' })
  const { size } = ledger
  assert.deepEqual(
    rows().map(({ key, box, entry }) => [key, box, entry]),
    [
      ['item:1', null, size - 1],
      ['item:2', null, size - 1],
    ],
  )
  await take('Look')
  assert.equal(ledger.size, size)
})

test('a changed text of a product is an import of its own and changes no ticket', async (t) => {
  const { desk, take, rows, ticket } = await open(t)
  const { ledger, tickets } = desk.deps
  await take('Look')
  const before = ticket()
  const { added, changed } = await take('Look twice')
  assert.deepEqual([added, changed], [0, 0])
  assert.deepEqual(ticket(), before)
  assert.equal(tickets.details.detailsOf(before).product?.note, 'Look twice')
  const [first, second] = ledger.read(0, ledger.size).filter(({ kind }) => kind === 'import')
  assert.ok(first && second)
  const fields = second.fields as { digest: string; tickets_digest: string }
  assert.notEqual(fields.digest, (first.fields as { digest: string }).digest, 'the digest covers it')
  assert.equal(fields.tickets_digest, (first.fields as { tickets_digest: string }).tickets_digest)
  assert.equal(rows().find(({ key }) => key === 'item:1')?.entry, second.index)
})

test('an import without the items keeps what is known of the products', async (t) => {
  const { desk, take, rows, ticket } = await open(t)
  await take('Look')
  const known = rows()
  const file = Buffer.from(JSON.stringify(ORDER))
  const options = { format: 'auto', tierMap: { 'item:1': 'once' }, dryRun: false, by: COMMAND_LINE } as const
  assert.equal((await importTickets(file, options, desk.deps)).unchanged, 1)
  assert.deepEqual(rows(), known)
  assert.equal(ticket().product, 'item:1')
})

test('an own change is later than the version of a box whose clock runs ahead', async (t) => {
  const { desk, rows } = await open(t)
  const { ledger } = desk.deps
  const all = new Products(ledger.db)
  const at = (n: number) => `${String(9e12 + n)}.000000`
  const theirs = { key: 'item:1', product: '"b"', hlc: at(2), box: 'b', entry: 1 }
  ledger.db.drizzle.insert(products).values(theirs).run()
  ledger.transact(() => all.change([{ key: 'item:1', product: '"mine"' }], { index: 4, hlc: at(0) }))
  const [mine] = rows()
  assert.ok(mine && mine.hlc > at(2) && mine.box === null && mine.entry === 4)
})

test('the journal has nothing of what a shop says of people, orders and products', async (t) => {
  const { desk, take } = await open(t)
  const said = [
    'Leakcompany',
    '+351 leak',
    'Leaknote',
    'Leakanswer',
    'Leakorder',
    'Leakproduct',
    'Leaktext',
    '77.77',
    'S1',
  ]
  const [company, phone, note, answer, code, name, text, price] = said
  const person = { company, answers: [{ question: 5, answer }], checkin_text: note }
  const order = { ...ORDER, code, phone, checkin_text: note, positions: [{ ...ORDER.positions[0], ...person, price }] }
  const file = Buffer.from(JSON.stringify([order, { id: 1, name, admission: true, checkin_text: text }]))
  const options = { format: 'auto', tierMap: { 'item:1': 'once' }, dryRun: false, by: COMMAND_LINE } as const
  assert.equal((await importTickets(file, options, desk.deps)).added, 1)
  const { ledger, tickets } = desk.deps
  const row = JSON.stringify(tickets.lookUp('S1', desk.deps.codes))
  for (const secret of said.slice(0, 5)) assert.ok(row.includes(secret), `${secret} is stored`)
  await take('Leaktext again')
  const journal = ledger
    .read(0, ledger.size)
    .map(({ bytes }) => bytes.toString())
    .join('\n')
  assert.match(journal, /"kind":"import"/)
  for (const secret of said) assert.ok(!journal.includes(secret), secret)
})
