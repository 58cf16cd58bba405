/** Walk-up sales and guests (admin tier). */
import {
  DaySales,
  GuestsAnswer,
  GuestsRequest,
  Sale,
  SaleRequest,
  SalesQuery,
  SlipQuery,
  VoidRequest,
} from '@gatehouse/proto/wire/sales.ts'
import { Id } from '@gatehouse/proto/wire/terms.ts'
import { Type } from 'typebox'
import { by } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'
import { localDay } from '../event/event.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { SaleRow } from '../ledger/schema.ts'
import { type AnswerDeps, saleAnswer, wholeSale } from './answers.ts'
import { around, daysCsv, salesOfDay, totalsOf } from './day.ts'
import { addGuests } from './guests.ts'
import { currencyOf, sell, voidSale } from './sell.ts'
import { drawSlip } from './slip.ts'

/** Sales of a day that are listed one by one. */
const MOST_LISTED = 200

const SaleParams = Type.Object({ id: Id })

/** Policy of a page that the box draws: it may show its own style, and nothing else. */
const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
} as const

export function salesRoutes(app: App, deps: AnswerDeps): void {
  sellRoutes(app, deps)
  oneSaleRoutes(app, deps)
  dayRoutes(app, deps)
}

function sellRoutes(app: App, deps: AnswerDeps): void {
  app.post('/v1/admin/sales', {
    schema: {
      operationId: 'sell',
      summary: 'Make tickets at the desk, sold or free. The same sale_id again gets the same tickets.',
      body: SaleRequest,
      response: { 200: Sale, ...failures('bad_request', 'conflict', 'over_capacity', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      const { actor, override_reason: overrideReason, ...wanted } = request.body
      reply.header('cache-control', 'no-store')
      return wholeSale(await sell({ ...wanted, overrideReason }, by(request, actor), deps), deps)
    },
  })

  app.post('/v1/admin/guests', {
    schema: {
      operationId: 'addGuests',
      summary: 'Add a pasted guest list, all lines or none; with dry_run, only say what each line would do.',
      body: GuestsRequest,
      response: { 200: GuestsAnswer, ...failures('bad_request', 'over_capacity', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return addGuests(request.body, by(request, request.body.actor), deps)
    },
  })
}

function oneSaleRoutes(app: App, deps: AnswerDeps): void {
  app.get('/v1/admin/sales/:id', {
    schema: {
      operationId: 'sale',
      summary: 'A sale with its tickets, to hand them over once more.',
      params: SaleParams,
      response: { 200: Sale, ...failures('bad_request', 'not_found') },
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return wholeSale(found(request.params.id, deps), deps)
    },
  })

  app.get('/v1/admin/sales/:id/slip', {
    exposeHeadRoute: false,
    schema: {
      operationId: 'slip',
      summary: 'The tickets of a sale as a page to print, on A4 or on a strip of 80 mm.',
      params: SaleParams,
      querystring: SlipQuery,
      produces: ['text/html'],
      response: { 200: Type.String(), ...failures('bad_request', 'not_found') },
    },
    handler: async (request, reply) => {
      const sale = await wholeSale(found(request.params.id, deps), deps)
      const page = drawSlip(sale, deps.event, request.query.paper ?? 'a4')
      return reply.type('text/html; charset=utf-8').headers(PAGE_HEADERS).send(page)
    },
  })

  app.post('/v1/admin/sales/:id/void', {
    schema: {
      operationId: 'voidSale',
      summary: 'Void a sale: its tickets are revoked at every box. The receipt stays on record.',
      params: SaleParams,
      body: VoidRequest,
      response: { 200: Sale, ...failures('bad_request', 'not_found', 'ledger_unavailable') },
    },
    handler: async (request) => {
      const { actor, reason } = request.body
      return wholeSale(await voidSale(request.params.id, { ...by(request, actor), reason }, deps), deps)
    },
  })
}

function dayRoutes(app: App, deps: AnswerDeps): void {
  const { event, now, salesTable } = deps
  const rowsOf = (day = localDay(event, now())): { day: string; rows: SaleRow[] } => {
    const { from, until } = around(day)
    if (Number.isNaN(from)) throw new GatehouseError('bad_request', 'There is no such day: write it as 2026-07-17.')
    return { day, rows: salesOfDay(salesTable.between(from, until), day, event) }
  }

  app.get('/v1/admin/sales', {
    schema: {
      operationId: 'sales',
      summary: 'The sales of a festival day at every box that is heard, with totals.',
      querystring: SalesQuery,
      response: { 200: DaySales, ...failures('bad_request') },
    },
    handler: async (request, reply) => {
      const { day, rows } = rowsOf(request.query.day)
      const newest = rows.slice(-MOST_LISTED).reverse()
      reply.header('cache-control', 'no-store')
      return {
        day,
        currency: currencyOf(event),
        tiers: event.tiers.map(({ id, name, at_the_gate }) => {
          const { price = null, most = null } = at_the_gate ?? {}
          return { id, name, price, most, sold: salesTable.soldOf(id) }
        }),
        totals: totalsOf(rows, event),
        sales: newest.map((row) => saleAnswer(row, deps)),
        voided: rows.filter(({ voidedAt }) => voidedAt !== null).length,
      }
    },
  })

  app.get('/v1/admin/sales.csv', {
    exposeHeadRoute: false,
    schema: {
      operationId: 'salesCsv',
      summary: 'The sales of a festival day as CSV, one line a receipt, without names of holders.',
      querystring: SalesQuery,
      produces: ['text/csv'],
      response: { 200: Type.String(), ...failures('bad_request') },
    },
    handler: async (request, reply) => {
      const { day, rows } = rowsOf(request.query.day)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="sales-${event.id}-${day}.csv"`)
        .header('cache-control', 'no-store')
        .send(daysCsv(rows, event))
    },
  })
}

function found(id: string, { salesTable }: AnswerDeps): SaleRow {
  const row = salesTable.find(id)
  if (!row)
    throw new GatehouseError('not_found', 'There is no such sale: look for it in the list of the day.', {
      reason: 'sale_unknown',
    })
  return row
}
