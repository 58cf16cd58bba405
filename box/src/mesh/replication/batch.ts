/**
 * Applies one batch of another box's journal, in one transaction: its entries are stored byte for byte, what follows from them is
 * applied, and one entry of this box's own records that they were replicated. The order of the batches and their repetition make
 * no difference to the state that they lead to.
 */
import { type HybridLogicalClock, parse } from '@gatehouse/proto/hlc.ts'
import type { Flags } from '../../cases/flags.ts'
import { flagDoubleUse, reconcileCases } from '../../cases/reconcile.ts'
import { AHEAD_MS } from '../../clock/fence.ts'
import { eq } from '../../drizzle/core.ts'
import type { Event } from '../../event/event.ts'
import type { NewEntry } from '../../ledger/entries.ts'
import { boxes } from '../../ledger/schema.ts'
import { hearCosignature } from '../../seal/cosign/witness.ts'
import { namesErased } from '../../tickets/erasure.ts'
import type { TicketVersions } from '../../tickets/versions.ts'
import { apply } from './apply/apply.ts'
import type { ApplyDeps } from './apply/context.ts'
import { mergeProducts } from './apply/products.ts'
import { TicketMerge } from './apply/tickets.ts'
import { isBookkeeping } from './bookkeeping.ts'
import type { PeerEntry } from './envelope.ts'
import { contiguousSize, newEntries, recordPending, storeEntries, UNRECORDED } from './peer-journal.ts'
import { digestOf, replicatedEntry } from './replicated-passages.ts'

/**
 * Entries of a box whose clock is further ahead are replicated, but this box's clock does not follow them. A box that comes back
 * from a power cut starts at its clock fence, which may be ahead by `AHEAD_MS`; what this box writes after it has replicated that
 * must have a later time all the same.
 */
export const MAX_OFFSET_MS = AHEAD_MS + 5_000

export interface BatchDeps extends ApplyDeps {
  event: Event
  clock: HybridLogicalClock
  flags: Flags
  versions: TicketVersions
  /** The id of this box. */
  self: string
}

export interface Batch {
  box: string
  /** Of its journal, in order and without a gap. */
  entries: readonly PeerEntry[]
  /** The last entry lacks some of its tickets: its rows are merged, and the entry itself is stored with the last of them. */
  incomplete: boolean
}

export interface BatchResult {
  /** The box's journal is here up to, and not including, this index. */
  replicated: number
  /** Milliseconds by which its clock is ahead, where that is too far to follow. */
  aheadMs: number | undefined
}

/**
 * Within a transaction.
 * @throws ForkError, ForeignTicketError
 */
export function applyBatch({ box, entries, incomplete }: Batch, deps: BatchDeps): BatchResult {
  const { ledger, clock, self, versions } = deps
  const { drizzle } = ledger.db
  const known = drizzle.select().from(boxes).where(eq(boxes.id, box)).get()
  if (!known) throw new RangeError(`${box} is not a box of this event`)
  const complete = incomplete ? entries.slice(0, -1) : entries
  const fresh = newEntries(box, complete, deps)
  const partial = incomplete ? entries.slice(-1) : []
  // The index of the entry that records them, should there be one.
  const recordedBy = ledger.size

  const tickets = new TicketMerge({ ...deps, self }, versions, recordedBy)
  for (const { rows } of [...fresh, ...partial]) for (const row of rows.tickets ?? []) tickets.merge(row)
  const digest = tickets.finish()
  const sold = [...fresh, ...partial].flatMap(({ rows }) => rows.products ?? [])
  const isRecorded = mergeProducts(sold, recordedBy, deps) || digest !== undefined || needRecord(complete, fresh)
  storeEntries(box, fresh, isRecorded ? recordedBy : UNRECORDED, deps)
  for (const { kind, fields } of fresh) if (kind === 'cosign') hearCosignature(fields, box, ledger)
  const replicated = contiguousSize(box, known.heard, deps)
  if (replicated !== known.heard) drizzle.update(boxes).set({ heard: replicated }).where(eq(boxes.id, box)).run()
  const aheadMs = raiseClock(fresh.at(-1), clock)
  if (!isRecorded) return { replicated, aheadMs }

  const recorded = [...recordPending(box, known.heard, recordedBy, deps), ...fresh]
  const place = entries.at(-1)?.index ?? replicated
  const fields: NewEntry<'heard'> =
    recorded.length > 0
      ? replicatedEntry(box, recorded, deps)
      : { box, from: place, to: place, digest: digestOf([]), again: [], known: [] }
  ledger.append('heard', { ...fields, ...(digest !== undefined && { tickets_digest: digest }) })
  for (const entry of fresh) apply(entry, { ...deps, recordedBy, box })
  reconcileCases(recordedBy, noteReader(fresh, deps), deps)
  for (const { ref, slot } of tickets.placed) flagDoubleUse(ref, slot, deps)
  return { replicated, aheadMs }
}

/** Bookkeeping needs no record, unless it comes before an entry that an urgent page had brought and that was recorded then. */
function needRecord(complete: readonly PeerEntry[], fresh: readonly PeerEntry[]): boolean {
  const isFresh = new Set(fresh)
  const overtaken =
    fresh.length === complete.length ? -1 : (complete.findLast((entry) => !isFresh.has(entry))?.index ?? -1)
  return fresh.some((entry) => !isBookkeeping(entry) || entry.index < overtaken)
}

/** Reads the notes that came along. After an erasure none comes back: another box may not have replicated the erasure yet. */
function noteReader(fresh: readonly PeerEntry[], { ledger }: BatchDeps) {
  const notes = new Map((namesErased(ledger.db) ? [] : fresh).map(({ index, rows }) => [index, rows.note]))
  return (index: number) => {
    const row = notes.get(index)
    return row && { note: row.note, salt: Buffer.from(row.salt, 'base64') }
  }
}

/** A peer raises this box's clock no further than clocks may differ. @returns how far it is ahead where that is further */
function raiseClock(last: PeerEntry | undefined, clock: HybridLogicalClock): number | undefined {
  const reading = last && parse(last.hlc)
  if (!reading) return undefined
  const aheadMs = reading.ms - clock.wall()
  if (aheadMs > MAX_OFFSET_MS) return aheadMs
  clock.raiseTo(reading)
  return undefined
}
