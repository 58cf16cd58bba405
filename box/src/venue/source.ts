/**
 * The source of a map, `venue.geojson`: places and paths as people draw them, in the format of `box/docs/venue.md`. Properties of
 * paths are the columns of GTFS `pathways.txt`, categories of amenities those of IMDF.
 */

import { type Static, type TObject, Type } from 'typebox'
import { checkShape, didYouMean } from '../event/shape.ts'
import { type Geometry, readGeometry } from './geometry.ts'
import { AMENITY_CATEGORIES } from './imdf-categories.ts'
import { MAX_PROBLEMS, type Problem, type ProblemKind, quote } from './problems.ts'

const MAX_LENGTH = 32 * 1024 * 1024
const MAX_FEATURES = 20_000
const MAX_POSITIONS = 200_000
/** Corners of a zone. Every segment of every path is compared with each of them. */
const MAX_CORNERS = 5_000

const ID = '^[\\x21-\\x7e]{1,128}$'
const number = (minimum: number, maximum: number, what: string) =>
  Type.Number({ minimum, maximum, description: `${what}, ${minimum} to ${maximum}` })

const AN_ID = 'an id: 1 to 128 characters of ASCII, no space'
const Id = Type.String({ pattern: ID, description: AN_ID })
const Wheelchair = Type.Enum(['yes', 'no', 'limited'], { description: 'one of "yes", "no", "limited"' })

const common = {
  name: Type.Optional(
    Type.Refine(
      Type.String({ maxLength: 120, description: 'a name on one line, 120 characters at most' }),
      (text) => text.trim() !== '' && text.isWellFormed() && !/\p{Cc}/u.test(text),
    ),
  ),
  level: Type.Optional(number(-100, 500, 'a floor, 0 for the ground')),
}
const place = { ...common, wheelchair: Type.Optional(Wheelchair), node: Type.Optional(Id) }

/** The properties of each kind of feature, beside `kind` and `id`. A description completes "must be ...". */
export const PROPERTIES = {
  zone: Type.Object(common),
  gate: Type.Object(place),
  checkpoint: Type.Object(place),
  node: Type.Object(common),
  amenity: Type.Object({
    ...place,
    category: Type.String({
      pattern: '^[a-z0-9]{1,40}(\\.[a-z0-9]{1,40}){0,4}$',
      description: 'an IMDF amenity category such as "restroom.wheelchair"',
    }),
    zone: Type.Optional(Id),
  }),
  path: Type.Object({
    ...common,
    from: Type.Optional(Id),
    to: Type.Optional(Id),
    pathway_mode: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 7, description: 'a pathway_mode of GTFS, 1 to 7' }),
    ),
    is_bidirectional: Type.Optional(
      Type.Unsafe<boolean | number>({
        type: ['boolean', 'integer'],
        minimum: 0,
        maximum: 1,
        description: '0 for one way (or false), 1 for both (or true)',
      }),
    ),
    length: Type.Optional(number(0, 100_000, 'metres')),
    traversal_time: Type.Optional(number(0, 86_400, 'seconds')),
    wheelchair_traversal_time: Type.Optional(number(0, 86_400, 'seconds')),
    stair_count: Type.Optional(
      Type.Integer({ minimum: -5000, maximum: 5000, description: 'a whole number of steps, negative for down' }),
    ),
    max_slope: Type.Optional(number(-2, 2, 'rise over run')),
    min_width: Type.Optional(number(0.1, 1000, 'metres')),
    wheelchair: Type.Optional(Wheelchair),
    zones: Type.Optional(Type.Array(Id, { maxItems: 32, description: 'a list of 32 zone ids at most' })),
  }),
} satisfies Record<string, TObject>

const Speeds = Type.Object(
  {
    walk: Type.Optional(number(0.1, 5, 'metres a second')),
    step_free: Type.Optional(number(0.1, 5, 'metres a second')),
    stair_up: Type.Optional(number(0, 60, 'seconds a step')),
    stair_down: Type.Optional(number(0, 60, 'seconds a step')),
    lift: Type.Optional(number(0, 3600, 'seconds a ride')),
    escalator: Type.Optional(number(0, 3600, 'seconds a ride')),
    gate: Type.Optional(number(0, 3600, 'seconds a person')),
  },
  { additionalProperties: false, description: 'an object of speeds' },
)
const Tolerances = Type.Object(
  {
    join_metres: Type.Optional(number(0, 50, 'metres')),
    place_metres: Type.Optional(number(0, 5000, 'metres')),
  },
  { additionalProperties: false, description: 'an object of tolerances' },
)

