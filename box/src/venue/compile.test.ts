import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { VenuePlan } from '@gatehouse/proto/wire/venue.ts'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { collection, EVENT, type Feature, feature, line, point, polygon, sound } from '../../test/venue/sketch.ts'
import { readEvent } from '../event/event.ts'
import { compileVenue } from './compile.ts'
import { compilePlan } from './plan.ts'
import { formatProblems, SEVERITY } from './problems.ts'

const demo = fileURLToPath(new URL('../../demo', import.meta.url))
const event = await readEvent(demo)
const demoSource = readFileSync(`${demo}/venue.geojson`, 'utf8')

function sketched(...more: Feature[]) {
  const replaced = sound().filter(
    ({ id, properties }) => !more.some((f) => f.id === id && f.properties.kind === properties.kind),
  )
  return compileVenue(EVENT, collection([...replaced, ...more]))
}
const without = (id: string, ...more: Feature[]) =>
  compileVenue(EVENT, collection([...sound().filter((each) => each.id !== id), ...more]))
const withoutGates = () =>
  compileVenue(
    EVENT,
    collection(sound().filter(({ properties: { kind } }) => kind !== 'gate' && kind !== 'checkpoint')),
  )
const kindsOf = ({ problems }: { problems: readonly { kind: string }[] }) => problems.map(({ kind }) => kind)

test('a sound source has no problem, and a map of the wire form', () => {
  const { map, problems } = compileVenue(EVENT, collection(sound()))
  assert.deepEqual(problems, [])
  assert.ok(map)
  const { zones, gates, checkpoints } = EVENT
  assert.ok(Value.Check(VenuePlan, { event_id: 'sketch', zones, gates, checkpoints, map }))
  const [wc, lounge] = map.amenities
  assert.deepEqual(
    [wc?.zone, wc?.name, lounge?.zone, lounge?.name],
    ['arena', 'Toilets', 'lounge', 'Accessible toilet'],
  )
  assert.deepEqual(
    map.edges.filter(({ path }) => map.paths[path]?.id === 'axis').map(({ zones }) => zones),
    [[], ['arena'], ['arena'], ['lounge']],
  )
})

for (const [kind, compiled, feature_] of [
  ['unknown_zone', sketched(feature('zone', 'aerna', polygon([0, 0], [1, 0], [1, 1]))), 'zone "aerna"'],
  ['unknown_zone', sketched(feature('path', 'lane', line([30, -30], [30, 30]), { zones: ['x'] })), 'path "lane"'],
  [
    'unknown_zone',
    sketched(feature('amenity', 'wc', point([30, 25]), { category: 'restroom', zone: 'x' })),
    'amenity "wc"',
  ],
  ['unknown_gate', sketched(feature('gate', 'wset', point([0, 0]))), 'gate "wset"'],
  ['unknown_checkpoint', sketched(feature('checkpoint', 'west-on', point([0, 0]))), 'checkpoint "west-on"'],
  ['unknown_node', sketched(feature('path', 'a', line([0, 0], [9, 9]), { to: 'n' })), 'path "a"'],
  ['dangling_node', sketched(feature('node', 'n', point([10, 10]))), 'node "n"'],
  ['far_from_paths', sketched(feature('gate', 'west', point([30, 95]))), 'gate "west"'],
  ['far_from_paths', sketched(feature('gate', 'west', point([30, 5]), { level: 2 })), 'gate "west"'],
  ['unreachable', sketched(feature('amenity', 'x', point([30, 95]), { category: 'atm' })), 'amenity "x"'],
  ['unreachable', sketched(feature('amenity', 'x', point([30, 5]), { category: 'atm', level: 2 })), 'amenity "x"'],
  ['unknown_node', sketched(feature('amenity', 'x', point([30, 5]), { category: 'atm', node: 'n' })), 'amenity "x"'],
  [
    'far_away',
    sketched(feature('amenity', 'x', { type: 'Point', coordinates: [0, 0] }, { category: 'atm' })),
    'amenity "x"',
  ],
  ['checkpoint_without_place', without('west'), 'checkpoint "west-in"'],
  ['no_gates', withoutGates(), ''],
  ['zone_not_drawn', without('lounge'), 'zone "lounge"'],
  ['border_elsewhere', sketched(feature('gate', 'west', point([20, 0]))), 'gate "west"'],
  ['open_border', sketched(feature('path', 'hole', line([30, 40], [30, 80]))), 'path "hole"'],
  ['unconnected', sketched(feature('path', 'island', line([10, 40], [20, 40]))), 'path "island"'],
  ['empty_path', sketched(feature('path', 'dot', line([30, 0], [30, 0.1]))), 'path "dot"'],
  [
    'steps_only',
    sketched(feature('path', 'lane', line([30, 0], [30, 30]), { pathway_mode: 2, stair_count: 9 })),
    'amenity "wc"',
  ],
] as const) {
  test(`${kind}: ${feature_}`, () => {
    const found = compiled.problems.filter((problem) => problem.kind === kind)
    assert.deepEqual(
      found.map((problem) => problem.feature),
      [feature_],
      formatProblems(compiled.problems),
    )
    assert.equal(compiled.map === undefined, SEVERITY[kind] === 'error')
  })
}

