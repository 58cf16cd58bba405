/** The demo's map over the network: what is near, where to go, and what a gate says about it. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import type { VenueMap, VenuePlan } from '@gatehouse/proto/wire/venue.ts'
import { openBox } from '../../src/boot/box.ts'
import { readConfig } from '../../src/config.ts'
import type { EventFile } from '../../src/event/event.ts'
import { createLogger } from '../../src/log.ts'
import { VenueError } from '../../src/venue/venue.ts'
import { ask, assertFailure } from '../world/ask.ts'
import type { TestDevice } from '../world/device.ts'
import { writeEventFolder } from '../world/event.ts'
import { Phone } from '../world/phone.ts'
import { World } from '../world/world.ts'

const demo = (file: string) => readFileSync(new URL(`../../demo/${file}`, import.meta.url), 'utf8')
const EVENT: EventFile = JSON.parse(demo('event.json'))
const MAP = demo('venue.geojson')
const TICKETS = ['DAY,day', 'MINE,day', 'FEST,festival', 'VIP,vip', 'CREW,crew'].map((row) => `${row},,,,,,valid`)
/** Zones to which each ticket may go, by its checkpoints. */
const ZONES = { DAY: ['arena'], FEST: ['arena'], VIP: ['arena', 'lounge'], CREW: ['backstage'] }

