/** The event as the journal knows it: whoever reads the entries alone can tell which gate and which zones a checkpoint had. */
import { createHash } from 'node:crypto'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { readValue, writeValue } from '../ledger/identity.ts'
import type { Json, Ledger } from '../ledger/ledger.ts'
import type { Event, EventDefinition } from './event.ts'

/** In the identity table: the digest of the journal's last word about it. */
export const EVENT_DIGEST = 'event_digest'

/** Appends what the event file says, unless the journal's last word about it is the same. */
export async function recordEvent(event: Event, boxId: string, ledger: Ledger): Promise<void> {
  const definition = definitionOf(event)
  const digest = createHash('sha256').update(canonicalJson(definition)).digest()
  await ledger.commit(() => {
    if (readValue(ledger.db, EVENT_DIGEST)?.equals(digest)) return
    ledger.append('event', { box: boxId, event: definition })
    writeValue(ledger.db, EVENT_DIGEST, digest)
  })
}

/** What the file says, without what the box has derived from it. */
function definitionOf(event: Event): { readonly [name: string]: Json } {
  const { id, name, timezone, starts_at, ends_at, day_starts_at, tiers, zones, gates, checkpoints } = event
  const definition: EventDefinition = {
    ...{ id, name, timezone, starts_at, ends_at, day_starts_at, tiers, zones, gates, checkpoints },
  }
  return definition as unknown as { readonly [name: string]: Json }
}
