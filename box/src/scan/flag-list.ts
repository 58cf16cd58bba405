/** The cases as the control room reads them: in pages, newest first, each with its full records. */

import type { Flag, FlagsQuery, OverrideRecord, ScanRecord } from '@gatehouse/proto/wire/admin.ts'
import { and, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { iso } from '../clock/iso.ts'
import type { Db } from '../db.ts'
import { GatehouseError } from '../errors.ts'
import type { Event } from '../event/event.ts'
import { devices, type FlagRow, flags, journal, overrides, scans } from '../ledger/schema.ts'
import type { StoredScanEntry } from './entry.ts'
import type { Override } from './overrides.ts'

export const MOST_FLAGS = 500

/**
 * One page. A case keeps its place whatever comes in meanwhile, so that whoever goes on after the last one of a page
 * reads every older case exactly once.
 * @throws GatehouseError `bad_request` for an `after` that no page has ended with
 */
export function listFlags(
  { limit = MOST_FLAGS, after, state }: FlagsQuery,
  { db, event }: { db: Db; event: Event },
): { flags: Flag[]; next: string | null } {
  const rows = db.drizzle
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
  return { flags: withRecords(page, { db, event }), next: last ? `${last.detectedAt}-${last.id}` : null }
}

/** Cases with their full records: a few queries, however many there are. */
export function withRecords(rows: readonly FlagRow[], { db, event }: { db: Db; event: Event }): Flag[] {
  const records = readRecords([...new Set(rows.flatMap(({ scanIds }) => scanIds))], { db, event })
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    ticket_ref: row.ticketRef,
    occurrence: row.occurrence,
    detected_at: iso(row.detectedAt),
    version: row.entry,
    records: row.scanIds
      .flatMap((id) => records.get(id) ?? [])
      .sort((a, b) => a.entry - b.entry)
      .map(({ record }) => record),
    resolution:
      row.resolution === null
        ? null
        : {
            ...{ outcome: row.resolution, note: row.resolutionNote, actor: row.resolvedBy ?? '' },
            at: iso(row.resolvedAt ?? 0),
          },
  }))
}

function olderThan(after: string) {
  const [, detectedAt, id] = /^(\d{1,15})-([0-9a-f]{24})$/.exec(after) ?? []
  if (!detectedAt || !id) {
    throw new GatehouseError('bad_request', 'The query parameter "after" is no place in this list: start without it.')
  }
  return sql`(${flags.detectedAt}, ${flags.id}) < (${Number(detectedAt)}, ${id})`
}

function readRecords(
  scanIds: readonly string[],
  { db: { drizzle }, event }: { db: Db; event: Event },
): Map<string, { entry: number; record: ScanRecord }> {
  // One parameter, however many ids: SQLite has a limit on parameters, and a case none on records.
  const among = (ids: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
  const entries = drizzle
    .select({ index: journal.index, bytes: journal.bytes })
    .from(scans)
    .innerJoin(journal, eq(journal.index, scans.entry))
    .where(inArray(scans.scanId, among(scanIds)))
    .all()
    .map(({ index, bytes }) => ({ index, scan: JSON.parse(bytes.toString()) as StoredScanEntry }))
  const decided = new Map<string, Override>()
  for (const row of drizzle
    .select()
    .from(overrides)
    .where(inArray(overrides.scanId, among(scanIds)))
    .all()) {
    decided.set(`${row.kind} ${row.scanId}`, row)
  }
  const involved = new Set([
    ...entries.map(({ scan }) => scan.device),
    ...[...decided.values()].map((row) => row.device),
  ])
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
    entries.map(({ index, scan }) => [
      scan.scan_id,
      {
        entry: index,
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
          supervised: decision(decided.get(`supervisor_admit ${scan.scan_id}`)),
          undone: decision(decided.get(`undo ${scan.scan_id}`)),
        },
      },
    ]),
  )
}
