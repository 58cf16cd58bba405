/** Endpoints that an app reads of a box: each in both spellings, in the order of a first start and of an hour's shift. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, checkBody, listsOf, PretixApp, pairApp, pairingCode, portOf, SETUP } from '../world/pretix-app.ts'
import { World } from '../world/world.ts'
import { RECORDED } from './recorded.ts'

const ORGANIZER = '/api/v1/organizers/gatehouse'
const EVENT = `${ORGANIZER}/events/test-fair`

let world: World
let app: PretixApp

before(async () => {
  world = await World.open({ environment: { GATEHOUSE_PRETIXSCAN_PORT: '0' } })
  app = await pairApp(world, { checkpoints: ['a-in', 'a-out'] })
})
after(async () => {
  app[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

/** The same in both spellings. */
async function get(path: string) {
  const [bare, query = ''] = path.split('?')
  const [one, other] = await Promise.all([
    app.call(`${bare}${query && `?${query}`}`),
    app.call(`${bare}/${query && `?${query}`}`),
  ])
  assert.deepEqual([one?.status, one?.json], [other?.status, other?.json], path)
  return one as NonNullable<typeof one>
}

async function rows(path: string, expected?: number) {
  const { status, json } = await get(path)
  assert.equal(status, 200, path)
  assert.deepEqual(Object.keys(json), ['count', 'next', 'previous', 'results'])
  assert.deepEqual([json.count, json.next, json.previous], [json.results.length, null, null])
  if (expected !== undefined) assert.equal(json.count, expected, path)
  return json.results
}

function has(row: object, names: string): void {
  for (const name of names.split(' ')) assert.ok(name in row, `${name} is missing`)
}

describe('what an app reads of itself', () => {
  test('info has the version that switches entry and exit on, and a gate where it has one', async () => {
    const { json } = await get('/api/v1/device/info')
    assert.deepEqual([json.device.name, json.device.gate.name], ['Zebra TC57', 'Gate A'])
    assert.ok(json.server.version.pretix_numeric > 40_120_001_001)
    assert.deepEqual(json.medium_key_sets, [])
    assert.deepEqual((await get('/api/v1/version')).json, json.server.version)
  })

  test('update answers with name and gate, and takes no nonsense', async () => {
    const told = { software_brand: 'pretixSCAN Android', software_version: '3.4.0', info: { x: 1 } }
    const { status, json } = await app.post('/api/v1/device/update', told)
    assert.deepEqual([status, json.name, json.gate.name], [200, 'Zebra TC57', 'Gate A'])
    const { data } = await (await world.admin()).GET('/v1/admin/devices')
    assert.ok(data?.devices.some(({ app }) => app?.software === 'pretixSCAN Android 3.4.0'))
    assert.equal((await app.post('/api/v1/device/update', { software_version: 7 })).status, 400)
  })

  test('event selection names the event, and says 304 to an app that stands right', async () => {
    const { json } = await get('/api/v1/device/eventselection')
    assert.deepEqual(json.event, { slug: 'test-fair', name: 'Test Fair' })
    const stay = `current_event=test-fair&current_checkinlist=${json.checkinlist}`
    const { status, text } = await get(`/api/v1/device/eventselection?${stay}`)
    assert.deepEqual([status, text], [304, ''])
  })
})

