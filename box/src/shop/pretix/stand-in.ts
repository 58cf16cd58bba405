/**
 * Tickets that were sold a moment ago: their order has not come yet, and pretix's signature in their code says what was sold. Such a
 * code becomes a ticket when it is first shown, and a ticket like any other from then on: it is used up once, at every box. Its order
 * finds it by its code. A signature says only that the code was issued once, so that a code of the lists of withdrawn and blocked ones
 * is refused, and one whose order does not come (of a test order, or deleted) admits nobody any more.
 */
import { bareCode } from '@gatehouse/proto/payload.ts'
import type { ShopRow } from '../../ledger/schema.ts'
import { namesErased } from '../../tickets/erasure.ts'
import { readSignedCode, type SignedCode } from '../../tickets/pretix-sig1.ts'
import { Products } from '../../tickets/products.ts'
import type { MappedStatus } from '../mapping.ts'
import type { ShopFields } from '../row-reader.ts'
import { TicketChanges } from '../ticket-changes.ts'
import type { ShopCatalog } from './catalog.ts'
import { readOrders } from './read-orders.ts'
import type { RunDeps } from './runs.ts'

/** Tables among the shop's rows, by the code's hash in hex: tickets without an order, and the lists of withdrawn and blocked codes. */
export const STAND_INS = 'signed'
export const WITHDRAWN = 'revoked_secret'
export const BLOCKED = 'blocked_secret'

export const WITHDRAWN_STATUS: MappedStatus = { status: 'revoked', detail: 'its code was withdrawn in pretix' }
export const BLOCKED_STATUS: MappedStatus = { status: 'blocked', detail: 'blocked in pretix' }
const NO_ORDER: MappedStatus = { status: 'revoked', detail: 'no order in pretix has this code' }
/** Said at the gate, and gone when its order comes. */
export const MARK = 'Sold a moment ago: the signature of pretix is good, the order is still to come.'
/** An order may be committed so long after its code is printed. */
const COMES_WITHIN_MS = 60_000
const numberOf = (value: bigint) => (value === 0n ? null : Number(value))

export class StandIns {
  readonly #deps: RunDeps
  readonly #shop: () => ShopCatalog | undefined

  constructor(deps: RunDeps, shop: () => ShopCatalog | undefined) {
    this.#deps = deps
    this.#shop = shop
  }

  /** See `LateTickets`. */
  bring(shown: string): Promise<void> | undefined {
    const { tickets, codes, ledger } = this.#deps
    const shop = this.#shop()
    if (!shop || shop.signers.length === 0) return undefined
    const code = bareCode(shown)
    const codeHash = codes.hash(code)
    if (tickets.credential(codeHash)) return undefined
    const signed = readSignedCode(code, shop.signers)
    if (!signed) return undefined
    return ledger.commit(() => this.#add(code, codeHash, { signed, shop }))
  }

  /**
   * Refuses those whose order pretix does not have: every change until now was read. Within a transaction.
   * @param began when that reading began, unix ms
   */
  refuseWithoutOrder(began: number): void {
    const { rows, source, now } = this.#deps
    const late = this.#withTicket().filter(({ image, problem }) => {
      return problem === null && (JSON.parse(image) as { at: number }).at + COMES_WITHIN_MS < began
    })
    if (late.length === 0) return
    const changes = new TicketChanges(this.#deps)
    for (const row of late) {
      changes.refuse(row.ticket, NO_ORDER)
      const reason =
        'it was shown with a good signature, and no order in pretix has its code: a test order, or a deleted one.'
      rows.save({ ...row, problem: 'lookup', reason, problemAt: now() })
    }
    changes.explain(source, null)
  }

  #withTicket(): ShopRow[] {
    return this.#deps.rows.ofTable(this.#deps.source, STAND_INS).filter(({ ticket }) => ticket !== null)
  }

  #add(code: string, codeHash: Buffer, { signed, shop }: { signed: SignedCode; shop: ShopCatalog }): void {
    const { tickets, rows, source, ledger, now } = this.#deps
    // Shown at two gates at once.
    if (tickets.credential(codeHash)) return
    const read = this.#fieldsOf(code, signed, shop)
    if (!read) return
    const changes = new TicketChanges(this.#deps)
    const key = codeHash.toString('hex')
    const isListed = (table: string) => rows.find(source, { table, key })?.gone === 0
    const refused = isListed(WITHDRAWN) ? WITHDRAWN_STATUS : isListed(BLOCKED) ? BLOCKED_STATUS : undefined
    const status = refused && { status: refused.status, statusDetail: refused.detail }
    const ticket = changes.add(code, codeHash, { ...read.fields, ...status })
    for (const product of new Products(ledger.db).changed(read.products)) changes.sell(product)
    // It counts as gone, because no order has it: the row of its position takes the ticket over.
    const row = { source, table: STAND_INS, key, image: JSON.stringify({ at: now() }), personal: null, gone: 1, ticket }
    const there = rows.find(source, { table: STAND_INS, key })
    const none = { problem: null, reason: null, problemAt: null, load: rows.source(source).load }
    if (there) rows.save({ ...row, ...none, id: there.id })
    else rows.insert({ ...row, ...none })
    changes.explain(source, null)
    const state = rows.source(source)
    rows.saveSource({ ...state, added: state.added + 1 })
  }

  /** Fields of the ticket in a paid order that says only what the code says. */
  #fieldsOf(code: string, signed: SignedCode, shop: ShopCatalog) {
    const { mapping, event, ledger } = this.#deps
    const { item, variation, subevent, validFrom, validUntil } = signed
    const ids = { id: 0, item: numberOf(item), variation: numberOf(variation), subevent: numberOf(subevent) }
    const times = { valid_from: timeOf(validFrom), valid_until: timeOf(validUntil) }
    const order = { code: 'signed', status: 'p', positions: [{ ...ids, ...times, secret: code }] }
    const reading = readOrders([order], { shop, mapping, event, isErased: namesErased(ledger.db) })
    const position = reading.orders[0]?.positions[0]
    if (position?.is !== 'ticket') return undefined
    const fields: ShopFields = { ...position.fields, statusDetail: MARK, orderCode: null, position: null }
    return { fields, products: reading.products }
  }
}

/** The reader of orders refuses what is no time. */
function timeOf(seconds: bigint | null): string | null {
  if (seconds === null) return null
  const at = new Date(Number(seconds) * 1000)
  return Number.isNaN(at.getTime()) ? 'never' : at.toISOString()
}
