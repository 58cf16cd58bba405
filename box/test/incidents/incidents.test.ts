/** Incidents over the network: from a gate to the control room and back, and emergencies to every gate. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import { Incident, type IncidentActionRequest, type IncidentReport } from '@gatehouse/proto/wire/incidents.ts'
import { Value } from 'typebox/value'
import { Lanes } from '../../src/gates/lanes.ts'
import { report as reportWith } from '../../src/incidents/incidents.ts'
import { ask, assertFailure, openStream } from '../world/ask.ts'
import type { TestDevice } from '../world/device.ts'
import { type ReceivedEvent, StreamReader } from '../world/stream-reader.ts'
import { World } from '../world/world.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Three gates, each with a scanner of its own, and a control room. */
async function threeGates(options: Parameters<typeof World.open>[0] = {}) {
  const world = await World.open(options)
  const [north, south, lounge, admin] = await Promise.all([
    world.device(['a-in', 'a-out']),
    world.device(['b-in']),
    world.device(['v-in', 'v-out']),
    world.admin(),
  ])
  return { world, north, south, lounge, admin }
}

function reportOf(world: World, more: Partial<IncidentReport> = {}): IncidentReport {
  const observed_at = new Date(world.now()).toISOString()
  return { incident_id: randomUUID(), kind: 'medical', checkpoint: 'a-in', observed_at, ...more }
}

async function report(device: TestDevice, body: IncidentReport) {
  const { data, error, response } = await device.client.POST('/v1/incidents', { body })
  return { status: response.status, incident: data as Incident, code: error?.code }
}

/** @param body as it is sent, right or wrong */
async function act(admin: GatehouseClient, id: string, body: object) {
  const request = { params: { path: { id } }, body: body as IncidentActionRequest }
  const { data, error, response } = await admin.POST('/v1/admin/incidents/{id}', request)
  return { status: response.status, incident: data as Incident, code: error?.code }
}

const isIncident =
  (id: string, state?: string) =>
  ({ event, data }: ReceivedEvent) =>
    event === 'incident' && data.incident_id === id && (state === undefined || data.state === state)
const incidentsSeen = (reader: StreamReader) =>
  reader.received
    .filter(({ event }) => event === 'incident')
    .map(({ data }) => `${data.kind} ${data.state}${data.alert ? ` ${data.alert}` : ''}`)

/** Streams, closed together. */
class Streams extends Array<StreamReader> implements AsyncDisposable {
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Array.from(this, (stream) => stream[Symbol.asyncDispose]()))
  }
}

/** Connected streams: each has received a mode. */
async function listen(world: World, admin: GatehouseClient, ...devices: TestDevice[]): Promise<Streams> {
  const streams = Streams.from(devices, (device) => new StreamReader(world, device)) as Streams
  try {
    for (const stream of streams) {
      for (let i = 0; ; i++) {
        await admin.PUT('/v1/admin/mode', { body: { mode: 'STRICT', actor: 'a', reason: 'r' } })
        if (await stream.event(({ event }) => event === 'mode', 100).catch(() => undefined)) break
        assert.ok(i < 50, 'the stream does not connect')
      }
    }
  } catch (error) {
    await streams[Symbol.asyncDispose]()
    throw error
  }
  return streams
}

