import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Nearby, type StepFree, type VenueMap } from '@gatehouse/proto/wire/venue.ts'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { festival, festivalFolder } from '../../test/venue/festival.ts'
import { collection, EVENT, feature, line, point } from '../../test/venue/sketch.ts'
import { readEvent } from '../event/event.ts'
import { compileVenue } from './compile.ts'
import { type NearbyQuery, nearestAmenities, openRoutes, type Walk, walkingTimes } from './route.ts'

const ZONES = ['a', 'b', 'c']
const demo = fileURLToPath(new URL('../../demo', import.meta.url))
const demoMap = compileVenue(await readEvent(demo), readFileSync(`${demo}/venue.geojson`, 'utf8')).map
assert.ok(demoMap)

/** A map of random edges: any graph, planar or not, with forbidden, one-way, slow and step-free ones in it. */
const randomMap: fc.Arbitrary<VenueMap> = fc.integer({ min: 2, max: 14 }).chain((count) => {
  const node = fc.integer({ min: 0, max: count - 1 })
  const seconds = fc.integer({ min: 0, max: 300 })
  const stepFree: fc.Arbitrary<StepFree> = fc.constantFrom<StepFree[]>(true, true, false, 'unverified')
  const access = { node, level: fc.constant(0), metres: fc.constant(0), seconds: fc.constant(0), step_free: stepFree }
  const at = fc.constant<[number, number]>([0, 0])
  const edge = fc
    .record({
      nodes: fc.tuple(node, node),
      there: seconds,
      back: fc.option(seconds),
      slow: seconds,
      step_free: stepFree,
      zones: fc.subarray(ZONES, { maxLength: 2 }),
    })
    .map(({ nodes, there, back, slow, step_free, zones }) => ({
      path: 0,
      nodes,
      metres: there,
      seconds: [there, back] as [number, number | null],
      step_free,
      ...(step_free !== false && { step_free_seconds: [slow, back === null ? null : slow] as [number, number | null] }),
      zones,
    }))
  return fc.record({
    bounds: fc.constant<[number, number, number, number]>([0, 0, 0, 0]),
    zones: fc.constant([]),
    gates: fc.constant([]),
    checkpoints: fc.constant([
      {
        id: 'start',
        at: [0, 0] as [number, number],
        level: 0,
        node: 0,
        metres: 0,
        seconds: 0,
        step_free: true,
        step_free_seconds: 0,
      },
    ]),
    amenities: fc.array(
      fc.record({
        ...access,
        at,
        id: fc.uuid(),
        name: fc.constant('x'),
        category: fc.constantFrom('restroom', 'atm'),
        zone: fc.constantFrom(null, ...ZONES),
      }),
      { maxLength: 8 },
    ),
    paths: fc.constant([{ id: 'p', name: null, mode: 1, level: 0 }]),
    nodes: fc.constant(Array.from({ length: count }, () => [0, 0, 0] as [number, number, number])),
    edges: fc.array(edge, { maxLength: 40 }),
  })
})

const randomQuery: fc.Arbitrary<
  Omit<NearbyQuery, 'from'> & { stepFree: boolean; allowedZones: string[]; outside: boolean }
> = fc.record({
  allowedZones: fc.subarray(ZONES),
  stepFree: fc.boolean(),
  outside: fc.boolean(),
})

type Query = Omit<NearbyQuery, 'from'>

/** True if a walker may use an edge, straight from the contract. */
function mayUse(edge: VenueMap['edges'][number], { allowedZones, stepFree, outside = true }: Query): boolean {
  const allowed = new Set(allowedZones)
  if (stepFree && edge.step_free === false) return false
  return edge.zones.length === 0 ? outside : edge.zones.every((zone) => allowed.has(zone))
}

