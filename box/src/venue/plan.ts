import { createHash } from 'node:crypto'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import type { EventDefinition } from '../event/event.ts'

/** What `GET /v1/venue` answers. */
export interface Plan {
  /** RFC 8785 JSON: `{ event_id, zones, gates, checkpoints }`, the lists as `event.json` has them and in its order. */
  body: string
  /** Strong, `"sha256-<hex of the body>"` with its quotes: it changes exactly when the body does. */
  etag: string
}

/** The plan of a venue that has no map. Anyone may read it, so it takes the parts that it names and nothing else. */
export function compilePlan({ id, zones, gates, checkpoints }: EventDefinition): Plan {
  const body = canonicalJson({ event_id: id, zones, gates, checkpoints })
  return { body, etag: `"sha256-${createHash('sha256').update(body).digest('hex')}"` }
}