describe('an incident', () => {
  let world: World
  let north: TestDevice
  let south: TestDevice
  let lounge: TestDevice
  let admin: GatehouseClient
  before(async () => {
    ;({ world, north, south, lounge, admin } = await threeGates())
  })
  after(() => world[Symbol.asyncDispose]())

  it('is reported to the control room once, with what the box knows, and every answer returns it', async () => {
    await north.scan('ONCE-1')
    await north.client.POST('/v1/queue', { body: { checkpoint: 'a-in', people: 60 } })
    const body = reportOf(world, { kind: 'need_staff', note: 'two at the wall' })
    const first = await report(north, body)
    assert.equal(first.status, 201)
    assert.ok(Value.Check(Incident, first.incident))
    const { gate, zone, queue_rate_per_min, queue, occupancy, reported_by_name } = first.incident
    assert.deepEqual(
      [gate, zone, queue_rate_per_min, queue, occupancy, reported_by_name],
      ['a', 'arena', 0.2, 60, 1, 'test device'],
    )
    const again = await report(north, body)
    assert.deepEqual([again.status, again.incident], [200, first.incident])
    assert.deepEqual((await report(north, { ...body, note: 'three' })).code, 'conflict')
    assert.deepEqual((await report(south, { ...body, checkpoint: 'b-in' })).code, 'conflict')

    const id = body.incident_id
    await using streams = await listen(world, admin, north)
    const here = streams[0] ?? assert.fail()
    const acknowledged = await act(admin, id, { action: 'acknowledge', actor: 'Rui', version: 1 })
    assert.deepEqual([acknowledged.status, acknowledged.incident.state], [200, 'acknowledged'])
    await act(admin, id, { action: 'assign', actor: 'Rui', assignee: 'Team 3' })
    await act(admin, id, { action: 'resolve', actor: 'Rui' })
    await here.event(isIncident(id, 'resolved'))
    assert.deepEqual(incidentsSeen(here), ['need_staff acknowledged', 'need_staff assigned', 'need_staff resolved'])
    const { data } = await north.client.GET('/v1/incidents')
    assert.deepEqual(
      data?.incidents.find(({ incident_id }) => incident_id === id),
      here.received.at(-1)?.data,
    )
    const address = JSON.parse(world.box.ledger.read(world.box.ledger.size - 1, 1)[0]?.bytes.toString() ?? '').address
    assert.equal(address, '127.0.0.1')
  })

  it('says what the box knows of a standstill: scans and refusals of five minutes, and when somebody last passed', async () => {
    await using own = await World.open()
    const device = await own.device()
    await device.scan('ONCE-1')
    await device.scan('ONCE-2', { checkpoint: 'b-in' })
    own.offsetMs += 2 * MINUTE
    for (const code of ['ONCE-1', 'ONCE-1', 'NOBODY']) await device.scan(code)
    const { incident } = await report(device, reportOf(own, { kind: 'crush' }))
    assert.deepEqual([incident.scans, incident.refusals], [4, 3])
    assert.ok([120, 121, 122, 123].includes(incident.idle_seconds ?? 0), String(incident.idle_seconds))
    own.offsetMs += 10 * MINUTE
    const later = await report(device, reportOf(own))
    assert.deepEqual([later.incident.scans, later.incident.refusals], [0, 0])
    const elsewhere = await report(device, reportOf(own, { checkpoint: 'v-in' }))
    assert.equal(elsewhere.incident.idle_seconds, null)
    const verified = await (await own.admin()).GET('/v1/admin/verify')
    assert.deepEqual(verified.data?.problems, [])
  })

  it('has the entry rate from before a restart', async () => {
    await using own = await World.open()
    await (await own.device(['a-in'])).scan('ONCE-1')
    await own.restart()
    const { incident } = await report(await own.device(['a-in']), reportOf(own, { kind: 'crush' }))
    assert.deepEqual([incident.queue_rate_per_min, incident.occupancy], [0.2, 1])
  })

  it('is sent to its own gate only, and an emergency to every gate', async () => {
    await using streams = await listen(world, admin, north, south, lounge)
    const [a, b, v] = streams
    assert.ok(a && b && v)
    const staff = reportOf(world, { kind: 'need_staff' })
    const crush = reportOf(world, { kind: 'crush', checkpoint: 'v-out' })
    await report(north, staff)
    await report(lounge, crush)
    await act(admin, staff.incident_id, { action: 'acknowledge', actor: 'Rui' })
    await act(admin, crush.incident_id, { action: 'assign', actor: 'Rui', assignee: 'Team 3' })
    await act(admin, crush.incident_id, { action: 'resolve', actor: 'Rui' })
    await Promise.all([a, b, v].map((stream) => stream.event(isIncident(crush.incident_id, 'resolved'))))
    assert.deepEqual(incidentsSeen(b), ['crush open', 'crush assigned', 'crush resolved'])
    assert.deepEqual(incidentsSeen(v), incidentsSeen(b))
    assert.deepEqual(incidentsSeen(a), [
      ...['need_staff open', 'crush open', 'need_staff acknowledged', 'crush assigned', 'crush resolved'],
    ])
    const medical = reportOf(world, { kind: 'medical' })
    await report(north, medical)
    const seenBy = async (device: TestDevice) =>
      (await device.client.GET('/v1/incidents')).data?.incidents.map(({ incident_id }) => incident_id) ?? []
    assert.deepEqual(await seenBy(south), [medical.incident_id])
    assert.ok((await seenBy(north)).includes(staff.incident_id))
    const two = await world.device(['a-in', 'b-in'])
    const at = async (checkpoint?: string) => {
      const { data, error } = await two.client.GET('/v1/incidents', { params: { query: { checkpoint } } })
      return error?.code ?? data?.incidents.map(({ incident_id }) => incident_id)
    }
    assert.ok((await at())?.includes(staff.incident_id))
    assert.ok((await at('a-in'))?.includes(staff.incident_id))
    assert.deepEqual(await at('b-in'), [medical.incident_id], 'the gate where it scans now, emergencies apart')
    assert.deepEqual([await at('v-in'), await at('nowhere')], ['not_allowed', 'not_found'])
    await act(admin, medical.incident_id, { action: 'cancel', actor: 'Rui', reason: 'drill' })
    assert.deepEqual(await seenBy(south), [])
  })

  it('changes state only through the control room, with a name, with a reason to cancel, and never backwards', async () => {
    const body = reportOf(world, { kind: 'access' })
    await report(north, body)
    const id = body.incident_id
    const refused = async (code: string, request: object) => assert.equal((await act(admin, id, request)).code, code)
    await refused('bad_request', { action: 'acknowledge' })
    await refused('bad_request', { action: 'acknowledge', actor: '' })
    await refused('bad_request', { action: 'acknowledge', actor: 'Rui\u0000' })
    await refused('bad_request', { action: 'cancel', actor: 'Rui' })
    await refused('bad_request', { action: 'assign', actor: 'Rui' })
    await refused('bad_request', { action: 'reopen', actor: 'Rui' })
    await refused('bad_request', { action: 'resolve', actor: 'Rui', state: 'open' })
    await refused('bad_request', { action: 'resolve', actor: 'Rui', version: '1' })
    await refused('conflict', { action: 'resolve', actor: 'Rui', version: 9 })
    assert.equal((await act(admin, 'no-such', { action: 'resolve', actor: 'Rui' })).code, 'not_found')
    const both = await Promise.all(
      ['Rui', 'Ana'].map((actor) => act(admin, id, { action: 'acknowledge', actor, version: 1 })),
    )
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409])
    await act(admin, id, { action: 'assign', actor: 'Rui', assignee: 'Team 3' })
    await refused('conflict', { action: 'acknowledge', actor: 'Ana' })
    assert.equal((await act(admin, id, { action: 'assign', actor: 'Ana', assignee: 'Team 4' })).status, 200)
    await refused('conflict', { action: 'acknowledge', actor: 'Ana', version: 4 })
    await act(admin, id, { action: 'cancel', actor: 'Ana', reason: 'door was open' })
    await refused('conflict', { action: 'resolve', actor: 'Ana' })

    const board = async (...state: string[]) => {
      const { data } = await admin.GET('/v1/admin/incidents', { params: { query: { state } as never } })
      return data?.incidents.map(({ incident_id }) => incident_id) ?? []
    }
    assert.ok((await board('cancelled')).includes(id))
    assert.ok(!(await board('open', 'resolved')).includes(id))
  })

  it("is refused when it is malformed, with the field's name", async () => {
    const { ca, certificate: cert, key, token } = north.paired
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const send = (body: string) =>
      ask(world.box.ports.device, '/v1/incidents', { method: 'POST', headers, body, tls: { ca, cert, key } })
    const size = world.box.ledger.size
    const sound = reportOf(world)
    for (const [field, value] of [
      ['kind', 'flood'],
      ['kind', ['crush']],
      ['incident_id', ''],
      ['incident_id', 'a b'],
      ['incident_id', 'x'.repeat(129)],
      ['note', 'x'.repeat(2001)],
      ['note', 'a\u0000b'],
      ['note', {}],
      ['observed_at', 'now'],
      ['observed_at', '2026-02-30T00:00:00Z'],
      ['checkpoint', null],
      ['gate', 'b'],
    ] as const) {
      world.elapsedMs += SECOND
      const answer = await send(JSON.stringify({ ...sound, [field]: value }))
      assertFailure(answer, 'bad_request', `${field} ${JSON.stringify(value)}`)
      assert.match(answer.text, new RegExp(`\\\\"${field}\\\\"`))
    }
    assertFailure(await send(JSON.stringify({ ...sound, checkpoint: 'moon' })), 'not_found')
    assertFailure(await send(JSON.stringify({ ...sound, checkpoint: 'b-in' })), 'not_allowed')
    assertFailure(await send('{"note":"\\ud800"}'), 'bad_request')
    assert.equal(world.box.ledger.size, size)
    // Empty values that an app may send.
    for (const note of [null, '', '\u{1f3ab} «não»\n<b>']) {
      assert.equal((await report(north, reportOf(world, { kind: 'equipment', note }))).status, 201)
    }
  })

  it('is limited per scanner, and other scanners still report', async () => {
    world.holdRates()
    const statuses: number[] = []
    for (let i = 0; i < 30; i++) statuses.push((await report(north, reportOf(world, { kind: 'equipment' }))).status)
    assert.ok(statuses.includes(429))
    assert.equal((await report(south, reportOf(world, { kind: 'equipment', checkpoint: 'b-in' }))).status, 201)
    world.elapsedMs += 5 * SECOND
    assert.equal((await report(north, reportOf(world, { kind: 'equipment' }))).status, 201)
  })
})

