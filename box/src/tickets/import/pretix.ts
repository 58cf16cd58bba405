// pretix: https://docs.pretix.eu/dev/api/resources/orders.html and .../items.html
import { GatehouseError } from '../../errors.ts'
import type { TicketStatus } from '../../ledger/schema.ts'
import { type Found, type Product, quoted, type Refused } from './row.ts'
import { CHECKED_IN, fullName } from './table.ts'

type Json = Readonly<Record<string, unknown>>

/** Every name of a product is tried with every name of its variation: a file with thousands would stall the box. */
const MAX_LANGUAGES = 40
const TEST_MODE = 'The order was made in pretix in test mode, and admits like any other.'
const NO_BLOCKS =
  'This pretix file is the export "Order data (JSON)", which has no blocked and no cancelled tickets and no validity times: import the orders from the API where these matter.'

/** What a pretix file holds: its orders, and the names of products where it has them. */
interface PretixFile {
  orders: readonly Json[]
  items: ReadonlyMap<string, Item>
  positions: number
  warnings: string[]
}

type ProductOf = (item: string, variation: string | undefined, addon: boolean) => Product

interface Item {
  names: readonly string[]
  /** Whether people enter with it; pretix says so of every product. */
  admission: boolean
  variations: ReadonlyMap<string, readonly string[]>
}

/**
 * Understands pretix JSON: one order, a list of orders, a page of the API (`{ count, next, results }`), a list of
 * pages, or the back office's export "Order data (JSON)".
 *
 * @param items the answer of pretix's items endpoint (an item, a list or a page), for the products' names
 * @throws GatehouseError `bad_request` for any other JSON
 */
export function openPretix(json: unknown, items?: unknown): PretixFile {
  const warnings: string[] = []
  const event = isObject(json) && isObject(json.event) ? json.event : undefined
  if (event) warnings.push(NO_BLOCKS)
  const orders = entries(event ? event.orders : json)
  if (orders.length === 0) {
    throw new GatehouseError('bad_request', 'The file holds no orders: fetch them from pretix again, and import those.')
  }
  for (const [index, order] of orders.entries()) {
    if (isObject(order) && typeof order.status === 'string' && Array.isArray(order.positions)) continue
    throw new GatehouseError(
      'bad_request',
      `Entry ${index + 1} of the JSON is no pretix order with "status" and "positions": fetch the event's orders from the API (.../orders/), and import the answer.`,
    )
  }
  const known = orders.filter(isObject)
  if (hasMorePages(json, known.length)) {
    warnings.push('The file is one page of several: fetch the page named in "next" too, and import each of them.')
  }
  if (known.some(lacksPositions) && !known.some((order) => list(order.positions).some(isCanceled))) {
    warnings.push(
      'Positions are missing from some orders, as pretix hides cancelled ones: fetch with include_canceled_positions=true, or tickets that were imported before stay valid.',
    )
  }
  const dates = new Set(known.flatMap((order) => list(order.positions).map((p) => (isObject(p) ? p.subevent : null))))
  dates.delete(null)
  dates.delete(undefined)
  if (dates.size > 1) {
    warnings.push(
      `The tickets are for ${dates.size} dates of an event series, and all of them would admit here: fetch the orders of one date (subevent=...) instead.`,
    )
  }
  return {
    orders: known,
    items: new Map([...entries(event?.items), ...entries(items)].flatMap(itemOf)),
    positions: known.reduce((count, order) => count + list(order.positions).length, 0),
    warnings,
  }
}

/** Every position of the file in order, as a ticket or as a reason why it is none. */
export function* positionsOf({ orders, items }: PretixFile): Generator<Found | Refused> {
  const products = new Map<string, Product>()
  const productOf: ProductOf = (item, variation, addon) => {
    const key = `${item}/${variation}/${addon}`
    const product = products.get(key) ?? describe(item, variation, items.get(item), addon)
    products.set(key, product)
    return product
  }
  for (const order of orders) {
    const positions = list(order.positions)
    const byId = new Map(positions.filter(isObject).map((position) => [position.id, position]))
    for (const position of positions) yield read(order, position, byId, productOf)
  }
}

function read(
  order: Json,
  position: unknown,
  siblings: ReadonlyMap<unknown, Json>,
  productOf: ProductOf,
): Found | Refused {
  if (!isObject(position)) return { reason: 'The position is no object: fetch the orders from pretix again.' }
  const item = id(position.item)
  if (item === undefined) return { reason: 'The position names no item: fetch the orders from pretix again.' }
  if (typeof position.secret !== 'string') {
    return { reason: 'The position has no secret: fetch the orders with a token that may view them.' }
  }
  const parent = siblings.get(position.addon_to)
  const standing = standingOf(order, position)
  if ('reason' in standing) return standing
  for (const field of ['valid_from', 'valid_until']) {
    if (position[field] != null && typeof position[field] !== 'string') return { reason: `${field} is no date.` }
  }
  const notes: string[] = []
  if (order.testmode === true) notes.push(TEST_MODE)
  if (list(position.checkins).length > 0) notes.push(...CHECKED_IN)
  return {
    code: position.secret,
    product: productOf(item, id(position.variation), position.addon_to != null),
    seat: seatOf(position.seat),
    holderName: nameOf(position) || nameOf(parent ?? {}),
    email: text(position.attendee_email) || text(parent?.attendee_email) || text(order.email) || text(order.user),
    validFrom: text(position.valid_from),
    validUntil: text(position.valid_until),
    notes,
    ...standing,
  }
}

