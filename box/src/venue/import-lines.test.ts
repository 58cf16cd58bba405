import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collection, line, point, polygon } from '../../test/venue/sketch.ts'
import { importLines } from './import-lines.ts'

const drawn = (geometry: object | null, properties: object) => ({ type: 'Feature', properties, geometry })

const FILES = new Map([
  [
    'town.geojson',
    collection([
      drawn(line([0, 0], [50, 0]), { name: 'High Street', type: 'street' }),
      drawn(line([20, -9], [20, 9]), { name: 'Alley', type: 'street' }),
      drawn(polygon([10, 2], [12, 2], [12, 4]), { type: 'toilet' }),
      drawn(point([10, 2]), { type: 'toilet' }),
      drawn(line([0, -9], [50, -9], [50, 9], [0, -9]), { type: 'fence' }),
      drawn(null, { type: 'street' }),
      drawn({ type: 'Point', coordinates: [1, 999] }, { type: 'street' }),
      null,
    ]),
  ],
])

test('the first rule that fits says what a feature is', () => {
  const { collection: made, problems } = importLines(
    FILES,
    [
      { file: 'town.geojson', where: { type: 'fence' }, kind: 'zone', id: 'arena' },
      {
        file: 'town.geojson',
        where: { type: ['street', 'lane'] },
        geometry: 'line',
        kind: 'path',
        properties: { max_slope: 0 },
      },
      {
        file: 'town.geojson',
        where: { type: 'toilet' },
        geometry: 'area',
        kind: 'amenity',
        properties: { category: 'restroom' },
      },
    ],
    { place_metres: 9 },
  )
  const features = made.features as { id: string; properties: object; geometry: { type: string } }[]
  assert.deepEqual(
    features.map(({ id, properties }) => [id, properties]),
    [
      ['town-1', { kind: 'path', name: 'High Street', max_slope: 0 }],
      ['town-2', { kind: 'path', name: 'Alley', max_slope: 0 }],
      ['town-3', { kind: 'amenity', category: 'restroom' }],
      ['arena', { kind: 'zone' }],
    ],
  )
  assert.equal(features.at(-1)?.geometry.type, 'MultiPolygon')
  assert.deepEqual(made.tolerances, { place_metres: 9 })
  assert.deepEqual(
    problems.map(({ kind, feature }) => [kind, feature]),
    [
      ['left_out', 'town.geojson features[7]'],
      ['left_out', 'town.geojson features[6]'],
      ['left_out', 'town.geojson'],
    ],
  )
})

test('a file that is not there, or is not GeoJSON, is a problem', () => {
  const rules = [
    { file: 'a.geojson', kind: 'path' },
    { file: 'b.geojson', kind: 'path' },
  ] as const
  const { problems } = importLines(new Map([['b.geojson', '{']]), rules)
  assert.deepEqual(
    problems.map(({ kind, feature }) => [kind, feature]),
    [
      ['unreadable', 'a.geojson'],
      ['unreadable', 'b.geojson'],
    ],
  )
})
