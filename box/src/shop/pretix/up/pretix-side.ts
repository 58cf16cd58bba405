/** The push's view of a connected pretix: tickets as the pull has stored them, lists as they are mapped, and the API. */
import type { Tickets } from '../../../tickets/tickets.ts'
import type { RowStore } from '../../rows.ts'
import type { PretixApi } from '../api.ts'
import { POSITIONS } from '../apply-orders.ts'
import type { ShopConnection } from '../connection.ts'
import { PretixError } from '../errors.ts'
import type { PretixMapping } from '../mapping.ts'
import { sourceOf } from '../pull.ts'
import { answersOfTicket } from './ledger-side.ts'
import type { Answer, NoAnswer } from './next-step.ts'
import type { ShopSide } from './shop-side.ts'

export interface PretixSideDeps {
  api: Pick<PretixApi, 'ask'>
  connection: ShopConnection
  mapping: Pick<PretixMapping, 'lists'>
  rows: Pick<RowStore, 'ofTicket'>
  tickets: Tickets
  /** True for a code that pretix has signed: it knows the ticket, also where its order has not come. */
  isSigned: (code: string) => boolean
  /** Asks pretix for changes at once. */
  poke: () => void
}

export function pretixSide({ api, connection, mapping, rows, tickets, isSigned, poke }: PretixSideDeps): ShopSide {
  const { organizer, event } = connection
  const source = sourceOf(connection)
  const lists = new Map([...mapping.lists].flatMap(([list, ids]) => ids.map((id) => [id, list])))
  return {
    target: source,
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
    answersOf: (ref) => answersOfTicket(ref, { tickets }),
    refresh: async () => poke(),
    post: (path, body) => post(`organizers/${encodeURIComponent(organizer)}/${path}`, body, api),
  }
}

/** Statuses that the client throws, as the values that they are here. */
async function post(path: string, body: object, api: Pick<PretixApi, 'ask'>): Promise<Answer | NoAnswer> {
  try {
    const { status, json } = await api.ask('POST', path, { body })
    return { status, body: json }
  } catch (error) {
    if (!(error instanceof PretixError)) throw error
    const { kind, status, retryAfterMs, message } = error
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
        return { why: message, lasting: true }
      default:
        return status === undefined ? { why: message, lasting: false } : { status, body: undefined, ...after }
    }
  }
}