/** Bellman and Ford: every edge, as many times as there are nodes. */
function bruteForce(map: VenueMap, start: number, query: Query): number[] {
  const best = map.nodes.map((_, node) => (node === start ? 0 : Infinity))
  for (let round = 0; round < map.nodes.length; round++) {
    let better = false
    for (const edge of map.edges) {
      if (!mayUse(edge, query)) continue
      const [there, back] = (query.stepFree ? edge.step_free_seconds : edge.seconds) ?? [Infinity, null]
      for (const [from, to, cost] of [
        [edge.nodes[0], edge.nodes[1], there],
        [edge.nodes[1], edge.nodes[0], back],
      ] as const) {
        if (cost === null || (best[from] ?? Infinity) + cost >= (best[to] ?? 0)) continue
        best[to] = (best[from] ?? Infinity) + cost
        better = true
      }
    }
    if (!better) break
  }
  return best
}

/** The whole law about one answer: it is what brute force says, and its way is one that the walker may go. */
function checkAnswers(map: VenueMap, from: string, query: Query): void {
  const start = [...map.gates, ...map.checkpoints].findLast(({ id }) => id === from)
  assert.ok(start)
  const best = bruteForce(map, start.node, query)
  const answers = nearestAmenities(openRoutes(map), { from, ...query })
  assert.ok(Value.Check(Nearby, { amenities: answers }))
  const allowed = new Set(query.allowedZones)
  const expected = map.amenities.filter(
    ({ node, zone, step_free }) =>
      best[node] !== Infinity &&
      (zone === null ? (query.outside ?? true) : allowed.has(zone)) &&
      !(query.stepFree && step_free === false),
  )
  assert.deepEqual(answers.map(({ id }) => id).sort(), expected.map(({ id }) => id).sort())
  for (const [i, answer] of answers.entries()) {
    const next = answers[i + 1]
    if (next)
      assert.ok(
        answer.walking_seconds < next.walking_seconds ||
          (answer.walking_seconds === next.walking_seconds && answer.id < next.id),
      )
    const amenity = map.amenities.find(({ id }) => id === answer.id)
    assert.ok(amenity)
    const leg = (place: typeof start) => (query.stepFree ? (place.step_free_seconds ?? place.seconds) : place.seconds)
    assert.equal(answer.walking_seconds, Math.round(leg(start) + (best[amenity.node] ?? 0) + leg(amenity)))
    assert.equal(walkRoute(map, start.node, answer, query), amenity.node)
    const parts = [amenity.step_free, ...answer.route.map((edge) => map.edges[edge]?.step_free)]
    assert.equal(answer.step_free, parts.includes(false) ? false : parts.includes('unverified') ? 'unverified' : true)
    if (query.stepFree) assert.notEqual(answer.step_free, false)
  }
}

/** Follows a route edge by edge, and ends where it ends. */
function walkRoute(map: VenueMap, start: number, { route }: Walk, query: Query): number {
  let here = start
  for (const index of route) {
    const edge = map.edges[index]
    assert.ok(edge && mayUse(edge, query))
    const [a, b] = edge.nodes
    assert.ok(here === a || (here === b && edge.seconds[1] !== null))
    here = here === a ? b : a
  }
  return here
}

