/** The cases as the control room reads them: in pages, newest first, each with its full records. */

import type { Flag, FlagsQuery, OverrideRecord, ScanRecord } from '@gatehouse/proto/wire/admin.ts'
import { iso } from '../clock/iso.ts'
import type { Db } from '../db.ts'
import { and, desc, eq, inArray, isNotNull, isNull, sql } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import type { Checkpoint, Event } from '../event/event.ts'
import { readValue } from '../ledger/identity.ts'
import { entryOf } from '../ledger/ledger.ts'
import { boxes, devices, type FlagRow, flags, journal, overrides, scans } from '../ledger/schema.ts'
import { heardIn } from '../mesh/facts.ts'
import { inOrder, type Placed, suspicionOf } from '../mesh/reconcile/order.ts'
import type { StoredScanEntry } from './entry.ts'
import type { Override } from './overrides.ts'

export const MOST_FLAGS = 500

export interface FlagListDeps {
  db: Db
  event: Event
  /** Seconds on foot between checkpoints; null where no map says. */
  walkingSeconds: (from: Checkpoint, to: Checkpoint) => number | null
}

/**
 * One page. A case keeps its place whatever comes in meanwhile, so that whoever goes on after the last one of a page
 * reads every older case exactly once.
 * @throws GatehouseError `bad_request` for an `after` that no page has ended with
 */
export function listFlags(
  { limit = MOST_FLAGS, after, state }: FlagsQuery,
  deps: FlagListDeps,
): { flags: Flag[]; next: string | null } {
  const rows = deps.db.drizzle
    .select()
    .from(flags)
    .where(
      and(
        after === undefined ? undefined : olderThan(after),
        state && (state === 'open' ? isNull(flags.resolution) : isNotNull(flags.resolution)),
      ),
    )
    .orderBy(desc(flags.detectedAt), desc(flags.id))
    .limit(limit + 1)
    .all()
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { flags: withRecords(page, deps), next: last ? `${last.detectedAt}-${last.id}` : null }
}

/** Cases with their full records: a few queries, however many there are. */
export function withRecords(rows: readonly FlagRow[], deps: FlagListDeps): Flag[] {
  const records = readRecords([...new Set(rows.flatMap(({ scanIds }) => scanIds))], deps)
  return rows.map((row) => {
    const { sorted, certain } = inOrder(row.scanIds.flatMap((id) => records.get(id) ?? []))
    const suspicion = row.kind === 'double_use' ? suspicionIn(sorted, deps) : undefined
    const several = sorted.some(({ record }) => record.box !== undefined)
    return {
      id: row.id,
      kind: row.kind,
      ticket_ref: row.ticketRef,
      occurrence: row.occurrence,
      detected_at: iso(row.detectedAt),
      version: row.entry,
      records: sorted.map(({ record }) => record),
      ...(several && { order: certain ? 'certain' : 'uncertain' }),
      ...(suspicion && { suspicion }),
      resolution:
        row.resolution === null
          ? null
          : {
              ...{ outcome: row.resolution, note: row.resolutionNote, actor: row.resolvedBy ?? '' },
              at: iso(row.resolvedAt ?? 0),
            },
    }
  })
}

function suspicionIn([first, second]: readonly PlacedRecord[], { event, walkingSeconds }: FlagListDeps) {
  if (!first || !second) return undefined
  const [from, to] = [first, second].map(({ record }) => event.checkpointById.get(record.checkpoint))
  if (!from || !to) return undefined
  const seen = ({ record, code }: PlacedRecord, { gate }: Checkpoint) => ({
    ...{ device: record.device, code, gate, observedAt: Date.parse(record.observed_at) },
  })
  return suspicionOf(seen(first, from), seen(second, to), from.gate === to.gate ? null : walkingSeconds(from, to))
}

function olderThan(after: string) {
  const [, detectedAt, id] = /^(\d{1,15})-([0-9a-f]{24})$/.exec(after) ?? []
  if (!detectedAt || !id) {
    throw new GatehouseError('bad_request', 'The query parameter "after" is no place in this list: start without it.')
  }
  return sql`(${flags.detectedAt}, ${flags.id}) < (${Number(detectedAt)}, ${id})`
}

