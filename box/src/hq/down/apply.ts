/**
 * Makes tickets of the shop's changes, one after the other in their order, so that it is the same however they are batched.
 * Within a transaction, which also moves the source's position and appends what happened to the journal. Nothing here
 * touches a passage, a claim, or what an admin has revoked at the box.
 */
import { randomBytes } from 'node:crypto'
import { comparePositions, formatLsn, type Position, parseLsn } from '../../feed/lsn.ts'
import { writeValue } from '../../ledger/identity.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { ShopRow, ShopSource, Ticket } from '../../ledger/schema.ts'
import type { CodeReader } from '../../tickets/codes.ts'
import { namesForgotten } from '../../tickets/forget.ts'
import { sumBefore, TICKET_SUM } from '../../tickets/import-tickets.ts'
import type { TicketSum } from '../../tickets/ticket-sum.ts'
import type { TicketFields, Tickets } from '../../tickets/tickets.ts'
import { BatchError, type Image, joinedKey, type ShopChange } from './event.ts'
import type { KeyStock } from './key-stock.ts'
import type { MappedTable, ShopMapping, ShopStatus, TicketMapping } from './mapping.ts'
import type { Found, Problem, Reading, RowReader } from './reading.ts'
import type { NewRow, RowRef, ShopRows } from './rows.ts'

export interface ApplyDeps {
  ledger: Ledger
  tickets: Tickets
  codes: CodeReader
  rows: ShopRows
  keys: KeyStock
  mapping: ShopMapping
  read: RowReader
  /** Unix ms. */
  now: () => number
}

/** What one transaction did. */
export interface Applied {
  /** Changes that were new, of tables that the mapping names. */
  events: number
  added: number
  changed: number
  /** Rows that could not be applied, by kind of problem. */
  problems: Record<string, number>
}

/** What begins the key of a change that could not be read: it never was a row. */
const NO_KEY = '?'

const NOTHING_SAID = { ticket: null, problem: null, reason: null, problemAt: null }

const REMOVED: ShopStatus = { status: 'revoked', detail: 'removed from the shop' }
const NO_TICKET: ShopStatus = { status: 'revoked', detail: 'no longer a ticket in the shop' }

/**
 * Applies changes that come after the source's position, and passes over those that do not: they came before.
 * @throws BatchError when the database seems to be another one than before
 */
export function applyChanges(source: string, changes: readonly ShopChange[], deps: ApplyDeps): Applied {
  const { rows, now } = deps
  const state = rows.source(source)
  const work = new Application(state, deps)
  let at = positionOf(state)
  let committedAt = state.committedAt ?? Number.NEGATIVE_INFINITY
  let lagMs: number | null = state.lagMs
  for (const change of changes) {
    if (at && comparePositions(change.position, at) <= 0) {
      // What came before was committed before. A database that was restored, or moved, counts its log anew: all that it
      // ever says would be passed over in silence.
      if (change.committedAt > committedAt) throw wentBack(change.position, at)
      continue
    }
    work.apply(change)
    at = change.position
    committedAt = Math.max(committedAt, change.committedAt)
    lagMs = Math.max(0, now() - change.committedAt)
  }
  const applied = work.end(at ? `${formatLsn(at.commitLsn)}:${at.index}` : null)
  rows.saveSource({
    ...state,
    ...(at && { commitLsn: formatLsn(at.commitLsn), eventIndex: at.index, committedAt }),
    ...(applied.events > 0 && { appliedAt: now(), lagMs }),
    mapping: state.mapping ?? deps.mapping.digest,
    ...totals(state, applied),
  })
  return applied
}

function wentBack({ commitLsn }: Position, at: Position): BatchError {
  return new BatchError(
    `This change was committed after the last one that was applied (${formatLsn(at.commitLsn)}), and stands before it (${formatLsn(commitLsn)}): the shop's database was restored or replaced. Run "gatehouse shop load", which begins anew.`,
  )
}

export function positionOf({ commitLsn, eventIndex }: ShopSource): Position | undefined {
  const lsn = commitLsn === null ? undefined : parseLsn(commitLsn)
  return lsn === undefined ? undefined : { commitLsn: lsn, index: eventIndex ?? 0 }
}

function totals(state: ShopSource, { events, added, changed }: Applied) {
  return { events: state.events + events, added: state.added + added, changed: state.changed + changed }
}

/** Rows of an initial load: as the database had them at one moment, whatever was told before. */
export function applyLoaded(source: string, loaded: readonly (RowRef & { image: Image })[], deps: ApplyDeps): Applied {
  const state = deps.rows.source(source)
  const work = new Application(state, deps)
  for (const { table, key, image } of loaded) work.row({ table, key }, undefined, image)
  return saved(state, work.end(null), { loadingAt: deps.now() }, deps)
}

