/** Changes by the drawing tools to the map file: paths, places and borders of zones, added and taken away. The rest stays. Pure. */
import { type Json, textOf } from './draft.ts'
import { type Frame, featuresOf, type Place, type Shapes, shapesOf } from './map-draft.ts'

/** Pixels of the drawing within which a click means what is there already. */
const NEAR = 12
const METRES_PER_DEGREE = 111_320

/** A map on which nothing is drawn yet. */
export const EMPTY_MAP: Json = { type: 'FeatureCollection', features: [] }

/** A frame around a place, for a map that has nothing to be framed by. @param metres its width @param width pixels */
export function frameAround([longitude, latitude]: Place, metres: number, width: number): Frame {
  const narrowing = Math.max(0.01, Math.cos(latitude * (Math.PI / 180)))
  const scale = (width / metres) * METRES_PER_DEGREE
  const height = Math.round(width * 0.75)
  const [left, top] = [longitude - width / 2 / (narrowing * scale), latitude + height / 2 / scale]
  const within = (value: number, most: number) => Math.min(most, Math.max(0, value))
  return {
    ...{ width, height },
    pixelOf: ([east, north]) => [(east - left) * narrowing * scale, (top - north) * scale],
    placeAt: (x, y) => [
      rounded(left + within(x, width) / (narrowing * scale)),
      rounded(top - within(y, height) / scale),
    ],
  }
}

/** Twice as wide and high as another one, around the same middle. */
export function larger({ width, height, placeAt }: Frame): Frame {
  const [middle, [west], [east]] = [placeAt(width / 2, height / 2), placeAt(0, height / 2), placeAt(width, height / 2)]
  const metres = (east - west) * Math.cos(middle[1] * (Math.PI / 180)) * METRES_PER_DEGREE
  return frameAround(middle, Math.max(1, metres) * 2, width)
}

/** Metres from one side of a frame to the other. */
export function metresOf({ width, height, placeAt }: Frame): number {
  const [[west, latitude], [east]] = [placeAt(0, height / 2), placeAt(width, height / 2)]
  return Math.round((east - west) * Math.cos(latitude * (Math.PI / 180)) * METRES_PER_DEGREE)
}

/** @param text latitude and longitude in degrees, as maps on the internet show them; undefined for anything else */
export function placeIn(text: string): Place | undefined {
  const found = /^\s*(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text)
  const [latitude, longitude] = [Number(found?.[1]), Number(found?.[2])]
  // Beyond 85 degrees a map of flat pixels shows nothing true.
  if (!found || Math.abs(latitude) > 85 || Math.abs(longitude) > 180) return undefined
  return [longitude, latitude]
}

/** A path where people walk. It needs two corners. */
export function withPath(collection: Json, corners: readonly Place[]): Json {
  if (corners.length < 2) return collection
  const geometry = { type: 'LineString', coordinates: corners.map((corner) => [...corner]) }
  return added(collection, { type: 'Feature', properties: { kind: 'path' }, geometry })
}

/** A place that people look for. @param category of IMDF @param name '' for that of its category */
export function withPlace(collection: Json, category: string, name: string, at: Place): Json {
  const taken = new Set(featuresOf(collection).map((feature) => textOf(feature, 'id')))
  const base = category.replace(/[^a-z0-9]+/g, '-')
  let n = 1
  while (taken.has(`${base}-${n}`)) n++
  const properties = { kind: 'amenity', category, ...(name.trim() !== '' && { name: name.trim() }) }
  const geometry = { type: 'Point', coordinates: [...at] }
  return added(collection, { type: 'Feature', id: `${base}-${n}`, properties, geometry })
}

/** The border of a zone, in the place of the one that it had. It needs three corners. */
export function withZone(collection: Json, zone: string, corners: readonly Place[]): Json {
  const [first] = corners
  if (!first || corners.length < 3) return collection
  const geometry = { type: 'Polygon', coordinates: [[...corners, first].map((corner) => [...corner])] }
  const features = Array.isArray(collection.features) ? (collection.features as unknown[]) : []
  const there = features.findIndex((feature) => kindOf(feature) === 'zone' && idOf(feature) === zone)
  if (there < 0) return added(collection, { type: 'Feature', id: zone, properties: { kind: 'zone' }, geometry })
  return { ...collection, features: features.with(there, { ...(features[there] as Json), geometry }) }
}

/** Takes the path, place, gate or border away that is nearest to a pixel; the collection itself where none is near. */
export function withoutNearest(collection: Json, frame: Frame, x: number, y: number): Json {
  const features = Array.isArray(collection.features) ? (collection.features as unknown[]) : []
  let [nearest, least] = [-1, NEAR]
  for (const [i, feature] of features.entries()) {
    if (!REMOVABLE.has(kindOf(feature) ?? '')) continue
    const away = distance(shapesOf({ features: [feature] }), frame, x, y)
    if (away < least) [nearest, least] = [i, away]
  }
  return nearest < 0 ? collection : { ...collection, features: features.filter((_, i) => i !== nearest) }
}

/** The place that a click means: a corner or a line that is near, so that paths meet, or the pixel's own. */
export function snapped(shapes: Shapes, frame: Frame, x: number, y: number): Place {
  let [corner, toCorner]: [Place | undefined, number] = [undefined, NEAR]
  let [side, toSide]: [Place | undefined, number] = [undefined, NEAR]
  for (const line of shapes.lines) {
    for (const [i, place] of line.entries()) {
      const [px, py] = frame.pixelOf(place)
      const away = Math.hypot(px - x, py - y)
      if (away < toCorner) [corner, toCorner] = [place, away]
      const before = line[i - 1]
      if (!before) continue
      const [nx, ny] = nearestOn(frame.pixelOf(before), [px, py], [x, y])
      const beside = Math.hypot(nx - x, ny - y)
      if (beside < toSide) [side, toSide] = [frame.placeAt(nx, ny), beside]
    }
  }
  return corner ?? side ?? frame.placeAt(x, y)
}

const REMOVABLE: ReadonlySet<string> = new Set(['path', 'amenity', 'zone', 'gate'])

type Pixel = readonly [number, number]

function distance({ lines, areas, points, gates }: Shapes, frame: Frame, x: number, y: number): number {
  let least = Infinity
  for (const [px, py] of [...points, ...gates.values()].map(frame.pixelOf))
    least = Math.min(least, Math.hypot(px - x, py - y))
  for (const line of [...lines, ...areas]) {
    for (const [i, place] of line.entries()) {
      const [nx, ny] = nearestOn(frame.pixelOf(line[i - 1] ?? place), frame.pixelOf(place), [x, y])
      least = Math.min(least, Math.hypot(nx - x, ny - y))
    }
  }
  return least
}

function nearestOn([ax, ay]: Pixel, [bx, by]: Pixel, [x, y]: Pixel): Pixel {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const part = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length))
  return [ax + part * dx, ay + part * dy]
}

function added(collection: Json, feature: Json): Json {
  const features = Array.isArray(collection.features) ? (collection.features as unknown[]) : []
  return { ...collection, features: [...features, feature] }
}

const propertiesOf = (feature: unknown) => ((feature as Json | null)?.properties ?? {}) as Json
const kindOf = (feature: unknown) => propertiesOf(feature).kind as string | undefined
const idOf = (feature: unknown) => (feature as Json | null)?.id ?? propertiesOf(feature).id

/** About a centimetre. */
const rounded = (degrees: number) => Math.round(degrees * 1e7) / 1e7
