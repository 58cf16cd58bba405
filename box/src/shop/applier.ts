/**
 * Applies changes to the shop's rows and their tickets, within one transaction: each row is stored as last delivered, and its
 * ticket is made what the row says. It changes no passage, no claim, and nothing that an admin has revoked at the box.
 */
import { formatLsn } from '../feed/lsn.ts'
import type { ShopRow, ShopSource } from '../ledger/schema.ts'
import { NOBODY, namesErased } from '../tickets/erasure.ts'
import { eraseShopRows, isOfForgotten } from '../tickets/forget-holder.ts'
import { type Change, type Image, joinedKey } from './event.ts'
import type { MappedStatus, MappedTable, Mapping, TicketMapping } from './mapping.ts'
import type { Found, Problem, RowReader, RowResult, ShopFields } from './row-reader.ts'
import type { NewRow, RowRef, RowStore } from './rows.ts'
import { TicketChanges, type TicketChangesDeps } from './ticket-changes.ts'
import { followTicket } from './ticket-of-row.ts'

export interface ApplyDeps extends TicketChangesDeps {
  rows: RowStore
  mapping: Mapping
  read: RowReader
  /** Unix ms. */
  now: () => number
}

/** The effects of one transaction. */
export interface Applied {
  /** New changes of mapped tables. */
  events: number
  added: number
  changed: number
  /** Rows that could not be applied, by kind of problem. */
  problems: Record<string, number>
}

/** Begins the key of a change that could not be read, which is not a row of the shop. */
const NO_KEY = '?'

const NO_OUTCOME = { ticket: null, problem: null, reason: null, problemAt: null }

const REMOVED: MappedStatus = { status: 'revoked', detail: 'removed from the shop' }
const NO_TICKET: MappedStatus = { status: 'revoked', detail: 'no longer a ticket in the shop' }

