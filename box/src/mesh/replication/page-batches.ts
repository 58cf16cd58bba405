/** Cuts a page into batches. Each is one transaction, and no scan has to wait long for one. Pure. */
import type { PeerEntry, PeerPage } from './envelope.ts'

/** Entries and tickets in one batch. */
const MOST_AT_ONCE = 64

export interface PageBatch {
  entries: readonly PeerEntry[]
  /** The last entry has more tickets, which come with a later batch or page. */
  incomplete: boolean
}

export function* batchesOf({ entries, more }: Pick<PeerPage, 'entries' | 'more'>): Generator<PageBatch> {
  let batch: PeerEntry[] = []
  let weight = 0
  for (const entry of entries) {
    const { tickets = [] } = entry.rows
    for (let from = 0; from + MOST_AT_ONCE < tickets.length; from += MOST_AT_ONCE) {
      yield { entries: [...batch, withTickets(entry, tickets.slice(from, from + MOST_AT_ONCE))], incomplete: true }
      batch = []
      weight = 0
    }
    const done = Math.floor(Math.max(0, tickets.length - 1) / MOST_AT_ONCE) * MOST_AT_ONCE
    batch.push(done === 0 ? entry : withTickets(entry, tickets.slice(done)))
    weight += 1 + tickets.length - done
    const isLast = entry === entries.at(-1)
    if (!isLast && weight < MOST_AT_ONCE) continue
    yield { entries: batch, incomplete: isLast && more !== undefined }
    batch = []
    weight = 0
  }
}

function withTickets(entry: PeerEntry, tickets: PeerEntry['rows']['tickets']): PeerEntry {
  return { ...entry, fields: entry.fields, rows: { tickets } } as PeerEntry
}