/** A record, where it belongs among the others of its case, and what is not told of it. */
interface PlacedRecord extends Placed {
  record: ScanRecord
  code: string | null
}

interface FoundScan {
  scan: StoredScanEntry
  /** Which box wrote it down. */
  box: string
}

function readRecords(scanIds: readonly string[], { db, event }: FlagListDeps): Map<string, PlacedRecord> {
  const { drizzle } = db
  const found = scansOf(scanIds, db)
  const several = new Map(
    drizzle
      .select({ id: boxes.id, name: boxes.name })
      .from(boxes)
      .all()
      .map(({ id, name }) => [id, name]),
  )
  const decided = new Map<string, Override>()
  for (const row of drizzle
    .select()
    .from(overrides)
    .where(inArray(overrides.scanId, among(scanIds)))
    .all()) {
    decided.set(`${row.kind} ${row.scanId}`, row)
  }
  const involved = new Set([...found.map(({ scan }) => scan.device), ...[...decided.values()].map((row) => row.device)])
  const names = new Map(
    drizzle
      .select({ id: devices.id, name: devices.name })
      .from(devices)
      .where(inArray(devices.id, among([...involved])))
      .all()
      .map(({ id, name }) => [id, name]),
  )
  const decision = (row: Override | undefined): OverrideRecord | null =>
    row
      ? {
          ...{ actor: row.actor, reason: row.reason, at: iso(row.at) },
          ...{ device: row.device, device_name: names.get(row.device) ?? null },
        }
      : null
  return new Map(
    found.map(({ scan, box }) => [
      scan.scan_id,
      {
        ...{ scanId: scan.scan_id, hlc: scan.hlc, box, code: scan.code },
        confirmed: several.size > 0 && scan.confidence === 'confirmed' && scan.slot !== null,
        // A box that is alone says of nobody that he was first, and lists what it was told as it was told.
        aloneAt: several.size > 0 && scan.offline_admitted ? Date.parse(scan.observed_at) : null,
        record: {
          scan_id: scan.scan_id,
          device: scan.device,
          device_name: names.get(scan.device) ?? null,
          checkpoint: scan.checkpoint,
          checkpoint_name: event.checkpointById.get(scan.checkpoint)?.name ?? null,
          direction: scan.direction,
          verdict: scan.verdict,
          occurrence: scan.occurrence,
          observed_at: scan.observed_at,
          recorded_at: scan.at,
          device_hlc: scan.device_hlc,
          hlc: scan.hlc,
          offline_admitted: scan.offline_admitted,
          ...(several.size > 0 && { box, box_name: several.get(box) ?? box }),
          supervised: decision(decided.get(`supervisor_admit ${scan.scan_id}`)),
          undone: decision(decided.get(`undo ${scan.scan_id}`)),
        },
      },
    ]),
  )
}

/** The entries of scans, in this box's journal or in those that it heard. */
function scansOf(scanIds: readonly string[], db: Db): FoundScan[] {
  const rows = db.drizzle
    .select({ index: journal.index, hlc: journal.hlc, kind: journal.kind, bytes: journal.bytes })
    .from(scans)
    .innerJoin(journal, eq(journal.index, scans.entry))
    .where(inArray(scans.scanId, among(scanIds)))
    .all()
  const self = readValue(db, 'box_id')?.toString() ?? ''
  const wanted = new Set(scanIds)
  // Many of them may have been heard at once: what was heard then is read once.
  const entries = new Map(rows.map((row) => [row.index, entryOf(row)]))
  return [...entries.values()].flatMap((entry): FoundScan[] => {
    if (entry.kind !== 'heard') return [{ scan: entry.fields as StoredScanEntry, box: self }]
    const heard = new Map<string, FoundScan>()
    for (const { kind, fields, box = '' } of heardIn(db, entry)) {
      const scan = fields as StoredScanEntry
      // A refusal gives way to a later answer to the same scan.
      if (kind === 'scan' && wanted.has(scan.scan_id)) heard.set(scan.scan_id, { scan, box })
    }
    return [...heard.values()]
  })
}

/** One parameter, however many ids: SQLite has a limit on parameters, and a case none on records. */
function among(ids: readonly string[]) {
  return sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
}
