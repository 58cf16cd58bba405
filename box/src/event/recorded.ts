/** Records the event in the journal, so that the entries alone show which gate and zones a checkpoint had. */
import { createHash } from 'node:crypto'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import type { EntryFields } from '../ledger/entries.ts'
import { readValue, writeValue } from '../ledger/identity.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Event, EventDefinition } from './event.ts'

/** Name in the identity table of the digest of the last `event` entry. */
export const EVENT_DIGEST = 'event_digest'

/** Appends the event file's contents, unless the last `event` entry is the same. */
export async function recordEvent(event: Event, boxId: string, ledger: Ledger): Promise<void> {
  const definition = definitionOf(event)
  const digest = createHash('sha256').update(canonicalJson(definition)).digest()
  await ledger.commit(() => {
    if (readValue(ledger.db, EVENT_DIGEST)?.equals(digest)) return
    ledger.append('event', { box: boxId, event: definition })
    writeValue(ledger.db, EVENT_DIGEST, digest)
  })
}

/** The event in an entry: of this box as `recordEvent` wrote it, of another box as it was replicated. */
export function eventIn({ event }: EntryFields<'event'>): EventDefinition {
  return event as EventDefinition
}

/** The file's fields, without what the box has derived from them. */
function definitionOf(event: Event): EventDefinition {
  const { id, name, timezone, starts_at, ends_at, day_starts_at, tiers, zones, gates, checkpoints } = event
  return { id, name, timezone, starts_at, ends_at, day_starts_at, tiers, zones, gates, checkpoints }
}
