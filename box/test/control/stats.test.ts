/** The control room's statistics from a real box: current, the same after a restart, pushed on change, and with scanners' reports. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gatehouseClient } from '@gatehouse/proto/client.ts'
import { format } from '@gatehouse/proto/hlc.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { sql } from '../../src/drizzle/core.ts'
import { type Answer, ask, assertFailure, openStream, type Stream } from '../world/ask.ts'
import type { TestDevice } from '../world/device.ts'
import { BoxFolder } from '../world/process-box.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'

const MINUTE = 60_000
const FAST = { GATEHOUSE_SCANS_PER_SECOND: '10000', GATEHOUSE_SCAN_BURST: '100000' }

/** Added to the clock, it is a few seconds past the full minute: no test is cut in two by the next one. */
const minuteBegins = () => MINUTE - (Date.now() % MINUTE) + 5_000

async function statsOf(world: World): Promise<Stats> {
  const { data, error } = await (await world.admin()).GET('/v1/admin/stats')
  if (!data) throw new Error(error?.message)
  return data
}

const zone = (stats: Stats, id: string) => stats.zones.find((each) => each.id === id) ?? assert.fail()
const gate = (stats: Stats, id: string) => stats.gates.find((each) => each.id === id) ?? assert.fail()
const scanner = (stats: Stats, { paired }: TestDevice) =>
  stats.scanners.find(({ device_id }) => device_id === paired.id) ?? assert.fail()

