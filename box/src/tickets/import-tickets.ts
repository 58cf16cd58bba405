/**
 * Puts an imported file's tickets into the ledger: all of them or none. A ticket is known by its code: one that is there
 * is brought up to date, one that is new is made, and one that the file does not mention is left alone. Nothing here
 * touches a movement, so nothing that an import says can un-redeem a ticket.
 */
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import type { Event } from '../event/event.ts'
import type { By } from '../http/actor.ts'
import { readValue, writeValue } from '../ledger/identity.ts'
import type { EntryKind, Fields, Ledger } from '../ledger/ledger.ts'
import type { Ticket } from '../ledger/schema.ts'
import type { CodeReader } from './codes.ts'
import { namesForgotten } from './forget.ts'
import { type ReadOptions, readTickets } from './import/read.ts'
import type { TicketRow } from './import/row.ts'
import { newKey } from './key.ts'
import { TicketSum } from './ticket-sum.ts'
import type { NewTicket, TicketFields, Tickets } from './tickets.ts'

export interface ImportOptions extends Pick<ReadOptions, 'format' | 'tierMap' | 'pretixItems' | 'pause'> {
  dryRun: boolean
  by: By
  /** What is being done, and how far it is: a fraction from 0 to 1. */
  onProgress?(step: 'read' | 'compare' | 'write', fraction: number): void
}

export interface ImportDeps {
  event: Event
  ledger: Ledger
  tickets: Tickets
  codes: CodeReader
}

/** Tickets whose key pairs are made at a time: enough to keep the thread pool busy. */
const BATCH = 64

/** @throws GatehouseError `bad_request` when nothing of the file can be used; `ledger_unavailable` */
export async function importTickets(file: Uint8Array, options: ImportOptions, deps: ImportDeps): Promise<ImportReport> {
  const { event } = deps
  const read = await readTickets(file, {
    ...options,
    tiers: event.tiers,
    timezone: event.timezone,
    onProgress: (done, total) => options.onProgress?.('read', total === 0 ? 1 : done / total),
  })
  // Once forgotten, a name does not come back: the shop's file may still have it.
  const rows = namesForgotten(deps.ledger.db) ? read.rows.map(withoutName) : read.rows
  const plan = await compare(rows, options, deps)
  if (!options.dryRun && plan.added.length + plan.changed.length > 0) {
    options.onProgress?.('write', 0)
    const entry = entryOf(plan, read.format, options.by, deps)
    await deps.ledger.commit(() => write(plan, entry, deps))
    options.onProgress?.('write', 1)
  }
  return {
    format: read.format,
    dry_run: options.dryRun,
    read: read.read,
    added: plan.added.length,
    changed: plan.changed.length,
    unchanged: plan.unchanged,
    rejected: read.rejected,
    warnings: read.warnings,
  }
}

interface Plan {
  added: NewTicket[]
  changed: { id: number; fields: TicketFields }[]
  unchanged: number
  /** What it adds to, and takes from, the sum over all tickets. */
  sum: TicketSum
  /** What it was compared with: the journal up to here. */
  size: number
}

async function compare(rows: readonly TicketRow[], options: ImportOptions, deps: ImportDeps): Promise<Plan> {
  const plan: Plan = { added: [], changed: [], unchanged: 0, sum: new TicketSum(), size: deps.ledger.size }
  let making: Promise<NewTicket[]> = Promise.resolve([])
  for (let from = 0; from < rows.length; from += BATCH) {
    const fresh: { row: TicketRow; codeHash: Buffer }[] = []
    for (const row of rows.slice(from, from + BATCH)) {
      const codeHash = deps.codes.hash(row.code)
      const there = deps.tickets.openedBy({ kind: 'static', codeHash })
      if (!there) fresh.push({ row, codeHash })
      else if (sameFields(there, fieldsOf(row))) plan.unchanged++
      else {
        const fields = fieldsOf(row)
        plan.changed.push({ id: there.id, fields })
        // Its own code: the file may still have the one before.
        const own = deps.codes.hash(there.code)
        plan.sum.remove({ ...there, codeHash: own })
        plan.sum.add({ ...there, ...fields, codeHash: own })
      }
    }
    // The thread pool makes the keys of this batch while the next one is compared.
    const made = making
    making = Promise.all(fresh.map(({ row, codeHash }) => newTicket(row, codeHash, deps)))
    addTo(plan, await made)
    options.onProgress?.('compare', Math.min(1, (from + BATCH) / rows.length))
    await options.pause?.()
  }
  addTo(plan, await making)
  return plan
}

function addTo(plan: Plan, tickets: readonly NewTicket[]): void {
  for (const ticket of tickets) {
    plan.added.push(ticket)
    plan.sum.add(ticket)
  }
}

