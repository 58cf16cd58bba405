/** The map of the event as a draft: imported from files of others, with gates put on it, checked and written as check-event reads it. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import { checkFolder } from '../../src/boot/check-folder.ts'
import { World } from '../world/world.ts'

type Json = Record<string, unknown>
const GATES = { a: [-9.1, 38.7], b: [-9.101, 38.7], v: [-9.102, 38.7] } as const

const point = (id: string, coordinates: readonly number[]) => ({
  ...{ type: 'Feature', id, properties: { kind: 'gate' }, geometry: { type: 'Point', coordinates } },
})
const STREETS = {
  type: 'FeatureCollection',
  features: [
    {
      ...{ type: 'Feature', properties: { name: 'Rua' } },
      geometry: {
        type: 'LineString',
        coordinates: [
          [-9.0995, 38.7],
          [-9.1025, 38.7],
        ],
      },
    },
  ],
}

async function mapOf(admin: GatehouseClient) {
  const { data } = await admin.GET('/v1/admin/event/map')
  assert.ok(data)
  return data
}

/** Streets of a town, with every gate of the event on them. */
async function drawn(admin: GatehouseClient): Promise<Json> {
  const rules = [{ file: 'streets.geojson', geometry: 'line', kind: 'path' }] as never[]
  const files = [{ name: 'streets.geojson', text: JSON.stringify(STREETS) }]
  const { data } = await admin.POST('/v1/admin/event/map/import', { body: { files, rules } })
  assert.ok(data?.collection)
  assert.equal(data.format, 'geojson')
  const features = data.collection.features as Json[]
  return { ...data.collection, features: [...features, ...Object.entries(GATES).map(([id, at]) => point(id, at))] }
}

describe('the map as a draft', () => {
  it('is imported, gets its gates, is written beside the event, and opens again with nothing lost', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    const folder = world.environment.GATEHOUSE_EVENT_DIR ?? ''
    const path = join(folder, 'venue.geojson')
    assert.deepEqual(await mapOf(admin), { state: 'none', collection: null, revision: null })

    const collection = await drawn(admin)
    assert.ok(!existsSync(path))
    const { data: checked } = await admin.POST('/v1/admin/event/map/check', { body: { collection } })
    assert.deepEqual(
      checked?.problems.filter(({ severity }) => severity === 'error'),
      [],
    )
    const saved = await admin.PUT('/v1/admin/event/map', { body: { collection, revision: null, actor: 'Ines' } })
    assert.equal(saved.data?.pending, true)
    await checkFolder(folder)
    assert.equal((await admin.GET('/v1/admin/event')).data?.pending, true)

    // Somebody edits it by hand; one gate is moved here, and every other byte stays.
    const byHand = readFileSync(path, 'utf8').replace('{', '{\n   "speeds": {"walk":   1.1},')
    writeFileSync(path, byHand)
    const again = await mapOf(admin)
    assert.equal(again.state, 'drawn')
    const features = ((again.collection?.features ?? []) as Json[]).map((feature) =>
      feature.id === 'b' ? { ...feature, geometry: { type: 'Point', coordinates: [-9.1015, 38.7] } } : feature,
    )
    const late = await admin.PUT('/v1/admin/event/map', {
      body: { collection: { ...again.collection, features }, revision: saved.data?.revision ?? null },
    })
    assert.equal(late.error?.code, 'conflict')
    await admin.PUT('/v1/admin/event/map', {
      body: { collection: { ...again.collection, features }, revision: again.revision },
    })
    assert.equal(readFileSync(path, 'utf8'), byHand.replace('-9.101,', '-9.1015,'))
    assert.deepEqual(readdirSync(folder).sort(), ['event.json', 'tickets.csv', 'venue.geojson'])

    // Without a map again.
    const { revision } = await mapOf(admin)
    const { data: gone } = await admin.PUT('/v1/admin/event/map', { body: { collection: null, revision } })
    assert.deepEqual(gone, { revision: null, pending: false })
    assert.ok(!existsSync(path))
    const { data: log } = await admin.GET('/v1/admin/log', { params: { query: { kind: 'event_edited' } } })
    assert.equal(log?.rows.length, 3)
  })

  it('with an error is not written, and the refusal says which', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    const collection = await drawn(admin)
    const features = (collection.features as Json[]).map((one) => (one.id === 'a' ? { ...one, id: 'nowhere' } : one))
    const { error } = await admin.PUT('/v1/admin/event/map', {
      body: { collection: { ...collection, features }, revision: null },
    })
    assert.equal(error?.code, 'bad_request')
    assert.match(error?.message ?? '', /^Correct the map first: .*nowhere/)
    assert.equal(error?.reason, 'map_mistaken')
    assert.ok(Number(error?.values?.n) > 0)
    for (const bad of [{}, { type: 'FeatureCollection', features: [null, 7] }, { features: 'x' }]) {
      const { error: refused } = await admin.PUT('/v1/admin/event/map', { body: { collection: bad, revision: null } })
      assert.equal(refused?.code, 'bad_request')
    }
    assert.equal((await mapOf(admin)).state, 'none')
  })

  it('names the entrances and parts of GTFS and IMDF, as the command line does', async () => {
    await using world = await World.open()
    const admin = await world.admin()
    const stops = `stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
S,Station,38.7,-9.1,1,
E1,North,38.7,-9.1,2,S
E2,South,38.701,-9.1,2,S
`
    const pathways = `pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\np,E1,E2,1,1\n`
    const files = [
      { name: 'stops.txt', text: stops },
      { name: 'pathways.txt', text: pathways },
    ]
    const { data } = await admin.POST('/v1/admin/event/map/import', {
      body: { files, gates: [{ id: 'E1', gate: 'a' }], zone: 'arena' },
    })
    assert.equal(data?.format, 'gtfs')
    assert.deepEqual(data?.entrances, [
      { id: 'E1', said: 'North' },
      { id: 'E2', said: 'South' },
    ])
    const gates = ((data?.collection?.features ?? []) as Json[]).filter(
      (one) => (one.properties as Json).kind === 'gate',
    )
    assert.deepEqual(
      gates.map(({ id }) => id),
      ['a'],
    )
    const { data: none } = await admin.POST('/v1/admin/event/map/import', {
      body: { files: [{ name: 'unit.geojson', text: '<html>' }] },
    })
    assert.deepEqual([none?.format, none?.collection], ['imdf', null])
    assert.ok(none?.problems.some(({ severity }) => severity === 'error'))
  })

  it('is for admins, bounded in size, and a crowd of checks waits', async () => {
    await using world = await World.open()
    const stranger = await world.admin('not the token')
    assert.equal((await stranger.GET('/v1/admin/event/map')).error?.code, 'bad_token')
    const admin = await world.admin()
    const large = { type: 'FeatureCollection', features: [], note: 'x'.repeat(7 * 1024 * 1024) }
    const { error } = await admin.POST('/v1/admin/event/map/check', { body: { collection: large } })
    assert.equal(error?.code, 'too_large')
    const collection = await drawn(admin)
    const crowd = await Promise.all(
      Array.from({ length: 8 }, () => admin.POST('/v1/admin/event/map/check', { body: { collection } })),
    )
    const refused = crowd.filter((one) => one.error?.code === 'rate_limited').length
    assert.ok(refused > 0 && refused < 8)
  })
})
