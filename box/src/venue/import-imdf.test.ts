import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { line, point, polygon } from '../../test/venue/sketch.ts'
import { compileSource } from './compile.ts'
import { importImdf } from './import-imdf.ts'
import { formatProblems } from './problems.ts'
import type { VenueEvent } from './references.ts'
import { nearestAmenities, openRoutes } from './route.ts'
import { checkSource } from './source.ts'
import type { ImportedSource } from './source-builder.ts'

const EVENT: VenueEvent = {
  id: 'hall',
  zones: [{ id: 'hall', name: 'Hall', capacity: 10 }],
  gates: [{ id: 'main', name: 'Main entrance' }],
  checkpoints: [{ id: 'in', name: 'In', gate: 'main', direction: 'in', from: null, to: 'hall', tiers: ['day'] }],
}

type Metres = readonly [number, number]
const box = ([x, y]: Metres, [right, top]: Metres) => polygon([x, y], [right, y], [right, top], [x, top])
const imdf = (id: string, geometry: object | null, properties: object) => ({
  type: 'Feature',
  id,
  feature_type: '',
  geometry,
  properties,
})
const unit = (id: string, category: string, level_id: string, geometry: object, more: object = {}) =>
  imdf(id, geometry, { category, level_id, restriction: null, accessibility: null, name: null, ...more })
const door = (
  id: string,
  level_id: string,
  geometry: object,
  category = 'pedestrian',
  accessibility: string[] | null = null,
) => imdf(id, geometry, { category, level_id, accessibility })
const wheelchair = { accessibility: ['wheelchair'] }

/** A lobby and a long corridor on the ground, stairs and a lift, a landing with toilets above. */
const FOLDER = {
  level: [imdf('L0', null, { ordinal: 0 }), imdf('L1', null, { ordinal: 1 })],
  unit: [
    unit('lobby', 'lobby', 'L0', box([0, 0], [20, 20]), wheelchair),
    unit('corridor', 'walkway', 'L0', box([20, 8], [100, 12])),
    unit('store', 'nonpublic', 'L0', box([40, 12], [50, 20])),
    unit('office', 'office', 'L0', box([50, 12], [60, 20]), { restriction: 'employeesonly' }),
    unit('shop', 'room', 'L0', box([90, 12], [100, 20])),
    unit('stairs-0', 'stairs', 'L0', box([0, 20], [5, 30])),
    unit('stairs-1', 'stairs', 'L1', box([0, 20], [5, 30])),
    unit('lift-0', 'elevator', 'L0', box([10, 20], [13, 23]), wheelchair),
    unit('lift-1', 'elevator', 'L1', box([10, 20], [13, 23]), wheelchair),
    unit('landing', 'walkway', 'L1', box([0, 0], [20, 20]), wheelchair),
    unit('wc', 'restroom.wheelchair', 'L1', box([20, 0], [30, 20]), {
      ...wheelchair,
      name: { de: 'WC', en: 'Toilet upstairs' },
    }),
    unit('cellar', 'room', 'L9', box([0, 0], [1, 1])),
    unit('cupboard', 'room', 'L0', box([70, 12], [80, 20])),
  ],
  opening: [
    door('front', 'L0', line([9, 0], [11, 0]), 'pedestrian.principal', ['wheelchair']),
    door('lobby-corridor', 'L0', line([20, 9], [20, 11])),
    door('corridor-shop', 'L0', line([95, 12], [96.2, 12])),
    door('corridor-shop-2', 'L0', line([97, 12], [98.2, 12])),
    door('lobby-stairs', 'L0', line([1, 20], [3, 20])),
    door('lobby-lift', 'L0', line([11, 20], [12.1, 20]), 'pedestrian', ['wheelchair']),
    door('landing-stairs', 'L1', line([1, 20], [3, 20])),
    door('landing-lift', 'L1', line([11, 20], [12.1, 20]), 'pedestrian', ['wheelchair']),
    door('landing-wc', 'L1', line([20, 9], [20, 10]), 'pedestrian', ['wheelchair']),
    door('nowhere', 'L0', line([200, 9], [200, 10])),
    door('fire', 'L0', line([0, 9], [0, 10]), 'emergencyexit'),
  ],
  amenity: [
    imdf('desk', point([4, 4]), { category: 'information', unit_ids: ['lobby'], name: { en: 'Desk' }, ...wheelchair }),
    imdf('lost', point([4, 4]), { category: 'atm', unit_ids: ['store'] }),
  ],
  anchor: [imdf('a', point([18, 15]), { unit_id: 'landing', address_id: 'x' })],
  venue: [imdf('v', box([0, 0], [100, 30]), { category: 'conventioncenter' })],
}