describe('an event with a map', () => {
  let world: World
  let device: TestDevice
  let wallet: GatehouseClient
  let plan: VenuePlan & { map?: VenueMap }

  before(async () => {
    const environment = { GATEHOUSE_WALLET_OVER_HTTP: '1' }
    world = await World.open({ event: EVENT, venue: MAP, tickets: TICKETS, environment })
    device = await world.device()
    const baseUrl = `http://127.0.0.1:${world.box.ports.http}`
    wallet = gatehouseClient({ baseUrl, fetch: globalThis.fetch })
    plan = JSON.parse((await ask(world.box.ports.http, '/v1/venue')).text)
  })
  after(() => world[Symbol.asyncDispose]())

  type Query = { from?: string; category?: string; step_free?: boolean }
  const nearby = async (code: string, query: Query = {}) => {
    const params = { path: { id: world.ticketIdOf(code) }, query }
    const { data, error } = await wallet.GET('/v1/ticket/{id}/nearby', { params })
    return data?.amenities ?? assert.fail(JSON.stringify(error))
  }
  const idsNear = async (code: string, query?: Query) => (await nearby(code, query)).map(({ id }) => id)

  it('lists what each ticket may use, nearest first, and nothing in or behind a zone that it may not enter', async () => {
    const starts = [undefined, ...EVENT.checkpoints.map(({ id }) => id)]
    for (const [code, zones] of Object.entries(ZONES)) {
      for (const from of starts) {
        for (const step_free of [false, true]) {
          const amenities = await nearby(code, { step_free, ...(from !== undefined && { from }) })
          const seconds = amenities.map(({ walking_seconds }) => walking_seconds)
          assert.deepEqual(
            seconds,
            seconds.toSorted((a, b) => a - b),
          )
          for (const { id, zone, route } of amenities) {
            assert.ok(zone === null || zones.includes(zone), `${code} is sent into ${zone}, to ${id}`)
            for (const index of route) {
              for (const crossed of plan.map?.edges[index]?.zones ?? assert.fail(`edge ${index}`)) {
                assert.ok(zones.includes(crossed), `${code} is led through ${crossed} to ${id}`)
              }
            }
          }
        }
      }
      assert.ok((await nearby(code)).length > 0, `${code} has something near`)
    }
  })

  it('avoids steps on request, and says where that is unknown', async () => {
    const [any, stepFree] = [await nearby('VIP'), await nearby('VIP', { step_free: true })]
    assert.ok(any.some(({ step_free }) => step_free === false))
    assert.deepEqual(new Set(stepFree.map(({ step_free }) => step_free)), new Set([true, 'unverified']))
    assert.ok(any.some(({ id }) => id === 'wc-hill') && !stepFree.some(({ id }) => id === 'wc-hill'))
    const terrace = (all: typeof any) => all.find(({ id }) => id === 'wc-lounge')
    assert.ok(terrace(any)?.via.includes('Terrace stairs'))
    assert.ok(terrace(stepFree)?.via.includes('Terrace lift'))
  })

  it('finds a category with its kinds, and nothing when there is none', async () => {
    assert.deepEqual(await idsNear('VIP', { category: 'restroom' }), ['wc-north', 'wc-hill', 'wc-quay', 'wc-lounge'])
    assert.deepEqual(await idsNear('VIP', { category: 'restroom.unisex' }), ['wc-lounge'])
    for (const category of ['rest', 'restroom.', 'nothing', ''])
      assert.deepEqual(await idsNear('VIP', { category }), [])
  })

  it('starts at the requested checkpoint, else where the ticket was last scanned, else at the first entry', async () => {
    const atNorth = await nearby('FEST')
    assert.deepEqual(await nearby('FEST', { from: 'north-in' }), atNorth)
    assert.equal((await device.scan('FEST', { checkpoint: 'south-in' })).verdict, 'ADMIT')
    const atSouth = await nearby('FEST')
    assert.notDeepEqual(atSouth, atNorth)
    assert.deepEqual(atSouth, await nearby('FEST', { from: 'south-in' }))
  })

  it('routes nobody through an exit that they could not come back through', async () => {
    assert.ok((await idsNear('DAY')).includes('bus'))
    assert.equal((await device.scan('DAY', { checkpoint: 'north-in' })).verdict, 'ADMIT')
    const inside = await nearby('DAY')
    assert.ok(inside.length > 5)
    assert.ok(inside.every(({ zone }) => zone !== null))
    await device.scan('DAY', { checkpoint: 'north-out' })
    assert.ok((await idsNear('DAY')).includes('bus'))
  })

  it('answers for a claimed ticket only to its phone', async () => {
    const id = world.ticketIdOf('MINE')
    const phone = new Phone()
    const params = { path: { id } }
    assert.ok((await wallet.POST('/v1/ticket/{id}/claim', { params, body: phone.claim(id) })).data)
    const view = new Request(`http://127.0.0.1:${world.box.ports.http}/v1/ticket/${id}`)
    const near = new Request(`${view.url}/nearby?step_free=true`)
    const statusOf = async (request: Request) => (await fetch(request)).status
    assert.equal(await statusOf(await phone.sign(near, world.now())), 200)
    assert.equal(await statusOf(near), 403)
    assert.equal(await statusOf(await new Phone().sign(near, world.now())), 403)
    const { headers } = await phone.sign(view, world.now())
    assert.equal(await statusOf(new Request(near, { headers })), 403, 'what was signed for the view')
  })

  it('refuses an unknown checkpoint, for every ticket', async () => {
    const bodies = await Promise.all(
      [world.ticketIdOf('DAY'), 'A'.repeat(22)].map(async (id) => {
        const answer = await ask(world.box.ports.http, `/v1/ticket/${id}/nearby?from=nowhere`)
        assertFailure(answer, 'not_found')
        return answer.text
      }),
    )
    assert.equal(bodies[0], bodies[1])
    for (const query of ['step_free=perhaps', 'level=1']) {
      const answer = await ask(world.box.ports.http, `/v1/ticket/${world.ticketIdOf('DAY')}/nearby?${query}`)
      assertFailure(answer, 'bad_request', query)
    }
  })

  it('weighs walk and wait: a reported queue at the nearest gate sends people to the next', async () => {
    const guide = async (payload: string, from: string) =>
      device.client.GET('/v1/guidance', { params: { query: { payload, from } } })
    const { data: first } = await guide('VIP', 'yard-in')
    assert.deepEqual(
      [first?.checkpoint, first?.alternatives.map(({ checkpoint }) => checkpoint)],
      ['north-in', ['south-in']],
    )
    assert.match(first?.reason ?? '', /^North entry: 5 minutes on foot, no queue\.$/)
    const report = await device.client.POST('/v1/queue', { body: { checkpoint: 'north-in', people: 400 } })
    assert.deepEqual(report.data, { checkpoint: 'north-in', people: 400 })
    const { data: second } = await guide('VIP', 'yard-in')
    assert.equal(second?.checkpoint, 'south-in')
    assert.match(second?.reason ?? '', /^South entry: .*; North entry is nearer but has \d+ minutes of queue\.$/)
    world.offsetMs += 10 * 60_000
    assert.equal((await guide('VIP', 'yard-in')).data?.checkpoint, 'north-in', 'ten minutes later nobody knows')
    assert.equal((await guide('VIP', 'lounge-in')).data?.checkpoint, 'lounge-in')
    assert.equal((await guide('CREW', 'north-in')).data?.checkpoint, 'yard-in')
    assert.equal((await guide('NOBODY', 'north-in')).error?.code, 'not_found')
    assert.equal((await guide('VIP', 'nowhere')).error?.code, 'not_found')
  })

  it('ignores a queue from a scanner of another checkpoint', async () => {
    const elsewhere = await world.device(['south-in'])
    const { error } = await elsewhere.client.POST('/v1/queue', { body: { checkpoint: 'north-in', people: 1 } })
    assert.equal(error?.code, 'not_allowed')
  })

  it('says how far it is in a redirection', async () => {
    const { verdict, evidence } = await device.scan('CREW', { checkpoint: 'north-in' })
    assert.equal(verdict, 'REDIRECT')
    assert.ok(evidence && 'walking_seconds' in evidence && evidence.walking_seconds !== null)
    const { data } = await device.client.GET('/v1/guidance', {
      params: { query: { payload: 'CREW', from: 'north-in' } },
    })
    assert.deepEqual([evidence.checkpoint, evidence.walking_seconds], [data?.checkpoint, data?.walking_seconds])
  })
})

