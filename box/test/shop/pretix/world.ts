/** A desk that reads a small server of pretix's shapes, step by step, with a clock that the test moves. */

import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import { createLogger } from '../../../src/log.ts'
import { MappingError } from '../../../src/shop/mapping.ts'
import { PretixApi } from '../../../src/shop/pretix/api.ts'
import type { ShopConnection } from '../../../src/shop/pretix/connection.ts'
import { parseMapping } from '../../../src/shop/pretix/mapping.ts'
import { Pull, sourceOf } from '../../../src/shop/pretix/pull.ts'
import { RowStore } from '../../../src/shop/rows.ts'
import { Desk } from '../../world/desk.ts'
import { type Order, PretixServer, TOKEN } from './server.ts'

export const NOW = Date.UTC(2026, 6, 4, 18)

const MAPPING = `tiers:
  item:1: once
  item:2/21: vip
  item:2/22: reentry
  item:3: ''
lists:
  5: [a-in]
`

export interface PositionOptions {
  id: number
  secret?: string
  [field: string]: unknown
}

/** A position as pretix writes it. */
export function position({ id, secret = `secret${id}`, ...more }: PositionOptions) {
  return {
    ...{ id, secret, positionid: 1, item: 1, variation: null, subevent: null, price: '23.00', canceled: false },
    ...{ blocked: null, valid_from: null, valid_until: null, seat: null, addon_to: null, answers: [], checkins: [] },
    ...{ attendee_name: 'Jane Doe', attendee_name_parts: {}, attendee_email: null },
    ...more,
  }
}

export class PullWorld implements AsyncDisposable {
  readonly pretix: PretixServer
  readonly desk: Desk
  #pull: Pull | undefined
  #connection: ShopConnection
  /** True if people were scanned a moment ago. */
  areScanned = false
  #minutes = 0

  private constructor(pretix: PretixServer, desk: Desk) {
    this.pretix = pretix
    this.desk = desk
    this.#connection = {
      ...{ version: 1, shop: 'pretix', url: pretix.url, organizer: 'acme', event: 'summer', subevents: null },
      ...{ token: { kind: 'Token', secret: TOKEN }, device: null, ca: null, connectedAt: '2026-07-01T00:00:00Z' },
    }
  }

  static async open(): Promise<PullWorld> {
    const pretix = await PretixServer.start()
    const desk = await Desk.open({ now: NOW })
    pretix.generatedAt = () => new Date(desk.now).toISOString()
    pretix.items = [
      { id: 1, name: { en: 'Ticket' }, admission: true, variations: [] },
      {
        ...{ id: 2, name: { en: 'Special' }, admission: true },
        variations: [
          { id: 21, value: { en: 'VIP' } },
          { id: 22, value: { en: 'Flex' } },
        ],
      },
      { id: 3, name: { en: 'Mug' }, admission: false, variations: [] },
    ]
    return new PullWorld(pretix, desk)
  }

  get source(): string {
    return sourceOf(this.#connection)
  }

  get rows(): RowStore {
    return new RowStore(this.desk.deps.ledger.db)
  }

  get pull(): Pull {
    if (this.#pull) return this.#pull
    const { ledger, tickets, codes } = this.desk.deps
    const { event } = this.desk
    const mapping = parseMapping(MAPPING, { name: 'pretix.yaml', badAlias: 'mistake', Refusal: MappingError }, event)
    const { url, token } = this.#connection
    const api = new PretixApi({ url, token, now: () => this.desk.now })
    const logger = createLogger('silent')
    const deps = {
      event,
      ledger,
      tickets,
      codes,
      mapping,
      logger,
      now: () => this.desk.now,
      areScanned: () => this.areScanned,
    }
    this.#pull = new Pull({ ...deps, api, connection: this.#connection })
    return this.#pull
  }

  /** Dates of a series that the box admits to. */
  set subevents(subevents: number[] | null) {
    this.#connection = { ...this.#connection, subevents }
  }

  /** An order of one ticket or several, changed now. */
  sell(code: string, positions: readonly PositionOptions[], more: object = {}): Order {
    const at = this.#now()
    const order = {
      ...{ code, status: 'p', testmode: false, datetime: at, last_modified: at, email: 'jane@example.org' },
      ...{ require_approval: false, valid_if_pending: false, checkin_attention: false, checkin_text: null },
      positions: positions.map((one, index) => position({ positionid: index + 1, ...one })),
      ...more,
    }
    this.pretix.orders.push(order)
    return order
  }

  /** As pretix does when an order is changed. */
  change(order: Order, fields: object): void {
    Object.assign(order, fields, { last_modified: this.#now() })
  }

  /** Steps until there is nothing more to ask at this time. */
  async sync(): Promise<void> {
    for (let steps = 0; steps < 10_000; steps++) if ((await this.pull.step()) > 0) return
    throw new Error('it never comes to rest')
  }

  /** After the next poll. */
  async later(ms = 3_000): Promise<void> {
    this.desk.now += ms
    await this.sync()
  }

  /** Ends the process without a word, and starts it again. */
  async restart(): Promise<void> {
    await this.#pull?.[Symbol.asyncDispose]()
    this.#pull = undefined
    this.desk.restart()
  }

  async verdict(code: string, more = {}): Promise<Verdict['verdict']> {
    this.desk.deps.lateTickets.bring = (shown) => this.pull.bring(shown)
    return (await this.desk.scan(code, more)).verdict
  }

  /** Journal entries of the shop. */
  entries() {
    return this.desk.journal().filter(({ kind }) => kind === 'shop')
  }

  tickets() {
    return [...this.desk.deps.tickets.pages.all()].flat()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pull?.[Symbol.asyncDispose]()
    this.desk[Symbol.dispose]()
    await this.pretix[Symbol.asyncDispose]()
  }

  /** No two changes at the same moment. */
  #now(): string {
    return new Date(this.desk.now - 1_000 + this.#minutes++ / 1_000).toISOString().replace('Z', '000Z')
  }
}
