/**
 * A flat grid of whole millimetres around a venue's centre, on which everything is measured and compared.
 *
 * Two machines have to make the same plan to the last byte, or a new ETag would tell phones of a change that there was none. ECMAScript
 * leaves the precision of `Math.cos` and `Math.hypot` to the engine, whereas addition, subtraction, multiplication, division and
 * `Math.sqrt` follow IEEE 754 everywhere. Only those are used here.
 */
import type { Position } from '@gatehouse/proto/wire/venue.ts'

/** Whole millimetres east and north of the centre. */
export interface Point {
  readonly x: number
  readonly y: number
}

export interface Grid {
  toGrid(position: Position): Point
  /** Rounded to 1e-7 degrees. */
  toDegrees(point: Point): Position
}

/**
 * The width of the grid. Up to here a flat map is accurate to 0.2 %, and products of two distances in millimetres stay below
 * 2^53, so that "left or right of a line" is computed without rounding.
 */
export const MAX_MILLIMETRES = 30_000_000

const PER_DEGREE = 1e7

/**
 * Millimetres: coordinates have seven decimals of a degree, 1 cm, so that differences of two distances below this are noise, and
 * decide nothing.
 */
export const NOISE = 30

/** An equirectangular projection, with the lengths that a degree has on the WGS 84 ellipsoid at the centre's latitude. */
export function gridAround([longitude, latitude]: Position): Grid {
  const c = cosine((latitude * Math.PI) / 180)
  const c2 = c * c
  // Series for the length of a degree in metres; cos(2p), cos(3p), ... written out as polynomials of cos(p).
  const north = (111132.954 - 559.822 * (2 * c2 - 1) + 1.175 * (8 * c2 * c2 - 8 * c2 + 1)) * 1000
  const east = (111412.84 - 93.5 * (4 * c2 - 3) + 0.118 * (16 * c2 * c2 - 20 * c2 + 5)) * c * 1000
  return {
    toGrid: ([lon, lat]) => ({ x: Math.round((lon - longitude) * east), y: Math.round((lat - latitude) * north) }),
    toDegrees: ({ x, y }) => [rounded(longitude + x / east), rounded(latitude + y / north)],
  }
}

function rounded(degrees: number): number {
  return Math.round(degrees * PER_DEGREE) / PER_DEGREE + 0
}

/** Taylor series: for angles up to a right angle the last term is below 1e-17. */
function cosine(angle: number): number {
  let [sum, term] = [1, 1]
  for (let n = 2; n <= 26; n += 2) {
    term *= -(angle * angle) / (n * (n - 1))
    sum += term
  }
  return sum
}

/** Millimetres, in a straight line. */
export function distance(a: Point, b: Point): number {
  const [x, y] = [a.x - b.x, a.y - b.y]
  return Math.sqrt(x * x + y * y)
}
