/** The runs through pretix's orders, page by page: what was changed, all of them, and those that a full run did not find. */

import { coded } from '@gatehouse/proto/said.ts'
import type { ShopRow } from '../../ledger/schema.ts'
import { namesErased } from '../../tickets/erasure.ts'
import { isObject, text } from '../../tickets/import/pretix-json.ts'
import { Products } from '../../tickets/products.ts'
import type { Page, Query } from './api.ts'
import { type ApplyOrdersDeps, applyOrders, POSITIONS } from './apply-orders.ts'
import type { ShopCatalog } from './catalog.ts'
import { eventPath } from './connection.ts'
import { PretixError } from './errors.ts'
import { productsOf } from './products.ts'
import type { PullDeps } from './pull.ts'
import { type OrderReading, type PageReading, readOrders } from './read-orders.ts'
import { SecretLists } from './secret-lists.ts'
import { StandIns } from './stand-in.ts'
import { keepCatalog, type PullState, readState, writeState } from './state.ts'

export interface RunDeps extends PullDeps, ApplyOrdersDeps {
  source: string
}

/** An order may be committed so long after pretix's time of it: what was changed in this window is asked for again. */
const OVERLAP_MS = 300_000
/** Positions in one transaction: scans wait for it. */
const POSITIONS_AT_ONCE = 100
/** Rows that are looked at for missing ones in one step. */
const CHECKED_AT_ONCE = 1_000
/** Orders whose last change is remembered. */
const MOST_KNOWN = 20_000
/** A poll goes through the whole window so often; the others end where everything is known. Shorter than the window. */
const WHOLE_MS = 60_000

/** Asks for every order. Without the excluded fields, a page is a third as long. */
export const QUERY: Query = {
  include_canceled_positions: true,
  exclude: ['downloads', 'payments', 'refunds', 'fees', 'positions.downloads'],
}

export class PullRuns {
  readonly #deps: RunDeps
  /** When each order was last changed, of those that were read lately: the window brings them again and again. */
  readonly #known = new Map<string, string>()
  #wholeAt = Number.NEGATIVE_INFINITY
  clockDifferenceMs: number | null = null
  readonly standIns: StandIns
  readonly #secretLists: SecretLists

  /** @param shop the catalog as it was last read */
  constructor(deps: RunDeps, shop: () => ShopCatalog | undefined) {
    this.#deps = deps
    this.standIns = new StandIns(deps, shop)
    this.#secretLists = new SecretLists(deps)
  }

