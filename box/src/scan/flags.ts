/** Cases for the control room: two uses of one ticket, and whatever else a person has to look at. */
import { createHash } from 'node:crypto'
import type { HybridLogicalClock } from '@gatehouse/proto/hlc.ts'
import type { ResolveRequest } from '@gatehouse/proto/wire/admin.ts'
import { eq } from 'drizzle-orm'
import type { Db } from '../db.ts'
import { GatehouseError } from '../errors.ts'
import type { By } from '../http/actor.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { noteHash } from '../ledger/note-hash.ts'
import { type FlagKind, type FlagRow, flags } from '../ledger/schema.ts'
import type { FlagEntry, FlagResolvedEntry } from './entry.ts'

export interface NewFlag {
  kind: FlagKind
  /** What the case is about: two openings of one kind about the same thing are one case. */
  about: string
  ticketRef: string | null
  device: string | null
  occurrence: number | null
  scanIds: string[]
  /** Leave a case that is there already as it is: it would otherwise gain a record with every scan. */
  onlyFirst?: boolean
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

  /**
   * Opens a case, or adds its records to the one that is there; one that was resolved is open again, since whoever resolved
   * it has not seen them. Within a transaction.
   * @returns its id
   */
  open(flag: NewFlag): string {
    const id = createHash('sha256').update(`${flag.kind}\0${flag.about}`).digest('hex').slice(0, 24)
    const { drizzle } = this.#db
    const there = drizzle.select().from(flags).where(eq(flags.id, id)).get()
    if (there && flag.onlyFirst) return id
    const scanIds = [...new Set([...(there?.scanIds ?? []), ...flag.scanIds])]
    const { kind, ticketRef, device, occurrence } = flag
    const fields: FlagEntry = {
      ...{ device, flag: id, flag_kind: kind, scans: scanIds, ticket: ticketRef },
      reopened: there ? there.resolution !== null : false,
    }
    const { index: entry } = this.#ledger.append('flag', { ...fields })
    drizzle
      .insert(flags)
      .values({ id, kind, ticketRef, device, occurrence, detectedAt: this.#clock.wall(), scanIds, entry })
      .onConflictDoUpdate({ target: flags.id, set: { scanIds, occurrence, entry, ...UNRESOLVED } })
      .run()
    return id
  }

  /**
   * Writes down what somebody found out. The records stay; the last resolution counts, and the journal has every one.
   * @param salt 16 random bytes for the note's hash in the journal: the note may name people, and can be erased
   * @throws GatehouseError `not_found`; `conflict` when the case has changed since `version`; `ledger_unavailable`
   */
  resolve(id: string, { resolution, note, version }: ResolveRequest, by: By, salt: Buffer): Promise<FlagRow> {
    return this.#ledger.commit(() => {
      const { drizzle } = this.#db
      const row = drizzle.select().from(flags).where(eq(flags.id, id)).get()
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
      }
      const { index: entry } = this.#ledger.append('flag_resolved', { ...fields })
      const resolved = {
        ...{ resolution, resolvedBy: by.actor, resolvedAt: at, entry },
        ...{ resolutionNote: note ?? null, resolutionSalt: note === undefined ? null : salt },
      }
      drizzle.update(flags).set(resolved).where(eq(flags.id, id)).run()
      return { ...row, ...resolved }
    })
  }
}

const UNRESOLVED = {
  ...{ resolution: null, resolutionNote: null, resolutionSalt: null },
  ...{ resolvedBy: null, resolvedAt: null },
}
