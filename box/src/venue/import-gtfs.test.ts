import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compileSource } from './compile.ts'
import { importGtfs } from './import-gtfs.ts'
import type { VenueEvent } from './references.ts'
import { nearestAmenities, openRoutes } from './route.ts'
import { checkSource } from './source.ts'
import type { ImportedSource } from './source-builder.ts'

const EVENT: VenueEvent = {
  id: 'station',
  zones: [{ id: 'hall', name: 'Hall', capacity: 10 }],
  gates: [{ id: 'main', name: 'Main entrance' }],
  checkpoints: [{ id: 'in', name: 'In', gate: 'main', direction: 'in', from: null, to: 'hall', tiers: ['day'] }],
}

const FILES = new Map([
  ['levels.txt', 'level_id,level_index\nL0,0\nL1,-1.0\n'],
  [
    'stops.txt',
    '\ufeffstop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,level_id,wheelchair_boarding\r\n' +
      'S,Station,38.5,-11.5,1,,,\r\n' +
      'E 1,"Entrance, street",38.5,-11.5,2,S,L0,1\r\n' +
      'N1,,,,3,S,L0,\r\n' +
      'N2,,38.5003,-11.5,3,S,L1,\r\n' +
      'P1,Platform 1,38.5005,-11.5,0,S,L1,2\r\n' +
      'P2,Platform 2,38.5006,-11.5,,S,L1,1\r\n',
  ],
  [
    'pathways.txt',
    'pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,length,traversal_time,stair_count,max_slope,min_width,wheelchair_traversal_time,signposted_as\n' +
      'a,E 1,N1,1,1,24,,,0,2,,\n' +
      'stairs,N1,N2,2,1,8,20,-24,,2,,Down to trains\n' +
      'lift,N1,N2,5,1,0,40,,,1.2,90,\n' +
      'b,N2,P1,1,1,12,,,0.01,3,,\n' +
      'c,N2,P2,1,1,36,,,,3,,\n',
  ],
])

function compiled({ collection, problems }: ImportedSource) {
  const checked = checkSource(JSON.parse(JSON.stringify(collection)))
  return compileSource(EVENT, checked.source, [...problems, ...checked.problems])
}

test('a station becomes a map: entrances are gates, platforms amenities, pathways keep their columns', () => {
  const { map, problems } = compiled(importGtfs(FILES, { gates: { 'E 1': 'main' } }))
  assert.deepEqual(
    problems.map(({ kind }) => kind),
    ['zone_not_drawn'],
  )
  assert.ok(map)
  const routes = openRoutes(map)
  const near = (stepFree: boolean) =>
    nearestAmenities(routes, { from: 'in', allowedZones: [], stepFree }).map(
      ({ id, walking_seconds, step_free, via }) => [id, walking_seconds, step_free, via],
    )
  assert.deepEqual(near(false), [
    ['P1', 20 + 20 + 10, false, ['Down to trains']],
    ['P2', 20 + 20 + 30, false, ['Down to trains']],
  ])
  // Platform 1 is not for wheelchairs by its own word, and of the way to platform 2 nobody knows the slope.
  assert.deepEqual(near(true), [['P2', 24 + 90 + 36, 'unverified', ['Lift']]])
})

for (const [what, change, kind, named] of [
  ['no pathways', { 'pathways.txt': undefined }, 'unreadable', /pathways.txt/],
  ['no stops', { 'stops.txt': '' }, 'left_out', /pathways.txt "a"/],
  ['a quote that never ends', { 'stops.txt': 'stop_id,stop_lat\n"A,1\n' }, 'unreadable', /stops.txt/],
  ['an unknown stop', { 'pathways.txt': 'pathway_id,from_stop_id,to_stop_id\nx,E 1,Q\n' }, 'left_out', /"x"/],
  ['a path to itself', { 'pathways.txt': 'pathway_id,from_stop_id,to_stop_id\nx,N1,N1\n' }, 'left_out', /"x"/],
  [
    'a length in words',
    { 'pathways.txt': 'pathway_id,from_stop_id,to_stop_id,length\nx,E 1,N1,far\n' },
    'left_out',
    /"x"/,
  ],
  [
    'a stop without a place',
    { 'stops.txt': 'stop_id,stop_lat,stop_lon,parent_station\nE 1,,,N1\nN1,,,E 1\nN2,1,1,\nP1,1,1,\nP2,1,1,\n' },
    'left_out',
    /stops.txt "E 1"/,
  ],
] as const) {
  test(`${what}: a problem that names the place`, () => {
    const files = new Map(
      [...FILES, ...Object.entries(change)].flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
    )
    for (const [name, text] of Object.entries(change)) if (text === undefined) files.delete(name)
    const found = importGtfs(files).problems.find((problem) => problem.kind === kind)
    assert.match(found?.feature ?? '', named)
  })
}

test('no text makes the importer throw', () => {
  const cell = fc.oneof(
    fc.constantFrom('N1', 'E 1', '', '"', '1', '-0', '1e999', '__proto__'),
    fc.string({ maxLength: 6 }),
  )
  const table = (header: string) =>
    fc.array(fc.array(cell, { maxLength: 13 })).map((rows) => [header, ...rows.map((row) => row.join(','))].join('\n'))
  const header = (name: string) => FILES.get(name)?.split(/\r?\n/)[0] ?? ''
  fc.assert(
    fc.property(table(header('stops.txt')), table(header('pathways.txt')), fc.string(), (stops, pathways, levels) => {
      compiled(
        importGtfs(
          new Map([
            ['stops.txt', stops],
            ['pathways.txt', pathways],
            ['levels.txt', levels],
          ]),
        ),
      )
    }),
    { numRuns: 200 },
  )
})
