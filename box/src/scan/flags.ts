/**
 * Cases for the control room: two uses of one ticket, and whatever else a person has to look at. A case is what all boxes
 * that know of it say together, in whatever order this one heard them: the union of their records, and the last resolution of
 * somebody who has seen all of those.
 */
import { createHash } from 'node:crypto'
import { type HybridLogicalClock, parse } from '@gatehouse/proto/hlc.ts'
import type { ResolveRequest } from '@gatehouse/proto/wire/admin.ts'
import type { Db } from '../db.ts'
import { eq } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import type { By } from '../http/actor.ts'
import { readValue } from '../ledger/identity.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { noteHash } from '../ledger/note-hash.ts'
import { type FlagKind, type FlagRow, flags } from '../ledger/schema.ts'
import type { FlagEntry, FlagResolvedEntry } from './entry.ts'

export interface NewFlag {
  kind: FlagKind
  /** What the case is about: two openings of one kind about the same thing are one case, at every box. */
  about: string
  ticketRef: string | null
  device: string | null
  occurrence: number | null
  scanIds: string[]
  /** The clock's reading at the record that made it a case. */
  since: string
  /** Leave a case that is there already as it is: it would otherwise gain a record with every scan. */
  onlyFirst?: boolean
}

/** Another box's resolution, and its place among all of them. */
export interface HeardResolution {
  fact: FlagResolvedEntry
  hlc: string
  box: string
  /** As that box keeps it; undefined where it did not come along. */
  note: { note: string; salt: Buffer } | undefined
}

/** The same at every box. */
export function flagId(kind: FlagKind, about: string): string {
  return createHash('sha256').update(`${kind}\0${about}`).digest('hex').slice(0, 24)
}

export class Flags {
  readonly #db: Db
  readonly #ledger: Ledger
  readonly #clock: HybridLogicalClock

  constructor(deps: { db: Db; ledger: Ledger; clock: HybridLogicalClock }) {
    this.#db = deps.db
    this.#ledger = deps.ledger
    this.#clock = deps.clock
  }

  find(id: string): FlagRow | undefined {
    return this.#db.drizzle.select().from(flags).where(eq(flags.id, id)).get()
  }

  /**
   * Opens a case, or adds its records to the one that is there; one that was resolved is open again, since whoever resolved it
   * has not seen them. Within a transaction.
   * @returns its id
   */
  open(flag: NewFlag): string {
    const id = flagId(flag.kind, flag.about)
    const there = this.find(id)
    const scans = union(there, flag.scanIds)
    if (there && (flag.onlyFirst || scans.length === there.scanIds.length)) return id
    const { kind, ticketRef, device, occurrence, since } = flag
    const fields: FlagEntry = {
      ...{ device, flag: id, flag_kind: kind, occurrence, scans, since, ticket: ticketRef },
      reopened: (there?.resolution ?? null) !== null,
    }
    const { index } = this.#ledger.append('flag', { ...fields })
    this.#add(fields, index)
    return id
  }

  /**
   * What another box has said of a case. Within a transaction.
   * @param hlc of its entry
   * @param entry of this box, which says that it was heard
   */
  hearOpened(fact: FlagEntry, hlc: string, entry: number): void {
    // Journals from before there were several boxes say less.
    this.#add({ ...fact, occurrence: fact.occurrence ?? null, since: fact.since ?? hlc }, entry)
  }

