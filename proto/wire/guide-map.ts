/** The map of the event as a draft: `venue.geojson`, and the files of others that become one (admin tier). */
import { type Static, Type } from 'typebox'
import { EventRevision } from './guide.ts'
import { Coded, Id, Nullable, Shape, Words } from './terms.ts'

/** A larger map is edited and imported on the command line: the box parses it while it scans. */
export const MOST_MAP_BYTES = 4 * 1024 * 1024
export const MOST_MAP_FILES = 40

const Collection = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'The content of venue.geojson, a GeoJSON FeatureCollection',
})

export const MapProblem = Shape('MapProblem', {
  severity: Type.Enum(['error', 'warning'], { description: 'With an error the map cannot be saved' }),
  kind: Type.String(),
  feature: Type.String({ description: 'Empty for the map as a whole' }),
  message: Type.String(),
  coded: Type.Optional(
    Type.Array(Coded, { description: 'The same as codes: each is a sentence, and they follow one another' }),
  ),
})
export type MapProblem = Static<typeof MapProblem>

export const MapDraft = Shape('MapDraft', {
  state: Type.Enum(['none', 'drawn', 'unreadable', 'too_large'], {
    description: 'too_large: more than can be edited here; it is edited as a file',
  }),
  collection: Nullable(Collection, 'unless it is drawn'),
  revision: Nullable(EventRevision, 'where there is no file'),
})
export type MapDraft = Static<typeof MapDraft>

export const MapCheck = Shape('MapCheck', { collection: Collection })
export const MapChecked = Shape('MapChecked', { problems: Type.Array(MapProblem) })
export type MapChecked = Static<typeof MapChecked>

export const MapSave = Shape('MapSave', {
  collection: Nullable(Collection, 'for no map'),
  revision: Nullable(EventRevision, 'where there was no file'),
  actor: Type.Optional(Words),
})
export const MapSaved = Shape('MapSaved', {
  revision: Nullable(EventRevision, 'where there is no map now'),
  pending: Type.Boolean({ description: 'It counts once the box has begun anew' }),
})

const ForeignId = Type.String({ minLength: 1, maxLength: 500 })

export const MapImport = Shape('MapImport', {
  files: Type.Array(Shape('MapFile', { name: Type.String({ minLength: 1, maxLength: 200 }), text: Type.String() }), {
    minItems: 1,
    maxItems: MOST_MAP_FILES,
    description: 'The files of a folder of IMDF or GTFS, GeoJSON, or one that is a map already',
  }),
  gates: Type.Optional(
    Type.Array(Shape('ChosenGate', { id: ForeignId, gate: Id }), {
      maxItems: 1000,
      description: 'Gates by the id of an entrance; with any, other entrances are none',
    }),
  ),
  zone: Type.Optional(Id),
  zones: Type.Optional(Type.Array(Shape('ChosenZone', { id: ForeignId, zone: Id }), { maxItems: 1000 })),
  language: Type.Optional(Type.String({ maxLength: 40 })),
  rules: Type.Optional(
    Type.Unsafe<never[]>(
      Type.Array(Type.Object({}, { additionalProperties: true }), {
        maxItems: 1000,
        description: 'For plain GeoJSON: what its features are, as in `gatehouse venue import --rules`',
      }),
    ),
  ),
})
export type MapImport = Static<typeof MapImport>

const Named = Shape('MapFound', { id: Type.String(), said: Type.String() })
export const MapImported = Shape('MapImported', {
  format: Type.Enum(['imdf', 'gtfs', 'geojson', 'map']),
  collection: Nullable(Collection, 'where nothing can be put on a map, and for GeoJSON without rules'),
  problems: Type.Array(MapProblem, { description: 'Parts that were left out or guessed' }),
  entrances: Type.Array(Named, { description: 'Places that can be a gate' }),
  parts: Type.Array(Named, { description: 'Places that can be a zone' }),
  languages: Type.Array(Type.String()),
})
export type MapImported = Static<typeof MapImported>
