import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js'
// Adds methods such as `union` to geometries.
import 'jsts/org/locationtech/jts/monkey.js'
import type { Point } from './grid.ts'
import { type Line, nodeLines } from './noding.ts'

// JSTS, the Java Topology Suite, as a second opinion. It is exact, and has no tolerance: what is nearer than ours may be joined.

interface Geometry {
  distance(other: Geometry): number
  union(): Geometry
  getCoordinates(): Point[]
}
interface Factory {
  createLineString(points: Point[]): Geometry
  createMultiLineString(lines: Geometry[]): Geometry
}

// Its own types lack what the line above adds.
const factory = new GeometryFactory() as unknown as Factory
const geometryOf = ({ points }: Line) => factory.createLineString(points.map(({ x, y }) => new Coordinate(x, y)))

/** Lines on a grid of 5 m: crossings at every angle, corners on lines, lines along each other. */
const coordinate = fc.integer({ min: 0, max: 12 }).map((steps) => steps * 5000)
const line: fc.Arbitrary<Line> = fc
  .array(fc.record({ x: coordinate, y: coordinate }), { minLength: 2, maxLength: 4 })
  .map((all) => all.filter((point, i) => point.x !== all[i - 1]?.x || point.y !== all[i - 1]?.y))
  .filter((points) => points.length > 1)
  .map((points) => ({ points, level: 0, joins: 'everywhere' }))
const lines = fc.array(line, { minLength: 2, maxLength: 8 })

/** Three lines that cross in pairs, half a metre apart: the third crossing is as near to the first as to the second. */
const THREE_CROSSINGS: Line[] = [
  [
    [55, 0],
    [10, 20],
  ],
  [
    [50, 20],
    [10, 15],
  ],
  [
    [20, 15],
    [5, 35],
  ],
].map((points) => ({
  points: points.map(([x = 0, y = 0]) => ({ x: x * 1000, y: y * 1000 })),
  level: 0,
  joins: 'everywhere',
}))

test('two lines share a vertex where JSTS finds that they meet, and none where they do not', () => {
  const TOLERANCE = 500
  fc.assert(
    fc.property(lines, (drawn) => {
      const noded = nodeLines(drawn, [], [], TOLERANCE)
      assert.ok(noded)
      const geometries = drawn.map(geometryOf)
      for (const [i, one] of noded.chains.entries()) {
        for (const [j, other] of noded.chains.entries()) {
          if (j <= i) continue
          const apart = geometries[i]?.distance(geometries[j] ?? factory.createLineString([])) ?? Infinity
          const isShared = one.some((vertex) => other.includes(vertex))
          if (apart === 0) assert.ok(isShared, `lines ${i} and ${j} meet`)
          if (apart > 2 * TOLERANCE) assert.ok(!isShared, `lines ${i} and ${j} are ${apart} mm apart`)
        }
      }
    }),
    { numRuns: 150, examples: [[THREE_CROSSINGS]] },
  )
})

/** Undefined where JSTS gives up: its union of lines that lie along each other is not robust. */
function unionOf(drawn: readonly Line[]): Point[] | undefined {
  try {
    return factory.createMultiLineString(drawn.map(geometryOf)).union().getCoordinates()
  } catch (error) {
    if ((error as Error).name === 'TopologyException') return undefined
    throw error
  }
}

test('the vertices are those of the union that JSTS makes, to the millimetre', () => {
  const NEAR = 3
  const isIn = (point: Point, all: readonly Point[]) =>
    all.some(({ x, y }) => Math.hypot(x - point.x, y - point.y) <= NEAR)
  fc.assert(
    fc.property(lines, (drawn) => {
      const noded = nodeLines(drawn, [], [], 1)
      assert.ok(noded)
      const own = [...new Set(noded.chains.flat())].flatMap((vertex) => noded.vertices[vertex]?.point ?? [])
      const theirs = unionOf(drawn)
      fc.pre(theirs !== undefined)
      for (const point of theirs) assert.ok(isIn(point, own), `JSTS has a node at ${point.x} ${point.y}`)
      for (const point of own) assert.ok(isIn(point, theirs), `JSTS has no node at ${point.x} ${point.y}`)
    }),
    { numRuns: 150 },
  )
})
