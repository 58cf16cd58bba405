/**
 * Reads a page of pretix's orders: for each position its ticket, or why it is none. Pure. The same reader as for files, so that a file
 * of the same event says the same.
 */
import type { DateWindow } from '@gatehouse/proto/overlapping.ts'
import type { CodeOf } from '@gatehouse/proto/said.ts'
import type { Event } from '../../event/event.ts'
import { Intake, type IntakeResult } from '../../tickets/import/intake.ts'
import { positionsOf } from '../../tickets/import/pretix.ts'
import { isCanceled } from '../../tickets/import/pretix-files.ts'
import { id, isObject, type Json, list, text } from '../../tickets/import/pretix-json.ts'
import type { Rejection } from '../../tickets/import/row.ts'
import { fieldsOf } from '../../tickets/staging/stage.ts'
import type { TicketFields } from '../../tickets/tickets.ts'
import type { MappedStatus } from '../mapping.ts'
import type { Problem } from '../row-reader.ts'
import type { ShopCatalog } from './catalog.ts'
import type { PretixMapping } from './mapping.ts'

interface Position {
  /** The position's number in pretix, which never changes. */
  key: string
  /** The part that the box keeps beside its ticket: nothing personal. */
  image: { order: string; item: string | null; variation: string | null; subevent: string | null }
}

export type PositionReading = Position &
  (
    | { is: 'ticket'; code: string; fields: TicketFields }
    /** `refused`: what a ticket that it had before becomes. */
    | { is: 'none'; refused: MappedStatus }
    | { is: 'problem'; problem: Problem; refused: MappedStatus | undefined }
  )

export interface OrderReading {
  code: string
  /** As pretix has it. */
  lastModified: string
  positions: readonly PositionReading[]
}

export interface PageReading {
  orders: OrderReading[]
  /** Of what was sold, as canonical JSON by key. */
  products: IntakeResult['products']
  /** Sentences for the organiser. */
  warned: IntakeResult['warned']
  /** Orders that are none, which no pretix sends. */
  broken: number
}

export interface ReadingDeps {
  shop: ShopCatalog
  mapping: PretixMapping
  event: Event
  /** No name is read once names were erased. */
  isErased: boolean
}

/** Rejections of an import by what has to be mended; others concern the code of the ticket. */
const KINDS: Partial<Record<CodeOf<'import'>, Problem['kind']>> = {
  no_tier: 'tier',
  tier_missing: 'tier',
  not_a_date: 'time',
}

const NO_TICKET: MappedStatus = { status: 'revoked', detail: 'no longer a ticket in pretix' }
const OTHER_DATE: MappedStatus = { status: 'revoked', detail: 'for another date in pretix' }
const CANCELLED: MappedStatus = { status: 'revoked', detail: 'cancelled in pretix' }

export function readOrders(results: readonly unknown[], { shop, mapping, event, isErased }: ReadingDeps): PageReading {
  const orders = results.filter((order): order is Json => isObject(order) && text(order.code) !== '')
  const into = new Intake({ tiers: event.tiers, tierMap: mapping.tiers, timezone: event.timezone })
  const { catalog, lists, currency, dates } = shop
  const files = { orders, catalog, lists, currencyOf: () => currency, positions: 0, warnings: [] }
  let n = 0
  for (const record of positionsOf(files)) into.take(++n, record)
  const { rows, rejected, products, warned } = into.finish()
  const rowOf = new Map(rows.map((row) => [row.row, row]))
  const rejectedAt = new Map(rejected.map((one) => [one.row, one]))
  n = 0
  const read = orders.map((order) => {
    const code = text(order.code)
    const positions = list(order.positions).map((position): PositionReading => {
      const known = positionOf(position, code)
      const row = rowOf.get(++n)
      const rejection = rejectedAt.get(n)
      const window = dates?.get(known.image.subevent ?? '')
      if (dates && !window) return { ...known, is: 'none', refused: OTHER_DATE }
      if (row) return { ...known, is: 'ticket', code: row.code, fields: within(fieldsOf(row, isErased), window) }
      if (!rejection) return { ...known, is: 'none', refused: NO_TICKET }
      return { ...known, is: 'problem', problem: problemOf(rejection), refused: refusedOf(order, position) }
    })
    return { code, lastModified: text(order.last_modified), positions }
  })
  return { orders: read, products, warned, broken: results.length - orders.length }
}

/** The ticket of a date in a series admits on that date alone. */
function within(fields: TicketFields, window: DateWindow | undefined): TicketFields {
  if (!window) return fields
  const { validFrom, validUntil } = fields
  return {
    ...fields,
    validFrom: Math.max(window.from, validFrom ?? Number.NEGATIVE_INFINITY),
    validUntil: Math.min(window.until, validUntil ?? Number.POSITIVE_INFINITY),
  }
}

function positionOf(position: unknown, order: string): Position {
  const { id: number, positionid, item, variation, subevent } = isObject(position) ? position : ({} as Json)
  return {
    key: id(number) ?? `${order}/${id(positionid) ?? '?'}`,
    image: {
      order,
      item: id(item) ?? null,
      variation: id(variation) ?? null,
      subevent: id(subevent) ?? null,
    },
  }
}

function problemOf({ reason, coded }: Rejection): Problem {
  return { kind: (coded && KINDS[coded.code]) ?? 'code', reason }
}

/** A cancelled ticket admits nobody, even if the rest of it is wrong. */
function refusedOf({ status }: Json, position: unknown): MappedStatus | undefined {
  return status === 'c' || status === 'e' || isCanceled(position) ? CANCELLED : undefined
}
