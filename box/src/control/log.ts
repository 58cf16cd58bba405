/**
 * Reads the journal for the control room: newest first, in pages, filtered by what an entry is about. There is no index over
 * the content of entries, and none is needed: the journal is searched in short steps, and scans go on between them.
 */

import type { Log, LogQuery, LogRow } from '@gatehouse/proto/wire/log.ts'
import { isoOfReading } from '../clock/iso.ts'
import { and, desc, eq, gte, inArray, lt, type SQL, sql } from '../drizzle/core.ts'
import type { EntryKind } from '../ledger/entries.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { devices, journal } from '../ledger/schema.ts'
import { people, staffSessions } from '../ledger/staff-schema.ts'
import type { ImportDeps } from '../tickets/import-tickets.ts'
import { noSuchTicket } from '../tickets/tickets.ts'
import { type Names, type RawFields, summaryOf } from './log-summary.ts'

export interface LogDeps extends ImportDeps {
  /** Called between two steps, so that other work can run. */
  pause: () => Promise<unknown>
}

const LIMIT = 100
/** Entries searched before other work may run. */
const STEP = 500
/** Entries searched for one page; the next page goes on from there. */
const BUDGET = 200_000

/**
 * One page. An entry's place in the journal is its place here, so that a reader who goes on after the last page reads every
 * older entry exactly once, whatever is appended meanwhile.
 * @throws GatehouseError `not_found` for an unknown ticket
 */
export async function readLog({ limit = LIMIT, after, ...about }: LogQuery, deps: LogDeps): Promise<Log> {
  const { ledger, pause } = deps
  const filter = filterOf(about, deps)
  const found: Found[] = []
  let from = Math.min(after ?? ledger.size, ledger.size)
  for (let looked = 0; from > 0 && found.length < limit && looked < BUDGET; looked += STEP) {
    if (looked > 0) await pause()
    const down = Math.max(0, from - STEP)
    const wanted = limit - found.length
    const rows = select(ledger, and(lt(journal.index, from), gte(journal.index, down), ...filter.sql), wanted)
    found.push(...rows.filter(({ fields }) => filter.matches(fields)))
    // A step that filled the page may have more matches below its last row.
    from = rows.length === wanted ? (rows.at(-1)?.index ?? down) : down
  }
  return { rows: toRows(found, deps), next: from > 0 ? from : null }
}

interface Found {
  index: number
  hlc: string
  kind: EntryKind
  fields: RawFields
}

function select({ db }: Ledger, where: SQL | undefined, limit: number): Found[] {
  const rows = db.drizzle.select().from(journal).where(where).orderBy(desc(journal.index)).limit(limit).all()
  return rows.map(({ index, hlc, kind, bytes }) => ({
    index,
    hlc,
    kind: kind as EntryKind,
    fields: fieldsOf(bytes),
  }))
}

/** Empty for an entry that somebody has damaged: whoever looks into that must still be able to read the others. */
function fieldsOf(bytes: Buffer): RawFields {
  try {
    return Object(JSON.parse(bytes.toString()))
  } catch {
    return {}
  }
}

function filterOf({ kind, device, checkpoint, ticket, person }: Omit<LogQuery, 'limit' | 'after'>, deps: LogDeps) {
  const ref = ticket === undefined ? undefined : refOf(ticket, deps)
  const known = Object.entries({ device, checkpoint, ticket: ref, person })
  const wanted = known.filter((pair): pair is [string, string] => pair[1] !== undefined)
  return {
    sql: [
      kind === undefined ? undefined : eq(journal.kind, kind),
      // The bytes are canonical, so a value has one form in them. Searching for that form is much cheaper than parsing the
      // entry, and leaves few entries to parse.
      ...wanted.map(([, value]) => sql`instr(${journal.bytes}, ${Buffer.from(JSON.stringify(value))}) > 0`),
    ],
    matches: (fields: RawFields) =>
      wanted.every(([name, value]) => {
        const among = fields[`${name}s`]
        return fields[name] === value || (Array.isArray(among) && among.includes(value))
      }),
  }
}

function refOf(name: string, { tickets, codes }: LogDeps): string {
  const ticket = tickets.lookUp(name, codes)
  if (!ticket) throw noSuchTicket()
  return ticket.ref
}

function toRows(found: readonly Found[], { event, ledger }: LogDeps): LogRow[] {
  const deviceNames = namesOf([...new Set(found.flatMap(({ fields }) => deviceOf(fields) ?? []))], ledger)
  const personNames = peopleIn(found, ledger)
  const names: Names = {
    checkpoint: (id) => event.checkpointById.get(id)?.name ?? id,
    gate: (id) => event.gateById.get(id)?.name ?? id,
    device: (id) => deviceNames.get(id) ?? id,
  }
  return found.map(({ index, hlc, kind, fields }) => {
    const device = deviceOf(fields)
    const checkpoint = stringOr(fields.checkpoint)
    return {
      index,
      at: isoOfReading(hlc),
      hlc,
      kind,
      summary: summaryOf(kind, fields, names),
      actor: stringOr(fields.actor) ?? personNames.get(stringOr(fields.person) ?? '') ?? null,
      address: stringOr(fields.address),
      device,
      device_name: device === null ? null : (deviceNames.get(device) ?? null),
      checkpoint,
      checkpoint_name: checkpoint === null ? null : (event.checkpointById.get(checkpoint)?.name ?? null),
      ticket: stringOr(fields.ticket),
      entry: { ...fields },
    }
  })
}

/** The device that an entry is about or was made by: a scanner, or a paired tablet of the staff. */
function deviceOf({ device, via }: RawFields): string | null {
  return stringOr(device) ?? (typeof via === 'string' && via.startsWith('tab-') ? via : null)
}

function namesOf(ids: readonly string[], { db: { drizzle } }: Ledger): ReadonlyMap<string, string> {
  const scanners = drizzle.select().from(devices).where(inArray(devices.id, ids)).all()
  const tablets = drizzle.select().from(staffSessions).where(inArray(staffSessions.id, ids)).all()
  return new Map([
    ...scanners.map(({ id, name }) => [id, name] as const),
    ...tablets.map(({ id, deviceName }) => [id, deviceName ?? id] as const),
  ])
}

/** Names of those who held a scanner: their entries have the id alone. */
function peopleIn(found: readonly Found[], { db: { drizzle } }: Ledger): ReadonlyMap<string, string> {
  const ids = [
    ...new Set(found.flatMap(({ fields }) => (fields.actor === undefined ? (stringOr(fields.person) ?? []) : []))),
  ]
  const rows = ids.length === 0 ? [] : drizzle.select().from(people).where(inArray(people.id, ids)).all()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

function stringOr(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