describe('an event whose map changes', () => {
  it('has an ETag that is the hash of the plan and changes only with the map', async () => {
    await using world = await World.open({ event: EVENT, tickets: TICKETS })
    const path = join(world.folder, 'event/venue.geojson')
    const fetched = async (headers = {}) => {
      const answer = await ask(world.box.ports.http, '/v1/venue', { headers })
      const hash = createHash('sha256').update(answer.text).digest('hex')
      if (answer.status === 200) assert.equal(answer.headers.etag, `"sha256-${hash}"`)
      return { ...answer, etag: answer.headers.etag ?? '' }
    }
    const without = await fetched()
    writeFileSync(path, MAP)
    await world.restart()
    const drawn = await fetched()
    assert.notEqual(drawn.etag, without.etag)
    assert.equal((await fetched({ 'if-none-match': drawn.etag })).status, 304)
    // The same map as another program might write it.
    writeFileSync(path, JSON.stringify(JSON.parse(MAP), null, 4))
    await world.restart()
    assert.equal((await fetched()).etag, drawn.etag)
    writeFileSync(path, MAP.replace('Toilets on the quay', 'Toilets by the water'))
    await world.restart()
    assert.notEqual((await fetched()).etag, drawn.etag)
  })

  it('refuses to open with a broken map, and lists everything that is wrong with it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-venue-'))
    try {
      const broken = JSON.parse(MAP)
      for (const { id, properties } of broken.features) {
        if (id === 'wc-quay') properties.kind = 'loo'
        if (id === 'crew-way') properties.max_slope = 'steep'
        if (id === 'terrace-lift') properties.to = 'nowhere'
      }
      const eventDir = writeEventFolder(folder, { event: EVENT, venue: JSON.stringify(broken) })
      const config = readConfig({
        GATEHOUSE_EVENT_DIR: eventDir,
        GATEHOUSE_DATA_DIR: join(folder, 'data'),
        GATEHOUSE_MDNS: '0',
        GATEHOUSE_HTTP_PORT: '0',
        GATEHOUSE_HTTPS_PORT: '0',
        GATEHOUSE_DEVICE_PORT: '0',
      })
      const surroundings = { logger: createLogger('silent'), wallClock: Date.now, monotonic: () => performance.now() }
      await assert.rejects(openBox(config, surroundings), (error) => {
        assert.ok(error instanceof VenueError)
        for (const id of ['wc-quay', 'crew-way', 'terrace-lift']) assert.match(error.message, new RegExp(id))
        return true
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('an event without a map', () => {
  it('says so in every answer about what is near, with or without a ticket', async () => {
    await using world = await World.open({ environment: { GATEHOUSE_WALLET_OVER_HTTP: '1' } })
    const bodies = await Promise.all(
      [world.ticketIdOf('ONCE-1'), 'A'.repeat(22)].map(async (id) => {
        const answer = await ask(world.box.ports.http, `/v1/ticket/${id}/nearby`)
        assertFailure(answer, 'not_found')
        return answer.text
      }),
    )
    assert.match(bodies[0] ?? '', /no map/)
    assert.equal(bodies[0], bodies[1])
  })

  it('guides to a reachable open gate, without a time', async () => {
    const order = ['v-in', 'late-in', 'b-in', 'a-in', 'a-out', 'v-out']
    await using world = await World.open()
    const device = await world.device(order)
    const guide = async (payload: string, from: string) => {
      const { data } = await device.client.GET('/v1/guidance', { params: { query: { payload, from } } })
      return (
        data && { to: data.checkpoint, seconds: data.walking_seconds, or: data.alternatives.map((a) => a.checkpoint) }
      )
    }
    assert.deepEqual(await guide('VIP-1', 'a-in'), { to: 'b-in', seconds: null, or: [] })
    assert.deepEqual(await guide('VIP-1', 'v-in'), { to: 'v-in', seconds: null, or: [] })
    assert.deepEqual(await guide('ONCE-1', 'a-in'), { to: 'a-in', seconds: null, or: ['b-in'] })
    const { evidence } = await device.scan('VIP-1', { checkpoint: 'a-in' })
    assert.ok(evidence && 'walking_seconds' in evidence && evidence.walking_seconds === null)
  })
})
