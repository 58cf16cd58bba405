/** Sales, changes and cancellations in pretix, as the gate knows them after the next poll. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMMAND_LINE } from '../../../src/ca/actor.ts'
import { readState, wantComparison } from '../../../src/shop/pretix/state.ts'
import { importTickets } from '../../../src/tickets/import-tickets.ts'
import { problemsIn } from '../../world/problems.ts'
import { answer } from './server.ts'
import { PullWorld, position } from './world.ts'

test('a ticket that was sold is admitted after the next poll, as one of its product and order', async () => {
  await using w = await PullWorld.open()
  await w.sync()
  assert.equal(await w.verdict('secret1'), 'UNKNOWN')
  w.sell('AAA', [{ id: 1 }, { id: 2, item: 2, variation: 21 }, { id: 3, item: 3, addon_to: 1 }])
  await w.later()
  assert.equal(await w.verdict('secret1'), 'ADMIT')
  assert.equal(await w.verdict('secret2'), 'REDIRECT')
  assert.equal(await w.verdict('secret3'), 'UNKNOWN')
  const [ticket] = w.tickets()
  assert.deepEqual([ticket?.orderCode, ticket?.position, ticket?.product], ['AAA', 1, 'item:1'])
  assert.match(ticket?.extras ?? '', /item:3/)
  assert.equal(w.entries().length, 1)
})

test('a cancelled, a blocked, an unpaid and a removed ticket are refused for their reason', async () => {
  await using w = await PullWorld.open()
  const orders = [1, 2, 3, 4].map((id) => w.sell(`O${id}`, [{ id }]))
  const two = w.sell('TWO', [{ id: 5 }, { id: 6 }])
  await w.sync()
  const [cancelled, blocked, unpaid, partly] = orders
  assert.ok(cancelled && blocked && unpaid && partly)
  w.desk.now += 1_000
  w.change(cancelled, { status: 'c' })
  w.change(blocked, { positions: [position({ id: 2, blocked: ['admin'] })] })
  w.change(unpaid, { status: 'n' })
  w.change(partly, { positions: [position({ id: 4, canceled: true })] })
  w.change(two, { positions: [position({ id: 5 })] })
  await w.later()
  const verdicts = []
  for (const id of [1, 2, 3, 4, 5, 6]) verdicts.push(await w.verdict(`secret${id}`))
  assert.deepEqual(verdicts, ['REVOKED', 'BLOCKED', 'NOT_PAID', 'REVOKED', 'ADMIT', 'REVOKED'])
})

test('a code that pretix has changed opens the same ticket, and the one before opens nothing', async () => {
  await using w = await PullWorld.open()
  const order = w.sell('AAA', [{ id: 1 }])
  await w.sync()
  assert.equal(await w.verdict('secret1'), 'ADMIT')
  w.desk.now += 1_000
  w.change(order, { positions: [position({ id: 1, secret: 'fresh' })] })
  await w.later()
  // Replaced: "ask for the new ticket".
  assert.equal(await w.verdict('secret1'), 'BLOCKED')
  assert.equal(await w.verdict('fresh'), 'ALREADY_USED')
  assert.equal(w.tickets().length, 1)
})

test('a file of the same event and the API meet at the same ticket, although its code was changed in between', async () => {
  await using w = await PullWorld.open()
  const order = w.sell('AAA', [{ id: 1 }, { id: 2 }])
  const file = Buffer.from(JSON.stringify([order]))
  const options = { format: 'auto', tierMap: { 'item:1': 'once' }, dryRun: false, by: COMMAND_LINE } as const
  await importTickets(file, options, w.desk.deps)
  w.change(order, { positions: [position({ id: 1 }), position({ id: 2, positionid: 2, secret: 'fresh' })] })
  await w.sync()
  assert.equal(w.tickets().length, 2)
  assert.equal(await w.verdict('secret2'), 'BLOCKED')
  assert.equal(await w.verdict('fresh'), 'ADMIT')
})

test('a run that is killed at any page goes on there, and loses and repeats nothing', async () => {
  await using w = await PullWorld.open()
  w.pretix.pageSize = 3
  for (let id = 1; id <= 40; id++) w.sell(`O${id}`, [{ id }])
  const pages: number[] = []
  for (let restarts = 0; readState(w.desk.deps.ledger.db, w.source).comparedAt === null; restarts++) {
    assert.ok(restarts < 100)
    // One page, after the catalog and a poll.
    await w.pull.step()
    await w.pull.step()
    await w.pull.step()
    pages.push(readState(w.desk.deps.ledger.db, w.source).full?.page ?? 0)
    await w.restart()
  }
  assert.ok(new Set(pages).size >= 13)
  assert.equal(w.tickets().length, 40)
  assert.equal(
    w.entries().reduce((sum, { added }) => sum + Number(added), 0),
    40,
  )
  await w.later()
  assert.equal(
    w.entries().reduce((sum, { changed }) => sum + Number(changed), 0),
    0,
  )
})

test('a change run that is killed goes on at its page, also where pretix fails in the middle', async () => {
  await using w = await PullWorld.open()
  w.pretix.pageSize = 3
  await w.sync()
  w.desk.now += 1_000
  for (let id = 1; id <= 20; id++) w.sell(`O${id}`, [{ id }])
  let left = 4
  w.pretix.fault = ({ path, query }, response) =>
    path.endsWith('/orders/') && Number(query.get('page')) > 1 && left-- > 0 ? answer(response, 502, '') : false
  for (let times = 0; left > -8; times++) {
    assert.ok(times < 40)
    w.desk.now += 70_000
    await w.pull.step()
    if (times % 3 === 0) await w.restart()
  }
  await w.later(70_000)
  assert.equal(w.tickets().length, 20)
})

test('an order that is committed late, with an earlier time, is not missed', async () => {
  await using w = await PullWorld.open()
  await w.sync()
  for (let n = 0; n < 40; n++) {
    w.sell(`N${n}`, [{ id: 100 + n }])
    await w.later()
  }
  const late = w.sell('LATE', [{ id: 1 }])
  late.last_modified = new Date(w.desk.now - 60_000).toISOString()
  await w.later(61_000)
  assert.equal(await w.verdict('secret1'), 'ADMIT')
})

test('a poll that brings nothing writes nothing, and asks for one page', async () => {
  await using w = await PullWorld.open()
  for (let id = 1; id <= 120; id++) w.sell(`O${id}`, [{ id }])
  await w.sync()
  await w.later()
  const size = w.desk.deps.ledger.size
  w.pretix.asked.length = 0
  await w.later()
  assert.equal(w.pretix.askedFor('/orders/').length, 1)
  assert.equal(w.desk.deps.ledger.size, size)
})

test('what pretix does not know any more admits nobody after a comparison; what a page skipped, does', async () => {
  await using w = await PullWorld.open()
  w.pretix.pageSize = 3
  const orders = Array.from({ length: 10 }, (_, n) => w.sell(`O${n}`, [{ id: n + 1 }]))
  await w.sync()
  const [gone, skipped] = orders
  w.pretix.orders = orders.filter((order) => order !== gone)
  // The list becomes shorter while it is read: page 2 begins one order later than it did.
  w.pretix.fault = ({ path, query }, response) => {
    if (!path.endsWith('/orders/') || query.get('ordering') !== 'datetime')
      return path.endsWith('/orders/O1/') && answer(response, 200, skipped ?? {})
    const all = w.pretix.orders.filter((order) => order !== skipped)
    return answer(response, 200, { count: 9, next: null, previous: null, results: all })
  }
  w.desk.now += 100_000
  wantComparison(w.desk.deps.ledger.db, w.desk.now)
  w.desk.now += 1_000
  await w.later()
  assert.equal(await w.verdict('secret1'), 'REVOKED')
  assert.equal(await w.verdict('secret2'), 'ADMIT')
  assert.equal(await w.verdict('secret10'), 'ADMIT')
  // It comes back, as after a restore of the shop's database.
  w.pretix.fault = () => false
  w.pretix.orders = orders
  assert.ok(gone)
  w.change(gone, {})
  await w.later()
  assert.equal(await w.verdict('secret1'), 'ADMIT')
})

test('test orders are tickets only while the event is in test mode', async () => {
  await using w = await PullWorld.open()
  w.pretix.event.testmode = true
  w.sell('TEST', [{ id: 1 }], { testmode: true })
  await w.sync()
  assert.equal(w.tickets()[0]?.status, 'valid')
  w.pretix.event.testmode = false
  w.pretix.fault = ({ path, query }, response) => {
    if (!path.endsWith('/orders/') || query.get('testmode') !== 'false')
      return path.endsWith('/orders/TEST/') && answer(response, 200, w.pretix.orders[0] ?? {})
    return answer(response, 200, { count: 0, next: null, previous: null, results: [] })
  }
  await w.later(61_000)
  await w.later(61_000)
  assert.equal(await w.verdict('secret1'), 'REVOKED')
})

test('a ticket of a date in a series admits on that date alone', async () => {
  await using w = await PullWorld.open()
  w.pretix.event.has_subevents = true
  w.pretix.subevents = [
    { id: 7, date_from: '2026-07-04T19:00:00+01:00', date_to: null, date_admission: '2026-07-04T17:00:00+01:00' },
    { id: 8, date_from: '2026-07-05T19:00:00+01:00', date_to: '2026-07-06T01:00:00+01:00', date_admission: null },
    { id: 9, date_from: '2026-07-04T19:00:00+01:00', date_to: null, date_admission: null },
  ]
  w.subevents = [7, 8]
  w.sell('AAA', [
    { id: 1, subevent: 7 },
    { id: 2, subevent: 8 },
    { id: 3, subevent: 9 },
  ])
  await w.sync()
  assert.equal(await w.verdict('secret1'), 'ADMIT')
  assert.equal(await w.verdict('secret2'), 'NOT_VALID_NOW')
  assert.equal(await w.verdict('secret3'), 'UNKNOWN')
  w.desk.now = Date.parse('2026-07-06T00:30:00+01:00')
  assert.equal(await w.verdict('secret2'), 'ADMIT')
})

test('a token that is revoked midway keeps every ticket, and says so until there is another', async () => {
  await using w = await PullWorld.open()
  w.sell('AAA', [{ id: 1 }])
  await w.sync()
  const token = w.pretix.token
  w.pretix.token = 'another'
  await w.later()
  assert.match(w.pull.status.error ?? '', /make a new one/)
  assert.equal(await w.verdict('secret1'), 'ADMIT')
  w.pretix.token = token
  w.sell('BBB', [{ id: 2 }])
  await w.later(61_000)
  assert.equal(w.pull.status.error, null)
  assert.equal(await w.verdict('secret2'), 'ADMIT')
})

test('strange pages stop nothing and change nothing', async () => {
  await using w = await PullWorld.open()
  w.sell('AAA', [{ id: 1 }])
  await w.sync()
  const before = w.desk.deps.ledger.size
  const results: unknown[][] = [
    [null, 7, 'x', {}, { code: 5 }],
    [{ code: 'AAA', last_modified: 4, status: 'p', positions: 'all' }],
    [{ code: 'X', status: 'z', positions: [null, {}, { id: {} }, { id: 9, secret: 'x'.repeat(5000), item: 1 }] }],
  ]
  for (const some of results) {
    w.pretix.fault = ({ path }, response) =>
      path.endsWith('/orders/') && answer(response, 200, { count: 1, next: null, results: some })
    await w.later(61_000)
  }
  assert.equal(w.tickets().length, 1)
  assert.ok(w.desk.deps.ledger.size <= before + 1)
  w.pretix.fault = () => false
  await w.later(61_000)
})

test('the ledger verifies after every kind of change', async () => {
  await using w = await PullWorld.open()
  const order = w.sell('AAA', [{ id: 1 }, { id: 2, item: 2, variation: 22 }])
  await w.sync()
  w.desk.now += 1_000
  w.change(order, { status: 'c', positions: [position({ id: 1, secret: 'fresh' })] })
  await w.later()
  w.pretix.changedAt = 'Sun, 05 Jul 2026 10:00:00 GMT'
  w.pretix.items[0] = { id: 1, name: { en: 'Renamed' }, admission: true, variations: [] }
  await w.later(61_000)
  assert.match(JSON.stringify(w.desk.deps.tickets.details.productOf('item:1')), /Renamed/)
  assert.deepEqual(problemsIn(w.desk.folder), [])
})

test('products and questions are asked for conditionally, and once in ten times without a condition', async () => {
  await using w = await PullWorld.open()
  w.pretix.questions = [{ id: 4, question: { en: 'Size?' }, type: 'S', items: [1], ask_during_checkin: true }]
  w.sell('AAA', [{ id: 1 }])
  await w.sync()
  const digest = readState(w.desk.deps.ledger.db, w.source).digest
  for (let n = 1; n <= 10; n++) await w.later(61_000)
  for (const list of ['/items/', '/questions/']) {
    const since = w.pretix.askedFor(list).map((asked) => asked.since)
    assert.deepEqual(since, [undefined, ...Array(9).fill(w.pretix.changedAt), undefined])
  }
  assert.equal(readState(w.desk.deps.ledger.db, w.source).digest, digest, '304 is no empty list')
  w.sell('BBB', [{ id: 2 }])
  await w.later()
  assert.equal(await w.verdict('secret2'), 'ADMIT')
  // Changed within the second of the last answer: pretix says 304, and the question arrives all the same.
  w.pretix.questions[0] = { ...w.pretix.questions[0], question: { en: 'Shirt size?' } }
  for (let n = 1; n <= 10; n++) await w.later(61_000)
  assert.match(JSON.stringify(w.desk.deps.tickets.details.productOf('item:1')), /Shirt size/)
})

test('after an answer that asks for fewer requests, changes are asked for more slowly for ten minutes', async () => {
  await using w = await PullWorld.open()
  await w.sync()
  const polls = async (seconds: number) => {
    w.pretix.asked.length = 0
    for (let n = 0; n < seconds; n++) await w.later(1_000)
    return w.pretix.askedFor('/orders/').length
  }
  assert.equal(await polls(60), 30)
  let refused = 2
  w.pretix.fault = ({ path }, response) => path.endsWith('/orders/') && refused-- > 0 && answer(response, 429, {})
  w.desk.now += 2_000
  assert.ok((await w.pull.step()) >= 1_000)
  assert.ok((await w.pull.step()) >= 2_000, 'twice in a row')
  // Asked twice for fewer: four times as slowly.
  assert.ok(Math.abs((await polls(60)) - 60 / 8) <= 1)
  w.desk.now += 600_000
  assert.equal(await polls(60), 30)
})

test('far from the event changes are asked for each minute, and each two seconds for half an hour after a scan', async () => {
  await using w = await PullWorld.open()
  w.desk.now = Date.UTC(2026, 5, 1)
  await w.sync()
  const polls = async (seconds: number, step: number) => {
    w.pretix.asked.length = 0
    for (let n = 0; n < seconds; n += step) await w.later(step * 1_000)
    return w.pretix.askedFor('/orders/').length
  }
  assert.equal(await polls(120, 1), 2)
  w.areScanned = true
  assert.ok(Math.abs((await polls(60, 1)) - 30) <= 1)
  w.areScanned = false
  assert.ok(Math.abs((await polls(1_700, 10)) - 170) <= 1)
  await polls(100, 10)
  assert.equal(await polls(600, 1), 10)
})

test('what was deleted is noticed by itself: every order is read again after two days near the doors', async () => {
  await using w = await PullWorld.open()
  w.sell('AAA', [{ id: 1 }])
  w.sell('BBB', [{ id: 2 }])
  await w.sync()
  w.pretix.orders = w.pretix.orders.filter(({ code }) => code !== 'AAA')
  await w.later(47 * 3_600_000)
  assert.equal(w.tickets().find(({ code }) => code === 'secret1')?.status, 'valid')
  await w.later(3_600_000)
  assert.equal(w.tickets().find(({ code }) => code === 'secret1')?.status, 'revoked')
  assert.equal(await w.verdict('secret2'), 'ADMIT')
})

for (const first of ['the old order', 'the new order']) {
  test(`a position that was moved to an order of its own stays the same ticket: ${first} is read first`, async () => {
    await using w = await PullWorld.open()
    const order = w.sell('AAA', [{ id: 1 }, { id: 2 }])
    await w.sync()
    assert.equal(await w.verdict('secret2'), 'ADMIT')
    w.desk.now += 1_000
    const split = () => w.sell('BBB', [{ id: 2 }])
    // The newest change is on the first page.
    w.pretix.pageSize = 1
    if (first === 'the new order') {
      w.change(order, { positions: [position({ id: 1 })] })
      split()
    } else {
      split()
      w.change(order, { positions: [position({ id: 1 })] })
    }
    await w.later()
    assert.equal(await w.verdict('secret2'), 'ALREADY_USED')
    const moved = w.tickets().find(({ code }) => code === 'secret2')
    assert.deepEqual([w.tickets().length, moved?.orderCode, moved?.status], [2, 'BBB', 'valid'])
    // Its new order decides from now on, and the old one no longer.
    w.desk.now += 1_000
    w.change(order, { status: 'c' })
    await w.later()
    assert.deepEqual([await w.verdict('secret1'), await w.verdict('secret2')], ['REVOKED', 'ALREADY_USED'])
    w.change(w.pretix.orders.find(({ code }) => code === 'BBB') ?? assert.fail(), { status: 'c' })
    await w.later()
    assert.equal(await w.verdict('secret2'), 'REVOKED')
    await w.later(48 * 3_600_000)
    assert.deepEqual(problemsIn(w.desk.folder), [])
  })
}

test('a list that gets rules, and one that is deleted, are told within a minute, and are kept for a start without pretix', async () => {
  await using w = await PullWorld.open()
  w.pretix.lists = [{ id: 5, name: 'Entrance', all_products: true, limit_products: [], subevent: null, rules: {} }]
  await w.sync()
  const codes = () => w.pull.notices.map(({ code, list, checkpoints }) => `${code} ${list} ${checkpoints}`)
  assert.deepEqual(codes(), [])
  Object.assign(w.pretix.lists[0] ?? assert.fail(), { rules: { isAfter: [{ var: 'now' }, {}, 0] } })
  await w.later(61_000)
  assert.deepEqual(codes(), ['list_rules 5 a-in'])
  w.pretix.lists = []
  await w.later(61_000)
  assert.deepEqual(codes(), ['list_gone 5 a-in'])
  await w.restart()
  assert.deepEqual(codes(), ['list_gone 5 a-in'])
})

test('seat, text for the door, attention, validity, answers and add-ons come down with the order', async () => {
  await using w = await PullWorld.open()
  w.pretix.questions = [{ id: 4, question: { en: 'Size?' }, type: 'S', items: [1], ask_during_checkin: true }]
  const seat = {
    id: 9,
    name: 'Block A, row 3, seat 7',
    zone_name: 'A',
    row_name: '3',
    seat_number: '7',
    seat_guid: 'x',
  }
  const answers = [{ question: 4, answer: 'XL', question_identifier: 'SIZE', options: [], option_identifiers: [] }]
  const order = w.sell(
    'AAA',
    [
      { id: 1, seat, answers, valid_until: '2026-07-04T20:00:00+00:00' },
      { id: 2, item: 3, addon_to: 1 },
    ],
    { checkin_attention: true, checkin_text: 'Has the keys.' },
  )
  await w.sync()
  const details = () => {
    const ticket = w.tickets().find(({ code }) => code === 'secret1') ?? assert.fail()
    const { personal } = w.desk.deps.tickets.details.detailsOf(ticket)
    return {
      ...personal,
      seat: ticket.seat,
      attention: ticket.attention,
      until: ticket.validUntil,
      extras: ticket.extras,
    }
  }
  const told = JSON.stringify(details())
  for (const part of ['Block A, row 3, seat 7', 'Has the keys.', 'XL', 'item:3'])
    assert.ok(told.includes(part), `${part} in ${told}`)
  assert.equal(details().until, Date.parse('2026-07-04T20:00:00Z'))
  assert.equal(await w.verdict('secret1'), 'ADMIT')
  w.desk.now += 1_000
  w.change(order, { checkin_text: null, positions: [position({ id: 1, seat: { ...seat, name: 'Block B' } })] })
  await w.later()
  const changed = JSON.stringify(details())
  assert.ok(changed.includes('Block B') && !changed.includes('keys'), changed)
})
