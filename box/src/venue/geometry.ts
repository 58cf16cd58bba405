/** Reads GeoJSON geometries (RFC 7946, section 3.1) of a file that was not checked yet. */
import type { Position } from '@gatehouse/proto/wire/venue.ts'

/** Rings of a polygon: the outer one, then its holes. Each ends with its first position. */
export type Rings = readonly (readonly Position[])[]

export type Geometry =
  | { readonly type: 'none' }
  | { readonly type: 'point'; readonly at: Position }
  | { readonly type: 'lines'; readonly lines: readonly (readonly Position[])[] }
  | { readonly type: 'areas'; readonly areas: readonly Rings[] }

/** Degrees. Beyond it a degree of longitude is too short for a flat map of a venue. */
const MAX_LATITUDE = 85
/** 1 cm: finer differences are noise of the program that drew the map. */
const PER_DEGREE = 1e7

/** The geometry with its coordinates rounded to 1e-7 degrees, or a sentence that says what is wrong with it. */
export function readGeometry(json: unknown): Geometry | string {
  if (json === null || json === undefined) return { type: 'none' }
  if (typeof json !== 'object') return 'geometry must be an object'
  const { type, coordinates } = json as { type?: unknown; coordinates?: unknown }
  try {
    switch (type) {
      case 'Point':
        return { type: 'point', at: position(coordinates) }
      case 'LineString':
        return { type: 'lines', lines: [line(coordinates)] }
      case 'MultiLineString':
        return { type: 'lines', lines: list(coordinates, 'lines').map(line) }
      case 'Polygon':
        return { type: 'areas', areas: [rings(coordinates)] }
      case 'MultiPolygon':
        return { type: 'areas', areas: list(coordinates, 'polygons').map(rings) }
      default:
        return 'geometry must be a Point, LineString, MultiLineString, Polygon or MultiPolygon'
    }
  } catch (error) {
    if (error instanceof Unreadable) return error.message
    throw error
  }
}

class Unreadable extends Error {}

function rings(json: unknown): Rings {
  return list(json, 'rings').map((ring) => {
    const points = line(ring)
    const [first, last] = [points[0], points.at(-1)]
    // The RFC requires closed rings. An open one has only one meaning, so it is closed here.
    if (first && last && (first[0] !== last[0] || first[1] !== last[1])) points.push(first)
    if (points.length < 4) throw new Unreadable('a ring of a polygon needs three corners')
    return points
  })
}

function line(json: unknown): Position[] {
  const points = list(json, 'positions').map(position)
  if (points.length < 2) throw new Unreadable('a line needs two positions')
  return points
}

function list(json: unknown, of: string): unknown[] {
  if (!Array.isArray(json) || json.length === 0) throw new Unreadable(`coordinates must be a list of ${of}`)
  return json
}

function position(json: unknown): Position {
  if (!Array.isArray(json)) throw new Unreadable('a position must be [longitude, latitude]')
  const [longitude, latitude]: unknown[] = json
  // JSON has no NaN, but 1e999 is read as Infinity.
  if (!isWithin(longitude, 180) || !isWithin(latitude, 90)) {
    throw new Unreadable('a position must be [longitude, latitude] in degrees, up to 180 and 90')
  }
  if (Math.abs(latitude) > MAX_LATITUDE)
    throw new Unreadable(`no venue is further north or south than ${MAX_LATITUDE} degrees`)
  return [rounded(longitude), rounded(latitude)]
}

function isWithin(value: unknown, most: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= most
}

/** Adding 0 turns -0 into 0: canonical JSON writes both alike, but `Object.is` tells them apart. */
function rounded(degrees: number): number {
  return Math.round(degrees * PER_DEGREE) / PER_DEGREE + 0
}

/** Every position of a geometry. */
export function* positionsOf(geometry: Geometry): Generator<Position> {
  if (geometry.type === 'point') yield geometry.at
  if (geometry.type === 'lines') for (const points of geometry.lines) yield* points
  if (geometry.type === 'areas') for (const area of geometry.areas) for (const ring of area) yield* ring
}
