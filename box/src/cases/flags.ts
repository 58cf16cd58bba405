/**
 * Cases for the control room: two uses of one ticket, and whatever else a person has to look at. A case merges what all
 * boxes have recorded of it, in whatever order their entries arrive: the union of the records, and the last resolution by
 * somebody who has seen all of those.
 */
import { createHash } from 'node:crypto'
import { type HybridLogicalClock, parse } from '@gatehouse/proto/hlc.ts'
import type { ResolveRequest, ShopWords } from '@gatehouse/proto/wire/admin.ts'
import { type By, whoOf } from '../ca/actor.ts'
import { count, eq, inArray, sql } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import type { Db } from '../ledger/db.ts'
import type { EntryFields, NewEntry } from '../ledger/entries.ts'
import { readValue } from '../ledger/identity.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { noteHash } from '../ledger/note-hash.ts'
import { type FlagKind, type FlagRow, flagScans, flags } from '../ledger/schema.ts'
import { matching, placeholders } from '../ledger/statements.ts'

export interface NewFlag {
  kind: FlagKind
  /** The subject of the case: two openings of one kind with the same subject are one case, at every box. */
  about: string
  ticketRef: string | null
  device: string | null
  occurrence: number | null
  scanIds: readonly string[]
  /** The clock's reading at the record that made it a case. */
  since: string
  /** Leaves a case that exists as it is: it would otherwise gain a record with every scan. */
  onlyFirst?: boolean
  /** Of a `shop_conflict`. */
  shop?: ShopWords
}

/** A resolution of another box. `hlc` and `box` give its place among all of them. */
export interface ReplicatedResolution {
  fact: EntryFields<'flag_resolved'>
  hlc: string
  box: string
  /** As that box keeps it; undefined where it was not sent along. */
  note: { note: string; salt: Buffer } | undefined
}

/** The number of a case's records that its row has. */
export const MOST_IN_ROW = 32

/** @returns every record of these cases, each in the order in which this box learned of them */
export function scansOfFlags(ids: readonly string[], { drizzle }: Pick<Db, 'drizzle'>): Map<string, string[]> {
  const found = new Map<string, string[]>(ids.map((id) => [id, []]))
  const among = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
  const rows = drizzle.select().from(flagScans).where(inArray(flagScans.flag, among)).orderBy(flagScans.id).all()
  for (const { flag, scanId } of rows) found.get(flag)?.push(scanId)
  return found
}

/** The same at every box. */
export function flagId(kind: FlagKind, about: string): string {
  return createHash('sha256').update(`${kind}\0${about}`).digest('hex').slice(0, 24)
}

export class Flags {
  readonly #db: Db
  readonly #ledger: Ledger
  readonly #clock: HybridLogicalClock
  readonly #statements: ReturnType<typeof prepare>

  constructor(deps: { db: Db; ledger: Ledger; clock: HybridLogicalClock }) {
    this.#db = deps.db
    this.#statements = prepare(deps.db)
    this.#ledger = deps.ledger
    this.#clock = deps.clock
  }

  find(id: string): FlagRow | undefined {
    return this.#statements.byId.get({ id })
  }

