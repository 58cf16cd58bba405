/** Applies what was read of pretix's orders, within one transaction: rows, their tickets, products, and the journal's entry. */
import type { ShopRow, ShopSource } from '../../ledger/schema.ts'
import type { NewProduct } from '../../tickets/products.ts'
import type { KeyStock } from '../key-stock.ts'
import type { MappedStatus } from '../mapping.ts'
import type { ShopFields } from '../row-reader.ts'
import type { NewRow, RowStore } from '../rows.ts'
import { TicketChanges, type TicketChangesDeps } from '../ticket-changes.ts'
import { followTicket } from '../ticket-of-row.ts'
import type { OrderReading, PositionReading } from './read-orders.ts'

/** The name under which positions of orders are kept among the shop's rows. */
export const POSITIONS = 'position'
/** The name under which an order's code leads to the rows of its positions (`RowStore.dependents`). */
const ORDERS = 'order'

const REMOVED: MappedStatus = { status: 'revoked', detail: 'removed from the order in pretix' }

export interface ApplyOrdersDeps extends TicketChangesDeps {
  rows: RowStore
  keys: KeyStock
  /** Unix ms. */
  now: () => number
}

export interface AppliedOrders {
  added: number
  changed: number
  problems: number
}

interface Batch {
  orders: readonly Pick<OrderReading, 'code' | 'positions'>[]
  products?: readonly NewProduct[]
  /** When pretix had it so, Unix ms; null where that says nothing of the lag. */
  asOf: number | null
}

/** Makes rows and tickets what the orders say. Positions that an order no longer has admit nobody. Within a transaction. */
export function applyOrders(source: string, batch: Batch, deps: ApplyOrdersDeps): AppliedOrders {
  const state = deps.rows.source(source)
  const changes = new TicketChanges(deps)
  const work = new OrderWork(state, changes, deps)
  for (const order of batch.orders) work.take(order)
  for (const product of batch.products ?? []) changes.sell(product)
  changes.explain(source, null)
  const { added, changed } = changes
  deps.rows.saveSource({
    ...state,
    appliedAt: deps.now(),
    ...(batch.asOf !== null && { lagMs: Math.max(0, deps.now() - batch.asOf) }),
    events: state.events + batch.orders.length,
    added: state.added + added,
    changed: state.changed + changed,
  })
  return { added, changed, problems: work.problems }
}

class OrderWork {
  readonly #state: ShopSource
  readonly #changes: TicketChanges
  readonly #deps: ApplyOrdersDeps
  problems = 0

  constructor(state: ShopSource, changes: TicketChanges, deps: ApplyOrdersDeps) {
    this.#state = state
    this.#changes = changes
    this.#deps = deps
  }

  take({ code, positions }: Batch['orders'][number]): void {
    const { rows } = this.#deps
    const { source } = this.#state
    const received = new Set(positions.map(({ key }) => key))
    for (const id of rows.dependents(source, { table: ORDERS, key: code })) {
      const row = rows.byId(id)
      if (row && row.gone === 0 && !received.has(row.key)) this.#remove(row)
    }
    for (const position of positions) this.#upsert(position)
  }

  #remove(row: ShopRow): void {
    this.#deps.rows.save({ ...row, gone: 1, problem: null, reason: null, problemAt: null })
    this.#changes.refuse(row.ticket, REMOVED)
  }

  #upsert(position: PositionReading): void {
    const { rows } = this.#deps
    const { source, load } = this.#state
    const there = rows.find(source, { table: POSITIONS, key: position.key })
    const image = JSON.stringify(position.image)
    const none = { ticket: null, problem: null, reason: null, problemAt: null }
    const draft: NewRow = {
      ...{ ...none, ...there },
      ...{ source, table: POSITIONS, key: position.key, image, personal: null, gone: 0, load },
    }
    this.#settle(draft, position)
    if (!there) {
      const { id } = rows.insert(draft)
      rows.setLookups(source, id, [{ table: ORDERS, key: position.image.order }])
      return
    }
    if (isSame(there, draft)) return
    rows.save({ ...draft, id: there.id })
    // A position that was split off belongs to another order from then on.
    if (there.image !== image) rows.setLookups(source, there.id, [{ table: ORDERS, key: position.image.order }])
  }

  #settle(row: NewRow, position: PositionReading): void {
    const problem = this.#follow(row, position)
    if (problem) this.problems++
    if (problem?.reason === row.reason) return
    const { kind = null, reason = null } = problem ?? {}
    Object.assign(row, { problem: kind, reason, problemAt: problem ? this.#deps.now() : null })
  }

  #follow(row: NewRow, position: PositionReading) {
    if (position.is === 'ticket') {
      return followTicket(row, position, {
        ...this.#deps,
        changes: this.#changes,
        otherwise: ({ fields }) => this.#imported(fields),
      })
    }
    if (position.refused) this.#changes.refuse(row.ticket, position.refused)
    return position.is === 'problem' ? position.problem : undefined
  }

  /** The ticket that a file had brought for this position before its code was changed in pretix. */
  #imported({ orderCode, position }: ShopFields) {
    if (orderCode == null || position == null) return undefined
    const { tickets, rows } = this.#deps
    return tickets.details.ticketsOfOrder(orderCode).find((ticket) => {
      return ticket.position === position && rows.ofTicket(ticket.id) === undefined
    })
  }
}

function isSame(row: ShopRow, draft: NewRow): boolean {
  return (Object.keys(draft) as (keyof NewRow)[]).every((name) => row[name] === draft[name])
}