export class Applier {
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
    this.#forgotten = namesErased(deps.ledger.db)
  }

  apply(change: Change): void {
    if (change.op === 'ignored') return
    this.#events++
    const { table, position } = change
    if (change.op === 'row') this.upsert({ table, key: change.key }, change.before, change.image)
    else if (change.op === 'delete') {
      const there = this.#deps.rows.find(this.#source, { table, key: change.key })
      if (there) this.markGone(there)
    } else if (change.op === 'broken') {
      const key = `${NO_KEY}${formatLsn(position.commitLsn)}:${position.index}`
      this.#keepBroken({ table, key }, change.reason)
    }
    // A truncate was applied in pages before (`removePresent`): here it only moves the position.
  }

  /** @param before the row's old key, where it was delivered. @param delivered columns that are known now */
  upsert(ref: RowRef, before: string | undefined, delivered: Image): void {
    const { rows, mapping } = this.#deps
    const table = mapping.tables.get(ref.table)
    if (!table) return
    let there = rows.find(this.#source, ref)
    if (before !== undefined && before !== ref.key) there = this.#moved({ ...ref, key: before }, there) ?? there
    const image: Record<string, string | null> = { ...(there && JSON.parse(there.image)) }
    const personal: Record<string, string | null> = { ...(there?.personal && JSON.parse(there.personal)) }
    for (const [column, value] of Object.entries(delivered)) {
      if (table.personal.has(column)) personal[column] = value
      else image[column] = value
    }
    const next = {
      image: JSON.stringify(image),
      // After names are forgotten, none is stored again.
      personal: this.#isNobodys(ref, there) ? null : JSON.stringify(personal),
    }
    const known = { source: this.#source, table: ref.table, key: ref.key, ...next, gone: 0, load: this.#load }
    const draft = { ...NO_OUTCOME, ...there, ...known }
    this.#settle(draft, table)
    const row = there ? { ...draft, id: there.id } : rows.insert(draft)
    if (there) rows.save(row)
    if (table.tickets) this.#noteLookups(row, there, table.tickets)
    // A row with the code of a ticket whose holder was erased: found only when it was read.
    if (row.ticket !== there?.ticket && this.#isForgotten(row)) eraseShopRows(this.#deps.ledger.db, row.ticket ?? 0)
    this.#applyDependents(ref)
    if (before !== undefined && before !== ref.key) this.#applyDependents({ ...ref, key: before })
  }

  /** No name is stored with it: names were erased, or the holder of its ticket, or those of all tickets that look it up. */
  #isNobodys(ref: RowRef, there: ShopRow | undefined): boolean {
    if (this.#forgotten || this.#isForgotten(there)) return true
    const isLookedUp = there !== undefined && this.#deps.mapping.tables.get(ref.table)?.lookedUp === true
    return isLookedUp && isOfForgotten(this.#deps.ledger.db, { source: this.#source, ...ref })
  }

  /** True where the holder of the row's ticket was erased. */
  #isForgotten(row: ShopRow | undefined): boolean {
    const ticket = row?.ticket == null ? undefined : this.#deps.tickets.byId(row.ticket)
    return ticket !== undefined && ticket.forgottenAt !== null
  }

  /** The row is no longer in the shop; its ticket stays, and is refused. */
  markGone(row: ShopRow): void {
    this.#deps.rows.save({ ...row, gone: 1, problem: null, reason: null, problemAt: null })
    this.#tickets.refuse(row.ticket, REMOVED)
    this.#applyDependents(row)
  }

  /** Applies a row again: a row that it looks up has changed, or a person has corrected something. */
  reapply(id: number): void {
    const row = this.#deps.rows.byId(id)
    const table = row && this.#deps.mapping.tables.get(row.table)
    if (!row || !table || row.gone !== 0 || row.key.startsWith(NO_KEY)) return
    const settled = { ...row }
    this.#settle(settled, table)
    if (settled.ticket !== row.ticket || settled.reason !== row.reason) this.#deps.rows.save(settled)
  }

  /** Appends the journal's entry. @param position null for a load, whose rows have none */
  end(position: string | null): Applied {
    this.#tickets.explain(this.#source, position)
    const { added, changed } = this.#tickets
    return { events: this.#events, added, changed, problems: this.#problems }
  }

  /** The row's key has changed: it stays the same row with the same ticket. */
  #moved(from: RowRef, inItsPlace: ShopRow | undefined): ShopRow | undefined {
    const { rows } = this.#deps
    const row = rows.find(this.#source, from)
    if (!row) return undefined
    if (inItsPlace) {
      // A deleted row had this key: its ticket stays refused, and belongs to no row.
      if (inItsPlace.gone === 0) this.markGone(inItsPlace)
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

  #applyDependents(ref: RowRef): void {
    if (!this.#deps.mapping.tables.get(ref.table)?.lookedUp) return
    for (const id of this.#deps.rows.dependents(this.#source, ref)) this.reapply(id)
  }

  /** Makes the row's ticket what the row says, and notes in the row which ticket that is, or the problem. */
  #settle(row: NewRow, table: MappedTable): void {
    if (!table.tickets) return
    const problem = this.#follow(row, this.#read(row, table.tickets))
    if (problem) this.#count(problem.kind)
    if (problem?.reason === row.reason) return
    const { kind = null, reason = null } = problem ?? {}
    Object.assign(row, { problem: kind, reason, problemAt: problem ? this.#deps.now() : null })
  }

  #read(row: NewRow, tickets: TicketMapping): RowResult {
    const found = new Map<string, Found>()
    for (const { name, ref } of lookupsOf(row, tickets)) {
      // A row without a key to look up: as in an outer join, every column is null.
      if (!ref) found.set(name, {})
      else {
        const other = this.#deps.rows.find(this.#source, ref)
        found.set(name, !other ? 'waiting' : other.gone ? 'gone' : imageOf(other))
      }
    }
    return this.#deps.read(tickets, imageOf(row), found)
  }

  #follow(row: NewRow, reading: RowResult): Problem | undefined {
    switch (reading.is) {
      case 'gone':
        this.#tickets.refuse(row.ticket, REMOVED)
        return undefined
      case 'no ticket':
        this.#tickets.refuse(row.ticket, NO_TICKET)
        return undefined
      case 'problem':
        // A refunded ticket admits nobody, even if the rest of the row is wrong.
        if (reading.refused) this.#tickets.refuse(row.ticket, reading.refused)
        return reading.problem
      case 'ticket': {
        const { code, fields, product, problem } = reading
        if (product) this.#tickets.sell(product)
        const said = { code, fields: this.#forgotten ? withoutName(fields) : fields }
        return followTicket(row, said, { ...this.#deps, changes: this.#tickets }) ?? problem
      }
    }
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

function withoutName(fields: ShopFields): ShopFields {
  return { ...fields, ...NOBODY }
}
