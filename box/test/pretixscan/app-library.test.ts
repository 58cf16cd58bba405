/** The library of the pretixSCAN apps itself pairs with a box, reads it and asks it about codes: `npm run test:pretixscan`. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { sayOfTicket, sellProduct } from '../world/details.ts'
import { TEST_EVENT, TEST_TICKETS } from '../world/event.ts'
import { listsOf, PretixApp, pairingCode, portOf } from '../world/pretix-app.ts'
import { World } from '../world/world.ts'
import { libpretixsync } from './library.ts'
import { RECORDED } from './recorded.ts'
import { Recorder } from './recorder.ts'

const { classPath = '', whyNot } = await libpretixsync()
const EVENT = 'organizers/gatehouse/events/test-fair/'

/** The library, in a process of its own. */
class Library implements AsyncDisposable {
  readonly #process = spawn('java', ['-cp', classPath, join(import.meta.dirname, 'jvm/Driver.java')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  readonly #lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]()

  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  async run(command: object): Promise<any> {
    this.#process.stdin.write(`${JSON.stringify(command)}\n`)
    const { value, done } = await this.#lines.next()
    if (done) throw new Error('the library has ended')
    return JSON.parse(value)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.#process.stdin.end()
    await ended
  }
}

test('libpretixsync pairs, reads the event, scans, asks questions, searches, counts, and is revoked', {
  skip: whyNot ?? false,
}, async () => {
  await using world = await World.open({
    event: { ...TEST_EVENT, scanners_see: 'name' },
    tickets: [...TEST_TICKETS, 'ASK-1,once,,,,,,valid', 'NONCE-1,once,,,,,,valid'],
    environment: { GATEHOUSE_PRETIXSCAN_PORT: '0' },
  })
  const question = { id: '41', text: 'Size?', kind: 'choice' as const, required: true }
  const options = [
    { id: '7', text: 'Small' },
    { id: '8', text: 'Large' },
  ]
  sellProduct(world.box.ledger.db, 'shirt', { questions: [{ ...question, options }] })
  sayOfTicket(world.box.ledger.db, 'ASK-1', { product: 'shirt' })
  await using library = new Library()
  const { url, token } = await pairingCode(world)

  const wrong = await library.run({ do: 'initialize', url, token: 'proxy=aaaaaaaaaaaaaaaa' })
  assert.equal(wrong.thrown, 'SetupBadRequestException')
  const paired = await library.run({ do: 'initialize', url, token })
  assert.deepEqual([paired.organizer, paired.security_profile], ['gatehouse', 'pretixscan'])

  assert.deepEqual(await library.run({ do: 'events' }), ['test-fair'])
  for (const name of [
    'items',
    'categories',
    'questions',
    'badgelayouts',
    'badgeitems',
    'checkinlists',
    'orders',
    'revokedsecrets',
  ]) {
    const page = await library.run({ do: 'fetch', path: `${EVENT}${name}/` })
    assert.ok(Array.isArray(page.results), `${name}: ${JSON.stringify(page)}`)
  }
  assert.equal((await library.run({ do: 'fetch', path: `${EVENT}nothing/` })).thrown, 'NotFoundApiException')

  using app = new PretixApp(portOf(world), paired.api_token)
  const list = (await listsOf(app))['A entry']
  const at = { event: 'test-fair', list }
  const check = (code: string, more: object = {}) => library.run({ do: 'check', ...at, code, ...more })
  const first = await check('ONCE-1')
  assert.deepEqual(
    [first.type, first.scanType, first.attendee_name, first.seat],
    ['VALID', 'ENTRY', 'Ana Reis', 'Row 1, seat 2'],
  )
  const again = await check('ONCE-1')
  assert.equal(again.type, 'USED')
  assert.ok(Math.abs(new Date(again.firstScanned).getTime() - world.now()) < 60_000)
  assert.deepEqual(
    [(await check('FLEX-1')).type, (await check('FLEX-1', { type: 'EXIT' })).scanType],
    ['VALID', 'EXIT'],
  )
  for (const [code, type] of [
    ['NO-SUCH', 'INVALID'],
    ['PENDING-1', 'UNPAID'],
    ['BLOCKED-1', 'BLOCKED'],
    ['REVOKED-1', 'CANCELED'],
    ['FUTURE-1', 'INVALID_TIME'],
    ['VIP-1', 'PRODUCT'],
  ] as const) {
    const said = await check(code)
    assert.equal(said.type, type, code)
    assert.equal(typeof said.reasonExplanation, 'string')
  }
  const asked = await check('ASK-1')
  assert.deepEqual([asked.type, asked.requiredAnswers.length], ['ANSWERS_REQUIRED', 1])
  assert.equal((await check('ASK-1', { answers: ['8'] })).type, 'VALID')

  const [found] = await library.run({ do: 'search', ...at, query: 'ONCE-2' })
  assert.deepEqual([found.secret, found.ticket, found.status, found.redeemed], ['ONCE-2', 'Day ticket', 'PAID', false])
  assert.equal((await library.run({ do: 'search', ...at, query: 'Ana Reis' })).thrown, 'CheckException')
  const status = await library.run({ do: 'status', ...at })
  assert.deepEqual([status.eventName, status.alreadyScanned], ['Test Fair', 3])

  const nonce = { do: 'redeem', list, code: 'NONCE-1', nonce: 'n1' }
  assert.deepEqual([(await library.run(nonce)).status, (await library.run(nonce)).status], ['ok', 'ok'])
  const used = await library.run({ ...nonce, nonce: 'n2' })
  assert.deepEqual([used.status, used.reason, used.position.checkins.length], ['error', 'already_redeemed', 1])
  const unknown = await library.run({ ...nonce, code: 'NO-SUCH', nonce: 'n3' })
  assert.deepEqual([unknown.status, unknown.reason], ['error', 'invalid'])

  await app.post('/api/v1/device/revoke', {})
  const revoked = await library.run({ do: 'fetch', path: 'device/info' })
  assert.deepEqual(
    [revoked.thrown, revoked.message],
    ['DeviceAccessRevokedException', 'Device access has been revoked.'],
  )
  const refused = await check('ONCE-2')
  assert.deepEqual([refused.type, /out of service/.test(refused.reasonExplanation)], ['ERROR', true])
})

