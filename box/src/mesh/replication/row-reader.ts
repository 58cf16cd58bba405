/**
 * Reads the rows that travel with an entry of this box's journal. They are found by the ids that the entry names, and sent as
 * they are now: what has changed since travels with a later entry again, and leads to the same state.
 *
 * Tickets travel with the entry that changed them last, with this box's part in them, so that whoever replicates the whole journal
 * has every ticket that this box has made or changed. Where that entry records a replication, tickets in which this box has no part
 * are left out: the others replicate them from the box that changed them.
 */
import { and, asc, eq, exists, gt, isNull, lte, type SQL, sql } from '../../drizzle/core.ts'
import type { Db } from '../../ledger/db.ts'
import type { EntryKind, EntryWith } from '../../ledger/entries.ts'
import { credentials, products, type Ticket, tickets, ticketVersions } from '../../ledger/schema.ts'
import { matching } from '../../ledger/statements.ts'
import { changesManyTickets, changesOneTicket } from '../../tickets/changed-by.ts'
import { hasDetails } from '../../tickets/details.ts'
import { TicketVersions } from '../../tickets/versions.ts'
import { NamedRows } from './named-rows.ts'
import type { Rows } from './rows.ts'
import { bounded, MOST_PRODUCT, type ProductRow, type TicketRow } from './ticket-row.ts'

/** Tickets read at a time, and how much of them goes in one page. */
const TICKETS = 250
const TICKET_BYTES = 256 * 1024
/** `after` from here on counts products, which come after all tickets: no ticket has so high an id. */
const PRODUCTS = 2 ** 52

export interface TravellingRows {
  rows: Rows | undefined
  /** More tickets travel with the entry, after this one; undefined where these are all. */
  more: number | undefined
}

type OwnEntry = EntryWith<'index' | 'hlc' | 'kind' | 'fields'>

/** Entries of this box: those after `from`, up to `upTo`. */
interface EntryRange {
  from: number
  upTo: number
}

export class RowReader {
  readonly #self: string
  readonly #versions: TicketVersions
  readonly #namedRows: NamedRows
  readonly #statements: ReturnType<typeof prepare>

  /** @param self the id of this box */
  constructor(db: Pick<Db, 'drizzle'>, self: string) {
    this.#self = self
    this.#versions = new TicketVersions(db)
    this.#namedRows = new NamedRows(db)
    this.#statements = prepare(db)
  }

  /** @param after only tickets after this one, for an entry with more tickets than go in one page */
  of(entry: OwnEntry, after = 0): TravellingRows {
    if (withTickets(entry.kind)) {
      const { index, kind } = entry
      const ownOnly = kind === 'heard'
      const { changedBy, ownChangedBy } = this.#statements
      const page = after < PRODUCTS ? (ownOnly ? ownChangedBy : changedBy).all({ entry: index, after }) : []
      const found = this.#ticketsIn(page)
      return changesManyTickets(kind)
        ? this.#withProducts(found, { from: index - 1, upTo: index }, after, ownOnly)
        : found
    }
    return this.#named(entry)
  }

  /**
   * The rows of an entry that was replicated from another box, as they are here.
   * @param here the range of this box's entries that recorded it
   */
  ofReplicated(entry: OwnEntry, here: EntryRange, after = 0): TravellingRows {
    if (withTickets(entry.kind) && entry.kind !== 'heard') {
      const page = after < PRODUCTS ? this.#statements.changedIn.all({ ...here, after }) : []
      const found = this.#ticketsIn(page)
      return changesManyTickets(entry.kind) ? this.#withProducts(found, here, after, false) : found
    }
    return this.#named(entry)
  }