/** A page of rows that are no longer in the shop. @returns the last of them, undefined when there are no more */
export function removeStanding(
  source: string,
  { table, before, after }: { table?: string; before?: number; after: number },
  deps: ApplyDeps,
): { last: number; applied: Applied } | undefined {
  const state = deps.rows.source(source)
  const page = deps.rows.standing(source, table, { after, ...(before !== undefined && { before }) })
  const last = page.at(-1)
  if (!last) return undefined
  const work = new Application(state, deps)
  for (const row of page) work.remove(row)
  return { last: last.id, applied: saved(state, work.end(null), {}, deps) }
}

/** Reads a page of rows anew. @returns the last of them, undefined when there are no more */
export function readAgain(
  source: string,
  { after, all }: { after: number; all: boolean },
  deps: ApplyDeps,
): { last: number; applied: Applied } | undefined {
  const state = deps.rows.source(source)
  const page = deps.rows.page(source, after, !all)
  const last = page.at(-1)
  if (!last) return undefined
  const work = new Application(state, deps)
  for (const row of page) work.again(row.id)
  return { last: last.id, applied: saved(state, work.end(null), {}, deps) }
}

function saved(state: ShopSource, applied: Applied, more: Partial<ShopSource>, { rows }: ApplyDeps): Applied {
  rows.saveSource({ ...state, ...totals(state, applied), ...more })
  return applied
}

/** One transaction's work. */
class Application {
  readonly #source: string
  readonly #load: number
  readonly #deps: ApplyDeps
  readonly #applied: Applied = { events: 0, added: 0, changed: 0, problems: {} }
  readonly #forgotten: boolean
  /** Read when the first ticket changes: most of what a shop writes is about none. */
  #sum: TicketSum | undefined
  /** What was made of the tickets, for the journal's keyed digest. */
  readonly #contents: string[] = []
  /** The entry that will explain all this: nothing else is appended in between. */
  readonly #entry: number

  constructor({ source, load }: ShopSource, deps: ApplyDeps) {
    this.#source = source
    this.#load = load
    this.#deps = deps
    this.#entry = deps.ledger.size
    this.#forgotten = namesForgotten(deps.ledger.db)
  }

  apply(change: ShopChange): void {
    if (change.op === 'ignored') return
    this.#applied.events++
    const { table, position } = change
    if (change.op === 'row') this.row({ table, key: change.key }, change.before, change.image)
    else if (change.op === 'delete') {
      const there = this.#deps.rows.find(this.#source, { table, key: change.key })
      if (there) this.remove(there)
    } else if (change.op === 'broken') {
      const key = `${NO_KEY}${formatLsn(position.commitLsn)}:${position.index}`
      this.#keepBroken({ table, key }, change.reason)
    }
    // A truncate is dealt with in pages before (`removeStanding`): here it only has its place in the order.
  }