/** What the journal says of it. */
function entryOf({ added, changed }: Plan, format: string, by: By, deps: ImportDeps): Fields {
  const changes = changed.map(({ id, fields }) => ({ id, fields }))
  const contents = [...added.map(({ code, ref }) => [code, ref]), ...changes].map((change) => JSON.stringify(change))
  return {
    ...by,
    added: added.length,
    changed: changed.length,
    // What the import made of the tickets, for whoever holds them against it. The rows hold names and codes, and an
    // import of one ticket has few enough of both to be guessed from a plain hash.
    digest: deps.tickets.digestOf(contents),
    format,
  }
}

/** The sum over all tickets, in the identity table: in step with every import, and every change of the shop's. */
export const TICKET_SUM = 'ticket_sum'

const TICKETS_CHANGE: ReadonlySet<EntryKind> = new Set(['import', 'shop', 'heard'])

/** Within a transaction, while every scan waits. */
function write(plan: Plan, entry: Fields, deps: ImportDeps): void {
  const { size } = plan
  const { ledger, tickets } = deps
  // They may have been forgotten since the file was read.
  const forgotten = namesForgotten(ledger.db)
  const added = forgotten ? plan.added.map(withoutName) : plan.added
  const changed = forgotten ? plan.changed.map((c) => ({ ...c, fields: withoutName(c.fields) })) : plan.changed
  // Another process, the command line or the box, or another box, may have imported the same since, or the shop's feed have
  // changed it.
  const alone = !ledger.read(size, ledger.size - size).some(({ kind }) => TICKETS_CHANGE.has(kind))
  const sum = alone ? sumBefore(deps) : sumAfter(plan, deps)
  if (alone) sum.merge(plan.sum)
  const { index } = ledger.append('import', { ...entry, tickets_digest: sum.digest() })
  for (const ticket of added) {
    const there = alone ? undefined : sameCode(ticket, tickets)
    if (there) tickets.update(there.id, ticket, index)
    else tickets.insert(ticket, index)
  }
  for (const { id, fields } of changed) tickets.update(id, fields, index)
  writeValue(ledger.db, TICKET_SUM, sum.bytes())
}

function sameCode({ codeHash }: NewTicket, tickets: Tickets): Ticket | undefined {
  return tickets.openedBy({ kind: 'static', codeHash })
}

/** As the last import, or the shop's feed, has left it; from the rows where neither has. */
export function sumBefore({ ledger, tickets, codes }: Omit<ImportDeps, 'event'>): TicketSum {
  const stored = readValue(ledger.db, TICKET_SUM)
  if (stored) return new TicketSum(stored)
  const sum = new TicketSum()
  for (const page of tickets.all()) for (const ticket of page) sum.add({ ...ticket, codeHash: codes.hash(ticket.code) })
  return sum
}

/** What the plan compared itself with is not what it meets: each ticket is taken as it stands now. */
function sumAfter({ added, changed }: Plan, deps: ImportDeps): TicketSum {
  const sum = sumBefore(deps)
  const change = (there: Ticket, fields: TicketFields) => {
    const codeHash = deps.codes.hash(there.code)
    sum.remove({ ...there, codeHash })
    sum.add({ ...there, ...fields, ref: there.ref, codeHash })
  }
  for (const ticket of added) {
    const there = sameCode(ticket, deps.tickets)
    if (there) change(there, ticket)
    else sum.add(ticket)
  }
  for (const { id, fields } of changed) {
    const there = deps.tickets.byId(id)
    if (there) change(there, fields)
  }
  return sum
}

function withoutName<T extends { holderName: string | null; email: string | null }>(of: T): T {
  return { ...of, holderName: null, email: null }
}

function fieldsOf(row: TicketRow): TicketFields {
  return {
    tier: row.tier,
    seat: row.seat,
    holderName: row.holderName,
    email: row.email,
    validFrom: row.validFrom === null ? null : Date.parse(row.validFrom),
    validUntil: row.validUntil === null ? null : Date.parse(row.validUntil),
    status: row.status,
    statusDetail: row.detail,
  }
}

function sameFields(ticket: Ticket, fields: TicketFields): boolean {
  return (Object.keys(fields) as (keyof TicketFields)[]).every((name) => ticket[name] === fields[name])
}

async function newTicket(row: TicketRow, codeHash: Buffer, { tickets, codes }: ImportDeps): Promise<NewTicket> {
  const capability = tickets.capabilityOf(row.code)
  return {
    ...fieldsOf(row),
    code: row.code,
    codeHash,
    capability,
    ref: tickets.refOf(capability),
    ...(await newKey(codes)),
  }
}