test('the app of libpretixsync synchronizes, scans online, uploads what it did alone, and ends when it is revoked', {
  skip: whyNot ?? false,
}, async () => {
  await using world = await World.open({
    event: TEST_EVENT,
    tickets: [...TEST_TICKETS, 'ALONE-1,once,,,,,,valid', 'ALONE-2,once,,,,,,valid'],
    environment: { GATEHOUSE_PRETIXSCAN_PORT: '0' },
  })
  await using library = new Library()
  const { url, token } = await pairingCode(world, { mode: 'plain' })
  const paired = await library.run({ do: 'initialize', url, token })
  assert.equal(paired.security_profile, 'pretixscan_online_noorders')
  using app = new PretixApp(portOf(world), paired.api_token)
  const lists = await listsOf(app)
  const at = { event: 'test-fair', list: lists['A entry'] }
  const sync = (profile: string) => library.run({ do: 'sync', event: 'test-fair', profile })

  // The profile of this pairing, and the one with orders: an app can be set to it, and finds none.
  for (const profile of ['PRETIXSCAN_ONLINE', 'PRETIXSCAN']) {
    const done = await sync(profile)
    assert.equal(done.problem, null, profile)
    assert.deepEqual([done.device, done.lists.sort()], ['Zebra TC57', Object.keys(lists).sort()])
    assert.equal(done.items, world.box.event.tiers.length)
  }

  const online = (code: string, nonce: string) => library.run({ do: 'checkOnline', ...at, code, nonce })
  const first = await online('ONCE-1', 'n1')
  assert.deepEqual([first.type, (await online('ONCE-1', 'n1')).type], ['VALID', 'VALID'], JSON.stringify(first))
  assert.equal((await online('ONCE-1', 'n2')).type, 'USED')
  assert.equal((await online('NO-SUCH', 'n3')).type, 'INVALID')

  // Alone it has neither orders nor keys: it admits nobody, and writes down that it refused.
  assert.equal((await library.run({ do: 'checkAlone', ...at, code: 'ONCE-2' })).type, 'INVALID')
  assert.deepEqual(await library.run({ do: 'queues' }), { checkins: 0, calls: 1 })
  const letIn = (code: string, nonce: string, minutes: number) => {
    const when = world.now() - minutes * 60_000
    return library.run({ do: 'queue', ...at, code, nonce, at: when, datetime: new Date(when).toISOString() })
  }
  await letIn('ALONE-1', 'q1', 9)
  await letIn('ALONE-1', 'q2', 8)
  await letIn('NO-SUCH', 'q3', 7)
  assert.deepEqual(await letIn('ALONE-2', 'q4', 6), { checkins: 4, calls: 1 })
  const { problem, checkins, calls } = await sync('PRETIXSCAN_ONLINE')
  assert.deepEqual([problem, checkins, calls], [null, 0, 0])
  const { json: status } = await app.call(
    `/api/v1/organizers/gatehouse/events/test-fair/checkinlists/${at.list}/status/`,
  )
  // A list counts tickets: ALONE-1 was let in twice, and a case says so. The unknown code is nobody's ticket.
  assert.equal(status.checkin_count, 3)
  const { data } = await (await world.admin()).GET('/v1/admin/flags', { params: { query: {} } })
  assert.ok(data?.flags.some(({ kind, records }) => kind === 'double_use' && records.length === 2))
  assert.equal((await online('ALONE-2', 'n4')).type, 'USED')
  assert.equal((await online('ONCE-2', 'n5')).type, 'VALID')

  await app.post('/api/v1/device/revoke', {})
  assert.equal((await sync('PRETIXSCAN_ONLINE')).problem, 'Device access has been revoked.')
  assert.equal((await online('ONCE-2', 'n9')).type, 'ERROR')
})

