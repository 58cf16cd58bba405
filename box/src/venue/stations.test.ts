import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compileSource } from './compile.ts'
import { importGtfs } from './import-gtfs.ts'
import { formatProblems } from './problems.ts'
import type { VenueEvent } from './references.ts'
import { nearestAmenities, openRoutes } from './route.ts'
import { checkSource } from './source.ts'
import type { ImportOptions } from './source-builder.ts'

const EVENT: VenueEvent = {
  id: 'station',
  zones: [{ id: 'paid', name: 'Paid area', capacity: 1000 }],
  gates: [
    { id: 'stairs', name: 'Stairs from the street' },
    { id: 'lift', name: 'Lift from the street' },
  ],
  checkpoints: [
    { id: 'in', name: 'In', gate: 'stairs', direction: 'in', from: null, to: 'paid', tiers: ['day'] },
    { id: 'lift-in', name: 'In', gate: 'lift', direction: 'in', from: null, to: 'paid', tiers: ['day'] },
  ],
}

/** A table as a GTFS file has it: the first row is the header. */
const table = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((row) =>
      row
        .split('|')
        .map((cell) => cell.trim())
        .join(','),
    )
    .join('\n')

function open(files: Record<string, string>, options: ImportOptions) {
  const imported = importGtfs(new Map(Object.entries(files).map(([name, text]) => [name, table(text)])), options)
  const checked = checkSource(JSON.parse(JSON.stringify(imported.collection)))
  const { map, problems } = compileSource(EVENT, checked.source, [...imported.problems, ...checked.problems])
  assert.ok(map, formatProblems(problems))
  const routes = openRoutes(map)
  return {
    map,
    problems,
    near: (from: string, stepFree: boolean) => {
      const answers = nearestAmenities(routes, { from, allowedZones: ['paid'], stepFree })
      return Object.fromEntries(answers.map(({ id, walking_seconds }) => [id, walking_seconds]))
    },
  }
}