  /** A row as it is now, as far as it was told. @param before the key that it had, where that was told */
  row(ref: RowRef, before: string | undefined, told: Image): void {
    const { rows, mapping } = this.#deps
    const table = mapping.tables.get(ref.table)
    if (!table) return
    let there = rows.find(this.#source, ref)
    if (before !== undefined && before !== ref.key) there = this.#moved({ ...ref, key: before }, there) ?? there
    const image: Record<string, string | null> = { ...(there && JSON.parse(there.image)) }
    const personal: Record<string, string | null> = { ...(there?.personal && JSON.parse(there.personal)) }
    for (const [column, value] of Object.entries(told)) {
      if (table.personal.has(column)) personal[column] = value
      else image[column] = value
    }
    const next = {
      image: JSON.stringify(image),
      // Once forgotten, a name does not come back.
      personal: this.#forgotten ? null : JSON.stringify(personal),
    }
    const known = { source: this.#source, table: ref.table, key: ref.key, ...next, gone: 0, load: this.#load }
    const draft = { ...NOTHING_SAID, ...there, ...known }
    this.#settle(draft, table)
    const row = there ? { ...draft, id: there.id } : rows.insert(draft)
    if (there) rows.save(row)
    if (table.tickets) this.#noteLookups(row, there, table.tickets)
    this.#tellDependents(ref)
    if (before !== undefined && before !== ref.key) this.#tellDependents({ ...ref, key: before })
  }

  /** The row is no longer in the shop; its ticket stays, and opens nothing. */
  remove(row: ShopRow): void {
    this.#deps.rows.save({ ...row, gone: 1, problem: null, reason: null, problemAt: null })
    this.#refuse(row, REMOVED)
    this.#tellDependents(row)
  }

  /** Reads a row once more: what it rests on has changed, or a person has mended something. */
  again(id: number): void {
    const row = this.#deps.rows.byId(id)
    const table = row && this.#deps.mapping.tables.get(row.table)
    if (!row || !table || row.gone !== 0 || row.key.startsWith(NO_KEY)) return
    const settled = { ...row }
    this.#settle(settled, table)
    if (settled.ticket !== row.ticket || settled.reason !== row.reason) this.#deps.rows.save(settled)
  }

  /** @param position for the journal; null where the change has none */
  end(position: string | null): Applied {
    const { ledger, tickets } = this.#deps
    const { added, changed } = this.#applied
    if (this.#sum) {
      ledger.append('shop', {
        ...{ source: this.#source, position, added, changed },
        digest: tickets.digestOf(this.#contents),
        tickets_digest: this.#sum.digest(),
      })
      writeValue(ledger.db, TICKET_SUM, this.#sum.bytes())
    }
    return this.#applied
  }

  /** The row's key has changed: it is the same row, and the same ticket. */
  #moved(from: RowRef, inItsPlace: ShopRow | undefined): ShopRow | undefined {
    const { rows } = this.#deps
    const row = rows.find(this.#source, from)
    if (!row) return undefined
    if (inItsPlace) {
      // A deleted row had this key: its ticket stays refused, and is nobody's any more.
      if (inItsPlace.gone === 0) this.remove(inItsPlace)
      rows.remove(inItsPlace.id)
    }
    return row
  }

  #noteLookups(row: ShopRow, before: ShopRow | undefined, tickets: TicketMapping): void {
    if (tickets.lookups.size === 0) return
    const refs = lookupsOf(row, tickets)
    if (before && JSON.stringify(lookupsOf(before, tickets)) === JSON.stringify(refs)) return
    this.#deps.rows.setLookups(
      this.#source,
      row.id,
      refs.map(({ ref }) => ref).filter((ref) => ref !== undefined),
    )
  }

  #tellDependents(ref: RowRef): void {
    if (!this.#deps.mapping.tables.get(ref.table)?.lookedUp) return
    for (const id of this.#deps.rows.dependents(this.#source, ref)) this.again(id)
  }

  /** Makes the row's ticket what the row says, and notes in the row which that is, or what is wrong. */
  #settle(row: NewRow, table: MappedTable): void {
    if (!table.tickets) return
    const problem = this.#follow(row, this.#read(row, table.tickets))
    if (problem) this.#applied.problems[problem.kind] = (this.#applied.problems[problem.kind] ?? 0) + 1
    if (problem?.reason === row.reason) return
    const { kind = null, reason = null } = problem ?? {}
    Object.assign(row, { problem: kind, reason, problemAt: problem ? this.#deps.now() : null })
  }

  #read(row: NewRow, tickets: TicketMapping): Reading {
    const found = new Map<string, Found>()
    for (const { name, ref } of lookupsOf(row, tickets)) {
      // A row that belongs to no other one: as an outer join has it, with nothing in every column.
      if (!ref) found.set(name, {})
      else {
        const other = this.#deps.rows.find(this.#source, ref)
        found.set(name, !other ? 'waiting' : other.gone ? 'gone' : imageOf(other))
      }
    }
    return this.#deps.read(tickets, imageOf(row), found)
  }

  #follow(row: NewRow, reading: Reading): Problem | undefined {
    switch (reading.is) {
      case 'gone':
        this.#refuse(row, REMOVED)
        return undefined
      case 'no ticket':
        this.#refuse(row, NO_TICKET)
        return undefined
      case 'problem':
        // Whatever else is wrong with the row: money that was given back admits nobody.
        if (reading.refused) this.#refuse(row, reading.refused)
        return reading.problem
      case 'ticket':
        return this.#ticket(row, reading.code, this.#forgotten ? withoutName(reading.fields) : reading.fields)
    }
  }

  #ticket(row: NewRow, code: string, fields: TicketFields): Problem | undefined {
    const { tickets, codes, rows } = this.#deps
    const codeHash = codes.hash(code)
    const taken = tickets.credential(codeHash)
    const own = row.ticket === null ? undefined : tickets.byId(row.ticket)
    if (own) {
      if (taken && (taken.ticket !== own.id || !isPrintedKind(taken.kind))) {
        if (fields.status !== 'valid') this.#refuse(row, { status: fields.status, detail: fields.statusDetail })
        return duplicate(taken.kind)
      }
      this.#change(own, fields, code === own.code ? undefined : { code, codeHash })
      return undefined
    }
    if (taken) {
      if (taken.kind !== 'static') return duplicate(taken.kind)
      const other = rows.ofTicket(taken.ticket)
      // Of another import, or of a row that is gone: a table that was emptied and filled again has the same tickets.
      if (other && other.gone === 0) return duplicate(taken.kind)
      if (other) rows.save({ ...other, ticket: null })
      row.ticket = taken.ticket
      const ticket = tickets.byId(taken.ticket)
      if (ticket) this.#change(ticket, fields, undefined)
      return undefined
    }
    row.ticket = this.#add(code, codeHash, fields)
    return undefined
  }

  #add(code: string, codeHash: Buffer, fields: TicketFields): number {
    const { tickets, keys } = this.#deps
    // The capability: whoever has it may see the ticket, so it is random and owes nothing to the code that is printed.
    const capability = randomBytes(16).toString('base64url')
    const ticket = { ...fields, code, codeHash, capability, ref: tickets.refOf(capability), ...keys.take() }
    this.#sumNow().add(ticket)
    this.#contents.push(JSON.stringify([code, ticket.ref]))
    this.#applied.added++
    return tickets.insert(ticket, this.#entry)
  }

  #change(ticket: Ticket, fields: TicketFields, code: { code: string; codeHash: Buffer } | undefined): void {
    const { tickets, codes } = this.#deps
    const same = (Object.keys(fields) as (keyof TicketFields)[]).every((name) => ticket[name] === fields[name])
    if (same && !code) return
    const before = codes.hash(ticket.code)
    const sum = this.#sumNow()
    sum.remove({ ...ticket, codeHash: before })
    sum.add({ ...ticket, ...fields, codeHash: code?.codeHash ?? before })
    this.#contents.push(JSON.stringify({ id: ticket.id, fields, code: code?.code ?? null }))
    this.#applied.changed++
    tickets.update(ticket.id, fields, this.#entry)
    if (code) tickets.recode(ticket, { ...code, before }, this.#entry)
  }

  /** The row's ticket, if there is one, lets nobody in any more; everything else of it stays. */
  #refuse({ ticket: id }: Pick<NewRow, 'ticket'>, { status, detail }: ShopStatus): void {
    const ticket = id === null ? undefined : this.#deps.tickets.byId(id)
    if (!ticket) return
    const { tier, seat, holderName, email, validFrom, validUntil } = ticket
    this.#change(
      ticket,
      { tier, seat, holderName, email, validFrom, validUntil, status, statusDetail: detail },
      undefined,
    )
  }

  #keepBroken(ref: RowRef, reason: string): void {
    const { rows, now } = this.#deps
    this.#applied.problems.broken = (this.#applied.problems.broken ?? 0) + 1
    const row = { source: this.#source, ...ref, image: '{}', personal: null, gone: 0, ticket: null, load: this.#load }
    const kept = { ...row, problem: 'broken', reason: `${reason}.`.replace(/\?\.$/, '?'), problemAt: now() }
    const there = rows.find(this.#source, ref)
    if (there) rows.save({ ...kept, id: there.id })
    else rows.insert(kept)
  }

  #sumNow(): TicketSum {
    this.#sum ??= sumBefore(this.#deps)
    return this.#sum
  }
}

function imageOf({ image, personal }: Pick<NewRow, 'image' | 'personal'>): Image {
  return { ...JSON.parse(image), ...(personal && JSON.parse(personal)) }
}

function lookupsOf(row: NewRow, { lookups }: TicketMapping): { name: string; ref: RowRef | undefined }[] {
  const image = imageOf(row)
  return [...lookups].map(([name, { table, by }]) => {
    const key = joinedKey(by.map((column) => image[column]))
    return { name, ref: key === undefined ? undefined : { table, key } }
  })
}

function duplicate(kind: string): Problem {
  return {
    kind: 'duplicate',
    reason:
      kind === 'static'
        ? 'another ticket has the same code: correct one of the two in the shop.'
        : "its code was another ticket's before: give it one that was never used.",
  }
}

function isPrintedKind(kind: string): boolean {
  return kind === 'static' || kind === 'replaced'
}

function withoutName(fields: TicketFields): TicketFields {
  return { ...fields, holderName: null, email: null }
}

/** Changes are applied so many at a time, which is one transaction: what a feed sends at once, and no more than scans wait for. */
export const CHANGES_AT_ONCE = 500
