/** The parts of pretix's event that orders refer to: products, questions, check-in lists and dates, asked for conditionally. */
import { createHash, type KeyObject } from 'node:crypto'
import type { DateWindow } from '@gatehouse/proto/overlapping.ts'
import { dayStarts } from '../../event/day.ts'
import type { Event } from '../../event/event.ts'
import { isPretixKey, pretixKey } from '../../event/pretix-key.ts'
import { PretixCatalog } from '../../tickets/import/pretix-catalog.ts'
import { id, isObject, type Json, list, objects, text } from '../../tickets/import/pretix-json.ts'
import type { Answer, PretixApi } from './api.ts'
import { eventPath, type ShopConnection } from './connection.ts'

export interface ShopCatalog {
  event: Json
  items: readonly Json[]
  questions: readonly Json[]
  lists: readonly Json[]
  catalog: PretixCatalog
  currency: string
  /** True if the event sells test tickets, which are then real ones here. */
  isTest: boolean
  /** Keys with which pretix signs codes; none where its codes are random. */
  signers: readonly KeyObject[]
  /** Dates that this box admits to, by their numbers; null for an event without dates. */
  dates: ReadonlyMap<string, DateWindow> | null
  /** Differs where orders have to be read again. */
  digest: string
  /** All that it was made of. */
  files: CatalogFiles
}

/** As pretix has answered; `subevents` is null for an event without dates. */
export interface CatalogFiles {
  event: Json
  items: readonly Json[]
  questions: readonly Json[]
  lists: readonly Json[]
  subevents: readonly Json[] | null
}

/** Lists in full that pretix answers with 304 while they are unchanged, with what to ask the next time. */
interface Kept {
  since: string | undefined
  results: readonly unknown[]
}

/** Asks without a condition once in so many times: within one second, pretix does not see a second change. */
const UNCONDITIONAL = 10

export class CatalogReader {
  readonly #api: PretixApi
  readonly #connection: ShopConnection
  readonly #event: Event
  readonly #kept = new Map<string, Kept>()
  #times = 0

  constructor(api: PretixApi, connection: ShopConnection, event: Event) {
    this.#api = api
    this.#connection = connection
    this.#event = event
  }

  /** @throws PretixError */
  async read(): Promise<ShopCatalog> {
    const path = eventPath(this.#connection)
    if (this.#times++ % UNCONDITIONAL === 0) this.#kept.clear()
    const { json } = await this.#api.get(path)
    const event = isObject(json) ? json : {}
    const items = objects(await this.#list(`${path}items/`))
    const questions = objects(await this.#list(`${path}questions/`))
    const lists = objects(await this.#api.all(`${path}checkinlists/`, { exclude: ['checkin_count', 'position_count'] }))
    const subevents = event.has_subevents === true ? objects(await this.#api.all(`${path}subevents/`)) : null
    return catalogOf({ event, items, questions, lists, subevents }, this.#connection, this.#event)
  }

  async #list(path: string): Promise<readonly unknown[]> {
    const kept = this.#kept.get(path)
    const results: unknown[] = []
    let since: string | undefined
    for (let page: number | undefined = 1; page !== undefined; ) {
      const query = { page, page_size: 50 }
      const answer: Answer = await this.#api.get(path, { query, since: page === 1 ? kept?.since : undefined })
      if (answer.status === 304 && kept) return kept.results
      since ??= answer.lastModified
      const { next, results: some } = isObject(answer.json) ? answer.json : {}
      results.push(...list(some))
      page = typeof next === 'string' && list(some).length > 0 ? page + 1 : undefined
    }
    this.#kept.set(path, { since, results })
    return results
  }
}

export function catalogOf(
  files: CatalogFiles,
  { subevents: chosen }: Pick<ShopConnection, 'subevents'>,
  event: Pick<Event, 'timezone' | 'day_starts_at'>,
): ShopCatalog {
  const { items, questions, lists, subevents } = files
  const dates = subevents && datesOf(subevents, chosen, event)
  const isTest = files.event.testmode === true
  return {
    ...{ event: files.event, items, questions, lists, dates, isTest, files },
    catalog: new PretixCatalog(items, questions),
    currency: text(files.event.currency),
    signers: signersOf(files.event),
    digest: digestOf({ items, isTest, dates: dates && [...dates] }),
  }
}

/** Keys are tried one after the other while somebody waits at the gate. */
const MOST_SIGNERS = 8

function signersOf({ valid_keys: keys }: Json): KeyObject[] {
  const own = isObject(keys) ? list(keys.pretix_sig1) : []
  const usable = own.filter((key): key is string => typeof key === 'string' && isPretixKey(key))
  return usable.slice(0, MOST_SIGNERS).map(pretixKey)
}

/**
 * When the tickets of each date of a series admit: from the beginning of its festival day until the end of its last.
 * @param chosen null for all dates
 */
export function datesOf(
  subevents: readonly unknown[],
  chosen: readonly number[] | null,
  event: Pick<Event, 'timezone' | 'day_starts_at'>,
): Map<string, DateWindow> {
  const dates = new Map<string, DateWindow>()
  for (const one of objects(subevents)) {
    const key = id(one.id)
    const from = Date.parse(text(one.date_admission) || text(one.date_from))
    const until = Date.parse(text(one.date_to) || text(one.date_from))
    if (key === undefined || Number.isNaN(from) || Number.isNaN(until)) continue
    if (chosen !== null && !chosen.includes(Number(key))) continue
    dates.set(key, windowOf(Math.min(from, Date.parse(text(one.date_from))), Math.max(from, until), event))
  }
  return dates
}

function windowOf(from: number, until: number, event: Pick<Event, 'timezone' | 'day_starts_at'>): DateWindow {
  const calendar = { timezone: event.timezone, day_starts_at: event.day_starts_at ?? '00:00' }
  const [first = from] = dayStarts(calendar, from, 1)
  // The last millisecond of the day on which it ends.
  const [, after = until] = dayStarts(calendar, until, 2)
  return { from: first, until: after - 1 }
}

/** Of what a ticket's tier and validity follow from: prices and descriptions change while tickets are sold. */
function digestOf({ items, ...rest }: { items: readonly Json[]; [name: string]: unknown }): string {
  const products = items.map(({ id: item, name, admission, variations }) => {
    return [item, name, admission, objects(variations).map(({ id: variation, value }) => [variation, value])]
  })
  return createHash('sha256')
    .update(JSON.stringify([products, rest]))
    .digest('hex')
    .slice(0, 32)
}