describe('the stats object', () => {
  it('has the contract’s fields, and shows a scan as soon as it is answered', async () => {
    await using world = await World.open({ offsetMs: minuteBegins() })
    const device = await world.device()
    const empty = await statsOf(world)
    assert.deepEqual(
      [empty.event, empty.mode, empty.tickets, empty.admitted, empty.flags],
      ['test-fair', 'STRICT', 9, 0, 0],
    )
    assert.deepEqual(empty.incidents, { open: 0, acknowledged: 0, assigned: 0, resolved: 0, cancelled: 0 })
    assert.deepEqual(empty.response, { median_ack_seconds: null, median_resolve_seconds: null })
    assert.deepEqual(empty.verdicts, {})
    await device.scan('ONCE-1')
    await device.scan('ONCE-1')
    await device.scan('VIP-1', { checkpoint: 'b-in' })
    await device.scan('VIP-1', { checkpoint: 'v-in' })
    await device.scan('ONCE-2', { offline_admitted: true })
    await device.scan('ONCE-2', { offline_admitted: true })
    const stats = await statsOf(world)
    assert.deepEqual(zone(stats, 'arena'), {
      id: 'arena',
      name: 'Arena',
      occupancy: 3,
      capacity: 5000,
      uncertain: 0,
      occupancy_min: 3,
      occupancy_max: 3,
    })
    assert.equal(zone(stats, 'lounge').occupancy, 1)
    const a = gate(stats, 'a')
    assert.deepEqual([a.per_minute, a.sparkline.length, a.sparkline.at(-1), a.hold], [0.6, 60, 3, null])
    assert.deepEqual(a.verdicts, { ADMIT: 2, ALREADY_USED: 2 })
    assert.deepEqual(stats.verdicts, { ADMIT: 4, ALREADY_USED: 2 })
    const tiers = Object.fromEntries(stats.tiers.map(({ id, sold, admitted }) => [id, [sold, admitted]]))
    assert.deepEqual(
      [tiers.once, tiers.vip, tiers.daily],
      [
        [4, 2],
        [1, 1],
        [1, 0],
      ],
    )
    assert.deepEqual([stats.flags, stats.flags_by_kind.double_use, stats.offline], [1, { open: 1, resolved: 0 }, 2])
    assert.deepEqual([scanner(stats, device).scans, scanner(stats, device).state], [6, 'live'])
  })

  it('is the same after an orderly restart, except for what scanners reported', async () => {
    await using world = await World.open()
    const device = await world.device()
    await device.scan('ONCE-1')
    await device.client.POST('/v1/status', { body: { unsent: 3 } })
    const lasting = ({ as_of, hlc, scanners, entries, seal, zones, ...rest }: Stats) => ({
      ...rest,
      zones: zones.map(({ occupancy }) => occupancy),
      scanners: scanners.map(({ scans, checkpoint }) => [scans, checkpoint]),
    })
    const beforehand = await statsOf(world)
    await world.restart()
    const afterwards = await statsOf(world)
    assert.deepEqual(lasting(afterwards), lasting(beforehand))
    assert.deepEqual([scanner(beforehand, device).unsent, scanner(afterwards, device).unsent], [3, null])
  })

  it('says up to which entry the journal is sealed, and why sealing has stopped', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    const { data: sealed } = await admin.POST('/v1/admin/seal', { body: null })
    const { seal, entries } = await statsOf(world)
    assert.deepEqual([seal.size, seal.refusal], [sealed?.size, null])
    assert.equal(seal.size, entries)
    assert.ok(Math.abs(Date.parse(seal.at ?? '') - world.now()) < 60_000)
    world.box.ledger.db.drizzle.run(sql`UPDATE seals SET root = zeroblob(32) WHERE size = ${seal.size}`)
    const { response } = await admin.POST('/v1/admin/seal', { body: null })
    assert.equal(response.status, 409)
    assert.equal((await statsOf(world)).seal.refusal, 'seal_changed')
  })

  it('is the same after a power cut', async () => {
    using folder = new BoxFolder({ tickets: Array.from({ length: 60 }, (_, i) => `T-${i},once,,,,,,valid`) })
    const dead = folder.start()
    const ports = await dead.opened()
    const { id, ca, certificate: cert, key, token } = await folder.pair(ports, 'scanner')
    await using fetch = tlsFetch({ ca, cert, key })
    const client = gatehouseClient({ baseUrl: `https://127.0.0.1:${ports.device}`, token, fetch })
    const scan = (payload: string) => ({
      scan_id: randomUUID(),
      payload,
      checkpoint: 'a-in',
      device_hlc: '1.0',
      offline_admitted: false,
      observed_at: new Date().toISOString(),
    })
    const body = (n: number) => scan(`T-${n}`)
    await Promise.all(Array.from({ length: 60 }, (_, n) => client.POST('/v1/scan', { body: body(n) })))
    await dead.kill()

    await using box = folder.start()
    const { https } = await box.opened()
    const admin = readFileSync(join(folder.dataDir, 'admin-token'), 'utf8').trim()
    await using secure = tlsFetch({ ca })
    const control = gatehouseClient({ baseUrl: `https://127.0.0.1:${https}`, token: admin, fetch: secure })
    const { data: stats } = await control.GET('/v1/admin/stats')
    assert.ok(stats)
    assert.deepEqual(
      [zone(stats, 'arena').occupancy, stats.admissions, stats.admitted, stats.tickets],
      [60, 60, 60, 60],
    )
    assert.equal(stats.scanners.find(({ device_id }) => device_id === id)?.scans, 60)
  })

  it('says when each scanner was last in contact, and how far the count may be off without it', async () => {
    await using world = await World.open({ environment: FAST, offsetMs: minuteBegins() })
    const [here, there] = [await world.device(['a-in']), await world.device(['a-out'])]
    const state = async (device: TestDevice) => scanner(await statsOf(world), device).state
    for (let i = 0; i < 12; i++) await here.scan('CREW-1')
    assert.equal(zone(await statsOf(world), 'arena').uncertain, 0)
    world.offsetMs += 16_000
    assert.equal(await state(here), 'quiet')
    await there.client.GET('/v1/manifest')
    assert.deepEqual([await state(here), await state(there)], ['quiet', 'live'])
    world.offsetMs += 104_000
    assert.equal(await state(here), 'lost')
    // Twelve in the minute before it fell silent; two minutes since, and as long as this test takes.
    const doubt = ({ occupancy, uncertain, occupancy_min, occupancy_max }: Stats['zones'][number]) => [
      ...[occupancy, uncertain, occupancy_min, occupancy_max],
    ]
    const alone = zone(await statsOf(world), 'arena')
    assert.ok(alone.uncertain >= 24 && alone.uncertain < 30, `${alone.uncertain}`)
    assert.deepEqual(doubt(alone), [12, alone.uncertain, 12, 12 + alone.uncertain])
    await there.client.POST('/v1/status', { body: { unsent: 5 } })
    assert.equal(zone(await statsOf(world), 'arena').occupancy_min, 7)
    await here.scan('CREW-1')
    assert.deepEqual(doubt(zone(await statsOf(world), 'arena')), [13, 5, 8, 13])
    const revoke = { params: { path: { id: there.paired.id } }, body: { actor: 'a', reason: 'lost' } }
    await (await world.admin()).POST('/v1/admin/devices/{id}/revoke', revoke)
    const stats = await statsOf(world)
    assert.equal(scanner(stats, there).state, 'revoked')
    assert.equal(zone(stats, 'arena').uncertain, 5, 'what it never sent is inside all the same')
  })

  it('counts an open stream as contact, except for clients that report their status', async () => {
    await using world = await World.open()
    const device = await world.device()
    const { ca, certificate: cert, key, token } = device.paired
    const headers = { authorization: `Bearer ${token}` }
    const stream = await openStream(world.box.ports.device, '/v1/stream', { headers, tls: { ca, cert, key } })
    const state = async () => scanner(await statsOf(world), device).state
    world.offsetMs += 5 * MINUTE
    assert.equal(await state(), 'live')
    await device.client.POST('/v1/status', { body: { unsent: 0 } })
    world.offsetMs += 5 * MINUTE
    assert.equal(await state(), 'lost', 'the socket may be that of a phone that has gone dark')
    await device.client.POST('/v1/status', { body: { unsent: 0 } })
    assert.equal(await state(), 'live')
    stream.close()
    await stream.closed
  })
})

