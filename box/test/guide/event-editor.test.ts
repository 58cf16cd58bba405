/** The event editor: a draft is checked as the command line does, written as a whole, journalled, and applied. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import { checkFolder } from '../../src/boot/check-folder.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { EventFileError } from '../../src/event/mistakes.ts'
import { collection, feature, line, point } from '../venue/sketch.ts'
import { TEST_EVENT } from '../world/event.ts'
import { ProcessBox } from '../world/process-box.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'

type Json = Record<string, unknown>

const fileOf = ({ environment }: World) => join(environment.GATEHOUSE_EVENT_DIR ?? '', 'event.json')

async function draftOf(admin: GatehouseClient) {
  const { data } = await admin.GET('/v1/admin/event')
  assert.ok(data)
  return data
}

describe('the event as a draft', () => {
  it('is the file, and a check writes nothing', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    const before = readFileSync(fileOf(world), 'utf8')
    const draft = await draftOf(admin)
    assert.deepEqual(draft.event, JSON.parse(before))
    assert.equal(draft.pending, false)
    assert.equal(draft.demo, false)
    const event = { ...draft.event, ends_at: '2020-01-01T00:00:00Z', colour: 'red' }
    const { data } = await admin.POST('/v1/admin/event/check', { body: { event } })
    assert.deepEqual(
      data?.mistakes.map(({ path }) => path),
      ['checkpoints[3].opens_at', 'colour', 'ends_at'],
    )
    assert.equal(readFileSync(fileOf(world), 'utf8'), before)
  })

  it('has the mistakes that check-event lists, of the map and the tickets beside it too', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    const folder = world.environment.GATEHOUSE_EVENT_DIR ?? ''
    // The shop's products are the tiers' names: a file of which nothing can be used is a mistake of the folder.
    writeFileSync(join(folder, 'tickets.csv'), 'code,tier\n')
    writeFileSync(join(folder, 'venue.geojson'), '{"type":"FeatureCollection","features":[{"type":"Feature"}]}')
    const { data } = await admin.POST('/v1/admin/event/check', { body: { event: { ...TEST_EVENT } as Json } })
    const command = await checkFolder(folder).catch((error) => error as EventFileError)
    assert.ok(command instanceof EventFileError)
    assert.ok(command.mistakes.length > 1)
    assert.deepEqual(data?.mistakes, command.mistakes)
  })

  it('has the mistakes of pretix.yaml as codes with their lines', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    const tier = TEST_EVENT.tiers[0]?.id ?? ''
    writeFileSync(
      join(world.environment.GATEHOUSE_EVENT_DIR ?? '', 'pretix.yaml'),
      `tiers:\n  item:1: ${tier}\n  item:2: dya\n`,
    )
    const { data } = await admin.POST('/v1/admin/event/check', { body: { event: { ...TEST_EVENT } as Json } })
    const values = { file: 'pretix.yaml', line: 3, key: 'tiers["item:2"]', tier: 'dya' }
    assert.deepEqual(
      data?.mistakes.map(({ path, coded }) => [path, coded]),
      [['pretix.yaml', [{ code: 'mapping_tier', values }]]],
    )
  })

  it('may have a gate that is not on the map yet: it is told, saved, and the box opens with it', async () => {
    const along = (id: string, x: number) => feature('gate', id, point([x, 0]))
    const map = collection([
      feature('path', 'axis', line([0, 0], [90, 0])),
      ...['a', 'b', 'v'].map((id, i) => along(id, i * 30)),
    ])
    await using world = await World.open()
    writeFileSync(join(world.environment.GATEHOUSE_EVENT_DIR ?? '', 'venue.geojson'), map)
    const admin = await world.admin()
    const { event: before, revision } = await draftOf(admin)
    const entry = { ...TEST_EVENT.checkpoints[0], id: 'south-in', name: 'South entry', gate: 'south' }
    const event = {
      ...before,
      gates: [...TEST_EVENT.gates, { id: 'south', name: 'South' }],
      checkpoints: [...TEST_EVENT.checkpoints, entry],
    } as Json
    const { data } = await admin.POST('/v1/admin/event/check', { body: { event } })
    assert.deepEqual(data?.mistakes, [])
    const told = data?.warnings.filter(({ path }) => path === 'venue.geojson').map(({ message }) => message)
    assert.equal(told?.length, 1)
    assert.match(told?.[0] ?? '', /^checkpoint "south-in": draw it, or its gate "south"/)
    assert.equal((await admin.PUT('/v1/admin/event', { body: { event, revision } })).error, undefined)
    await world.restart()
    const { data: plan } = await (await world.admin()).GET('/v1/venue')
    assert.ok(plan?.checkpoints.some(({ id }) => id === 'south-in'))
    assert.deepEqual(plan?.map?.gates.map(({ id }) => id).sort(), ['a', 'b', 'v'])
    // People come in there, as anywhere.
    await using gate = await world.device(['south-in'])
    assert.equal((await gate.scan('ONCE-1', { checkpoint: 'south-in' })).verdict, 'ADMIT')
  })

  it('is checked one at a time, and a crowd of checks is told to wait', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    const event = { ...TEST_EVENT } as Json
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => admin.POST('/v1/admin/event/check', { body: { event } })),
    )
    const refused = answers.filter((answer) => answer.error)
    // On a busy machine some requests come when the first checks have ended.
    assert.ok(refused.length > 0)
    assert.ok(answers.length - refused.length >= 4)
    for (const { response, error } of refused) {
      assert.equal(error?.code, 'rate_limited')
      assert.equal(response.headers.get('retry-after'), '2')
    }
    const { data } = await admin.POST('/v1/admin/event/check', { body: { event } })
    assert.deepEqual(data?.mistakes, [], 'the places are free again')
  })

  it('is written with what people had written around it, and the journal says by whom', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    const byHand = `${JSON.stringify(TEST_EVENT, null, 3)}\n\n`
    writeFileSync(fileOf(world), byHand)
    const { event, revision } = await draftOf(admin)
    const body = { event: { ...event, name: 'Other Fair' } as Json, revision, actor: 'Ines' }
    const { data } = await admin.PUT('/v1/admin/event', { body })
    assert.equal(readFileSync(fileOf(world), 'utf8'), byHand.replace('Test Fair', 'Other Fair'))
    assert.equal(data?.pending, true)
    assert.equal((await draftOf(admin)).revision, data?.revision)
    const { data: log } = await admin.GET('/v1/admin/log', { params: { query: { kind: 'event_edited' } } })
    assert.deepEqual(
      log?.rows.map(({ actor, entry }) => [actor, (entry as Json).digest]),
      [['Ines', data?.revision]],
    )
    assert.equal(world.box.event.name, 'Test Fair', 'it counts at the next start')
    await world.restart()
    assert.equal(world.box.event.name, 'Other Fair')
    assert.equal((await draftOf(await world.admin())).pending, false)
  })

  it('is not written over what somebody changed by hand meanwhile', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    const { event, revision } = await draftOf(admin)
    writeFileSync(fileOf(world), JSON.stringify({ ...TEST_EVENT, name: 'By hand' }))
    const { error } = await admin.PUT('/v1/admin/event', { body: { event: event as Json, revision } })
    assert.equal(error?.code, 'conflict')
    assert.match(readFileSync(fileOf(world), 'utf8'), /By hand/)
  })

  it('that takes a tier from tickets is written only when somebody accepts that', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    const { revision } = await draftOf(admin)
    const tiers = TEST_EVENT.tiers.filter(({ id }) => id !== 'vip')
    const checkpoints = TEST_EVENT.checkpoints
      .map((one) => ({ ...one, tiers: (one.tiers as string[]).filter((tier) => tier !== 'vip') }))
      .filter((one) => one.tiers.length > 0)
    const event = { ...TEST_EVENT, tiers, checkpoints } as Json
    const { data } = await admin.POST('/v1/admin/event/check', { body: { event } })
    // The file of tickets in the folder still names the ticket type, and a start would reject those rows alone.
    assert.deepEqual(data?.mistakes, [])
    assert.deepEqual(data?.changes, [{ kind: 'tier_removed', name: 'VIP', tickets: 1, scanners: 0, inside: 0 }])
    const refused = await admin.PUT('/v1/admin/event', { body: { event, revision } })
    assert.equal(refused.error?.code, 'conflict')
    const accepted = await admin.PUT('/v1/admin/event', { body: { event, revision, accepts_changes: true } })
    assert.equal(accepted.data?.pending, true)
  })

  it('keeps its id, because the ledger is of that event', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    const { revision } = await draftOf(admin)
    const body = { event: { ...TEST_EVENT, id: 'another' } as Json, revision }
    const { error } = await admin.PUT('/v1/admin/event', { body })
    assert.equal(error?.code, 'bad_request')
    assert.match(error?.message ?? '', /must stay "test-fair"/)
  })

  it('with a mistake in the file on the disk is shown with it, and not applied', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    for (const text of ['{ "id": ', '[]', JSON.stringify({ ...TEST_EVENT, zones: [] })]) {
      writeFileSync(fileOf(world), text)
      assert.ok((await draftOf(admin)).mistakes.length > 0, text)
      const { error } = await admin.POST('/v1/admin/event/apply', { body: {} })
      assert.equal(error?.code, 'conflict', text)
      assert.equal(error?.reason, 'event_mistaken')
    }
  })
})

describe('a box without an event of its own', () => {
  it('gets one from the guide, which takes the place of the demo and leaves its record alone', async () => {
    await using box = new ProcessBox()
    Object.assign(box.folder.environment, { GATEHOUSE_EVENT_DIR: undefined })
    await box.start()
    const admin = box.admin()
    const draft = await draftOf(admin)
    assert.deepEqual([draft.demo, draft.event, draft.revision], [true, null, null])
    const demo = readFileSync(join(box.dataDir, 'ledger.db')).length
    const body = { event: TEST_EVENT as Json, revision: null, actor: 'Ines' }
    assert.equal((await admin.PUT('/v1/admin/event', { body })).data?.pending, true)
    await checkFolder(draft.folder)
    await admin.POST('/v1/admin/event/apply', { body: {} })
    const { http } = box.ports
    const eventNow = async () => {
      const answer = await fetch(`http://127.0.0.1:${http}/v1/meta`).catch(() => undefined)
      return answer?.ok ? ((await answer.json()) as { event_id: string }).event_id : undefined
    }
    await until(async () => (await eventNow()) === 'test-fair')
    // Another authority, and the same token: whoever sits there goes on.
    const own = join(box.dataDir, 'own/data')
    const pem = readFileSync(join(own, 'ca/authority.pem'), 'utf8')
    await using trusting = tlsFetch({ ca: pem.slice(0, pem.indexOf('-----BEGIN PRIVATE KEY')) })
    const later = gatehouseClient({ baseUrl: box.baseUrl, token: box.folder.adminToken, fetch: trusting })
    assert.equal((await draftOf(later)).demo, false)
    assert.ok(readFileSync(join(box.dataDir, 'ledger.db')).length >= demo)
    await box.stop()
    await box.start()
    assert.equal(await eventNow(), 'test-fair', 'after the next start, too')
  })
})

describe('a draft that is applied', () => {
  it('counts after seconds, in the same process, and scanners stay paired', async () => {
    await using box = new ProcessBox()
    await box.start()
    const admin = box.admin()
    const device = await box.device()
    const { event, revision } = await draftOf(admin)
    assert.equal((await admin.POST('/v1/admin/event/apply', { body: {} })).data?.restarting, false, 'nothing is new')
    await admin.PUT('/v1/admin/event', { body: { event: { ...event, name: 'Other Fair' } as Json, revision } })
    assert.equal((await admin.POST('/v1/admin/event/apply', { body: {} })).data?.restarting, true)
    await until(async () => {
      const { data } = await admin.GET('/v1/meta').catch(() => ({ data: undefined }))
      return data?.event_name === 'Other Fair'
    })
    assert.equal((await device.scan('ONCE-1')).verdict, 'ADMIT')
  })
})