test('an app is told the zones, paths and places that the sentence names', () => {
  const saidOf = (kind: string, { problems }: ReturnType<typeof sketched>) =>
    problems.find((problem) => problem.kind === kind)?.coded?.map(({ code, values }) => ({ code, ...values }))
  const at = { checkpoint: 'west-in', metres: 15 }
  assert.deepEqual(saidOf('border_elsewhere', sketched(feature('gate', 'west', point([20, 0])))), [
    { code: 'border_elsewhere_in', ...at, to: 'arena' },
  ])
  assert.deepEqual(saidOf('border_elsewhere', sketched(feature('gate', 'door', point([30, 0])))), [
    { code: 'border_elsewhere', checkpoint: 'lounge-in', metres: 15, from: 'arena', to: 'lounge' },
  ])
  assert.deepEqual(saidOf('open_border', sketched(feature('path', 'hole', line([30, 40], [30, 80])))), [
    { code: 'open_border_outside', zones: 'arena' },
  ])
  assert.deepEqual(saidOf('open_border', sketched(feature('path', 'inner', line([75, 10], [75, 30])))), [
    { code: 'open_border', zones: 'arena, lounge' },
  ])
  const islands = [feature('path', 'one', line([10, 40], [20, 40])), feature('path', 'two', line([20, 40], [20, 45]))]
  assert.deepEqual(saidOf('unconnected', sketched(...islands)), [
    { code: 'unconnected' },
    { code: 'unconnected_more', paths: '"two"' },
  ])
  const away = [
    feature('node', 'n', point([30, 0])),
    feature('amenity', 'x', point([30, 95]), { category: 'atm', node: 'n' }),
  ]
  assert.deepEqual(
    saidOf('unreachable', sketched(...away))?.map(({ code }) => code),
    ['node_far', 'left_out'],
    'it is the node that is far away, and no path',
  )
})

test('an amenity on an island is out of reach of every gate', () => {
  const compiled = sketched(
    feature('path', 'island', line([10, 40], [20, 40])),
    feature('amenity', 'far', point([15, 41]), { category: 'atm' }),
  )
  assert.deepEqual(kindsOf(compiled), ['unreachable', 'unconnected'])
  assert.deepEqual(
    compiled.map?.amenities.map(({ id }) => id),
    ['wc', 'wc-lounge'],
  )
})

test('an empty map and a map without paths are mistakes', () => {
  assert.deepEqual(kindsOf(compileVenue(EVENT, collection([]))), ['no_paths'])
  assert.ok(
    kindsOf(compileVenue(EVENT, collection(sound().filter((each) => each.properties.kind !== 'path')))).includes(
      'no_paths',
    ),
  )
})

