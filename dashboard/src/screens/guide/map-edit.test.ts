import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Place, shapesOf } from './map-draft.ts'
import {
  EMPTY_MAP,
  frameAround,
  larger,
  metresOf,
  placeIn,
  snapped,
  withoutNearest,
  withPath,
  withPlace,
  withZone,
} from './map-edit.ts'

const LISBON: Place = [-9.1393, 38.7223]
const frame = frameAround(LISBON, 400, 800)

test('a place is read as maps on the internet show it, and nothing else is', () => {
  for (const text of ['38.7223, -9.1393', ' 38.7223,-9.1393 ', '38.7223 -9.1393', '38.7223; -9.1393'])
    assert.deepEqual(placeIn(text), LISBON, text)
  for (const text of ['', '38.7', 'Lisbon', '91, 0', '0, 181', '38,7223, -9,1393', '1, 2, 3', '1e9, 2', 'NaN, 1'])
    assert.equal(placeIn(text), undefined, text)
})

test('a frame around a place is as wide as it says, everywhere, and a larger one has the same middle', () => {
  for (const latitude of [0, 38.7, -52, 71]) {
    const around = frameAround([12, latitude], 400, 800)
    assert.equal(metresOf(around), 400)
    const [x, y] = around.pixelOf([12, latitude])
    assert.ok(Math.abs(x - 400) < 0.01 && Math.abs(y - 300) < 0.01)
    const [longitude, back] = around.placeAt(x, y)
    assert.ok(Math.abs(longitude - 12) < 2e-7 && Math.abs(back - latitude) < 2e-7)
    assert.ok(Math.abs(metresOf(larger(around)) - 800) <= 1)
  }
})

test('paths, places and borders are added to what is there, and a border takes the place of its own', () => {
  const path = withPath(EMPTY_MAP, [frame.placeAt(100, 300), frame.placeAt(700, 300)])
  assert.equal(withPath(path, [LISBON]), path, 'one corner is no path')
  const placed = withPlace(withPlace(path, 'restroom.wheelchair', ' Left ', LISBON), 'restroom.wheelchair', '', LISBON)
  const features = placed.features as { id?: string; properties: object }[]
  assert.deepEqual(
    features.map(({ id, properties }) => [id, properties]),
    [
      [undefined, { kind: 'path' }],
      ['restroom-wheelchair-1', { kind: 'amenity', category: 'restroom.wheelchair', name: 'Left' }],
      ['restroom-wheelchair-2', { kind: 'amenity', category: 'restroom.wheelchair' }],
    ],
  )
  const corners = [frame.placeAt(0, 0), frame.placeAt(800, 0), frame.placeAt(800, 600)]
  assert.equal(withZone(placed, 'inside', corners.slice(1)), placed, 'two corners are no border')
  const zoned = withZone(placed, 'inside', corners)
  const again = withZone(zoned, 'inside', corners.toReversed())
  assert.equal((again.features as object[]).length, 4)
  assert.deepEqual(shapesOf(again).areas[0]?.at(0), shapesOf(again).areas[0]?.at(-1), 'it is closed')
})

test('a corner near another path is on it, so that the two meet', () => {
  const map = shapesOf(withPath(EMPTY_MAP, [frame.placeAt(100, 300), frame.placeAt(700, 300)]))
  assert.deepEqual(snapped(map, frame, 106, 305), frame.placeAt(100, 300), 'its end')
  assert.deepEqual(snapped(map, frame, 400, 309), frame.placeAt(400, 300), 'its side')
  assert.deepEqual(snapped(map, frame, 400, 320), frame.placeAt(400, 320), 'too far away')
})

test('what is nearest to a click is taken away, and nothing that is far from it or is not drawn here', () => {
  const path = withPath(EMPTY_MAP, [frame.placeAt(100, 300), frame.placeAt(700, 300)])
  const both = withPlace(path, 'restroom', '', frame.placeAt(400, 308))
  assert.deepEqual(withoutNearest(both, frame, 400, 309), path)
  assert.deepEqual(withoutNearest(path, frame, 250, 305).features, [])
  assert.equal(withoutNearest(both, frame, 400, 500), both)
  const node = {
    ...EMPTY_MAP,
    features: [{ type: 'Feature', id: 'n', properties: { kind: 'node' }, geometry: null }, 7],
  }
  assert.equal(withoutNearest(node, frame, 400, 300), node)
})