const filesOf = (folder: Record<string, unknown[]>) =>
  new Map(
    Object.entries(folder).map(([name, features]) => [
      `${name}.geojson`,
      JSON.stringify({ type: 'FeatureCollection', features }),
    ]),
  )

function compiled({ collection, problems }: ImportedSource) {
  const checked = checkSource(JSON.parse(JSON.stringify(collection)))
  return compileSource(EVENT, checked.source, [...problems, ...checked.problems])
}

const options = { gates: { front: 'main' }, zone: 'hall' }

test('rooms and doors become a network over two floors', () => {
  const { map, problems } = compiled(importImdf(filesOf(FOLDER), options))
  assert.ok(map, formatProblems(problems))
  const routes = openRoutes(map)
  const near = (stepFree: boolean) => nearestAmenities(routes, { from: 'in', allowedZones: ['hall'], stepFree })
  const up = (stepFree: boolean) => near(stepFree).find(({ category }) => category === 'restroom.wheelchair')
  assert.equal(up(false)?.name, 'Toilet upstairs')
  assert.ok(up(false)?.via.includes('Stairs'))
  assert.ok(up(true)?.via.includes('Lift'))
  assert.equal(up(true)?.step_free, true)
  assert.equal(near(false)[0]?.id, 'desk')
})

test('what is no way for guests, or leads nowhere, is named', () => {
  const { problems } = importImdf(filesOf(FOLDER), options)
  const about = (kind: string) =>
    problems.filter((problem) => problem.kind === kind).map(({ feature }) => feature.split('"')[1])
  assert.deepEqual(about('left_out').sort(), ['cellar', 'cupboard', 'lost', 'nowhere', 'office'])
  assert.deepEqual(about('guessed'), ['stairs-0'])
})

test('from door to door one walks along the corridor, and not by its middle', () => {
  const { collection } = importImdf(filesOf(FOLDER), options)
  const ids = collection.features.map((feature) => (feature as { id: string }).id)
  assert.ok(ids.includes('corridor-shop/corridor-shop-2'))
  // The lobby's front door sees the lift; the far end of the corridor is around a corner from there.
  assert.ok(ids.includes('front/lobby-lift'))
  assert.ok(!ids.includes('corridor-shop/front'))
})

for (const [what, change] of [
  ['no files', { level: undefined, unit: undefined, opening: undefined }],
  ['a unit of no form', { unit: [unit('a', 'room', 'L0', { type: 'Polygon', coordinates: 7 })] }],
  [
    'features that are none',
    { unit: [null, 7, 'x', []], opening: [{}], amenity: [{ id: 'a', properties: { category: 'atm' } }] },
  ],
] as const) {
  test(`${what}: problems, and no crash`, () => {
    const folder = Object.fromEntries(
      Object.entries({ ...FOLDER, ...change }).filter(([, features]) => features !== undefined),
    )
    assert.ok(importImdf(filesOf(folder as Record<string, unknown[]>), options).problems.length > 0)
  })
}

/** IMDF 1.0.0, "Categories". */
const OPENINGS = [
  'automobile',
  'bicycle',
  'emergencyexit',
  'pedestrian',
  'pedestrian.principal',
  'pedestrian.transit',
  'service',
]
const UNITS = `
  auditorium brick classroom column concrete conferenceroom drywall elevator escalator fieldofplay firstaid fitnessroom foodservice
  footbridge glass huddleroom kitchen laboratory library lobby lounge mailroom mothersroom movietheater movingwalkway nonpublic
  office opentobelow parking phoneroom platform privatelounge ramp recreation restroom restroom.family restroom.female
  restroom.female.wheelchair restroom.male restroom.male.wheelchair restroom.transgender restroom.transgender.wheelchair
  restroom.unisex restroom.unisex.wheelchair restroom.wheelchair road room serverroom shower smokingarea stairs steps storage
  structure terrace theater unenclosedarea unspecified vegetation waitingroom walkway walkway.island wood`
  .trim()
  .split(/\s+/)

