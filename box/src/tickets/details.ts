/**
 * Details of a ticket that a gate can do without: its order, product and add-ons, and what the shop says of the person. Every
 * reader sees a ticket and its details as of the same transaction.
 */
import { Product, TicketExtra, TicketPersonal } from '@gatehouse/proto/wire/ticket-details.ts'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { isNotNull } from '../drizzle/core.ts'
import type { Db } from '../ledger/db.ts'
import { products, type Ticket, tickets } from '../ledger/schema.ts'
import { fixedLimit, matching } from '../ledger/statements.ts'
import { DETAIL_COLUMNS } from './statements.ts'

/** The columns of a ticket that this file reads; all of them decided by its shop. */
export type DetailFields = Pick<Ticket, (typeof DETAIL_COLUMNS)[number]>

/** A ticket of which the shop says nothing more. */
export const NO_DETAILS: DetailFields = {
  product: null,
  orderCode: null,
  position: null,
  addonTo: null,
  price: null,
  attention: null,
  personal: null,
  extras: null,
}

/** Tickets of one order that are read at most. */
const MOST_OF_ORDER = 1_000
/** A larger order is a reseller's, and nobody comes in with it: reading it would cost every scan of it milliseconds. */
const MOST_OF_SMALL_ORDER = 100
/** Of one position. */
const MOST_ADDONS = 20

/** An add-on that is no ticket. */
export interface Extra {
  /** Its number in the order; null where the shop has none. */
  position: number | null
  /** Key of its product. */
  key: string
  /** Null where only its key is known. */
  product: Product | null
}

export interface TicketDetails {
  /** Null where the shop names none. */
  order: { code: string; position: number | null } | null
  /** Number of the position in the same order that it is an add-on to. */
  addonTo: number | null
  /** Null where the shop names none, or only its key is known. */
  product: Product | null
  /** As the shop writes it, with the currency where that is known. */
  price: string | null
  /** True where the order, the position or the product asks for it. `product.note` and `personal.note` say why. */
  attention: boolean
  extras: readonly Extra[]
  /** Never in journal, feed, log or manifest; to a scanner only as far as the event's `scanners_see` allows. */
  personal: TicketPersonal
}

/** True for a ticket's row with any detail: without a statement, for the path of every scan. */
export function hasDetails(ticket: DetailFields): boolean {
  return DETAIL_COLUMNS.some((name) => ticket[name] !== null)
}

export class Details {
  readonly #statements: ReturnType<typeof prepare>

  constructor(db: Pick<Db, 'drizzle'>) {
    this.#statements = prepare(db)
  }

  /** Reads the products that the ticket names, and nothing for a ticket that names none. */
  detailsOf(ticket: DetailFields): TicketDetails {
    const { orderCode, position, addonTo, price } = ticket
    const product = ticket.product === null ? null : this.productOf(ticket.product)
    const extras = parsed(Extras, ticket.extras) ?? []
    return {
      order: orderCode === null ? null : { code: orderCode, position },
      addonTo,
      product,
      price,
      attention: ticket.attention === 1 || product?.attention === true,
      extras: extras.map(({ position, product: key }) => ({ position, key, product: this.productOf(key) })),
      personal: parsed(TicketPersonal, ticket.personal) ?? {},
    }
  }

  /** True where the shop says more of any ticket: by its order, or by a product. */
  get anyDescribed(): boolean {
    return this.#statements.anyOrder.get() !== undefined || this.#statements.anyProduct.get() !== undefined
  }

  /** The order's tickets by position, at most 1,000; those without a position last. */
  ticketsOfOrder(orderCode: string): Ticket[] {
    return this.#statements.ofOrder.all({ orderCode }).sort(byPosition)
  }

  /** As `ticketsOfOrder`, for an order of at most 100 tickets; undefined for a larger one, of which 101 rows are read. */
  ticketsOfSmallOrder(orderCode: string): Ticket[] | undefined {
    const all = this.#statements.ofSmallOrder.all({ orderCode })
    return all.length > MOST_OF_SMALL_ORDER ? undefined : all.sort(byPosition)
  }

  /** The add-ons to a position of an order, in the order of their import, at most 20. */
  addonsOf(orderCode: string, position: number): Ticket[] {
    return this.#statements.addons.all({ orderCode, addonTo: position }).sort(byId)
  }

  /** The product of this key; null where it is not known. */
  productOf(key: string): Product | null {
    return parsed(Product, this.#statements.product.get({ key })?.product ?? null) ?? null
  }
}

const Extras = Type.Array(TicketExtra)

/** A column's JSON; undefined where there is none, and where it has another shape: an unreadable detail is no reason to stop a gate. */
function parsed<T extends TSchema>(schema: T, json: string | null): Static<T> | undefined {
  if (json === null) return undefined
  try {
    const value: unknown = JSON.parse(json)
    return Value.Check(schema, value) ? (value as Static<T>) : undefined
  } catch {
    return undefined
  }
}

function byPosition(a: Ticket, b: Ticket): number {
  const last = Number.MAX_SAFE_INTEGER
  return (a.position ?? last) - (b.position ?? last) || byId(a, b)
}

function byId(a: Ticket, b: Ticket): number {
  return a.id - b.id
}

function prepare({ drizzle }: Pick<Db, 'drizzle'>) {
  // Without ORDER BY (`fixedLimit`). The index `tickets_order` has the tickets of an order by id, so the limits here keep those that were
  // imported first. A further column in that index would change this.
  const ofOrder = (most: number) =>
    drizzle.select().from(tickets).where(matching(tickets, 'orderCode')).limit(fixedLimit(most)).prepare()
  return {
    product: drizzle.select({ product: products.product }).from(products).where(matching(products, 'key')).prepare(),
    anyOrder: drizzle
      .select({ id: tickets.id })
      .from(tickets)
      // In the words of the partial index.
      .where(isNotNull(tickets.orderCode))
      .limit(1)
      .prepare(),
    anyProduct: drizzle.select({ key: products.key }).from(products).limit(1).prepare(),
    addons: drizzle
      .select()
      .from(tickets)
      .where(matching(tickets, 'orderCode', 'addonTo'))
      .limit(fixedLimit(MOST_ADDONS))
      .prepare(),
    ofOrder: ofOrder(MOST_OF_ORDER),
    ofSmallOrder: ofOrder(MOST_OF_SMALL_ORDER + 1),
  }
}