  state(): PullState {
    return readState(this.#deps.ledger.db, this.#deps.source)
  }

  /** Products and questions that changed, of which no order tells. */
  async takeCatalog(shop: ShopCatalog): Promise<void> {
    const { ledger, source } = this.#deps
    const products = new Products(ledger.db).changed(productsOf(shop, ledger.db))
    await ledger.commit(
      () => {
        keepCatalog(ledger.db, source, shop.files)
        if (products.length > 0) applyOrders(source, { orders: [], products, asOf: null }, this.#deps)
      },
      { patient: true },
    )
    await this.#readSecretLists(shop)
  }

  /** Orders that were changed since the cursor, newest first: an order that changes meanwhile moves to the top, and is in the next run. */
  async changes(shop: ShopCatalog): Promise<void> {
    const { cursor: since, changes: begun } = this.state()
    if (since === null) return
    const began = this.#deps.now()
    let isNew = false
    const isWhole = begun !== null || this.#deps.now() - this.#wholeAt >= WHOLE_MS
    if (isWhole) this.#wholeAt = this.#deps.now()
    const from = new Date(Date.parse(since) - OVERLAP_MS).toISOString()
    const query = { ...QUERY, ...testMode(shop), ordering: '-last_modified', modified_since: from }
    let cursor = begun?.cursor ?? null
    let isOpen = begun !== null
    for await (const page of this.#pages(query, begun?.page ?? 1)) {
      cursor ??= cursorOf(page)
      const reading = this.#read(page, shop)
      const fresh = reading.orders.filter(({ code, lastModified }) => this.#known.get(code) !== lastModified)
      isNew ||= fresh.length > 0
      const isLast = page.next === undefined || (fresh.length === 0 && !isWhole)
      const next = isLast ? { cursor, changes: null } : { changes: { page: page.next ?? 1, cursor } }
      // Nothing new is no reason to write; the cursor then moves with the next whole window.
      if (fresh.length > 0 || isWhole || isOpen) {
        await this.#apply({ ...reading, orders: fresh }, next, changedAt(fresh, since))
        isOpen = !isLast
      }
      if (isLast) break
    }
    // A code is withdrawn together with a change of its order.
    if (isNew) await this.#readSecretLists(shop)
    if (isWhole) await this.#refuseWithoutOrder(began)
  }

  async #readSecretLists({ signers }: ShopCatalog): Promise<void> {
    if (signers.length > 0) await this.#secretLists.read()
  }

  /** Not before every order was read: until then, theirs may be still to come. */
  async #refuseWithoutOrder(began: number): Promise<void> {
    const { full, comparedAt } = this.state()
    if (full !== null || comparedAt === null) return
    const { ledger } = this.#deps
    await ledger.commit(() => this.standIns.refuseWithoutOrder(began), { patient: true })
  }

  /** The next page of a run through every order, oldest first; the first page begins it. */
  async fullPage(shop: ShopCatalog, digest: string): Promise<void> {
    const { ledger, rows, source, logger } = this.#deps
    const { full: begun, cursor } = this.state()
    const from = begun?.page ?? 1
    const { value: page } = await this.#pages({ ...QUERY, ...testMode(shop), ordering: 'datetime' }, from).next()
    if (!page) return
    let full = begun
    if (!full) {
      const load = await ledger.commit(() => {
        const state = rows.source(source)
        rows.saveSource({ ...state, load: state.load + 1, loadingAt: this.#deps.now() })
        return state.load + 1
      })
      full = { page: 1, load, orders: page.count ?? null, checked: null, digest }
      logger.info({ event: 'shop_load_began', orders: page.count ?? null })
    }
    const next = page.next === undefined ? { ...full, checked: 0 } : { ...full, page: page.next }
    // A change from the first page on is asked for as a change.
    await this.#apply(this.#read(page, shop), { full: next, cursor: cursor ?? cursorOf(page) }, null)
  }

  /**
   * After every page: positions that no page had are asked for by their order, since a list that changes while it is read may skip
   * one. What pretix does not know any more admits nobody.
   */
  async checkMissing(shop: ShopCatalog): Promise<void> {
    const { rows, source, ledger, now, logger } = this.#deps
    const { full } = this.state()
    if (full?.checked == null) return
    const { missing, last } = rows.missingOf(source, POSITIONS, {
      after: full.checked,
      before: full.load,
      most: CHECKED_AT_ONCE,
    })
    const codes = new Set(missing.map(orderOf))
    for (const code of codes) await this.#askFor(code, shop)
    if (last !== undefined) {
      await ledger.commit(() => this.#save({ full: { ...full, checked: last } }), { patient: true })
      return
    }
    const done = { full: null, comparedAt: now(), digest: full.digest }
    await ledger.commit(() => {
      this.#save(done)
      rows.saveSource({ ...rows.source(source), loadingAt: null })
    })
    logger.info({ event: 'shop_load_done', source })
  }

  async #askFor(code: string, shop: ShopCatalog): Promise<void> {
    const { ledger, api, connection, source } = this.#deps
    const path = `${eventPath(connection)}orders/${encodeURIComponent(code)}/`
    const answer = await api.get(path, { query: QUERY }).catch((error: unknown) => {
      if (error instanceof PretixError && error.kind === 'not_found') return undefined
      throw error
    })
    if (answer) {
      if (!isObject(answer.json) || text(answer.json.code) !== code) {
        throw new PretixError(`${api.host} answers ${path} with another order.`, {
          kind: 'refused',
          coded: [coded('not_pretix', { host: api.host, status: answer.status })],
        })
      }
      const reading = readOrders([answer.json], this.#reading(shop))
      // A test order of an event that is live now is left out of every page.
      if (shop.isTest || answer.json.testmode !== true) {
        await this.#apply(reading, {}, null)
        return
      }
    }
    const gone = [{ code, positions: [] }]
    await ledger.commit(() => applyOrders(source, { orders: gone, asOf: null }, this.#deps), { patient: true })
  }

  async *#pages(query: Query, from: number): AsyncGenerator<Page> {
    const path = `${eventPath(this.#deps.connection)}orders/`
    try {
      for await (const page of this.#deps.api.pages(path, query, from)) {
        this.clockDifferenceMs = page.clockDifferenceMs ?? this.clockDifferenceMs
        yield page
      }
    } catch (error) {
      // The list became shorter than it was: from its last page on there is nothing.
      if (from === 1 || !(error instanceof PretixError) || error.kind !== 'not_found') throw error
      yield { status: 200, json: null, generatedAt: undefined, lastModified: undefined, ...NOTHING }
    }
  }

  #read({ results }: Page, shop: ShopCatalog): PageReading {
    return readOrders(results, this.#reading(shop))
  }

  #reading(shop: ShopCatalog) {
    const { mapping, event, ledger } = this.#deps
    return { shop, mapping, event, isErased: namesErased(ledger.db) }
  }

  /** In parts, of which the last one moves the state: a crash between them repeats the page, which changes nothing. */
  async #apply(reading: PageReading, next: Partial<PullState>, asOf: number | null): Promise<void> {
    const { ledger, tickets, source, keys } = this.#deps
    // Tickets of an import are looked up by their order, which finds them when they are in their table.
    await tickets.staged.settled()
    const products = new Products(ledger.db).changed(reading.products)
    const parts = partsOf(reading.orders)
    for (const [index, orders] of parts.entries()) {
      await keys.fill(this.#newIn(orders))
      const isFirst = index === 0
      await ledger.commit(
        () => {
          applyOrders(source, { orders, asOf, ...(isFirst && { products }) }, this.#deps)
          if (index === parts.length - 1) this.#save(next)
        },
        { patient: true },
      )
    }
    for (const order of reading.orders) this.#remember(order)
  }

  #newIn(orders: readonly OrderReading[]): number {
    const { rows, source } = this.#deps
    return orders
      .flatMap(({ positions }) => positions)
      .filter(({ is, key }) => is === 'ticket' && rows.find(source, { table: POSITIONS, key })?.ticket == null).length
  }

  #save(next: Partial<PullState>): void {
    const { ledger } = this.#deps
    if (Object.keys(next).length > 0) writeState(ledger.db, { ...this.state(), ...next })
  }

  #remember({ code, lastModified }: OrderReading): void {
    this.#known.delete(code)
    this.#known.set(code, lastModified)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest)
  }
}

const NOTHING = { clockDifferenceMs: undefined, results: [], count: undefined, next: undefined }

/** Test orders are tickets only while the event itself is in test mode: a rehearsal. */
export function testMode({ isTest }: ShopCatalog): Query {
  return isTest ? {} : { testmode: false }
}

/** pretix's own time before it read the page; the answer's `Date` where a proxy leaves that out. */
function cursorOf({ generatedAt, clockDifferenceMs }: Page): string {
  const at = Date.parse(generatedAt ?? '')
  return new Date(Number.isNaN(at) ? Date.now() + (clockDifferenceMs ?? 0) - 1_000 : at).toISOString()
}

/** The oldest change that is new since the cursor, Unix ms; null for none, as when the window is read for the first time. */
function changedAt(fresh: readonly OrderReading[], since: string): number | null {
  const times = fresh.map(({ lastModified }) => Date.parse(lastModified)).filter((at) => at > Date.parse(since))
  return times.length === 0 ? null : Math.min(...times)
}

function orderOf({ image }: ShopRow): string {
  const { order } = JSON.parse(image) as { order: string }
  return order
}

/** Whole orders, about as many positions in each part. An empty page is one part. */
function partsOf(orders: readonly OrderReading[]): OrderReading[][] {
  const parts: OrderReading[][] = [[]]
  let size = 0
  for (const order of orders) {
    if (size > 0 && size + order.positions.length > POSITIONS_AT_ONCE) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(order)
    size += order.positions.length
  }
  return parts
}
