/**
 * One transaction's work on the shop's rows: each is kept as it was last told, read, and its ticket made what it says.
 * Nothing here touches a passage, a claim, or what an admin has revoked at the box.
 */
import { formatLsn } from '../../feed/lsn.ts'
import type { ShopRow, ShopSource } from '../../ledger/schema.ts'
import { namesForgotten } from '../../tickets/forget.ts'
import type { TicketFields } from '../../tickets/tickets.ts'
import { type Image, joinedKey, type ShopChange } from './event.ts'
import type { MappedTable, ShopMapping, ShopStatus, TicketMapping } from './mapping.ts'
import type { Found, Problem, Reading, RowReader } from './reading.ts'
import type { NewRow, RowRef, ShopRows } from './rows.ts'
import { TicketChanges, type TicketChangesDeps } from './ticket-changes.ts'

export interface ApplyDeps extends TicketChangesDeps {
  rows: ShopRows
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

export class Application {
  readonly #source: string
  readonly #load: number
  readonly #deps: ApplyDeps
  readonly #tickets: TicketChanges
  #events = 0
  readonly #problems: Record<string, number> = {}
  readonly #forgotten: boolean

  constructor({ source, load }: ShopSource, deps: ApplyDeps) {
    this.#source = source
    this.#load = load
    this.#deps = deps
    this.#tickets = new TicketChanges(deps)
    this.#forgotten = namesForgotten(deps.ledger.db)
  }

  apply(change: ShopChange): void {
    if (change.op === 'ignored') return
    this.#events++
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
    this.#tickets.refuse(row.ticket, REMOVED)
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

  /** Writes the journal's entry. @param position null where what was done has none */
  end(position: string | null): Applied {
    this.#tickets.explain(this.#source, position)
    const { added, changed } = this.#tickets
    return { events: this.#events, added, changed, problems: this.#problems }
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
    if (problem) this.#count(problem.kind)
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
        this.#tickets.refuse(row.ticket, REMOVED)
        return undefined
      case 'no ticket':
        this.#tickets.refuse(row.ticket, NO_TICKET)
        return undefined
      case 'problem':
        // Whatever else is wrong with the row: money that was given back admits nobody.
        if (reading.refused) this.#tickets.refuse(row.ticket, reading.refused)
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
        if (fields.status !== 'valid')
          this.#tickets.refuse(row.ticket, { status: fields.status, detail: fields.statusDetail })
        return duplicate(taken.kind)
      }
      this.#tickets.change(own, fields, code === own.code ? undefined : { code, codeHash })
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
      if (ticket) this.#tickets.change(ticket, fields)
      return undefined
    }
    row.ticket = this.#tickets.add(code, codeHash, fields)
    return undefined
  }

  #count(problem: string): void {
    this.#problems[problem] = (this.#problems[problem] ?? 0) + 1
  }

  #keepBroken(ref: RowRef, reason: string): void {
    const { rows, now } = this.#deps
    this.#count('broken')
    const row = { source: this.#source, ...ref, image: '{}', personal: null, gone: 0, ticket: null, load: this.#load }
    const kept = { ...row, problem: 'broken', reason: `${reason}.`.replace(/\?\.$/, '?'), problemAt: now() }
    const there = rows.find(this.#source, ref)
    if (there) rows.save({ ...kept, id: there.id })
    else rows.insert(kept)
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