/** The order in which pretix itself looks: cancelled, blocked, not approved, not paid. */
function standingOf(order: Json, position: Json): { status: TicketStatus; detail?: string } | Refused {
  const { status } = order
  if (isCanceled(position) || status === 'c') return { status: 'revoked', detail: 'cancelled in pretix' }
  if (status === 'r') return { status: 'revoked', detail: 'refunded in pretix' }
  if (status === 'e') return { status: 'revoked', detail: 'the order expired in pretix before it was paid' }
  if (status !== 'p' && status !== 'n') {
    return { reason: `The order's status ${quoted(String(status))} is not known: it should be one of p, n, e, c.` }
  }
  if (list(position.blocked).length > 0) {
    const reasons = list(position.blocked).filter((reason) => typeof reason === 'string')
    return { status: 'blocked', detail: `blocked in pretix (${reasons.join(', ')})` }
  }
  if (status === 'p') return { status: 'valid' }
  if (order.require_approval === true) {
    return { status: 'pending', detail: 'not approved by the organiser in pretix, and not paid' }
  }
  if (order.valid_if_pending === true) return { status: 'valid' }
  return { status: 'pending', detail: 'not paid in pretix' }
}

/**
 * `item:12/34` is variation 34 of item 12. Names count too where the file or the items endpoint gives them, a variation
 * as `Item – Variation`, as pretix writes it.
 */
function describe(item: string, variation: string | undefined, known: Item | undefined, addon: boolean): Product {
  const names = known?.names ?? []
  const variations = (variation && known?.variations.get(variation)) || []
  return {
    names: [
      ...(variation ? [`item:${item}/${variation}`] : []),
      ...names.flatMap((name) => variations.map((value) => `${name} – ${value}`)),
      `item:${item}`,
      ...names,
    ],
    key: `item:${item}`,
    ...(names[0] ? { label: names[0] } : {}),
    ...(addon ? { extra: 'an add-on' } : known && !known.admission ? { extra: 'no admission product' } : {}),
  }
}

function itemOf(value: unknown): [string, Item][] {
  const item = isObject(value) ? id(value.id) : undefined
  if (!isObject(value) || item === undefined) return []
  const variations = list(value.variations).flatMap((entry): [string, string[]][] => {
    const variation = isObject(entry) ? id(entry.id) : undefined
    return isObject(entry) && variation !== undefined ? [[variation, translations(entry.value ?? entry.name)]] : []
  })
  const names = translations(value.name)
  return [[item, { names, admission: value.admission !== false, variations: new Map(variations) }]]
}

function nameOf(position: Json): string {
  const whole = text(position.attendee_name).trim()
  if (whole || !isObject(position.attendee_name_parts)) return whole
  const parts = position.attendee_name_parts
  const names = ['title', 'given_name', 'middle_name', 'family_name'].map((part) => text(parts[part]))
  return text(parts.full_name).trim() || fullName(...names)
}

function seatOf(seat: unknown): string {
  return isObject(seat) ? text(seat.name) || text(seat.seat_guid) : text(seat)
}

/** One order or item, a list, a page, or a list of pages, as a list. */
function entries(json: unknown): unknown[] {
  const page = (value: unknown) => (isObject(value) && Array.isArray(value.results) ? value.results : [value])
  return json === undefined ? [] : Array.isArray(json) ? json.flatMap(page) : page(json)
}

function hasMorePages(json: unknown, orders: number): boolean {
  const pages = (Array.isArray(json) ? json : [json]).filter(isObject)
  return pages.some(({ next, count }) => typeof next === 'string' && !(typeof count === 'number' && orders >= count))
}

/** Positions are numbered from 1 within an order, and the number of a hidden one is not given again. */
function lacksPositions(order: Json): boolean {
  const numbers = list(order.positions).map((position) => (isObject(position) ? position.positionid : 0))
  return numbers.some((number) => typeof number === 'number' && number > numbers.length)
}

function isCanceled(position: unknown): boolean {
  return isObject(position) && position.canceled === true
}

/** A translated text in all its languages, English first. */
function translations(value: unknown): string[] {
  if (typeof value === 'string') return value ? [value] : []
  if (!isObject(value)) return []
  const names = [value.en, ...Object.values(value).slice(0, MAX_LANGUAGES)].filter((name) => typeof name === 'string')
  return [...new Set(names)].filter((name) => name !== '')
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function id(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined
}
