import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { GatehouseError } from '../errors.ts'
import { parseEvent } from '../event/event.ts'
import type { Movement } from '../ledger/schema.ts'
import { compileVenue } from '../venue/compile.ts'
import { compilePlan } from '../venue/plan.ts'
import { openRoutes } from '../venue/route.ts'
import type { Venue } from '../venue/venue.ts'
import { mapFor, type NearbyQuery, nearby } from './nearby.ts'

const demo = (file: string) => readFileSync(new URL(`../../demo/${file}`, import.meta.url), 'utf8')
const parsed = parseEvent(JSON.parse(demo('event.json')))
assert.ok('event' in parsed)
const { event } = parsed
const { map } = compileVenue(event, demo('venue.geojson'))
assert.ok(map)
const venue: Venue = { plan: compilePlan(event, map), routes: openRoutes(map), warnings: [] }
const ANY: NearbyQuery = { from: undefined, stepFree: false, category: undefined }

/** A passage, as far as this module looks at one. */
const passage = (id: string): Movement => {
  const { direction, from, to } = event.checkpointById.get(id) ?? assert.fail(id)
  return { checkpoint: id, direction, from, to } as Movement
}

function near(tier: string, passages: string[], query: Partial<NearbyQuery> = {}): string[] {
  const asked = { ...ANY, ...query }
  const routes = mapFor(asked, { event, venue })
  return nearby(tier, passages.map(passage), asked, { event, routes }).map(({ id }) => id)
}

describe('nearby', () => {
  it('starts at the first entry of the tier, then where it was seen last, or from where it is asked', () => {
    assert.deepEqual(near('festival', []), near('festival', [], { from: 'north-in' }))
    assert.notDeepEqual(near('festival', ['south-in']), near('festival', []))
    assert.deepEqual(near('festival', ['north-in', 'south-in']), near('festival', [], { from: 'south-in' }))
    assert.deepEqual(near('crew', []), near('crew', [], { from: 'yard-in' }))
  })

  for (const [tier, passages, outside] of [
    ['day', [], true],
    ['day', ['north-in'], false],
    ['day', ['north-in', 'north-out'], true],
    ['festival', ['north-in'], true],
    ['vip', ['north-in', 'lounge-in'], true],
    ['crew', ['yard-in'], true],
  ] as const) {
    it(`of a ${tier} ticket after ${passages.join(', ') || 'nothing'} ${outside ? 'includes' : 'leaves out'} the street`, () => {
      assert.equal(near(tier, [...passages]).includes('bus'), outside)
    })
  }

  it('has nothing for a tier that nobody lets in, nor from a checkpoint that has left the map', () => {
    assert.deepEqual(near('gone', []), [])
    const routes = mapFor(ANY, { event, venue })
    const left = { ...passage('north-in'), checkpoint: 'gone-in' }
    assert.deepEqual(nearby('day', [left], ANY, { event, routes }), [])
  })

  it('is refused where there is no map, and from no checkpoint of the event', () => {
    const is404 = (error: unknown) => error instanceof GatehouseError && error.code === 'not_found'
    const mapless = { ...venue, routes: undefined }
    assert.throws(() => mapFor(ANY, { event, venue: mapless }), is404)
    for (const from of ['', 'nowhere', 'north', 'constructor']) {
      assert.throws(() => mapFor({ ...ANY, from }, { event, venue }), is404, from)
    }
  })
})