describe('what an app reads of the event', () => {
  test('events: once, also to an app that looks for series, with every field that a decoder insists on', async () => {
    const [event] = await rows(`${ORGANIZER}/events?ends_after=2026-07-01&ordering=date_from`, 1)
    has(event, 'slug name date_from date_to live has_subevents currency timezone plugins seat_category_mapping')
    assert.deepEqual([event.name, event.plugins, event.seat_category_mapping], [{ en: 'Test Fair' }, [], {}])
    // Keys would let an app admit by a signature alone.
    assert.ok(!('valid_keys' in event))
    await rows(`${ORGANIZER}/events?has_subevents=true`, 0)
    assert.deepEqual((await get(EVENT)).json, event)
  })

  test('items: the tiers, with numbers that stay', async () => {
    const items = await rows(`${EVENT}/items`, 6)
    const strict =
      'id name internal_name default_price active free_price tax_rate admission position sales_channels require_voucher hide_without_voucher allow_cancel checkin_attention require_approval require_bundling has_variations variations addons bundles category'
    for (const item of items) has(item, strict)
    await world.restart()
    const fresh = await pairApp(world)
    const again = await fresh.call(`${EVENT}/items/`)
    fresh[Symbol.dispose]()
    assert.deepEqual(
      again.json.results.map(({ id }: { id: number }) => id),
      items.map(({ id }: { id: number }) => id),
    )
    app[Symbol.dispose]()
    app = await pairApp(world, { checkpoints: ['a-in', 'a-out'] })
  })

  test('check-in lists: those of the device, with the counts that iOS insists on', async () => {
    const lists = await rows(`${EVENT}/checkinlists?exclude=checkin_count&expand=subevent`, 2)
    const strict =
      'id name limit_products all_products include_pending subevent allow_multiple_entries allow_entry_after_exit addon_match rules position_count checkin_count'
    for (const list of lists) {
      has(list, strict)
      assert.ok(Number.isInteger(list.id) && list.id > 0 && list.id < 2 ** 31)
      assert.deepEqual((await get(`${EVENT}/checkinlists/${list.id}`)).json, list)
    }
    assert.deepEqual(
      lists.map(({ name }: { name: string }) => name),
      ['A entry', 'A exit'],
    )
    assert.equal((await get(`${EVENT}/checkinlists/1`)).text, 'Not Found')
  })

  test('all else is an empty page: no ticket, no order and no secret leaves the box', async () => {
    for (const name of [
      'categories',
      'questions',
      'badgelayouts',
      'badgeitems',
      'revokedsecrets',
      'blockedsecrets',
      'orders',
      'subevents',
    ]) {
      await rows(`${EVENT}/${name}`, 0)
    }
    await rows(`${ORGANIZER}/subevents`, 0)
    await rows(`${ORGANIZER}/reusablemedia?updated_since=2026-07-01T00:00:00Z`, 0)
    const { json, headers } = await get(`${EVENT}/settings`)
    assert.deepEqual(json, {})
    assert.match(String(headers['content-type']), /^application\/json/)
  })

  test('items, categories and questions are not sent twice; orders and dates say when they were made', async () => {
    for (const name of ['items', 'categories', 'questions']) {
      const { headers } = await app.call(`${EVENT}/${name}/`)
      const since = { 'if-modified-since': String(headers['last-modified']) }
      const again = await app.call(`${EVENT}/${name}/`, { headers: since })
      assert.deepEqual([again.status, again.text], [304, ''])
      const old = { 'if-modified-since': 'Wed, 01 Jul 2020 00:00:00 GMT' }
      assert.equal((await app.call(`${EVENT}/${name}/`, { headers: old })).status, 200)
      const none = { 'if-modified-since': 'nonsense' }
      assert.equal((await app.call(`${EVENT}/${name}/`, { headers: none })).status, 200)
    }
    for (const path of [`${EVENT}/orders/`, `${ORGANIZER}/subevents/`, `${ORGANIZER}/reusablemedia/`]) {
      const { headers } = await app.call(path)
      assert.ok(!Number.isNaN(Date.parse(String(headers['x-page-generated']))))
    }
  })

  test('there is no second page', async () => {
    const { status, text } = await get(`${EVENT}/items?page=2`)
    assert.deepEqual([status, text], [404, 'Not Found'])
  })

  test('a list has its counts, for the proxy and for plain mode', async () => {
    const [list] = await rows(`${EVENT}/checkinlists`)
    await app.post('/proxyapi/v1/rpc/check/', {
      events_and_checkin_lists: { 'test-fair': list.id },
      ticketid: 'ONCE-1',
      type: 'ENTRY',
    })
    const proxy = (await get(`/proxyapi/v1/rpc/test-fair/${list.id}/status`)).json
    assert.deepEqual([proxy.eventName, proxy.event_name], ['Test Fair', 'Test Fair'])
    assert.deepEqual([proxy.alreadyScanned, proxy.currentlyInside], [1, 1])
    const [day] = proxy.items.filter(({ name }: { name: string }) => name === 'Day ticket')
    assert.deepEqual([day.checkins, day.variations, day.admission, day.isAdmission], [1, [], true, true])
    const plain = (await get(`${EVENT}/checkinlists/${list.id}/status`)).json
    assert.deepEqual([plain.checkin_count, plain.inside_count, plain.event], [1, 1, { name: 'Test Fair' }])
    assert.equal(plain.position_count, proxy.totalTickets)
  })
})

