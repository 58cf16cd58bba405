/** Reads the records of cases: each scan, at whichever box, with what people decided about it. */
import type { OverrideRecord, ScanRecord } from '@gatehouse/proto/wire/admin.ts'
import { iso } from '../clock/iso.ts'
import { eq, inArray, sql } from '../drizzle/core.ts'
import type { Event } from '../event/event.ts'
import type { Db } from '../ledger/db.ts'
import { type EntryFields, entryOf } from '../ledger/entries.ts'
import { replicatedIn } from '../ledger/facts.ts'
import { readValue } from '../ledger/identity.ts'
import { amongPacked } from '../ledger/packed-id.ts'
import { boxes, devices, journal, overrides, scans } from '../ledger/schema.ts'
import { people } from '../ledger/staff-schema.ts'
import type { Override } from './overrides.ts'
import type { OrderedRecord } from './record-order.ts'

/** A record as the control room gets it, and what decides its place and its suspicion. */
export interface FullRecord extends OrderedRecord {
  record: ScanRecord
  /** Hash of the code that was shown, hex. */
  code: string | null
}

/** A few queries, however many scans there are. @returns by scan id */
export function readRecords(
  scanIds: readonly string[],
  { db, event }: { db: Db; event: Event },
): Map<string, FullRecord> {
  const found = readScans(scanIds, db)
  const decided = readOverrides(scanIds, db)
  const involved = [...found.map(({ scan }) => scan.device), ...[...decided.values()].map(({ device }) => device)]
  const names: Names = {
    boxes: namesIn(db.drizzle.select({ id: boxes.id, name: boxes.name }).from(boxes).all()),
    devices: namesIn(
      db.drizzle
        .select({ id: devices.id, name: devices.name })
        .from(devices)
        .where(inArray(devices.id, among([...new Set(involved)])))
        .all(),
    ),
    people: namesIn(
      db.drizzle
        .select({ id: people.id, name: people.name })
        .from(people)
        .where(inArray(people.id, among([...new Set(found.flatMap(({ scan }) => scan.person ?? []))])))
        .all(),
    ),
  }
  return new Map(found.map((one) => [one.scan.scan_id, fullRecord(one, { decided, names, event })]))
}

interface Names {
  /** Empty for a box alone. */
  boxes: ReadonlyMap<string, string>
  devices: ReadonlyMap<string, string>
  /** Also those who were removed. */
  people: ReadonlyMap<string, string>
}

interface FoundScan {
  scan: EntryFields<'scan'>
  /** The box that recorded it. */
  box: string
}

function fullRecord(
  { scan, box }: FoundScan,
  { decided, names, event }: { decided: ReadonlyMap<string, Override>; names: Names; event: Event },
): FullRecord {
  const isMesh = names.boxes.size > 0
  return {
    scanId: scan.scan_id,
    hlc: scan.hlc,
    box,
    code: scan.code,
    // A box alone names nobody the first, and lists offline admissions in the order of their upload.
    confirmed: isMesh && scan.confidence === 'confirmed' && scan.slot !== null,
    offlineAt: isMesh && scan.offline_admitted ? Date.parse(scan.observed_at) : null,
    record: {
      scan_id: scan.scan_id,
      device: scan.device,
      device_name: names.devices.get(scan.device) ?? null,
      ...(scan.person !== undefined && { person_name: names.people.get(scan.person) ?? scan.person }),
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
      ...(isMesh && { box, box_name: names.boxes.get(box) ?? box }),
      supervised: overrideRecord(decided.get(`supervisor_admit ${scan.scan_id}`), names),
      undone: overrideRecord(decided.get(`undo ${scan.scan_id}`), names),
    },
  }
}

function overrideRecord(override: Override | undefined, names: Names): OverrideRecord | null {
  if (!override) return null
  const { actor, reason, at, device } = override
  return { actor, reason, at: iso(at), device, device_name: names.devices.get(device) ?? null }
}

/** The entries of scans, of this box or of another. */
function readScans(scanIds: readonly string[], db: Db): FoundScan[] {
  const rows = db.drizzle
    .select({ index: journal.index, hlc: journal.hlc, kind: journal.kind, bytes: journal.bytes })
    .from(scans)
    .innerJoin(journal, eq(journal.index, scans.entry))
    .where(inArray(scans.scanId, amongPacked(scanIds)))
    .all()
  const self = readValue(db, 'box_id')?.toString() ?? ''
  const wanted = new Set(scanIds)
  // One entry may replicate many of them, and is read once.
  const entries = new Map(rows.map((row) => [row.index, entryOf(row)]))
  return [...entries.values()].flatMap((entry): FoundScan[] => {
    if (entry.kind === 'scan') return [{ scan: entry.fields, box: self }]
    if (entry.kind !== 'heard') return []
    const replicated = new Map<string, FoundScan>()
    for (const { kind, fields, box = '' } of replicatedIn(db, entry)) {
      // The last one: a refusal may be followed by a later answer to the same scan.
      if (kind === 'scan' && wanted.has(fields.scan_id)) replicated.set(fields.scan_id, { scan: fields, box })
    }
    return [...replicated.values()]
  })
}

/** @returns by kind and scan id, with a space between */
function readOverrides(scanIds: readonly string[], { drizzle }: Db): Map<string, Override> {
  const rows = drizzle
    .select()
    .from(overrides)
    .where(inArray(overrides.scanId, among(scanIds)))
    .all()
  return new Map(rows.map((row) => [`${row.kind} ${row.scanId}`, row]))
}

function namesIn(rows: readonly { id: string; name: string }[]): Map<string, string> {
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** One parameter, however many ids: SQLite has a limit on parameters, and a case has none on records. */
function among(ids: readonly string[]) {
  return sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
}