describe('a junction of two lines, drawn as one dot', () => {
  // Every stop of a floor has the position of the station's sign, as where a feed was made without a survey.
  const here = '38.5 | -11.5'
  const junction = {
    'levels.txt': `
      level_id | level_index
      street   | 0
      hall     | -1
      deep     | -2`,
    'stops.txt': `
      stop_id   | stop_name | stop_lat | stop_lon | location_type | parent_station | level_id
      junction  | Junction  | ${here}  | 1        |               |
      up-stairs | Stairs    | ${here}  | 2        | junction      | street
      up-lift   | Lift      | ${here}  | 2        | junction      | street
      gates     |           | ${here}  | 3        | junction      | hall
      paid      |           | ${here}  | 3        | junction      | hall
      ${[1, 2, 3, 4, 5, 6].map((n) => `green-${n} | Green ${n} | ${here} | 0 | junction | hall`).join('\n')}
      red-1     | Red 1     | ${here}  | 0        | junction      | deep
      red-2     | Red 2     | ${here}  | 0        | junction      | deep`,
    'pathways.txt': `
      pathway_id | from_stop_id | to_stop_id | pathway_mode | is_bidirectional | traversal_time | wheelchair_traversal_time | min_width
      p-stairs   | up-stairs    | gates      | 2            | 1                | 40             |                           |
      p-lift     | up-lift      | gates      | 5            | 1                | 30             | 50                        | 1.5
      p-gates    | gates        | paid       | 6            | 1                | 5              | 8                         | 1
      ${[1, 2, 3, 4].map((n) => `p-green-${n} | paid | green-${n} | 1 | 1 | ${n * 10} | ${n * 15} | 2`).join('\n')}
      p-green-5  | green-4      | green-5    | 2            | 1                | 20             |                           |
      p-green-6  | green-4      | green-6    | 2            | 1                | 21             |                           |
      down       | paid         | red-1      | 4            | 0                | 25             |                           |
      up         | red-2        | paid       | 4            | 0                | 25             |                           |
      deep       | red-1        | red-2      | 1            | 1                | 33             | 44                        | 3
      deep-lift  | green-1      | red-2      | 5            | 1                | 60             | 90                        | 1.5`,
  }
  const { near, map } = open(junction, { gates: { 'up-stairs': 'stairs', 'up-lift': 'lift' }, zone: 'paid' })

  test('each platform and each gate is at its own node', () => {
    for (const { id, node, level } of [...map.amenities, ...map.gates]) {
      const others = [...map.amenities, ...map.gates].filter((other) => other.node === node).map((other) => other.id)
      assert.deepEqual(others, [id])
      assert.equal(map.nodes[node]?.[2], level)
    }
  })

  test('a map that an older version imported, without naming nodes, opens to the same', () => {
    const files = new Map(Object.entries(junction).map(([name, text]) => [name, table(text)]))
    const mapOf = (collection: unknown) => {
      const event = {
        ...EVENT,
        gates: ['up-stairs', 'up-lift'].map((id) => ({ id, name: id })),
        checkpoints: [],
        zones: [],
      }
      const { source, problems } = checkSource(JSON.parse(JSON.stringify(collection)))
      return compileSource(event, source, problems).map ?? assert.fail(formatProblems(problems))
    }
    const { collection } = importGtfs(files)
    const older = collection.features.map((each) => {
      const { properties, ...rest } = each as { properties: { node?: string } }
      const { node, ...others } = properties
      return { ...rest, properties: others }
    })
    assert.deepEqual(mapOf({ ...collection, features: older }), mapOf(collection))
  })

  test('on foot, each takes the time of its own way', () => {
    const hall = { 'green-1': 55, 'green-2': 65, 'green-3': 75, 'green-4': 85, 'green-5': 105, 'green-6': 106 }
    assert.deepEqual(near('stairs', false), { ...hall, 'red-1': 70, 'red-2': 103 })
    const byLift = Object.fromEntries(
      Object.entries({ ...hall, 'red-1': 70, 'red-2': 103 }).map(([id, s]) => [id, s - 10]),
    )
    assert.deepEqual(near('lift', false), byLift)
  })

  test('without steps, the platforms behind stairs are out of reach, and the deep ones are reached by the second lift', () => {
    assert.deepEqual(near('stairs', true), {})
    const hall = { 'green-1': 73, 'green-2': 88, 'green-3': 103, 'green-4': 118 }
    assert.deepEqual(near('lift', true), { ...hall, 'red-2': 163, 'red-1': 207 })
  })
})

