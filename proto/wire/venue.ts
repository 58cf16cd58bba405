/**
 * The venue: the compiled plan that anyone may read, the amenities near a ticket, and the gate that a person is sent to.
 * `box/docs/venue.md` says what the fields mean and how they are made.
 */
import { type Static, Type } from 'typebox'
import { Count, Direction, Nullable, OUTSIDE, Shape, Time } from './terms.ts'

const numbers = (count: number, description: string) => ({
  ...Type.Array(Type.Number(), { minItems: count, maxItems: count }),
  description,
})

/** As in GeoJSON: longitude first. */
export const Position = Type.Unsafe<[number, number]>(numbers(2, 'Longitude and latitude, WGS 84, in degrees'))
export type Position = Static<typeof Position>

export const StepFree = Type.Unsafe<boolean | 'unverified'>({
  enum: [true, false, 'unverified'],
  description:
    'Without steps, escalators, slopes over 1:12 and passages under 0.9 m; "unverified" where nobody has said',
})
export type StepFree = Static<typeof StepFree>

const Metres = Type.Number({ minimum: 0, description: 'Metres, to the centimetre' })
const Seconds = Type.Number({ minimum: 0, description: 'Seconds, to the hundredth' })
const Index = Type.Integer({ minimum: 0 })
const Level = Type.Number({ description: 'Floor; 0 is the ground' })
const ThereAndBack = Type.Unsafe<[number, number | null]>({
  type: 'array',
  items: { type: ['number', 'null'], minimum: 0, description: 'null where nobody may walk back' },
  minItems: 2,
  maxItems: 2,
  description: 'Seconds in the direction of `nodes`, and against it; null where nobody may walk back',
})

const access = {
  node: Type.Integer({
    minimum: 0,
    description: 'Node at which the way to it leaves the network: an index of `nodes`',
  }),
  metres: Type.Number({ minimum: 0, description: 'From that node to the place itself' }),
  seconds: Seconds,
  step_free: StepFree,
  step_free_seconds: Type.Optional(Seconds),
}

export const MapZone = Shape('MapZone', {
  id: Type.String(),
  level: Nullable(Type.Number({ description: 'Floor; null for every floor' })),
  polygons: Type.Array(Type.Array(Type.Array(Position)), { description: 'As the coordinates of a MultiPolygon' }),
  label: Position,
})
export type MapZone = Static<typeof MapZone>

export const MapPlace = Shape(
  'MapPlace',
  { id: Type.String(), at: Position, level: Level, ...access },
  'A gate or checkpoint, by its id in the plan',
)
export type MapPlace = Static<typeof MapPlace>

export const MapAmenity = Shape('MapAmenity', {
  id: Type.String(),
  category: Type.String({ description: 'IMDF amenity category, such as restroom.wheelchair' }),
  name: Type.String(),
  zone: Nullable(Type.String({ description: 'The zone that it is in; null for outside' })),
  at: Position,
  level: Level,
  ...access,
})
export type MapAmenity = Static<typeof MapAmenity>

export const MapPath = Shape('MapPath', {
  id: Type.String(),
  name: Nullable(Type.String(), 'where it has none'),
  mode: Type.Integer({ minimum: 1, maximum: 7, description: 'pathway_mode of GTFS pathways.txt' }),
  level: Level,
})
export type MapPath = Static<typeof MapPath>

export const MapEdge = Shape('MapEdge', {
  path: Type.Integer({ minimum: 0, description: 'An index of `paths`' }),
  nodes: Type.Unsafe<[number, number]>(numbers(2, 'Indices of `nodes`')),
  line: Type.Optional(Type.Array(Position, { description: 'Bends between the two nodes' })),
  metres: Metres,
  seconds: ThereAndBack,
  step_free: StepFree,
  step_free_seconds: Type.Optional(ThereAndBack),
  zones: Type.Array(Type.String(), { description: 'Zones that one has to be allowed into to walk here' }),
})
export type MapEdge = Static<typeof MapEdge>

export const VenueMap = Shape('VenueMap', {
  bounds: Type.Unsafe<[number, number, number, number]>(numbers(4, 'West, south, east, north')),
  zones: Type.Array(MapZone),
  gates: Type.Array(MapPlace),
  checkpoints: Type.Array(MapPlace),
  amenities: Type.Array(MapAmenity),
  paths: Type.Array(MapPath),
  nodes: Type.Array(Type.Unsafe<[number, number, number]>(numbers(3, 'Longitude, latitude, floor')), {
    description: 'Points at which paths meet, bend around a border, or are left for a place',
  }),
  edges: Type.Array(MapEdge),
})
export type VenueMap = Static<typeof VenueMap>

export const VenuePlan = Shape(
  'VenuePlan',
  {
    event_id: Type.String(),
    zones: Type.Array(Shape('PlanZone', { id: Type.String(), name: Type.String(), capacity: Count })),
    gates: Type.Array(Shape('PlanGate', { id: Type.String(), name: Type.String() })),
    checkpoints: Type.Array(
      Shape('PlanCheckpoint', {
        id: Type.String(),
        name: Type.String(),
        gate: Type.String(),
        direction: Direction,
        from: Nullable(Type.String({ description: 'Zone' }), OUTSIDE),
        to: Nullable(Type.String({ description: 'Zone' }), OUTSIDE),
        tiers: Type.Array(Type.String()),
        opens_at: Type.Optional(Time),
        closes_at: Type.Optional(Time),
      }),
    ),
    map: Type.Optional(VenueMap),
  },
  'Canonical JSON (RFC 8785): the same source gives the same bytes. `map` is absent where nobody has drawn one.',
)
export type VenuePlan = Static<typeof VenuePlan>

export const NearbyAmenity = Shape('NearbyAmenity', {
  id: Type.String(),
  category: Type.String(),
  name: Type.String(),
  zone: Nullable(Type.String(), OUTSIDE),
  walking_seconds: Count,
  metres: Count,
  step_free: StepFree,
  via: Type.Array(Type.String(), {
    description: 'Names of the paths, in walking order; unnamed footpaths are left out',
  }),
  route: Type.Array(Index, { description: "Indices of the plan's `map.edges`, in walking order" }),
})
export type NearbyAmenity = Static<typeof NearbyAmenity>

export const Nearby = Shape('Nearby', { amenities: Type.Array(NearbyAmenity, { description: 'Nearest first' }) })
export type Nearby = Static<typeof Nearby>

const way = {
  checkpoint: Type.String(),
  checkpoint_name: Type.String(),
  walking_seconds: Nullable(Type.Integer({ minimum: 0, description: 'null where the venue has no map' })),
  wait_seconds: Type.Integer({ minimum: 0, description: 'Expected wait in the queue there' }),
}

export const Alternative = Shape('Alternative', way)
export type Alternative = Static<typeof Alternative>

export const Guidance = Shape('Guidance', {
  ...way,
  reason: Type.String({ description: 'One sentence to read out' }),
  alternatives: Type.Array(Alternative, { description: 'Every other checkpoint that serves the ticket, best first' }),
})
export type Guidance = Static<typeof Guidance>