export type Speeds = Required<Static<typeof Speeds>>
export type Tolerances = Required<Static<typeof Tolerances>>

/** Defaults for people in a crowd: `trust-and-mesh.md`, section 6. */
export const SPEEDS: Speeds = {
  walk: 1.2,
  step_free: 1.0,
  stair_up: 0.7,
  stair_down: 0.6,
  lift: 60,
  escalator: 30,
  gate: 5,
}
/** Points closer than `join_metres` are joined; a place further than `place_metres` from every path is an error. */
export const TOLERANCES: Tolerances = { join_metres: 0.5, place_metres: 50 }

export type Kind = keyof typeof PROPERTIES
export type SourceFeature<K extends Kind = Kind> = {
  [Each in K]: {
    readonly kind: Each
    readonly id: string
    /** Its name in problems. */
    readonly label: string
    readonly geometry: Geometry
  } & Readonly<Static<(typeof PROPERTIES)[Each]>>
}[K]

export interface VenueSource {
  readonly features: readonly SourceFeature[]
  readonly speeds: Speeds
  readonly tolerances: Tolerances
}

/** Reads the text of a `venue.geojson`. `source` has what is sound in it, and can be compiled to find further problems. */
export function parseSource(text: string): { source: VenueSource; problems: Problem[] } {
  if (text.length > MAX_LENGTH) return unreadable('larger than 32 MiB')
  try {
    return checkSource(JSON.parse(text.replace(/^\ufeff/, '')))
  } catch (error) {
    if (error instanceof SyntaxError) return unreadable(`not JSON: ${quote(error.message)}`)
    throw error
  }
}

/** The same for parsed JSON, such as an importer's. */
export function checkSource(json: unknown): { source: VenueSource; problems: Problem[] } {
  const { type, features, crs, speeds, tolerances } = (json ?? {}) as Record<string, unknown>
  if (type !== 'FeatureCollection' || !Array.isArray(features)) return unreadable('not a GeoJSON FeatureCollection')
  if (features.length > MAX_FEATURES) {
    return unreadable(`${features.length} features; a map holds ${MAX_FEATURES} at most`, 'too_much')
  }
  const name = (crs as { properties?: { name?: unknown } } | null | undefined)?.properties?.name
  if (typeof name === 'string' && !/CRS84|EPSG:+4326/.test(name)) {
    return unreadable(`coordinates in ${quote(name)}; save the map as WGS 84 (EPSG:4326)`)
  }

  const problems: Problem[] = []
  const reader = new FeatureReader(problems)
  return {
    source: {
      features: features.flatMap((feature, index) => reader.read(feature, index)),
      speeds: { ...SPEEDS, ...settings('speeds', Speeds, speeds, problems) },
      tolerances: { ...TOLERANCES, ...settings('tolerances', Tolerances, tolerances, problems) },
    },
    problems,
  }
}

function unreadable(message: string, kind: ProblemKind = 'unreadable'): { source: VenueSource; problems: Problem[] } {
  const source = { features: [], speeds: SPEEDS, tolerances: TOLERANCES }
  return { source, problems: [{ kind, feature: '', message }] }
}

function settings<T extends TObject>(name: string, type: T, json: unknown, problems: Problem[]): Partial<Static<T>> {
  if (json === undefined || json === null) return {}
  const { mistakes, sound } = checkShape(type, json)
  for (const { path, message } of mistakes) {
    problems.push({ kind: 'bad_property', feature: '', message: `${name}${path && `.${path}`}: ${message}` })
  }
  // A refused value is `undefined` in the sound part, and would override its default.
  return Object.fromEntries(Object.entries(sound ?? {}).filter(([, value]) => value !== undefined)) as Partial<
    Static<T>
  >
}

/** Reads one feature after the other, and finds duplicate ids and too many positions. */
class FeatureReader {
  readonly #problems: Problem[]
  readonly #seen = new Map<string, string>()
  #positions = 0

  constructor(problems: Problem[]) {
    this.#problems = problems
  }