describe('a station with boarding areas and a pair of escalators', () => {
  const station = {
    'levels.txt': `
      level_id | level_index | level_name
      L0       | 0           | Street
      L1       | 1           | Tracks`,
    'stops.txt': `
      stop_id | stop_name  | stop_lat | stop_lon | location_type | parent_station | level_id | wheelchair_boarding
      S       | Riverside  | 38.5     | -11.5    | 1             |                |          | 1
      A       | Market     | 38.5     | -11.5    | 2             | S              | L0       | 2
      B       | River      | 38.5001  | -11.5    | 2             | S              | L0       |
      N0      |            |          |          | 3             | S              | L0       |
      N1      |            |          |          | 3             | S              | L1       |
      P       | Track 1    | 38.5003  | -11.5    | 0             | S              | L1       |
      P-north |            |          |          | 4             | P              | L1       |
      P-south |            |          |          | 4             | P              | L1       | 2
      Q       | Track 2    | 38.5003  | -11.5    |               | S              | L1       | 2`,
    'pathways.txt': `
      pathway_id | from_stop_id | to_stop_id | pathway_mode | is_bidirectional | traversal_time | wheelchair_traversal_time | min_width | signposted_as
      market     | A            | N0         | 2            | 1                | 10             |                           |           |
      river      | B            | N0         | 1            | 1                | 12             | 20                        | 2         |
      up         | N0           | N1         | 4            | 0                | 15             |                           |           | To the trains
      down       | N1           | N0         | 4            | 0                | 15             |                           |           |
      lift       | N0           | N1         | 5            | 1                | 40             | 60                        | 1.2       |
      north      | N1           | P-north    | 1            | 1                | 5              | 6                         | 2         |
      south      | N1           | P-south    | 1            | 1                | 6              | 7                         | 2         |
      over       | N1           | Q          | 2            | 1                | 30             |                           |           |`,
    'translations.txt': `
      table_name | field_name    | language | translation | record_id | field_value
      stops      | stop_name     | fr       | Voie 1      | P         |
      stops      | stop_name     | fr-CH    | Quai 1      | P         |
      pathways   | signposted_as | fr       | Vers trains | up        |
      stops      | stop_name     | de       | Markt       |           | Market`,
  }
  const gates = { A: 'stairs', B: 'lift' }
  const { near, map, problems } = open(station, { gates, zones: { L1: 'paid' }, language: 'fr' })

  test('boarding areas are what their platform is called, at their own nodes', () => {
    assert.deepEqual(
      map.amenities.map(({ id, name, level, step_free, zone }) => [id, name, level, step_free, zone]),
      [
        ['P-north', 'Voie 1', 1, true, 'paid'],
        ['P-south', 'Voie 1', 1, false, 'paid'],
        ['Q', 'Track 2', 1, false, 'paid'],
      ],
    )
    assert.equal(new Set(map.amenities.map(({ node }) => node)).size, 3)
    assert.equal(formatProblems(problems), '')
  })

  test('the escalators lead one way each, the lift both, and an entrance with steps nobody who avoids them', () => {
    assert.deepEqual(near('stairs', false), { 'P-north': 30, 'P-south': 31, Q: 55 })
    assert.deepEqual(near('stairs', true), {})
    assert.deepEqual(near('lift', true), { 'P-north': 86 })
    const names = map.paths.map(({ name }) => name).filter((name) => name !== null)
    assert.deepEqual(names, ['Vers trains'])
  })

  test('a way is in the zones of both its ends', () => {
    const zonesOf = (id: string) => map.edges.find(({ path }) => map.paths[path]?.id === id)?.zones
    assert.deepEqual(['river', 'up', 'north'].map(zonesOf), [[], ['paid'], ['paid']])
  })
})

test('options that fit nothing in the folder are named, and those that were not used are found', () => {
  const files = new Map([
    [
      'stops.txt',
      'stop_id,stop_name,stop_lat,stop_lon,location_type,level_id\nE1,Street,38,-9,2,L0\nE2,Yard,38,-9,2,L0\nP,,38,-9,,L0\n',
    ],
    ['pathways.txt', 'pathway_id,from_stop_id,to_stop_id,pathway_mode\na,E1,P,1\nb,E2,P,1\n'],
    ['levels.txt', 'level_id,level_index,level_name\nL0,0,Street\n'],
  ])
  const asked = { gates: { E1: 'north', E9: 'south', E2: 'north' }, zones: { L7: 'paid' }, language: 'de' }
  assert.equal(
    formatProblems(importGtfs(files, asked).problems),
    [
      'error: the folder has no entrance with the id "E9"; did you mean "E1"?',
      'error: the folder has no part with the id "L7"; did you mean "L0"?',
      'error: "E1" and "E2" are both the gate "north": name one of them',
      'warning: no name is in "de": names are in one language only',
    ].join('\n'),
  )
  const { found, collection } = importGtfs(files)
  assert.deepEqual(
    [...found.entrances],
    [
      ['E1', 'Street'],
      ['E2', 'Yard'],
    ],
  )
  const gatesOf = (features: readonly object[]) =>
    features.flatMap((each) => {
      const { id, properties } = each as { id: string; properties: { kind: string } }
      return properties.kind === 'gate' ? [id] : []
    })
  assert.deepEqual(gatesOf(collection.features), ['E1', 'E2'])
  // With one gate named, other entrances are none, so that event.json need not know them.
  assert.deepEqual(gatesOf(importGtfs(files, { gates: { E2: 'yard' } }).collection.features), ['yard'])
})