for (const category of OPENINGS) {
  test(`an opening of the category ${category} is a gate if the organiser says so`, () => {
    const side = door('side', 'L0', line([0, 4], [0, 6]), category)
    const folder = filesOf({ ...FOLDER, opening: [...FOLDER.opening, side] })
    const { map, problems } = compiled(importImdf(folder, { ...options, gates: { side: 'main' } }))
    assert.ok(map, formatProblems(problems))
    const [gate, ...others] = map.gates
    // The front door is none then, although it is the main entrance.
    assert.deepEqual([gate?.id, others], ['main', []])
    const near = nearestAmenities(openRoutes(map), { from: 'in', allowedZones: ['hall'] })
    assert.deepEqual(
      near.map(({ id }) => id),
      ['desk', 'wc'],
    )
  })
}

for (const category of UNITS) {
  test(`a room of the category ${category} is imported without a category that IMDF does not have`, () => {
    const folder = filesOf({
      ...FOLDER,
      unit: [...FOLDER.unit, unit('new', category, 'L0', box([-10, 0], [0, 20]))],
      opening: [...FOLDER.opening, door('new-door', 'L0', line([0, 4], [0, 6]))],
    })
    const { map, problems } = compiled(importImdf(folder, options))
    assert.ok(map, formatProblems(problems))
    assert.deepEqual(
      problems.filter(({ kind }) => kind === 'unknown_category'),
      [],
    )
  })
}

test('parts of the venue are zones, on their floor, and several parts one zone', () => {
  const folder = filesOf({
    ...FOLDER,
    section: [imdf('stand', box([0, 0], [9, 9]), { category: 'seating', level_id: 'L1', name: { en: 'Stand' } })],
    geofence: [imdf('fence', box([0, 0], [5, 5]), { category: 'paidarea', level_ids: null })],
  })
  const zonesOf = (more: object) => {
    const { collection, problems } = importImdf(folder, { gates: { front: 'main' }, ...more })
    const features = collection.features as {
      id: string
      properties: Record<string, unknown>
      geometry: { coordinates: unknown[] }
    }[]
    const zones = features.filter(({ properties }) => properties.kind === 'zone')
    return [
      zones.map(({ id, properties, geometry }) => [id, properties.level, geometry.coordinates.length]),
      problems,
    ] as const
  }
  assert.deepEqual(zonesOf({ zone: 'hall' })[0], [['hall', undefined, 1]])
  assert.deepEqual(zonesOf({ zones: { stand: 'seats', lobby: 'hall', fence: 'paid' } })[0].sort(), [
    ['hall', 0, 1],
    ['paid', undefined, 1],
    ['seats', 1, 1],
  ])
  const [both, problems] = zonesOf({ zones: { lobby: 'hall', landing: 'hall' } })
  assert.deepEqual(both, [['hall', undefined, 2]])
  assert.match(formatProblems(problems), /zone "hall": its parts are on several floors: on every floor/)
  assert.match(formatProblems(zonesOf({ zones: { L0: 'hall' } })[1]), /zone "hall": "L0" has no outline/)
  assert.match(
    formatProblems(zonesOf({ zones: { stnad: 'hall' } })[1]),
    /no part with the id "stnad"; did you mean "stand"/,
  )
})

test('names are taken in the language that was asked for, or its nearest', () => {
  const nameOf = (language: string) => {
    const { collection, found } = importImdf(filesOf(FOLDER), { ...options, language })
    assert.deepEqual([...found.languages].sort(), ['de', 'en'])
    const features = collection.features as { id: string; properties: { kind: string; name?: string } }[]
    return features.find(({ id, properties }) => id === 'wc' && properties.kind === 'amenity')?.properties.name
  }
  assert.deepEqual(['de', 'de-AT', 'en', 'fr'].map(nameOf), ['WC', 'WC', 'Toilet upstairs', 'WC'])
  const { problems } = importImdf(filesOf(FOLDER), { ...options, language: 'fr' })
  assert.match(formatProblems(problems), /^warning: no name is in "fr": names are in de, en$/m)
})

test('no folder makes the importer throw', () => {
  const all = Object.values(FOLDER).flat()
  const broken = fc.oneof(
    fc.constantFrom(...all),
    fc.jsonValue(),
    fc
      .tuple(fc.constantFrom(...all), fc.jsonValue(), fc.constantFrom('geometry', 'properties', 'id'))
      .map(([one, value, key]) => ({ ...one, [key]: value })),
  )
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(FOLDER)), fc.array(broken)), (folder) => {
      compiled(importImdf(filesOf({ ...FOLDER, ...folder }), options))
    }),
    { numRuns: 100 },
  )
})
