/** The map of the event as a draft (admin tier): `MapEditor` over HTTP. */
import {
  MapCheck,
  MapChecked,
  MapDraft,
  MapImport,
  MapImported,
  MapSave,
  MapSaved,
  MOST_MAP_BYTES,
} from '@gatehouse/proto/wire/guide-map.ts'
import { by } from '../ca/actor.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { MapEditor } from './map-editor.ts'

/** JSON quotes what is in the files. */
const BODY_LIMIT = MOST_MAP_BYTES * 1.5

export function mapRoutes(app: App, { mapEditor }: { mapEditor: MapEditor }): void {
  app.get('/v1/admin/event/map', {
    schema: {
      operationId: 'mapDraft',
      summary: 'The map file of the event as it is on the disk; the box may run with an earlier one.',
      response: { 200: MapDraft },
    },
    handler: () => mapEditor.read(),
  })

  app.post('/v1/admin/event/map/import', {
    bodyLimit: BODY_LIMIT,
    schema: {
      operationId: 'importMap',
      summary:
        'Make a map of files of IMDF, GTFS or GeoJSON, and list what could be a gate or a zone. Nothing is written.',
      body: MapImport,
      response: { 200: MapImported, ...failures('bad_request', 'too_large', 'rate_limited') },
    },
    handler: (request) => mapEditor.import(request.body),
  })

  app.post('/v1/admin/event/map/check', {
    bodyLimit: BODY_LIMIT,
    schema: {
      operationId: 'checkMap',
      summary: 'Check a map against the event file, as `gatehouse check-event` does. Nothing is written.',
      body: MapCheck,
      response: { 200: MapChecked, ...failures('bad_request', 'too_large', 'conflict', 'rate_limited') },
    },
    handler: (request) => mapEditor.check(request.body.collection),
  })

  app.put('/v1/admin/event/map', {
    bodyLimit: BODY_LIMIT,
    schema: {
      operationId: 'saveMap',
      summary: 'Write the map file, or take it away. It counts once the box has begun anew.',
      body: MapSave,
      response: {
        200: MapSaved,
        ...failures('bad_request', 'too_large', 'conflict', 'rate_limited', 'ledger_unavailable'),
      },
    },
    handler: (request) => mapEditor.save(request.body, by(request, request.body.actor)),
  })
}