  /** Every record of a case, in the order in which this box learned of them. */
  scansOf(id: string): string[] {
    return scansOfFlags([id], this.#db).get(id) ?? []
  }

  /**
   * Opens a case, or adds its records to the one that exists. One that was resolved is open again: whoever resolved it has
   * not seen them. Within a transaction.
   * @returns its id
   */
  open(flag: NewFlag): string {
    const id = flagId(flag.kind, flag.about)
    const existing = this.find(id)
    const isKnown = (scan: string) => existing !== undefined && this.#statements.record.get({ flag: id, scanId: scan })
    // The entry names what is new, and not the list again: a thousand records of one case are a thousand references in the
    // journal. Every reader, older ones too, merges the entries of a case.
    const scans = [...new Set(flag.scanIds)].filter((scan) => !isKnown(scan))
    if (existing && (flag.onlyFirst || scans.length === 0)) return id
    const { kind, ticketRef, device, occurrence, since, shop } = flag
    const fields: NewEntry<'flag'> = {
      device,
      flag: id,
      flag_kind: kind,
      occurrence,
      scans,
      since,
      ticket: ticketRef,
      reopened: (existing?.resolution ?? null) !== null,
      ...(shop && { shop }),
    }
    const { index } = this.#ledger.append('flag', fields)
    this.#add(fields, index)
    return id
  }

  /**
   * Adds what another box has recorded of a case. Within a transaction.
   * @param hlc of that box's entry
   * @param entry index of this box's entry that replicates it
   */
  addReplicated(fact: EntryFields<'flag'>, hlc: string, entry: number): void {
    // An entry from before there were several boxes has neither field.
    this.#add({ ...fact, occurrence: fact.occurrence ?? null, since: fact.since ?? hlc }, entry)
  }

  /** Resolves a case as another box did. Within a transaction. @param entry index of this box's entry that replicates it */
  resolveReplicated({ fact, hlc, box, note }: ReplicatedResolution, entry: number): void {
    const { flag, flag_kind } = fact
    const scans = fact.scans ?? this.scansOf(flag)
    const ticket = fact.ticket ?? null
    // The other box may know records of the case that are not replicated here yet.
    this.#add({ flag, flag_kind, scans, ticket, device: null, occurrence: null, since: hlc, reopened: false }, entry)
    const row = this.find(flag)
    if (!row || scans.length < this.#count(flag) || !isLater({ hlc, box }, row)) return
    const verified = note && noteHash(note.note, note.salt) === fact.note_hash ? note : undefined
    const resolved = {
      resolution: fact.resolution,
      resolvedBy: fact.actor,
      resolvedAt: Date.parse(fact.at),
      entry,
      resolutionNote: verified?.note ?? null,
      resolutionSalt: verified?.salt ?? null,
      resolutionHlc: hlc,
      resolutionBox: box,
    }
    this.#db.drizzle.update(flags).set(resolved).where(eq(flags.id, flag)).run()
  }

  /**
   * Records what a case turned out to be. Its records stay. Of several resolutions the last one by somebody who has seen
   * every record counts; the journal has all of them.
   * @param salt 16 random bytes for the note's hash in the journal: the note may name people, and can be erased
   * @throws GatehouseError `not_found`; `conflict` when the case has changed since `version`; `ledger_unavailable`
   */
  resolve(id: string, { resolution, note, version }: ResolveRequest, by: By, salt: Buffer): Promise<FlagRow> {
    return this.#ledger.commit(() => {
      const { drizzle } = this.#db
      const row = this.find(id)
      if (!row)
        throw new GatehouseError('not_found', 'There is no such case: take its id from the list of flags.', {
          reason: 'case_unknown',
        })
      if (version !== undefined && version !== row.entry) {
        throw new GatehouseError(
          'conflict',
          'This case has changed since you looked: look at it again, then resolve it.',
          { reason: 'case_changed' },
        )
      }
      const at = this.#clock.wall()
      const fields: NewEntry<'flag_resolved'> = {
        ...whoOf(by),
        at: new Date(at).toISOString(),
        flag: id,
        flag_kind: row.kind,
        note_hash: note === undefined ? null : noteHash(note, salt),
        resolution,
        scans: this.scansOf(id),
        ticket: row.ticketRef,
      }
      const { index: entry, hlc } = this.#ledger.append('flag_resolved', fields)
      const resolved = {
        resolution,
        resolvedBy: by.actor,
        resolvedAt: at,
        entry,
        resolutionNote: note ?? null,
        resolutionSalt: note === undefined ? null : salt,
        resolutionHlc: hlc,
        resolutionBox: readValue(this.#db, 'box_id')?.toString() ?? '',
      }
      drizzle.update(flags).set(resolved).where(eq(flags.id, id)).run()
      return { ...row, ...resolved }
    })
  }

  /** Merges the records into the case. A fact that adds nothing changes nothing. */
  #add(fact: NewEntry<'flag'>, entry: number): void {
    const { flag: id, flag_kind: kind, ticket: ticketRef, device } = fact
    const existing = this.find(id)
    const added = fact.scans.filter((scanId) => this.#statements.add.run({ flag: id, scanId }).changes > 0)
    const scanIds = [...(existing?.scanIds ?? []), ...added].slice(0, MOST_IN_ROW)
    const detectedAt = Math.min(existing?.detectedAt ?? Number.POSITIVE_INFINITY, msOf(fact.since))
    const occurrence = highest(existing?.occurrence ?? null, fact.occurrence)
    if (!existing) {
      const row = { id, kind, ticketRef, device, occurrence, detectedAt, scanIds, entry, shop: fact.shop ?? null }
      this.#db.drizzle.insert(flags).values(row).run()
      return
    }
    const more = added.length > 0
    if (!more && detectedAt === existing.detectedAt && occurrence === existing.occurrence) return
    const shop = existing.shop ?? fact.shop ?? null
    const set = { scanIds, detectedAt, occurrence, shop, entry, ...(more && UNRESOLVED) }
    this.#db.drizzle.update(flags).set(set).where(eq(flags.id, id)).run()
  }

  #count(id: string): number {
    return this.#db.drizzle.select({ scans: count() }).from(flagScans).where(eq(flagScans.flag, id)).get()?.scans ?? 0
  }
}

function prepare({ drizzle }: Db) {
  return {
    byId: drizzle.select().from(flags).where(matching(flags, 'id')).prepare(),
    record: drizzle
      .select({ id: flagScans.id })
      .from(flagScans)
      .where(matching(flagScans, 'flag', 'scanId'))
      .prepare(),
    add: drizzle
      .insert(flagScans)
      .values(placeholders(['flag', 'scanId']))
      .onConflictDoNothing()
      .prepare(),
  }
}

/** Of two resolutions by people who have seen every record, the later one counts: by clock, and then by box. */
function isLater(
  { hlc, box }: { hlc: string; box: string },
  { resolution, resolutionHlc, resolutionBox }: FlagRow,
): boolean {
  return resolution === null || `${hlc} ${box}` > `${resolutionHlc ?? ''} ${resolutionBox ?? ''}`
}

function highest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b)
}

function msOf(hlc: string): number {
  return parse(hlc)?.ms ?? 0
}

const UNRESOLVED = {
  resolution: null,
  resolutionNote: null,
  resolutionSalt: null,
  resolvedBy: null,
  resolvedAt: null,
  resolutionHlc: null,
  resolutionBox: null,
}
