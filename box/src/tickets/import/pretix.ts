/** Positions of pretix's orders, as tickets: https://docs.pretix.eu/dev/api/resources/orders.html. */
import type { TicketPersonal } from '@gatehouse/proto/wire/ticket-details.ts'
import type { TicketStatus } from '../../ledger/schema.ts'
import { isCanceled, type PretixFiles } from './pretix-files.ts'
import { id, isObject, type Json, list, objects, text, words } from './pretix-json.ts'
import { ruleNotes } from './pretix-lists.ts'
import { type Product, plainText, quoted, type Rejection, type ShopDetails, type ShopRecord, sentence } from './row.ts'
import { CHECKED_IN, fullName } from './table.ts'

const TEST_MODE = sentence('test_mode', 'The order was made in pretix in test mode, and admits like any other.')
const MOST_ANSWERS = 100

/** Every position of the files in order, as a ticket or with the reason why it is none. */
export function* positionsOf(files: PretixFiles): Generator<ShopRecord | Rejection> {
  const reader = new PositionReader(files)
  for (const order of files.orders) {
    const positions = list(order.positions)
    const byId = new Map(positions.filter(isObject).map((position) => [position.id, position]))
    for (const position of positions) {
      yield isObject(position)
        ? reader.read(order, position, byId.get(position.addon_to ?? NaN))
        : sentence('position_broken', 'The position is not an object: fetch the orders from pretix again.')
    }
  }
}

class PositionReader {
  readonly #files: PretixFiles
  readonly #notesOf: ReturnType<typeof ruleNotes>
  readonly #products = new Map<string, Product>()

  constructor(files: PretixFiles) {
    this.#files = files
    this.#notesOf = ruleNotes(files.lists, ({ item, variation }) => {
      const known = files.catalog.item(item)
      const names = [known?.names[0], variation && known?.variations.get(variation)?.names[0]].filter(Boolean)
      const key = variation ? `item:${item}/${variation}` : `item:${item}`
      return names.length > 0 ? `${quoted(names.join(' – '))} (${key})` : key
    })
  }

  /** @param parent the position that it is an add-on to */
  read(order: Json, position: Json, parent: Json | undefined): ShopRecord | Rejection {
    const item = id(position.item)
    const variation = id(position.variation)
    if (item === undefined)
      return sentence('position_broken', 'The position names no item: fetch the orders from pretix again.')
    if (typeof position.secret !== 'string') {
      return sentence(
        'position_no_secret',
        'The position has no secret: fetch the orders with a token that may view them.',
      )
    }
    const status = statusOf(order, position)
    if ('reason' in status) return status
    for (const field of ['valid_from', 'valid_until']) {
      if (position[field] != null && typeof position[field] !== 'string')
        return sentence('not_a_date', `${field} is not a date.`, { column: field })
    }
    const notes = [...this.#notesOf({ item, variation, subevent: id(position.subevent) })]
    if (order.testmode === true) notes.push(TEST_MODE)
    if (list(position.checkins).length > 0) notes.push(...CHECKED_IN)
    return {
      code: position.secret,
      product: this.#productOf(item, variation, position.addon_to != null),
      seat: seatOf(position.seat),
      holderName: nameOf(position) || nameOf(parent ?? {}),
      email: text(position.attendee_email) || text(parent?.attendee_email) || text(order.email) || text(order.user),
      validFrom: text(position.valid_from),
      validUntil: text(position.valid_until),
      notes,
      details: this.#detailsOf(order, position, parent, variation ? `item:${item}/${variation}` : `item:${item}`),
      ...status,
    }
  }

  #detailsOf(order: Json, position: Json, parent: Json | undefined, key: string): ShopDetails {
    const product = this.#files.catalog.product(id(position.item) ?? '', id(position.variation))
    const price = text(position.price)
    const [number, parentNumber] = [position.positionid, parent?.positionid]
    return {
      sold: { key, ...(product && { product }) },
      orderCode: text(order.code),
      ...(typeof number === 'number' ? { position: number } : {}),
      ...(typeof parentNumber === 'number' ? { addonTo: parentNumber } : {}),
      price: price && `${price} ${this.#files.currencyOf(order)}`.trim(),
      attention: order.checkin_attention === true || position.checkin_attention === true,
      personal: this.#personalOf(order, position, parent),
      // A cancelled one is not handed out.
      ...(typeof parent?.secret === 'string' && !isCanceled(position) ? { extraOf: parent.secret } : {}),
    }
  }

  #personalOf(order: Json, position: Json, parent: Json | undefined): TicketPersonal {
    const invoice = isObject(order.invoice_address) ? order.invoice_address : {}
    const { catalog } = this.#files
    const answers = objects(position.answers).flatMap((answer) => {
      const given = catalog.answer(answer)
      return given ? [given] : []
    })
    return {
      company: words(position.company) || words(parent?.company) || words(invoice.company),
      phone: words(order.phone),
      note: [words(order.checkin_text), words(position.checkin_text)].filter(Boolean).join(' · '),
      ...(answers.length > 0 ? { answers: Object.fromEntries(answers.slice(0, MOST_ANSWERS)) } : {}),
    }
  }

  /**
   * `item:12/34` is variation 34 of item 12. Names that the files give are accepted too, those of a variation as
   * `Item – Variation`, as pretix writes them.
   */
  #productOf(item: string, variation: string | undefined, addon: boolean): Product {
    const key = `${item}/${variation}/${addon}`
    const known = this.#products.get(key) ?? describe(item, variation, this.#files.catalog.item(item), addon)
    this.#products.set(key, known)
    return known
  }
}

/** Checked in the order of pretix: cancelled, blocked, not approved, not paid. */
function statusOf(order: Json, position: Json): { status: TicketStatus; detail?: string } | Rejection {
  const { status } = order
  if (isCanceled(position) || status === 'c') return { status: 'revoked', detail: 'cancelled in pretix' }
  if (status === 'r') return { status: 'revoked', detail: 'refunded in pretix' }
  if (status === 'e') return { status: 'revoked', detail: 'the order expired in pretix before it was paid' }
  if (status !== 'p' && status !== 'n') {
    return sentence(
      'order_status_unknown',
      `The order's status ${quoted(String(status))} is not known: it should be one of p, n, e, c.`,
      { status: plainText(String(status)) },
    )
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

function describe(
  item: string,
  variation: string | undefined,
  known: ReturnType<PretixFiles['catalog']['item']>,
  addon: boolean,
): Product {
  const names = known?.names ?? []
  const variations = (variation && known?.variations.get(variation)?.names) || []
  return {
    names: [
      ...(variation ? [`item:${item}/${variation}`] : []),
      ...names.flatMap((name) => variations.map((value) => `${name} – ${value}`)),
      `item:${item}`,
      ...names,
    ],
    key: `item:${item}`,
    ...(names[0] ? { label: names[0] } : {}),
    ...(addon ? { extra: 'an add-on' } : known && !known.admission ? { extra: 'not an admission product' } : {}),
  }
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
