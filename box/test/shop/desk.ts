/** A shop without its network: changes as a feed would send them, to the real ledger of a desk. */
import assert from 'node:assert/strict'
import { create } from '@bufbuild/protobuf'
import { type ChangeEvent, ChangeEventSchema } from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import { stringify } from 'yaml'
import { createLogger } from '../../src/log.ts'
import { openDeliveries } from '../../src/shop/downlink.ts'
import { parseMapping } from '../../src/shop/mapping.ts'
import { RowStore } from '../../src/shop/rows.ts'
import type { Desk } from '../world/desk.ts'

/** Orders and their tickets, as many shops have them. */
export const TWO_TABLES = {
  tables: {
    'public.tickets': {
      key: 'id',
      code: 'code',
      tier: { column: 'product', values: { Day: 'once', Lounge: 'vip', Mug: '' } },
      seat: 'seat',
      holder_name: 'holder',
      email: 'order.email',
      valid_until: 'until',
      status: { column: 'order.state', values: { p: 'paid', n: 'pending', r: 'refunded' } },
      lookups: { order: { table: 'public.orders', key: 'id', by: 'order_id' } },
    },
  },
}

export type Row = Readonly<Record<string, string | null>>

export interface Change {
  table: 'orders' | 'tickets' | 'others'
  op: string
  before?: Row
  after?: Row
}

/** The order `1`, of which `sell` makes tickets. */
export const PAID_ORDER: Change = {
  table: 'orders',
  op: 'insert',
  after: { id: '1', state: 'p', email: 'a@shop.example' },
}

/** A ticket of the paid order is new in the shop. */
export function sell(id: string, code: string, more: Row = {}): Change {
  const row = { id, order_id: '1', code, product: 'Day', seat: null, holder: 'Ana', until: null, ...more }
  return { table: 'tickets', op: 'insert', after: row }
}

/** A ticket is another one in the shop. */
export function change(id: string, more: Row): Change {
  return { table: 'tickets', op: 'update', after: { id, ...more } }
}

/** @throws AssertionError when no ticket of the desk has this printed code */
export function ticketAt({ deps: { tickets, codes } }: Desk, code: string) {
  return tickets.openedBy({ kind: 'static', codeHash: codes.hash(code) }) ?? assert.fail(code)
}

/** The change as a feed delivers it: transaction `n`, with one change. */
export function changeEvent(n: number, { table, op, before, after }: Change, committedAt = 1_000_000 + n): ChangeEvent {
  const lsn = `0/${(n * 16).toString(16).toUpperCase()}`
  return create(ChangeEventSchema, {
    id: `${lsn}:0`,
    lsn,
    commitLsn: lsn,
    commitTime: new Date(committedAt).toISOString(),
    schema: 'public',
    table,
    op,
    beforeJson: before ? JSON.stringify(before) : '',
    afterJson: after ? JSON.stringify(after) : '',
  })
}

/** A shop's deliveries to this desk, and the state that they led to. */
export function shopAt({ deps, event }: Desk, mapping: object = TWO_TABLES) {
  const { ledger, tickets, codes } = deps
  const parsed = parseMapping(stringify(mapping), 'shop.yaml', event)
  const deliveries = openDeliveries({
    event,
    ledger,
    tickets,
    codes,
    mapping: parsed,
    logger: createLogger('silent'),
    now: () => 2_000_000,
  })
  const rows = new RowStore(ledger.db)
  return {
    deliveries,
    rows,
    deliver: (...events: ChangeEvent[]) => deliveries.deliver('shop', events),
    /** Every ticket and every row, without what is random. */
    state() {
      const all = [...tickets.pages.all()].flat()
      const codeOf = new Map(all.map(({ id, code }) => [id, code]))
      return {
        tickets: all
          .map(({ code, tier, seat, holderName, email, validUntil, status, statusDetail, revokedAt }) => {
            return {
              code,
              tier,
              seat,
              holderName,
              email,
              validUntil,
              status,
              statusDetail,
              revoked: revokedAt !== null,
            }
          })
          .sort((a, b) => (a.code < b.code ? -1 : 1)),
        rows: rows
          .page('shop', 0, false)
          .map(({ table, key, image, gone, ticket, problem }) => {
            return { table, key, image, gone, ticket: ticket === null ? null : codeOf.get(ticket), problem }
          })
          .sort((a, b) => (`${a.table} ${a.key}` < `${b.table} ${b.key}` ? -1 : 1)),
      }
    },
  }
}