  #ticketsIn(page: readonly Ticket[]): TravellingRows {
    const rows: TicketRow[] = []
    let more = page.length === TICKETS ? page.at(-1)?.id : undefined
    let bytes = 0
    for (const ticket of page) {
      const row = this.#ticketRow(ticket)
      rows.push(row)
      bytes += JSON.stringify(row).length
      if (bytes < TICKET_BYTES || ticket === page.at(-1)) continue
      more = ticket.id
      break
    }
    return { rows: rows.length === 0 ? undefined : { tickets: rows }, more }
  }

  /** The products that the entry has changed come after its last ticket, in pages as tickets do. */
  #withProducts(found: TravellingRows, { from, upTo }: EntryRange, after: number, ownOnly: boolean): TravellingRows {
    if (found.more !== undefined) return found
    const offset = Math.max(0, after - PRODUCTS)
    const page = this.#statements.productsIn.all({ from, upTo, offset })
    const room = TICKET_BYTES - JSON.stringify(found.rows ?? {}).length
    const rows: ProductRow[] = []
    let [bytes, taken] = [0, 0]
    for (const { key, product, hlc, box } of page) {
      if (bytes > room && rows.length > 0) break
      taken++
      if ((ownOnly && box !== null) || product.length > MOST_PRODUCT) continue
      const row = { key, product, hlc, box: box ?? this.#self }
      rows.push(row)
      bytes += Buffer.byteLength(JSON.stringify(row))
    }
    const isAll = taken === page.length && page.length < TICKETS
    return {
      rows: rows.length === 0 ? found.rows : { ...found.rows, products: rows },
      more: isAll ? undefined : PRODUCTS + offset + taken,
    }
  }

  #ticketRow(ticket: Ticket): TicketRow {
    const { id, sharedRef, entry, seed, publicKey, forgottenAt, ...rest } = ticket
    const { product, orderCode, position, addonTo, price, attention, personal, extras, ...known } = rest
    const details = { product, orderCode, position, addonTo, price, attention, personal, extras }
    const { deskCode, deskLink, deskHolder, deskNote, ...fields } = known
    const desk = { deskCode, deskLink, deskHolder, deskNote }
    return {
      ...fields,
      ...(Object.values(desk).some((value) => value !== null) && { desk }),
      ...(hasDetails(details) && { details: bounded(details) }),
      ...(forgottenAt !== null && { forgottenAt }),
      seed: base64(seed),
      publicKey: base64(publicKey),
      earlier: this.#statements.credentialsOf
        .all({ ticket: id })
        .flatMap(({ codeHash, kind }) =>
          kind === 'retired' || kind === 'replaced' ? [{ hash: base64(codeHash), kind }] : [],
        ),
      versions: Object.fromEntries(this.#versions.of(id, this.#self)),
    }
  }

  #named(entry: OwnEntry): TravellingRows {
    const rows = this.#namedRows.of(entry)
    return { rows: rows && Object.keys(rows).length > 0 ? rows : undefined, more: undefined }
  }
}

function prepare({ drizzle }: Pick<Db, 'drizzle'>) {
  const { placeholder } = sql
  const changedBy = (...more: SQL[]) =>
    drizzle
      .select()
      .from(tickets)
      .where(and(matching(tickets, 'entry'), gt(tickets.id, placeholder('after')), ...more))
      .orderBy(asc(tickets.id))
      .limit(TICKETS)
      .prepare()
  // The last change of any group was this box's.
  const own = and(eq(ticketVersions.ticket, tickets.id), isNull(ticketVersions.box))
  return {
    changedBy: changedBy(),
    ownChangedBy: changedBy(exists(drizzle.select({ one: sql`1` }).from(ticketVersions).where(own))),
    // Only for another box's journal, which is pulled here rarely: this may have to sort.
    changedIn: drizzle
      .select()
      .from(tickets)
      .where(
        and(
          gt(tickets.entry, placeholder('from')),
          lte(tickets.entry, placeholder('upTo')),
          gt(tickets.id, placeholder('after')),
        ),
      )
      .orderBy(asc(tickets.id))
      .limit(TICKETS)
      .prepare(),
    productsIn: drizzle
      .select()
      .from(products)
      .where(and(gt(products.entry, placeholder('from')), lte(products.entry, placeholder('upTo'))))
      .orderBy(asc(products.key))
      .limit(TICKETS)
      .offset(placeholder('offset'))
      .prepare(),
    credentialsOf: drizzle.select().from(credentials).where(matching(credentials, 'ticket')).prepare(),
  }
}

function withTickets(kind: EntryKind): boolean {
  return changesOneTicket(kind) || changesManyTickets(kind)
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64')
}