describe('laws, on random graphs', () => {
  test('what is near is what brute force finds, by ways that the walker may go', () => {
    fc.assert(
      fc.property(randomMap, randomQuery, (map, query) => checkAnswers(map, 'start', query)),
      { numRuns: 400 },
    )
  })

  test('taking an edge away makes no way shorter', () => {
    fc.assert(
      fc.property(randomMap, randomQuery, fc.nat(), (map, query, pick) => {
        fc.pre(map.edges.length > 0)
        const less = { ...map, edges: map.edges.toSpliced(pick % map.edges.length, 1) }
        const before = new Map(
          nearestAmenities(openRoutes(map), { from: 'start', ...query }).map((each) => [each.id, each]),
        )
        for (const { id, walking_seconds } of nearestAmenities(openRoutes(less), { from: 'start', ...query })) {
          assert.ok(walking_seconds >= (before.get(id)?.walking_seconds ?? Infinity))
        }
      }),
      { numRuns: 300 },
    )
  })

  test('being allowed into fewer zones makes no way shorter, and brings nothing near', () => {
    fc.assert(
      fc.property(randomMap, randomQuery, fc.subarray(ZONES), (map, query, taken) => {
        const routes = openRoutes(map)
        const fewer = query.allowedZones.filter((zone) => !taken.includes(zone))
        const before = new Map(nearestAmenities(routes, { from: 'start', ...query }).map((each) => [each.id, each]))
        for (const { id, walking_seconds } of nearestAmenities(routes, {
          from: 'start',
          ...query,
          allowedZones: fewer,
        })) {
          assert.ok(walking_seconds >= (before.get(id)?.walking_seconds ?? Infinity))
        }
      }),
      { numRuns: 300 },
    )
  })

  test('a question has the same answer when it is asked again, after many others', () => {
    fc.assert(
      fc.property(randomMap, fc.array(randomQuery, { maxLength: 20 }), (map, queries) => {
        const routes = openRoutes(map)
        for (const query of [...queries, ...queries]) {
          const asked = { from: 'start', ...query }
          assert.deepEqual(nearestAmenities(routes, asked), nearestAmenities(openRoutes(map), asked))
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('the demo', () => {
  const routes = openRoutes(demoMap)
  const from = 'north-in'
  const near = (query: Query) => nearestAmenities(routes, { from, ...query })

  test('laws hold from every checkpoint, for every set of zones', () => {
    for (const { id } of demoMap.checkpoints) {
      for (const allowedZones of [
        [],
        ['arena'],
        ['arena', 'lounge'],
        ['backstage'],
        ['arena', 'lounge', 'backstage'],
      ]) {
        for (const stepFree of [false, true]) {
          for (const outside of [false, true]) checkAnswers(demoMap, id, { allowedZones, stepFree, outside })
        }
      }
    }
  })

  test('the terrace is up the stairs, and up the lift for those who need one', () => {
    const allowedZones = ['arena', 'lounge']
    const bar = (stepFree: boolean) => near({ allowedZones, stepFree, category: 'eatingdrinking' })[0]
    assert.ok(bar(false)?.via.includes('Terrace stairs'))
    assert.equal(bar(false)?.step_free, false)
    assert.ok(bar(true)?.via.includes('Terrace lift'))
    assert.equal(bar(true)?.step_free, true)
    assert.deepEqual(near({ allowedZones: ['arena'], category: 'eatingdrinking' }), [])
  })

  test('the pier has no slope on record: unverified, and not left out', () => {
    const [tap] = near({ allowedZones: ['arena'], stepFree: true, category: 'drinkingfountain' }).filter(
      ({ id }) => id === 'water-pier',
    )
    assert.equal(tap?.step_free, 'unverified')
  })

  test('a category finds its kinds, and no category with the same beginning', () => {
    const found = near({ allowedZones: ['arena', 'lounge'], category: 'restroom' }).map(({ id }) => id)
    assert.deepEqual(found.sort(), ['wc-hill', 'wc-lounge', 'wc-north', 'wc-quay'])
    assert.deepEqual(near({ allowedZones: ['arena'], category: 'rest' }), [])
  })

  test('whoever could not come back in is not sent outside', () => {
    const outside = near({ allowedZones: ['arena'], outside: false }).filter(({ zone }) => zone === null)
    assert.deepEqual(outside, [])
    assert.ok(near({ allowedZones: ['arena'] }).some(({ zone }) => zone === null))
  })

  test('from gate to gate people outside walk around the arena, and people inside through it', () => {
    const south = (allowedZones: string[]) => walkingTimes(routes, { from, allowedZones }).get('south-in')
    assert.ok(south([])?.via.includes('East Promenade'))
    assert.ok((south(['arena'])?.walking_seconds ?? Infinity) < (south([])?.walking_seconds ?? 0))
    assert.deepEqual(walkingTimes(routes, { from, allowedZones: [] }).get(from)?.walking_seconds, 0)
  })

  test('nothing is near to a place that is not on the map', () => {
    assert.deepEqual(nearestAmenities(routes, { from: 'nowhere', allowedZones: ['arena'] }), [])
    assert.equal(walkingTimes(routes, { from: '__proto__', allowedZones: [] }).size, 0)
  })

  test('questions that nobody asks again are forgotten', () => {
    for (let i = 0; i < 1000; i++) near({ allowedZones: ['arena', `zone-${i}`] })
    assert.ok(routes.trees.size <= 256)
  })
})

test('what a question costs on a map of 5,000 edges', (t) => {
  const streets = Array.from({ length: 50 }, (_, i) => [
    feature('path', `row-${i}`, line([-5, i * 20], [985, i * 20]), { max_slope: 0, min_width: 3 }),
    feature('path', `column-${i}`, line([i * 20, -5], [i * 20, 985])),
  ]).flat()
  const toilets = Array.from({ length: 100 }, (_, i) =>
    feature('amenity', `wc-${i}`, point([((i * 37) % 50) * 20, 7 + ((i * 11) % 49) * 20]), { category: 'restroom' }),
  )
  const gates = [feature('gate', 'west', point([0, 400])), feature('gate', 'door', point([400, 0]))]
  const { map } = compileVenue({ ...EVENT, zones: [] }, collection([...streets, ...toilets, ...gates]))
  assert.ok(map && map.edges.length > 5000)
  const routes = openRoutes(map)
  const ask = (name: string, zoneOf: (i: number) => string) => {
    const times = Array.from({ length: 200 }, (_, i) => {
      const start = performance.now()
      nearestAmenities(routes, { from: 'west', allowedZones: [zoneOf(i)], stepFree: i % 2 === 0 })
      return performance.now() - start
    }).sort((a, b) => a - b)
    t.diagnostic(`${name}: median ${times[100]?.toFixed(2)} ms, 99 of 100 under ${times[198]?.toFixed(2)} ms`)
  }
  t.diagnostic(`${map.nodes.length} nodes, ${map.edges.length} edges, ${map.amenities.length} amenities`)
  ask('warming up', (i) => `other-${i}`)
  ask('computed', (i) => `zone-${i}`)
  ask('kept', () => 'zone')
})

describe('a real festival', { skip: existsSync(festivalFolder) ? false : 'the fixtures are not here' }, () => {
  const map = existsSync(festivalFolder) ? festival().map : undefined

  test('compiles to one connected network of streets', () => {
    const { map: compiled, problems } = festival()
    assert.ok(compiled)
    assert.deepEqual(
      problems.filter(({ kind }) => kind === 'unconnected' || kind === 'unreachable'),
      [],
    )
    assert.ok(compiled.edges.length > 500)
  })

  test('knows the nearest toilet from any gate', (t) => {
    assert.ok(map)
    const routes = openRoutes(map)
    for (const { id } of [...map.gates, ...map.checkpoints]) {
      const [nearest] = nearestAmenities(routes, { from: id, allowedZones: ['city'], category: 'restroom' })
      assert.ok(nearest && nearest.walking_seconds > 0 && nearest.metres < 3000)
      t.diagnostic(
        `${id}: ${nearest.id}, ${nearest.walking_seconds} s, ${nearest.metres} m, by ${nearest.via.join(', ')}`,
      )
    }
  })

  test('laws hold on it, with streets closed at random', () => {
    assert.ok(map)
    const zones = fc.subarray(['city'])
    const closed = fc.array(fc.nat(map.edges.length - 1), { maxLength: 60 })
    const stepFree = fc.boolean()
    fc.assert(
      fc.property(zones, stepFree, closed, (allowedZones, rolls, shut) => {
        const edges = map.edges.map((edge, i) =>
          shut.includes(i)
            ? { ...edge, ...(i % 2 ? { step_free: false as const } : { zones: ['city', 'closed'] }) }
            : edge,
        )
        for (const { id } of map.gates) checkAnswers({ ...map, edges }, id, { allowedZones, stepFree: rolls })
      }),
      { numRuns: 15 },
    )
  })
})