interface Replayed {
  list: number
  /** Of the last page of that name. */
  since: Map<string, string>
  token?: string
}

/** Makes a recorded call. */
async function replay(by: PretixApp, recorded: string, { list, since, token = '' }: Replayed): Promise<Answer> {
  const [, method = '', path = '', changed] = /^(GET|POST) (.*?)( if changed)?$/.exec(recorded) ?? []
  const url = path.replace('LIST', String(list)).replace('DATE', encodeURIComponent('2026-07-01T10:00:00+00:00'))
  const bodies: Readonly<Record<string, object>> = {
    initialize: { token, ...SETUP },
    update: SETUP,
    check: checkBody(list, 'CREW-1'),
    search: { events_and_checkin_lists: { 'test-fair': list }, query: 'ONCE-1', page: 1 },
    redeem: { secret: 'CREW-1', lists: [list], type: 'entry', force: false, nonce: String(Math.random()), answers: {} },
  }
  const [, name = ''] = /(\w+)\/?(?:\?.*)?$/.exec(path) ?? []
  const headers: Record<string, string> = changed ? { 'if-modified-since': since.get(name) ?? '' } : {}
  const answer = await by.call(url, { method, headers, ...(method === 'POST' && { body: bodies[name] }) })
  const { 'last-modified': modified } = answer.headers
  if (modified !== undefined) since.set(name, String(modified))
  return answer
}

describe('the calls of an app, in their order', () => {
  test('a first start, then an hour with a download every five minutes and a person at the gate now and then', async () => {
    using fresh = new PretixApp(portOf(world))
    const at = { list: 0, since: new Map<string, string>(), token: (await pairingCode(world)).token }
    const made = async (recorded: string) => {
      const answer = await replay(fresh, recorded, at)
      const status = recorded.endsWith(' if changed') ? 304 : recorded.includes('/redeem/') ? 201 : 200
      assert.equal(answer.status, status, recorded)
      if (status !== 304) assert.equal(typeof answer.json, 'object', recorded)
      return answer
    }
    for (const call of RECORDED.start) fresh.token = (await made(call)).json.api_token ?? fresh.token
    for (const call of RECORDED.first) await made(call)
    at.list = (await listsOf(fresh))['A entry'] ?? 0
    for (let minute = 0; minute < 60; minute += 5) {
      for (const call of [...RECORDED.again, ...RECORDED.gate, ...RECORDED.online, ...RECORDED.plain]) await made(call)
      world.offsetMs += 5 * 60_000
      world.elapsedMs += 5 * 60_000
    }
  })

  test('a device that is revoked in mid-download reads it at the next call, whichever it is', async () => {
    using lost = await pairApp(world, { name: 'Lost' })
    const admin = await world.admin()
    const { data } = await admin.GET('/v1/admin/devices')
    const id = data?.devices.find(({ name }) => name === 'Lost')?.device_id ?? ''
    const at = { list: (await listsOf(lost))['A entry'] ?? 0, since: new Map<string, string>() }
    const [first, ...others] = RECORDED.first
    assert.equal((await replay(lost, first, at)).status, 200)
    const body = { actor: 'Rita', reason: 'stolen' }
    await admin.POST('/v1/admin/devices/{id}/revoke', { params: { path: { id } }, body })
    const { revoked, again, gate, online, plain } = RECORDED
    for (const call of [...others, ...revoked, ...again, ...gate, ...online, ...plain]) {
      const { status, json } = await replay(lost, call, at)
      assert.deepEqual([status, json.detail], [401, 'Device access has been revoked.'], call)
      if (!call.includes('proxyapi')) assert.deepEqual(Object.keys(json), ['detail'], call)
    }
  })
})
