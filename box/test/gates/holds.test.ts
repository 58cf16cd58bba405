/** Putting a gate on hold over the network: the next scan is refused, every scanner is told, and manifests have it. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import { type HoldRequest, PlacedHold } from '@gatehouse/proto/wire/incidents.ts'
import { Value } from 'typebox/value'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { Holds } from '../../src/gates/holds.ts'
import { openLedger } from '../../src/ledger/open.ts'
import type { TestDevice } from '../world/device.ts'
import { type ReceivedEvent, StreamReader } from '../world/stream-reader.ts'
import { World } from '../world/world.ts'

const SECOND = 1000
const FAST = { GATEHOUSE_SCANS_PER_SECOND: '10000', GATEHOUSE_SCAN_BURST: '100000' }
const rows = (tier: string, ...codes: string[]) => codes.map((code) => `${code},${tier},,,,,,valid`)
const many = Array.from({ length: 200 }, (_, i) => `T-${i}`)

describe('a gate on hold', () => {
  let world: World
  let north: TestDevice
  let south: TestDevice
  let admin: GatehouseClient
  let next = 0
  /** A ticket that nobody has used. */
  const fresh = () => many[next++] ?? assert.fail('no tickets left')
  before(async () => {
    world = await World.open({ environment: FAST, tickets: [...rows('once', ...many), ...rows('vip', 'VIP-1')] })
    ;[north, south, admin] = await Promise.all([world.device(['a-in', 'a-out']), world.device(['b-in']), world.admin()])
  })
  after(() => world[Symbol.asyncDispose]())

  async function hold(gate: string, more: Partial<HoldRequest> | object = {}) {
    const body = { actor: 'Rui', reason: 'crowd at the barrier', ...more } as HoldRequest
    const { data, error, response } = await admin.POST('/v1/admin/gates/{id}/hold', {
      params: { path: { id: gate } },
      body,
    })
    return { status: response.status, hold: data as PlacedHold, code: error?.code, message: error?.message }
  }
  async function release(gate: string, body: { actor: string; reason?: string } | object = { actor: 'Ana' }) {
    const request = { params: { path: { id: gate } }, body: body as { actor: string } }
    const { error, response } = await admin.POST('/v1/admin/gates/{id}/release', request)
    return { status: response.status, code: error?.code }
  }
  const held = async () => (await admin.GET('/v1/admin/holds')).data?.holds.map(({ gate }) => gate)
  const verdictAt = async (device: TestDevice, checkpoint: string) =>
    (await device.scan(fresh(), { checkpoint })).verdict

  it('refuses entry from the next scan on and allows exit; other gates go on', async () => {
    const inside = fresh()
    assert.equal((await north.scan(inside)).verdict, 'ADMIT')
    const placed = await hold('a')
    assert.equal(placed.status, 201)
    assert.ok(Value.Check(PlacedHold, placed.hold))
    assert.deepEqual([placed.hold.gate_name, placed.hold.actor, placed.hold.expires_at], ['Gate A', 'Rui', null])
    const refused = await north.scan(fresh())
    assert.deepEqual(
      [refused.verdict, refused.severity, refused.evidence],
      ['BLOCKED', 'refuse', { detail: 'crowd at the barrier', held: true }],
    )
    assert.match(refused.reason, /crowd at the barrier/)
    assert.equal((await north.scan(inside)).verdict, 'BLOCKED')
    assert.equal((await north.scan('NOBODY')).verdict, 'UNKNOWN')
    assert.equal((await north.scan(inside, { checkpoint: 'a-out' })).verdict, 'EXIT')
    assert.equal(await verdictAt(south, 'b-in'), 'ADMIT')
    assert.equal((await release('a')).status, 200)
    assert.equal(await verdictAt(north, 'a-in'), 'ADMIT')
  })

  it('repeats its answer to a resent scan, and counts people whom a scanner admitted offline', async () => {
    await hold('a')
    const scan = world.scanOf(fresh())
    const send = (more = {}) => north.client.POST('/v1/scan', { body: { ...scan, ...more } })
    assert.equal((await send()).data?.verdict, 'BLOCKED')
    const alone = (await send({ offline_admitted: true })).data
    assert.deepEqual([alone?.verdict, alone?.severity, alone?.occurrence], ['BLOCKED', 'admit', 1])
    const { data } = await admin.GET('/v1/admin/flags')
    const flag = data?.flags.find(({ id }) => id === alone?.flag)
    assert.equal(flag?.kind, 'refused_admission')
    await release('a')
    assert.deepEqual((await send()).data, alone)
  })

  it('is streamed to every scanner, and so is its release', async (t) => {
    const devices = await Promise.all([world.device(['v-in']), north, south])
    await using stack = new AsyncDisposableStack()
    const streams = devices.map((device) => stack.use(new StreamReader(world, device)))
    const isHold = (wanted: boolean) => (one: ReceivedEvent) => one.event === 'hold' && one.data.held === wanted
    await hold('b')
    // Connected by then or not: a new stream begins with the holds.
    await Promise.all(streams.map((stream) => stream.event(isHold(true))))
    await release('b')
    await Promise.all(streams.map((stream) => stream.event(isHold(false))))

    await hold('a', { expires_in_seconds: 3600 })
    const asked = performance.now()
    const received = await Promise.all(
      streams.map((stream) => stream.event((h) => isHold(true)(h) && h.data.gate === 'a')),
    )
    const slowest = Math.max(...received.map(({ at }) => at)) - asked
    t.diagnostic(`three scanners knew ${slowest.toFixed(1)} ms after the answer`)
    const { data: manifest } = await north.client.GET('/v1/manifest')
    const { gate, held, reason, expires_at, version } = received[0]?.data ?? {}
    assert.deepEqual([gate, held, reason], ['a', true, 'crowd at the barrier'])
    assert.deepEqual(manifest?.holds, [{ gate, reason, expires_at }])
    assert.equal(manifest?.version, version)
    await release('a', { actor: 'Ana', reason: 'clear' })
    const end = await streams[0]?.event((h) => isHold(false)(h) && h.data.gate === 'a')
    assert.deepEqual([end?.data.reason, end?.data.expires_at], ['clear', null])
  })

  it("is in a scanner's manifest, complete or as a delta", async () => {
    const { data: before } = await south.client.GET('/v1/manifest')
    assert.deepEqual(before?.holds, [])
    await hold('a', { expires_in_seconds: 60 })
    const since = { params: { query: { since: before?.version ?? 0 } } }
    const { data: delta } = await south.client.GET('/v1/manifest', since)
    assert.deepEqual(
      delta?.holds.map(({ gate }) => gate),
      ['a'],
    )
    const tag = async () => (await south.client.GET('/v1/manifest')).response.headers.get('etag')
    const etag = await tag()
    world.offsetMs += 61 * SECOND
    const { data: later } = await south.client.GET('/v1/manifest')
    assert.deepEqual(later?.holds, [])
    assert.notEqual(await tag(), etag, 'nothing was written, and yet it is another manifest')
    assert.equal(await verdictAt(north, 'a-in'), 'ADMIT')
  })

  it('is never suggested as another gate', async () => {
    const guide = (payload: string) =>
      north.client.GET('/v1/guidance', { params: { query: { payload, from: 'a-in' } } })
    const code = fresh()
    await hold('a')
    const { data } = await guide(code)
    assert.deepEqual([data?.checkpoint, data?.alternatives], ['b-in', []])
    const redirected = await north.scan('VIP-1', { checkpoint: 'a-in' })
    assert.equal(redirected.verdict, 'BLOCKED', 'its own hold comes first')
    await hold('b')
    const { error } = await guide(code)
    assert.equal(error?.code, 'conflict')
    await release('a')
    const waits = await north.scan('VIP-1')
    assert.deepEqual(waits.evidence, {
      detail: 'every gate for this ticket is on hold',
      code: 'every_gate_held',
      held: true,
    })
    await release('b')
    assert.equal((await north.scan('VIP-1')).verdict, 'REDIRECT')
  })

  it('is not opened by a supervisor at the gate', async () => {
    await hold('a')
    const { scan_id } = await north.scan(fresh())
    const supervisor = world.deviceOf(north.paired)
    world.box.ledger.db.drizzle.run(`UPDATE devices SET supervisor = 1 WHERE id = '${north.paired.id}'`)
    await world.restart()
    admin = await world.admin()
    ;[north, south] = [world.deviceOf(north.paired), world.deviceOf(south.paired)]
    await supervisor[Symbol.asyncDispose]()
    const admit = () =>
      north.client.POST('/v1/scan/{scan_id}/admit', {
        params: { path: { scan_id } },
        body: { actor: 'Eva', reason: 'performer' },
      })
    assert.equal((await admit()).error?.code, 'conflict')
    await release('a')
    assert.equal((await admit()).data?.verdict, 'ADMIT')
  })

  it('stays on hold over a restart, and takes a new reason and time', async () => {
    await hold('a', { expires_at: new Date(world.now() + 60 * SECOND).toISOString() })
    await world.restart()
    admin = await world.admin()
    ;[north, south] = [world.deviceOf(north.paired), world.deviceOf(south.paired)]
    assert.equal(await verdictAt(north, 'a-in'), 'BLOCKED')
    assert.deepEqual(await held(), ['a'])
    await hold('a', { reason: 'barrier is down', expires_in_seconds: 600 })
    world.offsetMs += 61 * SECOND
    const { evidence } = await north.scan(fresh())
    assert.deepEqual(evidence, { detail: 'barrier is down', held: true })
    const { data: stats } = await admin.GET('/v1/admin/stats')
    assert.equal(stats?.gates.find(({ id }) => id === 'a')?.hold?.reason, 'barrier is down')
    world.offsetMs += 600 * SECOND
    assert.equal(await verdictAt(north, 'a-in'), 'ADMIT')
    assert.deepEqual(await held(), [])
    assert.equal((await release('a')).code, 'conflict')
  })

  it('can be held from another process', async () => {
    const { GATEHOUSE_DATA_DIR: dataDir = '' } = world.environment
    const beside = openLedger({ dataDir, eventId: world.box.event.id, wallClock: () => world.now() })
    const holds = new Holds({ ledger: beside.ledger, now: () => world.now() })
    await holds.place({ id: 'h', gate: 'a', reason: 'by hand', expiresAt: null }, COMMAND_LINE)
    beside.ledger[Symbol.dispose]()
    while ((await verdictAt(north, 'a-in')) !== 'BLOCKED');
    assert.equal((await release('a')).status, 200)
  })

  it('needs a reason, an actor, a gate of this event and a time in the future', async () => {
    const size = world.box.ledger.size
    const bad: [string, object][] = [
      ['actor', { actor: undefined }],
      ['reason', { reason: undefined }],
      ['reason', { reason: '' }],
      ['reason', { reason: 'x'.repeat(501) }],
      ['expires_at', { expires_at: 'soon' }],
      ['expires_at', { expires_at: new Date(world.now()).toISOString() }],
      ['expires_at', { expires_at: new Date(world.now() + SECOND).toISOString(), expires_in_seconds: 1 }],
      ['expires_in_seconds', { expires_in_seconds: 0 }],
      ['expires_in_seconds', { expires_in_seconds: 1.5 }],
      ['gate', { gate: 'b' }],
    ]
    for (const [field, more] of bad) {
      const { code, message } = await hold('a', more)
      assert.equal(code, 'bad_request', JSON.stringify(more))
      assert.match(message ?? '', new RegExp(`"${field}"`))
    }
    for (const gate of ['moon', 'a-in', '__proto__', '%00', 'A']) {
      assert.equal((await hold(gate)).code, 'not_found', gate)
      assert.equal((await release(gate)).code, 'not_found', gate)
    }
    assert.equal((await release('a', {})).code, 'bad_request')
    assert.equal((await release('a')).code, 'conflict')
    assert.equal(world.box.ledger.size, size)
  })
})