test('its calls of a first start, of a shift, and once it is revoked, are those that the contract tests make', {
  skip: whyNot ?? false,
}, async () => {
  await using world = await World.open({ environment: { GATEHOUSE_PRETIXSCAN_PORT: '0' } })
  await using library = new Library()
  using calls = new Recorder(portOf(world))
  const { url, token } = await pairingCode(world)
  const { api_token } = await library.run({ do: 'initialize', url, token })
  await library.run({ do: 'events' })
  const start = calls.take()
  const sync = () => library.run({ do: 'sync', event: 'test-fair', profile: 'PRETIXSCAN' })
  assert.equal((await sync()).problem, null)
  const first = calls.take()
  assert.equal((await sync()).problem, null)
  const again = calls.take()
  using app = new PretixApp(portOf(world), api_token)
  const at = { event: 'test-fair', list: (await listsOf(app))['A entry'] }
  calls.take()
  await library.run({ do: 'check', ...at, code: 'CREW-1' })
  await library.run({ do: 'search', ...at, query: 'ONCE-1' })
  await library.run({ do: 'status', ...at })
  const gate = calls.take()
  await library.run({ do: 'sync', event: 'test-fair', profile: 'PRETIXSCAN_ONLINE' })
  const online = calls.take()
  await library.run({ do: 'checkOnline', ...at, code: 'ONCE-2', nonce: 'n1' })
  const plain = calls.take()
  await app.post('/api/v1/device/revoke', {})
  calls.take()
  assert.equal((await sync()).problem, 'Device access has been revoked.')
  const revoked = calls.take()
  assert.deepEqual({ start, first, again, gate, online, plain, revoked }, RECORDED)
})
