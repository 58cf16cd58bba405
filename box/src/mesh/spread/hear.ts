/**
 * One batch from one box, in one transaction: what it wrote is kept byte for byte, what follows from it is applied, and one entry
 * of this box's own says that it was heard. Whatever order boxes are heard in, and however often, comes to the same state.
 */
import { type HybridLogicalClock, parse } from '@gatehouse/proto/hlc.ts'
import { AHEAD_MS } from '../../clock/fence.ts'
import { and, asc, desc, eq, gte, lt } from '../../drizzle/core.ts'
import type { Event } from '../../event/event.ts'
import { entryOf } from '../../ledger/ledger.ts'
import { boxes, peerJournal } from '../../ledger/schema.ts'
import type { Flags } from '../../scan/flags.ts'
import { namesForgotten } from '../../tickets/forget.ts'
import type { TicketVersions } from '../../tickets/versions.ts'
import { hearCosignature } from '../cosign/witness.ts'
import type { HeardEntry } from '../facts.ts'
import { digestOf, heardEntry, type Told } from '../reconcile/heard.ts'
import { flagDoubleUse, flagsAfter } from '../reconcile/reconcile.ts'
import { apply } from './apply/apply.ts'
import type { ApplyDeps } from './apply/hearing.ts'
import { HearTickets } from './apply/tickets.ts'
import type { PeerEntry } from './envelope.ts'
import { isSilent } from './silent.ts'

/**
 * A box whose clock is further ahead is heard, and its clock is not believed. One that comes back from a power cut begins at its
 * fence, and what comes after what it said must have a later time all the same.
 */
export const MAX_OFFSET_MS = AHEAD_MS + 5_000
/** In `peer_journal`, of what is kept and not yet said: the next entry about that box says it too. */
const UNSAID = -1

export interface HearDeps extends ApplyDeps {
  event: Event
  clock: HybridLogicalClock
  flags: Flags
  versions: TicketVersions
  /** The id of this box. */
  self: string
}

export interface Batch {
  box: string
  /** Of its journal, in order, without a hole. */
  entries: readonly PeerEntry[]
  /** Tickets of the last entry are missing: their rows count, and the entry itself when it comes with the last of them. */
  incomplete: boolean
}

export interface Heard {
  /** The box's journal is here up to, and not including, this index. */
  heard: number
  /** Its clock is further ahead than is believed. */
  aheadMs: number | undefined
}

/** A journal that says another thing than it said before. Nothing more is taken from that box. */
export class ForkError extends Error {
  override readonly name = 'ForkError'
}

/**
 * Within a transaction.
 * @throws ForkError, ForeignTicketError
 */
export function hear({ box, entries, incomplete }: Batch, deps: HearDeps): Heard {
  const { ledger, clock, self, versions } = deps
  const { drizzle } = ledger.db
  const before = drizzle.select().from(boxes).where(eq(boxes.id, box)).get()
  if (!before) throw new RangeError(`${box} is no box of this event`)
  const complete = incomplete ? entries.slice(0, -1) : entries
  const fresh = withoutKnown(box, complete, deps)
  const partial = incomplete ? entries.slice(-1) : []
  const heard = ledger.size

  const tickets = new HearTickets({ ...deps, self }, versions, heard)
  for (const { rows } of [...fresh, ...partial]) for (const row of rows.tickets ?? []) tickets.hear(row)
  const digest = tickets.finish()
  const overtaken = lastKnown(complete, fresh)
  const loud = digest !== undefined || fresh.some((entry) => !isSilent(entry) || entry.index < overtaken)
  keep(box, fresh, loud ? heard : UNSAID, deps)
  for (const { kind, fields } of fresh) if (kind === 'cosign') hearCosignature(fields, box, ledger)
  const size = contiguous(box, before.heard, deps)
  if (size !== before.heard) drizzle.update(boxes).set({ heard: size }).where(eq(boxes.id, box)).run()
  const aheadMs = listen(fresh.at(-1), clock)
  if (!loud) return { heard: size, aheadMs }

  const said = [...adoptUnsaid(box, before.heard, heard, deps), ...fresh]
  const place = entries.at(-1)?.index ?? size
  const fields: HeardEntry =
    said.length > 0
      ? heardEntry(box, said, deps)
      : { ...{ box, from: place, to: place, digest: digestOf([]), again: [], known: [] } }
  ledger.append('heard', { ...fields, ...(digest !== undefined && { tickets_digest: digest }) })
  for (const entry of fresh) apply(entry, { ...deps, heard })
  // Once forgotten, a note does not come back: another box may not have heard of it yet.
  const noted = namesForgotten(ledger.db) ? [] : fresh
  const notes = new Map(noted.map(({ index, rows }) => [index, rows.note]))
  const noteOf = (index: number) => {
    const row = notes.get(index)
    return row && { note: row.note, salt: Buffer.from(row.salt, 'base64') }
  }
  flagsAfter(heard, noteOf, deps)
  for (const { ref, slot } of tickets.placed) flagDoubleUse(ref, slot, deps)
  return { heard: size, aheadMs }
}

