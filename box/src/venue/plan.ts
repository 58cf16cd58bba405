/** The plan of an event as phones and scanners get it: one text, made once, and its ETag. */
import { createHash } from 'node:crypto'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import type { VenueMap } from '@gatehouse/proto/wire/venue.ts'
import type { EventDefinition } from '../event/event.ts'

/** The answer to `GET /v1/venue`. */
export interface Plan {
  /**
   * RFC 8785 JSON: `{ event_id, zones, gates, checkpoints }`, the lists as `event.json` has them and in its order, and
   * `map` where there is one. The shape is `VenuePlan` in `proto/wire/venue.ts`.
   */
  body: string
  /** Strong, `"sha256-<hex of the body>"` with its quotes: it changes exactly when the body does. */
  etag: string
}

/** The plan of an event, with its map if it has one. It contains nothing else of the event, because anybody may read it. */
export function compilePlan({ id, zones, gates, checkpoints }: EventDefinition, map?: VenueMap): Plan {
  const body = canonicalJson({ event_id: id, zones, gates, checkpoints, ...(map && { map }) })
  return { body, etag: `"sha256-${createHash('sha256').update(body).digest('hex')}"` }
}