  /** What somebody found out at another box. Within a transaction. @param entry of this box, which says that it was heard */
  hearResolved({ fact, hlc, box, note }: HeardResolution, entry: number): void {
    const { flag, flag_kind } = fact
    const scans = fact.scans ?? this.find(flag)?.scanIds ?? []
    const ticket = fact.ticket ?? null
    // Whoever resolved it knew the case, perhaps from a box that was not heard here yet.
    this.#add({ flag, flag_kind, scans, ticket, device: null, occurrence: null, since: hlc, reopened: false }, entry)
    const row = this.find(flag)
    if (!row || scans.length < row.scanIds.length || !isLater({ hlc, box }, row)) return
    const said = note && noteHash(note.note, note.salt) === fact.note_hash ? note : undefined
    const resolved = {
      ...{ resolution: fact.resolution, resolvedBy: fact.actor, resolvedAt: Date.parse(fact.at), entry },
      ...{ resolutionNote: said?.note ?? null, resolutionSalt: said?.salt ?? null },
      ...{ resolutionHlc: hlc, resolutionBox: box },
    }
    this.#db.drizzle.update(flags).set(resolved).where(eq(flags.id, flag)).run()
  }

  /**
   * Writes down what somebody found out. The records stay; the last resolution counts that has seen all of them, and the
   * journal has every one.
   * @param salt 16 random bytes for the note's hash in the journal: the note may name people, and can be erased
   * @throws GatehouseError `not_found`; `conflict` when the case has changed since `version`; `ledger_unavailable`
   */
  resolve(id: string, { resolution, note, version }: ResolveRequest, by: By, salt: Buffer): Promise<FlagRow> {
    return this.#ledger.commit(() => {
      const { drizzle } = this.#db
      const row = this.find(id)
      if (!row) throw new GatehouseError('not_found', 'There is no such case: take its id from the list of flags.')
      if (version !== undefined && version !== row.entry) {
        throw new GatehouseError(
          'conflict',
          'This case has changed since you looked: look at it again, then resolve it.',
        )
      }
      const at = this.#clock.wall()
      const fields: FlagResolvedEntry = {
        ...{ actor: by.actor, address: by.address, at: new Date(at).toISOString(), flag: id, flag_kind: row.kind },
        ...{ note_hash: note === undefined ? null : noteHash(note, salt), resolution },
        ...{ scans: row.scanIds, ticket: row.ticketRef },
      }
      const { index: entry, hlc } = this.#ledger.append('flag_resolved', { ...fields })
      const resolved = {
        ...{ resolution, resolvedBy: by.actor, resolvedAt: at, entry },
        ...{ resolutionNote: note ?? null, resolutionSalt: note === undefined ? null : salt },
        ...{ resolutionHlc: hlc, resolutionBox: readValue(this.#db, 'box_id')?.toString() ?? '' },
      }
      drizzle.update(flags).set(resolved).where(eq(flags.id, id)).run()
      return { ...row, ...resolved }
    })
  }

  /** The union of what is there and of what somebody says. A box that says nothing new changes nothing. */
  #add(fact: FlagEntry, entry: number): void {
    const { flag: id, flag_kind: kind, ticket: ticketRef, device } = fact
    const there = this.find(id)
    const scanIds = union(there, fact.scans)
    const detectedAt = Math.min(there?.detectedAt ?? Number.POSITIVE_INFINITY, msOf(fact.since))
    const occurrence = highest(there?.occurrence ?? null, fact.occurrence)
    if (!there) {
      const row = { id, kind, ticketRef, device, occurrence, detectedAt, scanIds, entry }
      this.#db.drizzle.insert(flags).values(row).run()
      return
    }
    const more = scanIds.length > there.scanIds.length
    if (!more && detectedAt === there.detectedAt && occurrence === there.occurrence) return
    const set = { scanIds, detectedAt, occurrence, entry, ...(more && UNRESOLVED) }
    this.#db.drizzle.update(flags).set(set).where(eq(flags.id, id)).run()
  }
}

function union(there: FlagRow | undefined, scans: readonly string[]): string[] {
  return [...new Set([...(there?.scanIds ?? []), ...scans])]
}

/** Of two who have seen every record the later one is right, and of two at once, the same one at every box. */
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
  ...{ resolution: null, resolutionNote: null, resolutionSalt: null },
  ...{ resolvedBy: null, resolvedAt: null, resolutionHlc: null, resolutionBox: null },
}
