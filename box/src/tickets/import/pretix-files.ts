/**
 * Files of pretix as JSON: https://docs.pretix.eu/dev/api/resources/orders.html and the pages beside it. One order, a list, a page of
 * the API (`{ count, next, results }`), a list of pages, or the back office's export "Order data (JSON)". Items, questions, check-in
 * lists and events may be in the same file or in others: each object is known by its fields.
 */
import { PretixCatalog } from './pretix-catalog.ts'
import { entries, isObject, type Json, list, objects, text } from './pretix-json.ts'
import { type Sentence, sentence } from './row.ts'
import { unusable } from './unusable.ts'

const NO_BLOCKS = sentence(
  'pretix_export',
  'This pretix file is the export "Order data (JSON)", which has no blocked and no cancelled tickets and no validity times: import the orders from the API where these matter.',
)

export interface PretixFiles {
  orders: readonly Json[]
  /** Products and questions. */
  catalog: PretixCatalog
  /** Check-in lists. */
  lists: readonly Json[]
  /** Currency of an order's prices; empty where no file says it. */
  currencyOf(order: Json): string
  positions: number
  warnings: readonly Sentence[]
}

interface Objects {
  orders: Json[]
  items: Json[]
  questions: Json[]
  lists: Json[]
  events: Json[]
}

/**
 * @param files the file with the orders, and further ones of the same shop
 * @throws GatehouseError `bad_request` for any other JSON, and where there is no order
 */
export function openPretix(files: readonly [unknown, ...unknown[]]): PretixFiles {
  const found: Objects = { orders: [], items: [], questions: [], lists: [], events: [] }
  const warnings = new Set<Sentence>()
  for (const file of files) {
    if (isExport(file)) warnings.add(NO_BLOCKS)
    sort(file, found)
  }
  const { orders, items, questions, lists, events } = found
  if (orders.length === 0) {
    throw unusable('no_orders', 'The file holds no orders: fetch them from pretix again, and import those.')
  }
  if (files.some((file) => hasMorePages(file))) {
    warnings.add(
      sentence(
        'pages_missing',
        'The file is one page of several: fetch the page named in "next" too, and import each of them.',
      ),
    )
  }
  for (const warning of gapsOf(orders)) warnings.add(warning)
  const currencies = new Map(events.map(({ slug, currency }) => [text(slug), text(currency)]))
  const [only = ''] = currencies.size === 1 ? currencies.values() : []
  return {
    orders,
    catalog: new PretixCatalog(items, questions),
    lists,
    currencyOf: ({ event }) => (typeof event === 'string' ? (currencies.get(event) ?? '') : only),
    positions: orders.reduce((count, order) => count + list(order.positions).length, 0),
    warnings: [...warnings],
  }
}

function isExport(file: unknown): file is { readonly event: Json } {
  return isObject(file) && isObject(file.event) && !kindOf(file)
}

/** @throws GatehouseError `bad_request` for an object of another kind */
function sort(file: unknown, found: Objects): void {
  if (isExport(file)) {
    const { event } = file
    found.events.push(event)
    found.items.push(...objects(event.items))
    found.questions.push(...objects(event.questions))
  }
  for (const [index, value] of entries(isExport(file) ? file.event.orders : file).entries()) {
    const kind = kindOf(value)
    if (!kind) {
      throw unusable(
        'not_an_order',
        `Entry ${index + 1} of the JSON is not a pretix order with "status" and "positions", nor an item, a question, a check-in list or an event: fetch the event's orders from the API (.../orders/), and import the answer.`,
        { values: { entry: index + 1 } },
      )
    }
    found[kind].push(value as Json)
  }
}

function kindOf(value: unknown): keyof Objects | undefined {
  if (!isObject(value)) return undefined
  if (typeof value.status === 'string' && Array.isArray(value.positions)) return 'orders'
  if (Array.isArray(value.limit_products) || typeof value.all_products === 'boolean') return 'lists'
  if (typeof value.type === 'string' && 'question' in value) return 'questions'
  if (typeof value.slug === 'string') return 'events'
  return 'name' in value && ('admission' in value || 'variations' in value) ? 'items' : undefined
}

function hasMorePages(json: unknown): boolean {
  const pages = (Array.isArray(json) ? json : [json]).filter(isObject)
  const results = pages.reduce((count, page) => count + list(page.results).length, 0)
  return pages.some(({ next, count }) => typeof next === 'string' && !(typeof count === 'number' && results >= count))
}

/** Sentences about what the orders lack, or have too much of. */
function gapsOf(orders: readonly Json[]): Sentence[] {
  const warnings: Sentence[] = []
  if (orders.some(lacksPositions) && !orders.some((order) => list(order.positions).some(isCanceled))) {
    warnings.push(
      sentence(
        'positions_missing',
        'Positions are missing from some orders, as pretix hides cancelled ones: fetch with include_canceled_positions=true, or tickets that were imported before stay valid.',
      ),
    )
  }
  const dates = new Set(orders.flatMap((order) => list(order.positions).map((p) => (isObject(p) ? p.subevent : null))))
  dates.delete(null)
  dates.delete(undefined)
  if (dates.size > 1) {
    warnings.push(
      sentence(
        'dates_many',
        `The tickets are for ${dates.size} dates of an event series, and all of them would admit here: fetch the orders of one date (subevent=...) instead.`,
        { n: dates.size },
      ),
    )
  }
  return warnings
}

/** Positions are numbered from 1 within an order, and the number of a hidden one is not reused. */
function lacksPositions(order: Json): boolean {
  const numbers = list(order.positions).map((position) => (isObject(position) ? position.positionid : 0))
  return numbers.some((number) => typeof number === 'number' && number > numbers.length)
}

export function isCanceled(position: unknown): boolean {
  return isObject(position) && position.canceled === true
}
