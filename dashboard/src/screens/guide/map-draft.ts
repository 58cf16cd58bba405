/**
 * The map file as the guide shows and changes it. It may be of somebody who edits it by hand, and hold anything: what is no feature of
 * a map is not drawn, and stays. Pure.
 */
import type { Json } from './draft.ts'

/** Longitude and latitude, degrees. */
export type Place = readonly [number, number]

export interface Shapes {
  lines: readonly (readonly Place[])[]
  /** Outlines. */
  areas: readonly (readonly Place[])[]
  /** Amenities and nodes. */
  points: readonly Place[]
  /** By the id of the gate. */
  gates: ReadonlyMap<string, Place>
}

/** Pixels to places, and back. */
export interface Frame {
  width: number
  height: number
  pixelOf(place: Place): readonly [number, number]
  /** Kept within the frame, to a centimetre. */
  placeAt(x: number, y: number): Place
}

export function featuresOf(collection: Json): readonly Json[] {
  const { features } = collection
  return Array.isArray(features) ? features.filter((one): one is Json => typeof one === 'object' && one !== null) : []
}

export function shapesOf(collection: Json): Shapes {
  const lines: (readonly Place[])[] = []
  const areas: (readonly Place[])[] = []
  const points: Place[] = []
  const gates = new Map<string, Place>()
  for (const feature of featuresOf(collection)) {
    const { type, coordinates } = (feature.geometry ?? {}) as { type?: unknown; coordinates?: unknown }
    if (type === 'Point') {
      const [at] = placesIn([coordinates])
      const id = gateId(feature)
      if (at && id !== undefined) gates.set(id, at)
      else if (at) points.push(at)
    } else if (type === 'LineString') lines.push(placesIn(coordinates))
    else if (type === 'MultiLineString') lines.push(...listIn(coordinates).map(placesIn))
    else if (type === 'Polygon') areas.push(...listIn(coordinates).map(placesIn))
    else if (type === 'MultiPolygon') areas.push(...listIn(coordinates).flatMap(listIn).map(placesIn))
  }
  return { lines, areas, points, gates }
}

/** @param width pixels; undefined where the map has no place */
export function frameOf({ lines, areas, points, gates }: Shapes, width: number): Frame | undefined {
  let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const list of [...lines, ...areas, points, [...gates.values()]]) {
    for (const [longitude, latitude] of list) {
      west = Math.min(west, longitude)
      east = Math.max(east, longitude)
      south = Math.min(south, latitude)
      north = Math.max(north, latitude)
    }
  }
  if (!Number.isFinite(west)) return undefined
  // One place alone has a frame around it, too.
  const margin = Math.max(east - west, north - south, LEAST_DEGREES) * MARGIN
  const [left, top] = [west - margin, north + margin]
  const narrowing = Math.max(0.01, Math.cos(((north + south) / 2) * (Math.PI / 180)))
  const scale = width / ((east - west + 2 * margin) * narrowing)
  const height = Math.min(width * MOST_HEIGHT, Math.round((north - south + 2 * margin) * scale))
  // A map that is taller than the frame is drawn smaller, and stands at the left.
  const fitted = Math.min(scale, height / (north - south + 2 * margin))
  const within = (value: number, most: number) => Math.min(most, Math.max(0, value))
  return {
    width,
    height,
    pixelOf: ([longitude, latitude]) => [(longitude - left) * narrowing * fitted, (top - latitude) * fitted],
    placeAt: (x, y) => [
      rounded(left + within(x, width) / (narrowing * fitted)),
      rounded(top - within(y, height) / fitted),
    ],
  }
}

/** Puts a gate on the map, or moves it there. */
export function withGate(collection: Json, id: string, at: Place): Json {
  const features = Array.isArray(collection.features) ? (collection.features as unknown[]) : []
  const geometry = { type: 'Point', coordinates: [...at] }
  const there = features.findIndex((feature) => gateId(feature) === id)
  if (there < 0) {
    const gate = { type: 'Feature', id, properties: { kind: 'gate' }, geometry }
    return { ...collection, features: [...features, gate] }
  }
  return { ...collection, features: features.with(there, { ...(features[there] as Json), geometry }) }
}

/** Of what an importer made: its gates that the event does not have go. */
export function withoutForeignGates(collection: Json, ids: ReadonlySet<string>): Json {
  const features = featuresOf(collection).filter((feature) => {
    const id = gateId(feature)
    return id === undefined || ids.has(id)
  })
  return { ...collection, features }
}

const MARGIN = 0.08
/** A hundred metres. */
const LEAST_DEGREES = 0.001
/** Of the width. */
const MOST_HEIGHT = 1.2

/** The id of a gate; undefined for any other feature. */
function gateId(feature: unknown): string | undefined {
  const { id: outer, properties } = (feature ?? {}) as Json
  const { kind, id: inner } = (properties ?? {}) as Json
  if (kind !== 'gate') return undefined
  const id = outer ?? inner
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

function placesIn(value: unknown): Place[] {
  return listIn(value).flatMap((one): Place[] => {
    const [longitude, latitude] = listIn(one)
    return isDegrees(longitude, 180) && isDegrees(latitude, 90) ? [[longitude, latitude]] : []
  })
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const isDegrees = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= most
/** About a centimetre. */
const rounded = (degrees: number) => Math.round(degrees * 1e7) / 1e7