describe('POST /v1/status', () => {
  let world: World
  let device: TestDevice
  before(async () => {
    world = await World.open()
    device = await world.device(['a-in', 'b-in'])
  })
  after(() => world[Symbol.asyncDispose]())

  const send = (body: unknown): Promise<Answer> => {
    const { ca, certificate: cert, key, token } = device.paired
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return ask(world.box.ports.device, '/v1/status', { method: 'POST', headers, body: text, tls: { ca, cert, key } })
  }

  it('is seen in the control room, and answers with the time', async () => {
    const device_hlc = format({ ms: world.now() + 2_000, count: 0 })
    const { status, text } = await send({
      unsent: 12,
      app_version: '1.2.3',
      battery: 0.5,
      checkpoint: 'b-in',
      device_hlc,
    })
    assert.equal(status, 200)
    assert.ok(Math.abs(Date.parse(JSON.parse(text).now) - world.now()) < 10_000)
    const { clock_offset_ms, last_seen, name, device_id, ...seen } = scanner(await statsOf(world), device)
    assert.deepEqual(seen, {
      checkpoint: 'b-in',
      state: 'live',
      unsent: 12,
      app_version: '1.2.3',
      battery: 0.5,
      scans: 0,
    })
    assert.ok(Math.abs((clock_offset_ms ?? 0) - 2_000) < 1_500, `${clock_offset_ms}`)
    assert.equal(
      world.box.ledger.read(0, 1000).some(({ bytes }) => bytes.includes('1.2.3')),
      false,
      'nothing is written',
    )
  })

  it('refuses everything else', async () => {
    const hostile = [
      ...['', '{', '[]', 'null', '{"unsent":1e400}', '{"unsent":1,"unsent2":1}', '{"__proto__":{"unsent":1}}'],
      ...[{}, { unsent: -1 }, { unsent: 1.5 }, { unsent: '3' }, { unsent: null }, { unsent: 1e9 }, { unsent: [1] }],
      ...[
        { unsent: 1, battery: 2 },
        { unsent: 1, battery: -0.1 },
        { unsent: 1, app_version: '' },
      ],
      ...[
        { unsent: 1, app_version: 'x'.repeat(41) },
        { unsent: 1, app_version: 'a\nb' },
        { unsent: 1, device_hlc: 'x' },
      ],
      ...[
        { unsent: 1, checkpoint: '' },
        { unsent: 1, device_hlc: `${'9'.repeat(50)}.1` },
      ],
    ]
    for (const body of hostile) assertFailure(await send(body), 'bad_request', JSON.stringify(body))
    assertFailure(await send({ unsent: 1, checkpoint: 'a-out' }), 'not_allowed')
    assertFailure(await send({ unsent: 1, checkpoint: '__proto__' }), 'not_allowed')
    world.elapsedMs += 60_000
    assert.equal((await send({ unsent: 1, device_hlc: '99999999999999.1' })).status, 200, 'a clock that cannot be read')
  })

  it('is limited in rate', async () => {
    world.holdRates()
    world.elapsedMs += 60_000
    const answers = await Promise.all(Array.from({ length: 40 }, () => send({ unsent: 0 })))
    const refused = answers.filter(({ status }) => status === 429)
    assert.ok(refused.length >= 15, `${refused.length}`)
    assertFailure(refused[0] ?? assert.fail(), 'rate_limited')
  })
})