  /** The feature, or none if it cannot be compiled. */
  read(json: unknown, index: number): SourceFeature[] {
    const nth = `features[${index}]`
    if (this.#problems.length > MAX_PROBLEMS) return []
    const { type, id: outer, properties, geometry: shape } = (json ?? {}) as Record<string, unknown>
    if (type !== 'Feature' || typeof properties !== 'object' || properties === null) {
      return this.#refuse('bad_feature', nth, 'must be a GeoJSON Feature with properties')
    }
    // Drawing programs write every column for every feature, with null for no value.
    const {
      kind,
      id: inner,
      ...given
    } = Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null))
    if (typeof kind !== 'string' || !Object.hasOwn(PROPERTIES, kind)) {
      const guess = typeof kind === 'string' ? didYouMean(kind, Object.keys(PROPERTIES)) : ''
      const name = outer ?? inner
      const feature = typeof name === 'string' && name !== '' ? `${nth} ${quote(name)}` : nth
      return this.#refuse('bad_feature', feature, `kind must be one of ${Object.keys(PROPERTIES).join(', ')}${guess}`)
    }
    const id = outer ?? inner ?? (kind === 'path' ? `path-${index}` : undefined)
    const word = typeof id === 'number' ? `${id}` : id
    if (typeof word !== 'string' || !new RegExp(ID).test(word)) {
      return this.#refuse('bad_property', nth, `id must be ${AN_ID}`)
    }
    return this.#feature(kind as Kind, word, nth, given, readGeometry(shape))
  }

  #feature(kind: Kind, id: string, nth: string, given: object, geometry: Geometry | string): SourceFeature[] {
    const label = `${kind} ${quote(id)}`
    const before = this.#seen.get(label)
    if (before !== undefined) return this.#refuse('duplicate_id', label, `${nth} has the id of ${before}`)
    this.#seen.set(label, nth)

    const { mistakes, sound } = checkShape(PROPERTIES[kind], given)
    for (const { path, message } of mistakes) this.#refuse('bad_property', label, `${path}: ${message}`)
    this.#warn(kind, label, given)
    const wrong = typeof geometry === 'string' ? geometry : misplaced(kind, geometry, sound as PathEnds)
    if (wrong !== undefined) return this.#refuse('bad_geometry', label, wrong)
    const size = sizeOf(geometry as Geometry)
    if (kind === 'zone' && size > MAX_CORNERS) {
      return this.#refuse('too_much', label, `${size} corners; draw the border with ${MAX_CORNERS} at most`)
    }
    this.#positions += size
    if (this.#positions > MAX_POSITIONS) {
      return this.#refuse('too_much', label, `past ${MAX_POSITIONS} positions; draw with fewer corners`)
    }
    if (mistakes.length > 0) return []
    return [{ ...(sound as object), kind, id, label, geometry } as SourceFeature]
  }

  /** Otherwise a ramp with a misspelt `max_slop` would not be known to be steep. */
  #warn(kind: Kind, label: string, given: object): void {
    const known = Object.keys(PROPERTIES[kind].properties)
    for (const name of Object.keys(given)) {
      const guess = known.includes(name) ? '' : didYouMean(name, known)
      if (guess) this.#refuse('unknown_property', label, `unknown property ${quote(name)}${guess}`)
    }
    const { category } = given as { category?: unknown }
    if (kind !== 'amenity' || typeof category !== 'string' || AMENITY_CATEGORIES.has(category)) return
    const guess = didYouMean(category, AMENITY_CATEGORIES)
    if (guess) this.#refuse('unknown_category', label, `${quote(category)} is not a category of IMDF${guess}`)
  }

  #refuse(kind: ProblemKind, feature: string, message: string): [] {
    this.#problems.push({ kind, feature, message })
    return []
  }
}

type PathEnds = { from?: string; to?: string }

/** The reason why a geometry does not fit its kind of feature. */
function misplaced(kind: Kind, geometry: Geometry, { from, to }: PathEnds): string | undefined {
  const { type } = geometry
  if (kind === 'zone') return type === 'areas' ? undefined : 'a zone must be a Polygon or MultiPolygon'
  if (kind === 'node') return type === 'point' ? undefined : 'a node must be a Point'
  if (kind !== 'path') return type === 'none' ? `a ${kind} must have a geometry` : undefined
  if (type === 'none') return from && to ? undefined : 'a path must have a line, or both "from" and "to"'
  if (type !== 'lines') return 'a path must be a LineString or MultiLineString'
  if (geometry.lines.length > 1 && (from || to)) return 'a path with "from" or "to" must be one line'
  return undefined
}

function sizeOf(geometry: Geometry): number {
  if (geometry.type === 'lines') return geometry.lines.reduce((sum, line) => sum + line.length, 0)
  if (geometry.type === 'areas')
    return geometry.areas.reduce((sum, area) => sum + sizeOf({ type: 'lines', lines: area }), 0)
  return 1
}
