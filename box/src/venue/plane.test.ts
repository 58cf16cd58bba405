import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { distance, gridAround, type Point } from './grid.ts'
import { areaOf, cross, crossingAt, distanceTo, isInside, middleOf, nearestShare } from './plane.ts'

const coordinate = fc.integer({ min: -15_000_000, max: 15_000_000 })
const point = fc.record({ x: coordinate, y: coordinate })

test('a grid and back is the same place to a centimetre, and a degree has its length in the almanac', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -80, max: 80, noNaN: true }),
      fc.double({ min: -0.1, max: 0.1, noNaN: true }),
      fc.double({ min: -0.1, max: 0.1, noNaN: true }),
      (lon, lat, east, north) => {
        const grid = gridAround([lon, lat])
        const [lon2, lat2] = grid.toDegrees(grid.toGrid([lon + east, lat + north]))
        assert.ok(Math.abs(lon2 - lon - east) < 2e-7 && Math.abs(lat2 - lat - north) < 2e-7)
      },
    ),
  )
  for (const [lat, metresNorth, metresEast] of [
    [0, 110_574, 111_320],
    [45, 111_132, 78_847],
    [60, 111_412, 55_800],
  ] as const) {
    const { x, y } = gridAround([0, lat]).toGrid([1, lat + 1])
    assert.ok(Math.abs(y / 1000 - metresNorth) < 2, `${y}`)
    assert.ok(Math.abs(x / 1000 - metresEast) < 2, `${x}`)
  }
})

test('whether two stretches cross does not depend on which is named first, nor on their directions', () => {
  fc.assert(
    fc.property(point, point, point, point, (a, b, c, d) => {
      const crosses = cross(a, b, c, d)
      assert.equal(cross(c, d, a, b), crosses)
      if (!crosses) return
      const share = crossingAt(a, b, c, d)
      assert.ok(share >= 0 && share <= 1)
    }),
  )
})

test('a line through the corner of a ring crosses it as often as it has to', () => {
  const ring = [
    { x: 0, y: 0 },
    { x: 1000, y: 1000 },
    { x: 2000, y: 0 },
    { x: 1000, y: -1000 },
    { x: 0, y: 0 },
  ]
  const near = fc.record({ x: fc.integer({ min: -3000, max: 3000 }), y: fc.integer({ min: -3000, max: 3000 }) })
  const borders = ring.slice(1).map((b, i) => [ring[i] ?? b, b] as const)
  const isOnBorder = (p: Point) => borders.some(([a, b]) => distanceTo(a, b, p) < 2)
  fc.assert(
    fc.property(near, fc.constantFrom(...ring), (from, corner) => {
      const to = { x: 2 * corner.x - from.x, y: 2 * corner.y - from.y }
      fc.pre(!isOnBorder(from) && !isOnBorder(to))
      const crossed = borders.filter(([a, b]) => cross(from, to, a, b)).length
      assert.equal(crossed % 2 === 1, isInside([ring], from) !== isInside([ring], to))
    }),
    { numRuns: 1000 },
  )
})

test('the nearest point of a stretch is at most as far as its ends', () => {
  fc.assert(
    fc.property(point, point, point, (a, b, c) => {
      const share = nearestShare(a, b, c)
      assert.ok(share >= 0 && share <= 1)
      assert.ok(distanceTo(a, b, c) <= Math.min(distance(a, c), distance(b, c)) + 1)
    }),
  )
})

test('the middle of an area is inside of it, however it is bent', () => {
  const horseshoe = [
    [0, 0],
    [90, 0],
    [90, 90],
    [60, 90],
    [60, 30],
    [30, 30],
    [30, 90],
    [0, 90],
    [0, 0],
  ].map(([x = 0, y = 0]) => ({ x, y }))
  assert.ok(isInside([horseshoe], middleOf([horseshoe])))
  assert.equal(areaOf(horseshoe), 2 * (90 * 90 - 30 * 60))
})
