/** Pairing a pretixSCAN, and taking it out of service: the answers that the app reads, and what a token is good for. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pair } from '../../src/device/pair.ts'
import { devices } from '../../src/ledger/schema.ts'
import { checkBody, listsOf, PretixApp, pairApp, pairingCode, portOf, SETUP } from '../world/pretix-app.ts'
import { World } from '../world/world.ts'

const INITIALIZE = '/api/v1/device/initialize'
let world: World

before(async () => {
  world = await World.open({ environment: { GATEHOUSE_PRETIXSCAN_PORT: '0' } })
})
after(() => world[Symbol.asyncDispose]())

const stranger = () => new PretixApp(portOf(world))

describe('pairing a pretixSCAN', () => {
  test('the QR code is what the app expects: an address by number, a token for proxy mode, no key "version"', async () => {
    const code = await pairingCode(world)
    assert.deepEqual(Object.keys(code).sort(), ['handshake_version', 'token', 'url'])
    assert.equal(code.handshake_version, 1)
    assert.equal(code.url, `https://127.0.0.1:${portOf(world)}`)
    assert.match(code.token, /^proxy=[a-z0-9]{16}$/)
    assert.match((await pairingCode(world, { mode: 'plain' })).token, /^[a-z0-9]{16}$/)
  })

  test('the answer has everything that the app requires, and the profile that keeps orders out of it', async () => {
    using proxy = await pairApp(world, { name: 'North 1', checkpoints: ['a-in', 'a-out'] })
    const { api_token, device_id, unique_serial, gate, ...rest } = proxy.paired
    assert.match(api_token, /^[0-9a-f]{64}$/)
    assert.ok(Number.isInteger(device_id) && device_id > 0 && device_id < 2 ** 31)
    assert.match(unique_serial, /^DEV-/)
    assert.deepEqual(rest, { organizer: 'gatehouse', name: 'North 1', security_profile: 'pretixscan' })
    assert.equal(gate.name, 'Gate A')
    using plain = await pairApp(world, { mode: 'plain' })
    assert.equal(plain.paired.security_profile, 'pretixscan_online_noorders')
    assert.equal(plain.paired.name, 'Zebra TC57')
    assert.equal(plain.paired.gate, null)
  })

  test('a token works once, and an unknown, used or expired one is a 400 in the form that the app shows', async () => {
    const { token } = await pairingCode(world)
    using app = stranger()
    assert.equal((await app.post(INITIALIZE, { token, ...SETUP })).status, 200)
    for (const [wrong, sentence] of [
      [token, /used/],
      ['proxy=aaaaaaaaaaaaaaaa', /never made/],
      [(await pairingCode(world, { seconds: 10 })).token, /expired/],
    ] as const) {
      if (sentence.source === 'expired') world.offsetMs += 11_000
      const { status, json } = await app.post(INITIALIZE, { token: wrong, ...SETUP })
      assert.equal(status, 400)
      assert.deepEqual(Object.keys(json), ['token'])
      assert.match(json.token[0], sentence)
    }
    const { status, json } = await app.post(INITIALIZE, { hardware_brand: 'Zebra' })
    assert.deepEqual([status, typeof json.detail], [400, 'string'])
  })

  test('of two handhelds with one QR code one is paired', async () => {
    const { token } = await pairingCode(world)
    const apps = [stranger(), stranger()]
    const answers = await Promise.all(apps.map((app) => app.post(INITIALIZE, { token, ...SETUP })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
    for (const app of apps) app[Symbol.dispose]()
  })

  test('an invite for a scanner of ours pairs no pretixSCAN, and a token for pretixSCAN enrols no scanner', async () => {
    const admin = await world.admin()
    const { data } = await admin.POST('/v1/admin/invite', { body: { checkpoints: ['a-in'] } })
    using app = stranger()
    assert.equal((await app.post(INITIALIZE, { token: data?.invite, ...SETUP })).status, 400)
    const { token } = await pairingCode(world)
    const enrolled = await admin.POST('/v1/enroll', { body: { invite: token, name: 'phone' } })
    assert.equal(enrolled.response.status, 404)
    // Neither was used up by it.
    assert.equal((await app.post(INITIALIZE, { token, ...SETUP })).status, 200)
  })

  test('somebody who tries tokens is slowed, and never told 429', async () => {
    world.holdRates()
    using app = stranger()
    const statuses = new Set<number>()
    for (let i = 0; i < 30; i++) {
      statuses.add((await app.post(INITIALIZE, { token: `proxy=${String(i).padStart(16, '0')}`, ...SETUP })).status)
    }
    assert.deepEqual([...statuses].sort(), [400, 503])
    world.elapsedMs += 30_000
  })

  test('the roster says pretixSCAN, and journal and ledger have no token', async () => {
    using app = await pairApp(world, { name: 'Bearer', checkpoints: ['b-in'] })
    const { data } = await (await world.admin()).GET('/v1/admin/devices')
    const device = data?.devices.find(({ name }) => name === 'Bearer')
    assert.deepEqual(device?.app, { software: 'pretixSCAN Android 3.3.4', slowed_at: null })
    const { ledger } = world.box
    const entries = ledger.read(0, 100_000).map(({ bytes }) => bytes.toString())
    assert.ok(entries.some((text) => text.includes('"kind":"enrolment"') && text.includes('"app":"pretixscan"')))
    assert.ok(entries.some((text) => text.includes('"kind":"invite"') && text.includes('"app":"pretixscan"')))
    assert.ok(!entries.join().includes(app.token ?? '?'))
    const hash = createHash('sha256')
      .update(app.token ?? '')
      .digest('hex')
    const rows = ledger.db.drizzle.select().from(devices).all()
    assert.ok(rows.some(({ tokenHash }) => tokenHash.toString('hex') === hash))
    // Also what was not yet moved into the ledger's file.
    for (const file of ['ledger.db', 'ledger.db-wal']) {
      assert.ok(!readFileSync(join(world.folder, 'data', file)).includes(app.token ?? '?'), file)
    }
  })
})

describe('a box without the setting', () => {
  test('opens no port for pretixSCAN, and tells the admin which setting it wants', async () => {
    await using without = await World.open()
    assert.equal(without.box.ports.pretixscan, undefined)
    const { response, error } = await (await without.admin()).POST('/v1/admin/pretixscan/invite', {
      body: { checkpoints: ['a-in'], actor: 'Rita' },
    })
    assert.deepEqual([response.status, error?.code], [409, 'conflict'])
    assert.match(error?.message ?? '', /GATEHOUSE_PRETIXSCAN_PORT/)
  })
})

describe('the token of a pretixSCAN', () => {
  test('opens nothing on the device tier, and a token of ours nothing here', async () => {
    using app = await pairApp(world)
    const admin = await world.admin(app.token)
    const { response, error } = await admin.POST('/v1/status', { body: { unsent: 0 } })
    assert.deepEqual([response.status, (error as { code?: string })?.code], [401, 'bad_token'])
    const scanner = await pair(await world.inviteLink(), 'ours')
    using stolen = new PretixApp(portOf(world), scanner.token)
    assert.equal((await stolen.call('/api/v1/device/info')).status, 401)
  })

  test('is asked for by everything but pairing, in the form that does not end a pairing', async () => {
    using app = stranger()
    for (const path of ['/api/v1/version', '/api/v1/device/info/', '/api/v1/organizers/gatehouse/events/']) {
      const { status, json } = await app.call(path)
      assert.deepEqual([status, json], [401, { detail: 'Invalid token.' }])
    }
    const asked = await app.post('/proxyapi/v1/rpc/check/', checkBody(1, 'ONCE-1'))
    assert.equal(asked.status, 401)
    assert.match(asked.json.title, /not paired/)
  })

  test('is worth nothing once it was revoked: exactly the text that the apps compare, at every route', async () => {
    using app = await pairApp(world, { name: 'Lost' })
    const lists = await listsOf(app)
    const admin = await world.admin()
    const { data } = await admin.GET('/v1/admin/devices')
    const id = data?.devices.find(({ name }) => name === 'Lost')?.device_id ?? ''
    const began = performance.now()
    const revoked = await admin.POST('/v1/admin/devices/{id}/revoke', {
      params: { path: { id } },
      body: { actor: 'Rita', reason: 'stolen' },
    })
    assert.equal(revoked.response.status, 200)
    assert.equal((await app.call('/api/v1/device/info')).status, 401)
    const ms = performance.now() - began
    assert.ok(ms < 1_000, `refused ${Math.round(ms)} ms after the request to revoke it`)
    for (const path of ['/api/v1/device/info', '/api/v1/organizers/gatehouse/events/test-fair/items/']) {
      const { status, text } = await app.call(path)
      assert.deepEqual([status, text], [401, '{"detail":"Device access has been revoked."}'])
    }
    const scan = await app.post('/proxyapi/v1/rpc/check/', checkBody(lists['A entry'] ?? 0, 'ONCE-2'))
    assert.equal(scan.status, 401)
    assert.equal(scan.json.detail, 'Device access has been revoked.')
    assert.match(scan.json.title, /out of service/)
  })

  test('is given back by the app itself when it is reset', async () => {
    using app = await pairApp(world, { name: 'Reset' })
    assert.deepEqual([(await app.post('/api/v1/device/revoke', {})).json], [{}])
    assert.equal((await app.call('/api/v1/device/info')).text, '{"detail":"Device access has been revoked."}')
    const { data } = await (await world.admin()).GET('/v1/admin/devices')
    assert.equal(data?.devices.find(({ name }) => name === 'Reset')?.revoked_reason, 'reset on the scanner')
  })
})