describe('emergencies on streams', () => {
  let world: World
  let north: TestDevice
  let south: TestDevice
  let admin: GatehouseClient
  before(async () => {
    ;({ world, north, south, admin } = await threeGates())
  })
  after(() => world[Symbol.asyncDispose]())

  /** One batch: modes, an incident of gate A that is none, an emergency, an announcement of each kind. */
  async function batch(): Promise<{ crush: string; staff: string }> {
    const { event, ledger } = world.box
    const deps = {
      event,
      ledger,
      random: randomBytes,
      occupancyOf: () => null,
      rateOf: () => 0,
      now: () => world.now(),
      lanes: new Lanes({ ledger, now: () => world.now() }),
    }
    const mode = () => ledger.commit(() => ledger.append('mode', { actor: 'a', mode: 'STRICT', reason: 'r' }))
    const device = { id: 'd', checkpoints: new Set(['a-in']) }
    const [staff, crush] = [reportOf(world, { kind: 'need_staff' }), reportOf(world, { kind: 'crush' })]
    const size = ledger.size
    await Promise.all([mode(), reportWith(staff, device, deps), reportWith(crush, device, deps), mode()])
    assert.equal(ledger.size, size + 4)
    return { crush: crush.incident_id, staff: staff.incident_id }
  }

  it('overtake other events, without an id; a reader that reconnects there gets all of them', async () => {
    await using streams = await listen(world, admin, north, south)
    const [a, b] = streams
    assert.ok(a && b)
    const [from, position] = [a.received.length, a.received.at(-1)?.id ?? assert.fail()]
    const { crush } = await batch()
    await Promise.all([a.count(from + 4), b.event(isIncident(crush))])
    await sleep(100)
    const what = (received: readonly ReceivedEvent[]) =>
      received.map(({ event, data }) => (event === 'incident' ? data.kind : event))
    assert.deepEqual(what(a.received.slice(from)), ['crush', 'mode', 'need_staff', 'mode'])
    assert.equal(a.received[from]?.id, position, 'no position of its own')
    assert.deepEqual(what(b.received.slice(-3)), ['crush', 'mode', 'mode'])
    await streams[Symbol.asyncDispose]()

    // Wherever the connection broke, the rest follows, with emergencies first.
    for (const received of a.received.slice(from)) {
      await using again = new StreamReader(world, north, { lastEventId: received.id })
      const before = Number(received.id.split('-')[1])
      const expected = ['mode', 'need_staff', 'crush', 'mode'].slice(before - Number(position.split('-')[1]))
      await again.event(isIncident(crush))
      await again.count(expected.length + 1)
      assert.deepEqual(what(again.received), ['crush', ...expected], received.id)
    }
    await using elsewhere = new StreamReader(world, south, { lastEventId: position })
    await elsewhere.count(4)
    assert.deepEqual(
      what(elsewhere.received),
      ['crush', 'mode', 'crush', 'mode'],
      'filtered as it was when it happened',
    )
    await act(admin, crush, { action: 'resolve', actor: 'Rui' })
  })

  it('are sent first on every new stream until they are over', async () => {
    const { crush, staff } = await batch()
    const said = await admin.POST('/v1/admin/announce', {
      body: { text: 'Leave by gate B.', severity: 'emergency', zones: ['lounge'], actor: 'a' },
    })
    const calm = await admin.POST('/v1/admin/announce', { body: { text: 'Lunch.', severity: 'info', actor: 'a' } })
    assert.ok(said.data && calm.data)
    const hold = { params: { path: { id: 'a' } }, body: { actor: 'a', reason: 'crush' } }
    await admin.POST('/v1/admin/gates/{id}/hold', hold)
    {
      await using fresh = new StreamReader(world, south)
      await fresh.event(({ event }) => event === 'hold')
      assert.deepEqual(
        fresh.received.map(({ event, id }) => [event, id]),
        [
          ['incident', ''],
          ['announcement', ''],
          ['hold', ''],
        ],
      )
      assert.deepEqual([fresh.received[0]?.data.incident_id, fresh.received[1]?.data.id], [crush, said.data.id])
    }
    await act(admin, crush, { action: 'acknowledge', actor: 'Rui' })
    await act(admin, crush, { action: 'resolve', actor: 'Rui' })
    await act(admin, staff, { action: 'cancel', actor: 'Rui', reason: 'drill' })
    await admin.POST('/v1/admin/gates/{id}/release', { params: { path: { id: 'a' } }, body: { actor: 'a' } })
    await using later = new StreamReader(world, south)
    await later.event(({ event }) => event === 'announcement')
    await sleep(50)
    assert.equal(later.received.length, 1, 'a resolved emergency is none, and a released gate is not held')
  })

  it('are sent to every gate whatever their zones; other announcements go to the zones and tickets that they concern', async () => {
    await using streams = await listen(world, admin, north)
    const [a] = streams
    assert.ok(a)
    const say = (text: string, severity: 'info' | 'emergency', zones?: string[]) =>
      admin.POST('/v1/admin/announce', { body: { text, severity, actor: 'a', ...(zones && { zones }) } })
    await say('lounge', 'info', ['lounge'])
    await say('arena', 'info', ['lounge', 'arena'])
    await say('everybody', 'info')
    await say('storm', 'emergency', ['lounge'])
    await a.event(({ data }) => data.text === 'storm')
    const texts = a.received.filter(({ event }) => event === 'announcement').map(({ data }) => data.text)
    assert.deepEqual(texts.slice(-3), ['arena', 'everybody', 'storm'])
    assert.ok(!texts.includes('lounge'))
    const { data } = await admin.GET('/v1/announcements')
    assert.equal(data?.announcements[0]?.text, 'storm')
  })
})

