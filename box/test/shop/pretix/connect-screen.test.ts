/** Connecting from the screen Shop: what it proposes, writes and refuses, and that the token stays where it is. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import type { ShopConnect, ShopTrial } from '@gatehouse/proto/wire/shop.ts'
import { makeAuthority } from '../../world/certificates.ts'
import { until } from '../../world/until.ts'
import { World, type WorldOptions } from '../../world/world.ts'
import { PretixModel } from './model.ts'
import { answer, PretixServer, TOKEN } from './server.ts'
import { position } from './world.ts'

const AT = '2026-07-01T10:00:00.000000Z'
const ORDERS = 120

async function connecting(options: WorldOptions = {}, tls?: { cert: string; key: string }) {
  await using stack = new AsyncDisposableStack()
  const pretix = stack.use(await PretixServer.start(tls))
  pretix.items = [
    { id: 1, name: { en: 'Day ticket' }, admission: true, variations: [] },
    { id: 2, name: { en: 'Something else' }, admission: true, variations: [] },
    { id: 3, name: { en: 'Mug' }, admission: false, variations: [] },
  ]
  pretix.lists = [{ id: 5, name: 'Gate A', all_products: true, limit_products: [], subevent: null }]
  pretix.checkins = new PretixModel()
  pretix.checkins.addList({ id: 5 })
  pretix.checkins.add({ id: 1, secret: 'secret1' })
  pretix.event.date_to = '2036-07-04T10:00:00+02:00'
  pretix.orders = Array.from({ length: ORDERS }, (_, i) => ({
    ...{ code: `O${i}`, status: 'p', testmode: false, datetime: AT, last_modified: AT },
    positions: [position({ id: i + 1, item: i === 7 ? 2 : 1 })],
  }))
  const lines: string[] = []
  const log = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const box = stack.use(await World.open({ log, ...options }))
  const held = stack.move()
  const ask = async (more: Partial<ShopConnect> = {}) => {
    const body = { step: 'look', url: pretix.url, token: TOKEN, ...more } as ShopConnect
    const { data, error, response } = await (await box.admin()).POST('/v1/admin/shop/connect', { body })
    return { data, error, status: response.status }
  }
  return {
    ...{ pretix, box, ask, lines },
    data: box.environment.GATEHOUSE_DATA_DIR ?? '',
    event: box.environment.GATEHOUSE_EVENT_DIR ?? '',
    trial: async (): Promise<ShopTrial> => {
      const { data } = await (await box.admin()).GET('/v1/admin/shop/connect')
      assert.ok(data)
      return data
    },
    shop: async () => (await (await box.admin()).GET('/v1/admin/shop')).data,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

test('a look says what the box found and would write, and writes nothing', async () => {
  await using w = await connecting()
  const { data } = await w.ask()
  assert.ok(data?.found)
  const { products, lists, rights, writes_event, writes_mapping, organizer, event, name } = data.found
  assert.deepEqual([organizer, event, name, data.choose, data.connected], ['acme', 'summer', 'Summer', null, false])
  assert.deepEqual(
    products.map(({ key, tier }) => [key, tier]),
    [
      ['item:1', 'once'],
      ['item:2', null],
      ['item:3', ''],
    ],
  )
  assert.deepEqual(lists, [{ id: 5, name: 'Gate A', checkpoints: ['a-in', 'a-out'] }])
  assert.deepEqual([rights.redeem, writes_event, writes_mapping], [true, false, true])
  assert.ok(!existsSync(join(w.event, 'pretix.yaml')) && !existsSync(join(w.data, 'shop.json')))
})

test('a dry run reads every order although pretix asks for fewer requests, and names what would be no ticket', async () => {
  await using w = await connecting()
  let refusals = 0
  w.pretix.fault = ({ path, query }, response) => {
    if (!path.endsWith('/orders/') || query.get('page') !== '2' || refusals++ > 1) return false
    response.setHeader('retry-after', '1')
    return answer(response, 429, { detail: 'Request was throttled.' })
  }
  assert.equal((await w.trial()).state, 'none')
  assert.equal((await w.ask({ step: 'dry_run' })).status, 200)
  await until(async () => (await w.trial()).state !== 'reading', 'the dry run ends')
  const { state, read, orders, report } = await w.trial()
  assert.deepEqual([state, read, orders, refusals], ['done', ORDERS, ORDERS, 3])
  assert.deepEqual([report?.read, report?.added, report?.rejected.length], [ORDERS, ORDERS - 1, 1])
  assert.match(report?.rejected[0]?.reason ?? '', /order O7: .*item:2.* fits no ticket type/)
  assert.ok(!existsSync(join(w.event, 'pretix.yaml')) && !existsSync(join(w.data, 'shop.json')))
})

test('connected, the box reads the tickets, and the token is nowhere but in its file', async () => {
  await using w = await connecting()
  const { data } = await w.ask({ step: 'connect', actor: 'Ines' })
  assert.deepEqual([data?.connected, data?.pending], [true, false])
  const file = join(w.data, 'shop.json')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.match(readFileSync(file, 'utf8'), new RegExp(TOKEN))
  await until(async () => ((await w.shop())?.pretix?.down.compared_at ?? null) !== null, 'every order was read')
  const device = await w.box.device()
  assert.equal((await device.scan('secret1')).verdict, 'ADMIT')
  await until(() => w.pretix.checkins?.successes().length === 1, 'pretix was told')
  const journal = JSON.stringify((await (await w.box.admin()).GET('/v1/admin/log')).data)
  for (const text of [w.lines.join(''), journal, JSON.stringify([data, await w.shop(), await w.trial()])]) {
    assert.doesNotMatch(text, new RegExp(TOKEN))
  }
  // Again, without a token: with the one that is kept, and for its own address alone.
  assert.equal((await w.ask({ step: 'dry_run', token: undefined })).status, 200)
  const elsewhere = await w.ask({ token: undefined, url: 'http://127.0.0.1:9' })
  assert.deepEqual([elsewhere.status, /none is kept/.test(elsewhere.error?.message ?? '')], [400, true])
  const other = await makeAuthority('Other')
  const swapped = await w.ask({ token: undefined, authority: other.ca })
  assert.match(swapped.error?.message ?? '', /Give the token with the private authority/)
})

test('a box on the demo gets an event of its own, which counts once it has begun anew', async () => {
  await using w = await connecting({ environment: { GATEHOUSE_EVENT_DIR: undefined } })
  const look = await w.ask()
  assert.deepEqual([look.data?.found?.writes_event, look.data?.found?.writes_mapping], [true, true])
  const { data } = await w.ask({ step: 'connect', actor: 'Ines' })
  assert.deepEqual([data?.connected, data?.pending], [true, true])
  const own = join(w.data, 'own')
  const { id, tiers } = JSON.parse(readFileSync(join(own, 'event/event.json'), 'utf8'))
  assert.deepEqual([id, tiers.length], ['summer', 2])
  assert.equal(statSync(join(own, 'data/shop.json')).mode & 0o777, 0o600)
  const admin = await w.box.admin()
  const { data: log } = await admin.GET('/v1/admin/log', { params: { query: { kind: 'event_edited' } } })
  assert.deepEqual(
    log?.rows.map(({ actor }) => actor),
    ['Ines'],
  )
  // A proposal that was edited since stays.
  const edited = readFileSync(join(own, 'event/event.json'), 'utf8').replace('"Day ticket"', '"Tagesticket"')
  writeFileSync(join(own, 'event/event.json'), edited)
  assert.equal((await w.ask({ step: 'connect' })).data?.connected, true)
  assert.equal(readFileSync(join(own, 'event/event.json'), 'utf8'), edited)
  await w.box.restart()
  assert.equal(w.box.box.event.id, 'summer')
  await until(async () => ((await w.shop())?.pretix?.down.compared_at ?? null) !== null, 'every order was read')
  const { verdict } = await (await w.box.device()).scan('secret1', { checkpoint: 'gate-a-in' })
  assert.equal(verdict, 'ADMIT')
})

test('a first token of a device is exchanged once, and the steps after it go without', async () => {
  await using w = await connecting()
  const lasting = 'd'.repeat(64)
  let used = 0
  w.pretix.fault = ({ path }, response) => {
    if (path.endsWith('device/info')) return answer(response, 200, { device: { device_id: 4, organizer: 'acme' } })
    if (!path.endsWith('device/initialize')) return false
    if (used++ > 0) return answer(response, 400, { token: ['This initialization token has already been used.'] })
    return answer(response, 201, { api_token: lasting, device_id: 4, organizer: 'acme', unique_serial: 'X' })
  }
  w.pretix.device = lasting
  const first = await w.ask({ token: 'abcdefgh12345678' })
  assert.deepEqual([first.data?.exchanged, first.data?.found?.event], [true, 'summer'])
  assert.doesNotMatch(JSON.stringify(first.data), /dddd/)
  const again = await w.ask({ token: 'abcdefgh12345678' })
  assert.match(again.error?.message ?? '', /used before/)
  const { data } = await w.ask({ step: 'connect', token: undefined })
  assert.deepEqual([data?.connected, data?.exchanged], [true, false])
  assert.ok(!existsSync(join(w.data, 'shop-token.json')))
  assert.doesNotMatch(w.lines.join(''), /dddd|abcdefgh/)
})

test('a private authority comes as PEM, is kept beside the token, and is the only one that counts', async () => {
  const [authority, other] = await Promise.all([makeAuthority('Ours'), makeAuthority('Another')])
  const { cert, key } = await authority.issue('localhost', [{ type: 'dns', value: 'localhost' }])
  await using w = await connecting({}, { cert, key })
  const url = `https://localhost:${w.pretix.port}`
  for (const pem of [undefined, other.ca]) {
    const { status, error } = await w.ask({ url, ...(pem !== undefined && { authority: pem }) })
    assert.deepEqual([status, /not signed by an authority/.test(error?.message ?? '')], [400, true])
  }
  const none = await w.ask({ url, authority: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n' })
  assert.match(none.error?.message ?? '', /has no certificate/)
  // A key that is in the same file does not come to the disk.
  const { data } = await w.ask({ url, authority: `${authority.ca}\n${key}`, step: 'connect' })
  assert.equal(data?.connected, true)
  const path = join(w.data, 'shop-ca.pem')
  assert.equal(JSON.parse(readFileSync(join(w.data, 'shop.json'), 'utf8')).ca, path)
  assert.doesNotMatch(readFileSync(path, 'utf8'), /PRIVATE/)
  await until(async () => ((await w.shop())?.pretix?.down.compared_at ?? null) !== null, 'every order was read')
})

test('addresses, answers and crowds are bounded', async () => {
  await using w = await connecting()
  const cases: [Partial<ShopConnect>, number, RegExp][] = [
    [{ url: 'http://192.0.2.1' }, 400, /write it with https/],
    [{ url: 'http://169.254.169.254/latest' }, 400, /write it with https/],
    [{ url: 'file:///etc/passwd' }, 400, /https:\/\/pretix.example/],
    [{ url: 'https://user:word@pretix.example' }, 400, /without user/],
    [{ url: 'http://127.0.0.1:1' }, 409, /cannot be reached/],
    [{ token: 'x'.repeat(64) }, 400, /does not accept the token/],
    [{ event: 'winter' }, 200, /^$/],
    [{ dates: [7] }, 400, /no dates to choose from/],
  ]
  for (const [more, status, words] of cases) {
    const said = await w.ask(more)
    assert.deepEqual([said.status, words.test(said.error?.message ?? '')], [status, true], JSON.stringify([more, said]))
  }
  assert.deepEqual(
    (await w.ask({ event: 'winter' })).data?.choose?.choices.map(({ slug }) => slug),
    ['summer'],
  )
  w.pretix.fault = ({ path }, response) => {
    if (!path.endsWith('/items/')) return false
    response.setHeader('location', 'http://169.254.169.254/')
    return answer(response, 302, {})
  }
  assert.match((await w.ask()).error?.message ?? '', /redirects .* which is not followed/)
  w.pretix.fault = ({ path }, response) =>
    path.endsWith('/items/') && answer(response, 200, `{"results":["${'x'.repeat(17 * 2 ** 20)}"]}`)
  assert.match((await w.ask()).error?.message ?? '', /more than 16 MB/)
  w.pretix.fault = () => false
  const crowd = await Promise.all(Array.from({ length: 5 }, () => w.ask()))
  assert.deepEqual([...new Set(crowd.map(({ status }) => status))].sort(), [200, 429])
  assert.equal((await w.ask()).status, 200)
})

test('a pretix that fails is said as it is here: nobody asks it again, and the answer names what was met', async () => {
  await using w = await connecting()
  const met = async (status: number, body: string | object) => {
    w.pretix.fault = ({ path }, response) => path.endsWith('/items/') && answer(response, status, body)
    const { error } = await w.ask()
    assert.doesNotMatch(error?.message ?? '', /asked again/)
    return [error?.reason, error?.values]
  }
  assert.deepEqual(await met(409, { detail: 'Locked.' }), ['busy_ask_again', { seconds: 5 }])
  assert.deepEqual(await met(502, '<html>'), ['fails_ask_again', { status: 502 }])
  const { host } = new URL(w.pretix.url)
  assert.deepEqual(await met(200, '<html>Please sign in'), ['not_pretix', { host, status: 200 }])
  assert.deepEqual(await met(404, '<html>'), ['not_pretix', { host, status: 404 }])
})

test('a date that a series does not have is answered with those that it has', async () => {
  await using w = await connecting()
  w.pretix.event.has_subevents = true
  w.pretix.subevents = Array.from({ length: 14 }, (_, i) => ({
    ...{ id: i + 1, name: { en: `Evening ${i + 1}` }, date_from: `2026-07-${i + 10}T18:00:00+02:00`, date_to: null },
    ...{ active: true, item_price_overrides: [], variation_price_overrides: [] },
  }))
  const { error } = await w.ask({ dates: [99] })
  assert.deepEqual([error?.reason, error?.values?.date], ['date_unknown', '99'])
  assert.match(String(error?.values?.dates), /^1 \(2026-07-10 18:00\), .*, 12 \(2026-07-21 18:00\), …$/)
})

test('each mistake of a mapping that is there, and what pretix itself says, is a code of its own', async () => {
  await using w = await connecting()
  writeFileSync(join(w.event, 'pretix.yaml'), 'tiers:\n  item:1: nobody\n  item:2: nothing\n')
  const { status, error } = await w.ask()
  assert.deepEqual([status, error?.reason, error?.values?.tier], [409, 'mapping_tier', 'nobody'])
  assert.partialDeepStrictEqual(error?.coded, [{ values: { tier: 'nobody' } }, { values: { tier: 'nothing' } }])
  w.pretix.fault = (_, response) => answer(response, 403, { detail: 'No.' })
  const refused = await w.ask()
  assert.partialDeepStrictEqual(refused.error?.coded, [
    { code: refused.error?.reason },
    { code: 'says', values: { words: 'No' } },
  ])
})

test('a box that follows a database takes no second shop', async () => {
  await using w = await connecting()
  writeFileSync(join(w.event, 'shop.yaml'), 'tables: {}\n')
  const { status, error } = await w.ask({ step: 'connect' })
  assert.deepEqual([status, /takes one shop/.test(error?.message ?? '')], [400, true])
  assert.ok(!existsSync(join(w.data, 'shop.json')))
})
