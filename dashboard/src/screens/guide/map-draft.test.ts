import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from './draft.ts'
import { frameOf, type Place, shapesOf, withGate, withoutForeignGates } from './map-draft.ts'

const feature = (kind: string, type: string, coordinates: unknown, id?: unknown): Json => ({
  ...{ type: 'Feature', ...(id !== undefined && { id }), properties: { kind }, geometry: { type, coordinates } },
})
const line = feature('path', 'LineString', [
  [-9.1, 38.7],
  [-9.09, 38.71],
])
const MAP: Json = {
  type: 'FeatureCollection',
  speeds: { walk: 1 },
  features: [
    line,
    feature('gate', 'Point', [-9.1, 38.7], 'north'),
    feature('amenity', 'Point', [-9.095, 38.705], 'wc'),
  ],
}

test('a map is drawn of what is in it, and of nothing else', () => {
  const { lines, points, gates } = shapesOf(MAP)
  assert.deepEqual([lines.length, points, [...gates]], [1, [[-9.095, 38.705]], [['north', [-9.1, 38.7]]]])
  const strange = [null, 7, {}, { geometry: 3 }, feature('path', 'LineString', 'x'), feature('gate', 'Point', [1e9, 2])]
  const shapes = shapesOf({ features: strange })
  assert.deepEqual([shapes.lines, shapes.points, shapes.gates.size], [[[]], [], 0])
  assert.equal(frameOf(shapes, 800), undefined)
  assert.deepEqual(shapesOf({ features: 'none' }).lines, [])
})

test('a pixel is the place that is drawn there, and no click leaves the frame', () => {
  for (const latitude of [0, 38.7, -52, 71]) {
    for (const [wide, high] of [
      [0.01, 0.01],
      [0.1, 0.001],
      [0.001, 0.1],
      [0, 0],
    ] as const) {
      const places: Place[] = [
        [10, latitude],
        [10 + wide, latitude + high],
      ]
      const frame = frameOf({ lines: [places], areas: [], points: [], gates: new Map() }, 800)
      assert.ok(frame)
      for (const place of places) {
        const [x, y] = frame.pixelOf(place)
        assert.ok(x >= 0 && x <= frame.width && y >= 0 && y <= frame.height)
        const [longitude, back] = frame.placeAt(x, y)
        assert.ok(Math.abs(longitude - place[0]) < 2e-7 && Math.abs(back - place[1]) < 2e-7)
      }
      assert.deepEqual(frame.placeAt(-1e6, 1e6), frame.placeAt(0, frame.height))
    }
  }
})

test('a gate is put on the map, or moved, and everything else stays', () => {
  const moved = withGate(MAP, 'north', [-9.2, 38.8])
  assert.deepEqual(shapesOf(moved).gates.get('north'), [-9.2, 38.8])
  const added = withGate(moved, 'south', [-9.3, 38.9])
  assert.deepEqual([...shapesOf(added).gates.keys()], ['north', 'south'])
  assert.deepEqual([added.speeds, (added.features as Json[])[0]], [MAP.speeds, line])
  // The id may stand where drawing programs put it.
  const inner = { features: [{ type: 'Feature', properties: { kind: 'gate', id: 'north' }, geometry: null }] }
  assert.equal((withGate(inner, 'north', [1, 2]).features as Json[]).length, 1)
})

test('gates of an importer that the event does not have go', () => {
  const { features } = withoutForeignGates(withGate(MAP, 'E17', [1, 2]), new Set(['north']))
  assert.equal((features as Json[]).length, 3)
})
