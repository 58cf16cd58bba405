/** The push's view of a connected pretix: tickets as the pull has stored them, lists as they are mapped, and the API. */
import { createHash } from 'node:crypto'
import type { Event } from '../../../event/event.ts'
import { isObject, type Json, objects, text } from '../../../tickets/import/pretix-json.ts'
import type { Tickets } from '../../../tickets/tickets.ts'
import type { RowStore } from '../../rows.ts'
import type { PretixApi } from '../api.ts'
import { POSITIONS } from '../apply-orders.ts'
import type { ShopCatalog } from '../catalog.ts'
import { eventPath, type ShopConnection } from '../connection.ts'
import { PretixError } from '../errors.ts'
import type { PretixMapping } from '../mapping.ts'
import { sourceOf } from '../pull.ts'
import { answersOfTicket } from './ledger-side.ts'
import type { Answer, NoAnswer } from './next-step.ts'
import { NO_DATE, NO_PRODUCT, orderOf, type Sale } from './sale.ts'
import type { ShopSide, TheirCheckin } from './shop-side.ts'

export interface PretixSideDeps {
  api: Pick<PretixApi, 'ask' | 'get'>
  connection: ShopConnection
  mapping: Pick<PretixMapping, 'lists' | 'tiers'>
  /** Id of the event here. */
  event: Pick<Event, 'id'>
  /** The dates of a series, as they were last read. */
  dates: () => ShopCatalog['dates'] | undefined
  rows: Pick<RowStore, 'ofTicket'>
  tickets: Tickets
  /** True for a code that pretix has signed: it knows the ticket, also where its order has not come. */
  isSigned: (code: string) => boolean
  /** Asks pretix for changes at once. */
  poke: () => void
}

export function pretixSide(deps: PretixSideDeps): ShopSide {
  const { api, connection, mapping, rows, tickets, isSigned, poke } = deps
  const { organizer, event } = connection
  const source = sourceOf(connection)
  const lists = new Map([...mapping.lists].flatMap(([list, ids]) => ids.map((id) => [id, list])))
  return {
    target: source,
    as: asOf(connection, lists),
    device: connection.device,
    event,
    positionOf(ref) {
      const ticket = tickets.byRef(ref)
      if (!ticket) return 'unknown'
      const row = rows.ofTicket(ticket.id)
      if (row?.source === source && row.table === POSITIONS) return { id: Number(row.key), secret: ticket.code }
      if (ticket.orderCode === null && isSigned(ticket.code)) return { id: null, secret: ticket.code }
      // Of an order that this box has not read yet, though another box has; a ticket of the desk has no order.
      return ticket.orderCode === null ? 'not_of_shop' : 'unknown'
    },
    listOf: (checkpoint) => lists.get(checkpoint),
    orderOf: (sale) => orderFor(sale, deps),
    answersOf: (ref) => answersOfTicket(ref, { tickets }),
    checkinsOf: (ref) => checkinsOf(ref, deps),
    refresh: async () => poke(),
    post: (path, body) => post(`organizers/${encodeURIComponent(organizer)}/${path}`, body, api),
  }
}

/** A product that the organiser has mapped to the tier, the first one in the file; and the date on which it was sold. */
function orderFor(sale: Sale, { mapping, tickets, event, dates }: PretixSideDeps): ReturnType<ShopSide['orderOf']> {
  const sold = sale.tickets.map((ref) => tickets.byRef(ref))
  const there = sold.filter((ticket) => ticket !== undefined)
  if (there.length < sold.length) return 'unknown'
  const [key] = Object.entries(mapping.tiers).find(([, tier]) => tier === sale.tier) ?? []
  const [, item, variation] = /^item:(\d+)(?:\/(\d+))?$/.exec(key ?? '') ?? []
  if (item === undefined) return NO_PRODUCT
  const windows = dates()
  const at = Date.parse(sale.sold_at)
  const [date] = [...(windows ?? [])].find(([, { from, until }]) => at >= from && at <= until) ?? []
  if (windows && date === undefined) return NO_DATE
  const numberOf = (text: string | undefined) => (text === undefined ? null : Number(text))
  const as = { item: Number(item), variation: numberOf(variation), subevent: numberOf(date) }
  return orderOf(sale, { event: event.id, tickets: there, as })
}

/** pretix knows a nonce at one list for one device; the tokens of teams are none. */
function asOf({ device }: ShopConnection, lists: ReadonlyMap<string, number>): string {
  const meaning = JSON.stringify([device, [...lists].sort()])
  return createHash('sha256').update(meaning).digest('hex').slice(0, 32)
}

/** By the order, which every profile of a device may ask for. */
async function checkinsOf(ref: string, deps: PretixSideDeps): ReturnType<ShopSide['checkinsOf']> {
  const { api, connection, rows, tickets } = deps
  const ticket = tickets.byRef(ref)
  const row = ticket && rows.ofTicket(ticket.id)
  if (ticket?.orderCode == null || row?.table !== POSITIONS) return undefined
  try {
    const query = {
      code: ticket.orderCode,
      include_canceled_positions: true,
      exclude: ['downloads', 'payments', 'refunds', 'fees'],
    }
    const { json } = await api.get(`${eventPath(connection)}orders/`, { query })
    const orders = isObject(json) ? objects(json.results) : []
    const position = orders.flatMap(({ positions }) => objects(positions)).find(({ id }) => String(id) === row.key)
    return objects(position?.checkins).flatMap(checkinOf)
  } catch (error) {
    if (!(error instanceof PretixError)) throw error
    const { message, retryAfterMs, coded } = error
    return error.isPassing
      ? { next: 'wait', afterMs: retryAfterMs, why: message, coded }
      : { next: 'pause', words: message, coded }
  }
}

function checkinOf({ list: of, type, datetime, device_id: device }: Json): TheirCheckin[] {
  const at = Date.parse(text(datetime))
  if (typeof of !== 'number' || Number.isNaN(at)) return []
  return [{ list: of, type: text(type), at, device: typeof device === 'number' ? device : null }]
}

/** Statuses that the client throws, as the values that they are here. */
async function post(path: string, body: object, api: Pick<PretixApi, 'ask'>): Promise<Answer | NoAnswer> {
  try {
    const { status, json } = await api.ask('POST', path, { body })
    return { status, body: json }
  } catch (error) {
    if (!(error instanceof PretixError)) throw error
    const { kind, status, retryAfterMs, message, coded } = error
    const after = retryAfterMs !== undefined && { retryAfterMs }
    switch (kind) {
      case 'busy':
        return { status: status ?? 429, body: undefined, ...after }
      case 'token':
        return { status: 401, body: undefined }
      case 'forbidden':
        return { status: 403, body: {} }
      case 'tls':
      case 'refused':
        return { why: message, coded, lasting: true }
      default:
        return status === undefined ? { why: message, coded, lasting: false } : { status, body: undefined, ...after }
    }
  }
}
