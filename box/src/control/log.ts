/**
 * The journal as the control room reads it: newest first, in pages, by what an entry is about. There is no index over what
 * is in an entry, and none is needed: it is looked through in short steps, and scans go on between them.
 */

import { parse } from '@gatehouse/proto/hlc.ts'
import type { Log, LogQuery, LogRow } from '@gatehouse/proto/wire/log.ts'
import { and, desc, eq, gte, inArray, lt, type SQL, sql } from '../drizzle/core.ts'
import type { Event } from '../event/event.ts'
import type { EntryKind, Ledger } from '../ledger/ledger.ts'
import { devices, journal } from '../ledger/schema.ts'
import type { CodeReader } from '../tickets/codes.ts'
import { noSuchTicket, type Tickets } from '../tickets/tickets.ts'
import { type EntryFields, type Names, summaryOf } from './log-words.ts'

export interface LogDeps {
  event: Event
  ledger: Ledger
  tickets: Tickets
  codes: CodeReader
  /** Lets others go first, between two steps. */
  pause: () => Promise<unknown>
}

const LIMIT = 100
/** Entries looked at before a scan may go first. */
const STEP = 500
/** Entries looked at for one page: then whoever asks goes on from where it ended. */
const BUDGET = 200_000

/**
 * One page. An entry's place in the journal is its place here, so that whoever goes on after the last page reads every
 * older entry exactly once, whatever is appended meanwhile.
 * @throws GatehouseError `not_found` for a ticket that there is not
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
    // A full step may have more in it, below its last row.
    from = rows.length === wanted ? (rows.at(-1)?.index ?? down) : down
  }
  return { rows: toRows(found, deps), next: from > 0 ? from : null }
}

interface Found {
  index: number
  hlc: string
  kind: EntryKind
  fields: EntryFields
}

function select({ db }: Ledger, where: SQL | undefined, limit: number): Found[] {
  const rows = db.drizzle.select().from(journal).where(where).orderBy(desc(journal.index)).limit(limit).all()
  return rows.map(({ index, hlc, kind, bytes }) => ({
    ...{ index, hlc, kind: kind as EntryKind },
    fields: fieldsOf(bytes),
  }))
}

/** Of an entry that somebody has damaged, nothing: whoever asks what happened to it must still be shown the others. */
function fieldsOf(bytes: Buffer): EntryFields {
  try {
    return Object(JSON.parse(bytes.toString()))
  } catch {
    return {}
  }
}

function filterOf({ kind, device, checkpoint, ticket }: Omit<LogQuery, 'limit' | 'after'>, deps: LogDeps) {
  const ref = ticket === undefined ? undefined : refOf(ticket, deps)
  const known = Object.entries({ device, checkpoint, ticket: ref })
  const wanted = known.filter((pair): pair is [string, string] => pair[1] !== undefined)
  return {
    sql: [
      kind === undefined ? undefined : eq(journal.kind, kind),
      // The bytes are canonical: a value stands in them in one form. To look for that is much cheaper than to read the
      // entry, and leaves few to be read.
      ...wanted.map(([, value]) => sql`instr(${journal.bytes}, ${Buffer.from(JSON.stringify(value))}) > 0`),
    ],
    matches: (fields: EntryFields) =>
      wanted.every(([name, value]) => {
        const among = fields[`${name}s`]
        return fields[name] === value || (Array.isArray(among) && among.includes(value))
      }),
  }
}

function refOf(name: string, { tickets, codes }: LogDeps): string {
  const ticket = tickets.named(name, codes)
  if (!ticket) throw noSuchTicket()
  return ticket.ref
}

function toRows(found: readonly Found[], { event, ledger }: LogDeps): LogRow[] {
  const ids = [...new Set(found.flatMap(({ fields }) => stringOr(fields.device) ?? []))]
  const known = ledger.db.drizzle.select({ id: devices.id, name: devices.name }).from(devices)
  const deviceNames = new Map(
    known
      .where(inArray(devices.id, ids))
      .all()
      .map(({ id, name }) => [id, name]),
  )
  const names: Names = {
    checkpoint: (id) => event.checkpointById.get(id)?.name ?? id,
    gate: (id) => event.gateById.get(id)?.name ?? id,
    device: (id) => deviceNames.get(id) ?? id,
  }
  return found.map(({ index, hlc, kind, fields }) => {
    const device = stringOr(fields.device)
    const checkpoint = stringOr(fields.checkpoint)
    return {
      index,
      at: new Date(parse(hlc)?.ms ?? 0).toISOString(),
      hlc,
      kind,
      summary: summaryOf(kind, fields, names),
      actor: stringOr(fields.actor),
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

function stringOr(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
