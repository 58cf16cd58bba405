/** Cases for the control room: two uses of one ticket, and whatever else a person has to look at. */
import { createHash } from 'node:crypto'
import type { Flag, ScanRecord } from '@gatehouse/proto/wire/admin.ts'
import { desc, eq, inArray } from 'drizzle-orm'
import type { HybridLogicalClock } from '../clock/hlc.ts'
import type { Db } from '../db.ts'
import type { Event } from '../event/event.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { devices, type FlagKind, type FlagRow, flags, journal, scans } from '../ledger/schema.ts'
import type { StoredScanEntry } from './entry.ts'

export interface NewFlag {
  kind: FlagKind
  /** What the case is about: two openings of one kind about the same thing are one case. */
  about: string
  ticketRef: string | null
  device: string | null
  occurrence: number | null
  scanIds: string[]
  /** Leave a case that is open already as it is: it would otherwise gain a record with every scan. */
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

  /** Opens a case, or adds its records to the one that is open. Within a transaction. @returns its id */
  open(flag: NewFlag): string {
    const id = createHash('sha256').update(`${flag.kind}\0${flag.about}`).digest('hex').slice(0, 24)
    const { drizzle } = this.#db
    const open = drizzle.select().from(flags).where(eq(flags.id, id)).get()
    if (open && flag.onlyFirst) return id
    const scanIds = [...new Set([...(open?.scanIds ?? []), ...flag.scanIds])]
    const { index: entry } = this.#ledger.append('flag', {
      device: flag.device,
      flag: id,
      flag_kind: flag.kind,
      scans: scanIds,
      ticket: flag.ticketRef,
    })
    const { kind, ticketRef, device, occurrence } = flag
    drizzle
      .insert(flags)
      .values({ id, kind, ticketRef, device, occurrence, detectedAt: this.#clock.wall(), scanIds, entry })
      .onConflictDoUpdate({ target: flags.id, set: { scanIds, occurrence, entry } })
      .run()
    return id
  }

  /** Every case with its full records, newest first. */
  list(event: Event): Flag[] {
    const rows = this.#db.drizzle.select().from(flags).orderBy(desc(flags.detectedAt), desc(flags.entry)).all()
    return rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      ticket_ref: row.ticketRef,
      occurrence: row.occurrence,
      detected_at: new Date(row.detectedAt).toISOString(),
      records: this.#records(row, event),
    }))
  }

  #records(row: FlagRow, event: Event): ScanRecord[] {
    const { drizzle } = this.#db
    const names = new Map(
      drizzle
        .select({ id: devices.id, name: devices.name })
        .from(devices)
        .all()
        .map((d) => [d.id, d.name]),
    )
    return drizzle
      .select({ bytes: journal.bytes })
      .from(scans)
      .innerJoin(journal, eq(journal.index, scans.entry))
      .where(inArray(scans.scanId, row.scanIds))
      .orderBy(journal.index)
      .all()
      .map(({ bytes }) => {
        const entry = JSON.parse(bytes.toString()) as StoredScanEntry
        return {
          scan_id: entry.scan_id,
          device: entry.device,
          device_name: names.get(entry.device) ?? null,
          checkpoint: entry.checkpoint,
          checkpoint_name: event.checkpointById.get(entry.checkpoint)?.name ?? null,
          direction: entry.direction,
          verdict: entry.verdict,
          occurrence: entry.occurrence,
          observed_at: entry.observed_at,
          recorded_at: entry.at,
          device_hlc: entry.device_hlc,
          hlc: entry.hlc,
          offline_admitted: entry.offline_admitted,
        }
      })
  }
}
