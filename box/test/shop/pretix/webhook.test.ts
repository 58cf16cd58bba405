/** pretix's webhook: what it makes the box do, and what nobody can make it do. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { POSITIONS } from '../../../src/shop/pretix/apply-orders.ts'
import { readState } from '../../../src/shop/pretix/state.ts'
import { isForUs } from '../../../src/shop/pretix/webhook.ts'
import { RowStore } from '../../../src/shop/rows.ts'
import { gatehouse } from '../../world/command.ts'
import { until } from '../../world/until.ts'
import { World } from '../../world/world.ts'
import { connectFolder } from './connected.ts'
import { answer, PretixServer } from './server.ts'
import { PullWorld, position } from './world.ts'

/** After the event, when pretix is asked once a minute. */
const FAR = Date.UTC(2037, 0, 1)

test('a call has pretix asked at once, and no more often than near the doors', async () => {
  await using w = await PullWorld.open()
  w.desk.now = FAR
  await w.sync()
  w.sell('AAA', [{ id: 1 }])
  await w.later(3_000)
  assert.equal(w.tickets().length, 0)
  w.pull.hint()
  await w.sync()
  assert.equal(w.tickets().length, 1)
  w.desk.now += 1_000
  w.sell('BBB', [{ id: 2 }])
  const asked = w.pretix.askedFor('/orders/').length
  for (let n = 0; n < 100; n++) {
    w.pull.hint()
    await w.sync()
  }
  assert.equal(w.pretix.askedFor('/orders/').length, asked)
  await w.later(1_000)
  assert.equal(w.tickets().length, 2)
  w.sell('CCC', [{ id: 3 }])
  await w.later(3_000)
  assert.equal(w.tickets().length, 2, 'one call is one poll')
})

test('while pretix fails, calls do nothing', async () => {
  await using w = await PullWorld.open()
  w.desk.now = FAR
  w.pretix.fault = (_request, response) => answer(response, 401, { detail: 'Invalid token.' })
  w.pull.start()
  await until(() => w.pull.status.error !== null, 'the first request was refused')
  const asked = w.pretix.asked.length
  for (let n = 0; n < 20; n++) {
    w.pull.hint()
    // A box that was woken would have asked before this one.
    await fetch(`${w.pretix.url}/another`)
  }
  assert.equal(w.pretix.asked.length, asked + 20)
  w.pull.poke()
  await until(() => w.pretix.asked.length > asked + 20, 'a person wakes it')
})

test('every call gets the same answer, and only the right one brings the ticket that was sold', async () => {
  await using pretix = await PretixServer.start()
  pretix.items = [{ id: 1, name: { en: 'Ticket' }, admission: true, variations: [] }]
  await using box = await World.open({ offsetMs: FAR - Date.now() })
  const call = async (key: string, body: string, type = 'application/json') => {
    const url = `http://127.0.0.1:${box.box.ports.http}/v1/shop/webhook/${key}`
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body })
    return `${answer.status} ${await answer.text()}`
  }
  const news = {
    notification_id: 7,
    organizer: 'acme',
    event: 'summer',
    code: 'AAA',
    action: 'pretix.event.order.paid',
  }
  const right = JSON.stringify(news)
  assert.equal(await call('x', right), '200 {}', 'without a shop')

  await box.restart(() => connectFolder(box.environment, pretix, 'tiers:\n  item:1: once\n'))
  const { db } = box.box.ledger
  const source = `pretix/127.0.0.1:${pretix.port}/acme/summer`
  await until(() => readState(db, source).comparedAt !== null)
  const environment = { ...box.environment, GATEHOUSE_HTTPS_PORT: String(box.box.ports.https) }
  const typed = await gatehouse(['shop', 'webhook'], { environment })
  assert.equal(typed.code, 0, typed.err)
  const key = typed.out.trim().split('/v1/shop/webhook/')[1] ?? ''
  assert.equal(Buffer.from(key, 'base64url').length, 16)
  assert.equal((await gatehouse(['shop', 'webhook'], { environment })).out, typed.out, 'the same each time')
  const at = new Date(box.now()).toISOString()
  const more = { status: 'p', testmode: false, datetime: at, last_modified: at }
  pretix.orders.push({ code: 'AAA', ...more, positions: [position({ id: 1 })] })
  const answers = [
    await call(`${key.slice(0, -2)}xx`, right),
    await call(key.slice(1), right),
    await call(key, JSON.stringify({ ...news, event: 'winter' })),
    await call(key, JSON.stringify({ ...news, organizer: 'other' })),
    await call(key, '{"organizer":'),
    await call(key, '[]'),
    await call(key, 'organizer=acme', 'text/plain; charset=x'),
    await call(`${key}x`, JSON.stringify({ ...news, code: 'x'.repeat(8_000) })),
    await call(key, JSON.stringify({ ...news, code: 'x'.repeat(100_000) })),
  ]
  assert.deepEqual(new Set(answers), new Set(['200 {}']))
  assert.equal(await call(key, right), '200 {}')
  // Without the call it would be a minute.
  await until(() => new RowStore(db).find(source, { table: POSITIONS, key: '1' }) !== undefined, 'the ticket', 0.5)
})

test('a call counts with the key, and for the connected event', () => {
  const own = { key: 'AAAAAAAAAAAAAAAAAAAAAA', connection: { organizer: 'acme', event: 'summer' } }
  const body = { organizer: 'acme', event: 'summer', code: 'AAA' }
  assert.ok(isForUs({ key: own.key, body }, own))
  assert.ok(!isForUs({ key: own.key, body }, { ...own, key: undefined }), 'nobody has asked for an address yet')
  for (const key of ['', 'AAAA', 'AAAAAAAAAAAAAAAAAAAAAB', `${own.key}A`]) assert.ok(!isForUs({ key, body }, own))
  for (const other of [undefined, null, [], 'acme', { ...body, event: 'winter' }, { ...body, organizer: ['acme'] }]) {
    assert.ok(!isForUs({ key: own.key, body: other }, own))
  }
})