test('all problems come at once, errors first, each with its feature', () => {
  const { map, problems } = sketched(
    feature('gate', 'a', point([0, 0])),
    feature('path', 'b', line([0, 0], [9, 9]), { length: -1, max_slop: 2 }),
    feature('amenity', 'c', point([0, 0])),
    feature('path', 'd', line([10, 40], [20, 40])),
    feature('zone', 'e', point([0, 0])),
  )
  assert.equal(map, undefined)
  assert.deepEqual(
    problems.map(({ kind, feature: of }) => `${SEVERITY[kind]} ${of}`),
    ['error amenity "c"', 'error gate "a"', 'error path "b"', 'error zone "e"', 'warning path "b"', 'warning path "d"'],
  )
})

test('a checkpoint stands where a path crosses as it does, though another path is nearer', () => {
  const { map } = sketched(feature('path', 'inner', line([2, -30], [2, 30])), feature('gate', 'west', point([1, 8])))
  const place = map?.checkpoints.find(({ id }) => id === 'west-in')
  const [longitude] = map?.nodes[place?.node ?? -1] ?? []
  assert.equal(longitude, -11.5)
})

test('a place is led to from the nearest point of its outline', () => {
  const { map } = sketched(
    feature('amenity', 'wc', polygon([40, 10], [50, 10], [50, 40], [40, 40]), { category: 'restroom' }),
    feature('amenity', 'tent', polygon([20, -25], [40, -25], [40, -15], [20, -15]), { category: 'firstaid' }),
    feature('amenity', 'bar', point([10, 6.5]), { category: 'foodservice' }),
    feature('amenity', 'ramp', point([10, -6.5]), { category: 'foodservice', wheelchair: 'yes' }),
    feature('amenity', 'attic', point([10, 1]), { category: 'foodservice', wheelchair: 'no' }),
  )
  const of = (id: string) => map?.amenities.find((amenity) => amenity.id === id)
  assert.deepEqual([of('wc')?.metres, of('wc')?.step_free], [10, 'unverified'])
  assert.deepEqual([of('tent')?.metres, of('tent')?.step_free], [0, true])
  assert.deepEqual([Math.round(of('bar')?.metres ?? 0), of('bar')?.step_free], [7, 'unverified'])
  assert.deepEqual([of('ramp')?.step_free, of('attic')?.step_free], [true, false])
  assert.equal(of('attic')?.step_free_seconds, undefined)
})

test('what a path takes as a whole is shared out by length', () => {
  const { map } = sketched(feature('path', 'lane', line([30, -30], [30, 30]), { traversal_time: 100, length: 90 }))
  const parts = map?.edges.filter(({ path }) => map.paths[path]?.id === 'lane') ?? []
  assert.ok(parts.length > 1)
  const sum = (values: number[]) => Math.round(values.reduce((a, b) => a + b, 0))
  assert.equal(sum(parts.map(({ metres }) => metres)), 90)
  assert.equal(sum(parts.map(({ seconds }) => seconds[0])), 100)
})

test('neither the order of features nor that of their fields changes a byte', () => {
  const { features, ...rest } = JSON.parse(demoSource) as { features: Feature[] }
  const etag = compilePlan(event, compileVenue(event, demoSource).map).etag
  fc.assert(
    fc.property(fc.shuffledSubarray(features, { minLength: features.length }), (shuffled) => {
      const backwards = shuffled.map((each) => Object.fromEntries(Object.entries(each).reverse()))
      assert.equal(
        compilePlan(event, compileVenue(event, JSON.stringify({ ...rest, features: backwards })).map).etag,
        etag,
      )
    }),
    { numRuns: 20 },
  )
})

test('the demo compiles without a problem, to the bytes that it compiled to on every other machine', () => {
  const { map, problems } = compileVenue(event, demoSource)
  assert.equal(formatProblems(problems), '')
  const { body, etag } = compilePlan(event, map)
  assert.ok(Value.Check(VenuePlan, JSON.parse(body)))
  assert.equal(etag, '"sha256-0a926945c54494bafdda62edfaeb5b9a0ef5ae57de8ec3677ef7b37cf2b35583"')
})