describe('an incident that nobody acknowledges', () => {
  it('is repeated to its gate and to dashboards, an emergency to every gate, also after a restart', async () => {
    const { world, north, south, admin } = await threeGates()
    await using _ = world
    await using streams = await listen(world, admin, north, south)
    const [a, b] = streams
    assert.ok(a && b)
    const dashboard = await openStream(world.box.ports.https, '/v1/admin/stream', {
      headers: { authorization: `Bearer ${world.box.adminToken}` },
      tls: { ca: await world.ca },
    })
    const [staff, crush] = [reportOf(world, { kind: 'need_staff' }), reportOf(world, { kind: 'crush' })]
    await report(north, staff)
    await report(north, crush)
    const alert = (id: string, n: number) => (one: ReceivedEvent) => isIncident(id)(one) && one.data.alert === n
    world.offsetMs += 16 * SECOND
    await b.event(alert(crush.incident_id, 1))
    assert.deepEqual(incidentsSeen(b), ['crush open', 'crush open 1'])
    const journal = world.box.ledger.size
    world.offsetMs += 2 * MINUTE
    await a.event(alert(staff.incident_id, 1))
    await b.event(alert(crush.incident_id, 2))
    assert.ok(!incidentsSeen(b).some((line) => line.startsWith('need_staff')))
    assert.equal(world.box.ledger.size, journal, 'no fact, and so no entry')
    // Another connection: what the scanners have received may be on its way still.
    while (!/event: incident\ndata: .*"kind":"crush".*"alert":1/.test(dashboard.text)) await sleep(5)
    dashboard.close()

    await world.restart()
    world.offsetMs += 15 * SECOND
    // Ten intervals have passed since the report, while the box was down.
    await b.event(({ event, data }) => event === 'incident' && data.alert >= 9)
    const again = await world.admin()
    await act(again, crush.incident_id, { action: 'acknowledge', actor: 'Rui' })
    await b.event(isIncident(crush.incident_id, 'acknowledged'))
    const received = incidentsSeen(b).length
    world.offsetMs += MINUTE
    await sleep(1500)
    assert.equal(incidentsSeen(b).length, received)
  })
})