/** Those that are not here yet. @throws ForkError for one that is, and says another thing */
function withoutKnown(box: string, entries: readonly PeerEntry[], { ledger }: HearDeps): PeerEntry[] {
  const [first, last] = [entries[0], entries.at(-1)]
  if (!first || !last) return []
  const known = ledger.db.drizzle
    .select({ index: peerJournal.index, bytes: peerJournal.bytes })
    .from(peerJournal)
    .where(and(eq(peerJournal.box, box), gte(peerJournal.index, first.index), lt(peerJournal.index, last.index + 1)))
    .all()
  const bytesAt = new Map(known.map(({ index, bytes }) => [index, bytes]))
  return entries.filter(({ index, bytes }) => {
    const there = bytesAt.get(index)
    if (there && !there.equals(bytes))
      throw new ForkError(`${box} says another thing of its entry ${index} than before`)
    return !there
  })
}

/** Index of the last entry that an urgent message had brought; -1 for none. */
function lastKnown(all: readonly PeerEntry[], fresh: readonly PeerEntry[]): number {
  if (fresh.length === all.length) return -1
  const isFresh = new Set(fresh)
  return all.findLast((entry) => !isFresh.has(entry))?.index ?? -1
}

function keep(box: string, fresh: readonly PeerEntry[], entry: number, { ledger }: HearDeps): void {
  if (fresh.length === 0) return
  const rows = fresh.map(({ index, hlc, kind, bytes }) => ({ box, index, hlc, kind, bytes, entry }))
  ledger.db.drizzle.insert(peerJournal).values(rows).run()
}

/** How far the journal is here without a hole: an emergency may have come ahead of what was written before it. */
function contiguous(box: string, from: number, { ledger }: HearDeps): number {
  const kept = ledger.db.drizzle
    .select({ index: peerJournal.index })
    .from(peerJournal)
    .where(and(eq(peerJournal.box, box), gte(peerJournal.index, from)))
    .orderBy(asc(peerJournal.index))
    .all()
  let size = from
  for (const { index } of kept) if (index === size) size++
  return size
}

/** What was kept without a word goes with what is said next. */
function adoptUnsaid(box: string, end: number, entry: number, { ledger }: HearDeps): Told[] {
  const { drizzle } = ledger.db
  const ofBox = and(eq(peerJournal.box, box), lt(peerJournal.index, end))
  const last = drizzle
    .select({ index: peerJournal.index })
    .from(peerJournal)
    .where(and(ofBox, gte(peerJournal.entry, 0), lt(peerJournal.entry, entry)))
    .orderBy(desc(peerJournal.index))
    .limit(1)
    .get()
  const unsaid = and(ofBox, gte(peerJournal.index, (last?.index ?? -1) + 1), eq(peerJournal.entry, UNSAID))
  const rows = drizzle.select().from(peerJournal).where(unsaid).orderBy(asc(peerJournal.index)).all()
  if (rows.length > 0) drizzle.update(peerJournal).set({ entry }).where(unsaid).run()
  return rows.map((row) => entryOf(row as Parameters<typeof entryOf>[0]))
}

/** A peer that is ahead pushes this box's clock no further than boxes may differ. */
function listen(last: PeerEntry | undefined, clock: HybridLogicalClock): number | undefined {
  const reading = last && parse(last.hlc)
  if (!reading) return undefined
  const aheadMs = reading.ms - clock.wall()
  if (aheadMs > MAX_OFFSET_MS) return aheadMs
  clock.raiseTo(reading)
  return undefined
}