describe('the control room’s stream', () => {
  const open = async (world: World): Promise<Stream> =>
    openStream(world.box.ports.https, '/v1/admin/stream', {
      headers: { authorization: `Bearer ${world.box.adminToken}` },
      tls: { ca: await world.ca },
    })
  const events = ({ text }: Stream) =>
    [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, event, data]) => ({
      event,
      data: JSON.parse(data ?? ''),
    }))

  it('begins with the stats, and sends them again when they change, at most once a second', async () => {
    await using world = await World.open({ environment: FAST })
    const device = await world.device()
    const stream = await open(world)
    await until(() => events(stream).length === 1, 'the first')
    await sleep(2_500)
    assert.equal(events(stream).length, 1, 'nothing has changed')
    const started = performance.now()
    while (events(stream).length < 4) await device.scan('CREW-1')
    const seconds = (performance.now() - started) / 1000
    assert.ok(events(stream).length - 1 <= seconds + 1, `${events(stream).length} in ${seconds} s`)
    const { scans } = scanner(await statsOf(world), device)
    await until(() => scanner(events(stream).at(-1)?.data, device).scans === scans, 'the last scan')
    const sent = events(stream).length
    world.offsetMs += 30_000
    await until(() => events(stream).length > sent, 'a scanner that has fallen silent')
    assert.equal(scanner(events(stream).at(-1)?.data, device).state, 'quiet')
    stream.close()
  })

  it('sends incidents at once, emergencies before the rest, and both before the stats that count them', async () => {
    await using world = await World.open()
    const device = await world.device()
    const stream = await open(world)
    await until(() => events(stream).length === 1, 'the first')
    const report = (kind: 'crush' | 'access') =>
      device.client.POST('/v1/incidents', {
        body: { incident_id: randomUUID(), kind, checkpoint: 'a-in', observed_at: new Date(world.now()).toISOString() },
      })
    const [access, crush] = await Promise.all([report('access'), report('crush')])
    await until(() => events(stream).length >= 4, 'two incidents and the stats')
    const kinds = events(stream).map(({ event, data }) => (event === 'incident' ? data.kind : event))
    assert.equal(kinds.filter((kind) => kind === 'crush').length, 1)
    assert.ok(
      kinds.indexOf('crush') < kinds.lastIndexOf('stats') && kinds.indexOf('access') < kinds.lastIndexOf('stats'),
    )
    const path = { id: crush.data?.incident_id ?? '' }
    const acknowledge = { action: 'acknowledge' as const, actor: 'control' }
    await (await world.admin()).POST('/v1/admin/incidents/{id}', { params: { path }, body: acknowledge })
    await until(() => events(stream).some(({ data }) => data.state === 'acknowledged'), 'the answer')
    const stats = await statsOf(world)
    assert.deepEqual([stats.incidents.open, stats.incidents.acknowledged], [1, 1])
    assert.ok((stats.response.median_ack_seconds ?? -1) >= 0)
    assert.ok(access.data)
    stream.close()
  })

  it('needs the token, and refuses HEAD', async () => {
    await using world = await World.open()
    const tls = { ca: await world.ca }
    for (const path of ['/v1/admin/stream', '/v1/admin/stats']) {
      assertFailure(await ask(world.box.ports.https, path, { tls }), 'bad_token', path)
      const wrong = { authorization: `Bearer ${'x'.repeat(world.box.adminToken.length)}` }
      assertFailure(await ask(world.box.ports.https, path, { tls, headers: wrong }), 'bad_token', path)
      const token = (await world.device()).paired.token
      const device = { authorization: `Bearer ${token}` }
      assertFailure(await ask(world.box.ports.https, path, { tls, headers: device }), 'bad_token', path)
    }
    const headers = { authorization: `Bearer ${world.box.adminToken}` }
    const head = await ask(world.box.ports.https, '/v1/admin/stream', { method: 'HEAD', tls, headers })
    assert.equal(head.status, 404)
  })

  it('is computed once for twenty dashboards, and does not slow scans', async () => {
    await using world = await World.open({ environment: FAST })
    const device = await world.device()
    const streams = await Promise.all(Array.from({ length: 20 }, () => open(world)))
    await until(() => streams.every((stream) => events(stream).length === 1), 'the first of each')
    for (let i = 0; i < 200; i++) assert.equal((await device.scan('CREW-1')).verdict, 'ADMIT')
    await until(() => streams.every((stream) => scanner(events(stream).at(-1)?.data, device).scans === 200), 'the last')
    const last = streams.map((stream) => events(stream).at(-1)?.data.as_of)
    assert.equal(new Set(last).size, 1, 'one serialisation')
    for (const stream of streams) stream.close()
  })

  it('ends when the box closes', async () => {
    await using world = await World.open()
    const stream = await open(world)
    await world.restart()
    await stream.closed
  })
})
