/** Paper lists: printed for a gate before doors, and typed in afterwards (admin tier). */

import { PaperAnswer, type PaperLine, PaperListQuery, PaperRequest } from '@gatehouse/proto/wire/paper.ts'
import { Type } from 'typebox'
import { by } from '../ca/actor.ts'
import { GatehouseError } from '../errors.ts'
import type { Checkpoint } from '../event/event.ts'
import type { App } from '../http/app.ts'
import { failures } from '../http/openapi.ts'
import type { Ticket } from '../ledger/schema.ts'
import { holderOf } from '../tickets/current.ts'
import type { Outcomes, PaperAdmissions, PaperDeps } from './admit.ts'
import { PAGE_HEADERS } from './evacuation-routes.ts'
import { type PaperProblem, problem } from './problem.ts'
import { newSheet } from './short-code.ts'
import type { PaperThreads } from './thread.ts'
import { lineOf, problemFields, readSheetNumber, readTyped, type TypedCode } from './typed-codes.ts'

/** A sheet is used for an evening, and typed in the day after. */
const LONGEST_MS = 24 * 3_600_000

export interface PaperRouteDeps extends Pick<PaperDeps, 'event' | 'ledger' | 'tickets' | 'now'> {
  paperThreads: PaperThreads
  paperAdmissions: PaperAdmissions
  boxId: string
}

export function paperRoutes(app: App, deps: PaperRouteDeps): void {
  listRoute(app, deps)
  admitRoute(app, deps)
}

function listRoute(app: App, { event, ledger, paperThreads, boxId, now }: PaperRouteDeps): void {
  app.get('/v1/admin/paper/list', {
    // No HEAD: a list is journalled, because it names everybody with a ticket.
    exposeHeadRoute: false,
    schema: {
      operationId: 'paperList',
      summary: 'The tickets of a gate as a list to print and to tick, each with a short code.',
      querystring: PaperListQuery,
      produces: ['text/html'],
      response: { 200: Type.String(), ...failures('bad_request', 'not_found', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      const { gate, order = 'name', actor } = request.query
      if (!event.gateById.has(gate))
        throw new GatehouseError('not_found', 'This event has no such gate: choose another one.', {
          reason: 'gate_gone',
        })
      const sheet = newSheet()
      const madeAt = now()
      const { page, rows } = await paperThreads.run({ task: 'list', gate, sheet, order, madeAt, box: boxId })
      const printed = { action: 'printed', at: new Date(madeAt).toISOString(), sheet, place: gate } as const
      await ledger.commit(
        () => ledger.append('paper', { ...by(request, actor), ...printed, tickets: rows, from: null, until: null }),
        { patient: true },
      )
      return reply.type('text/html; charset=utf-8').headers(PAGE_HEADERS).send(page)
    },
  })
}

function admitRoute(app: App, deps: PaperRouteDeps): void {
  app.post('/v1/admin/paper/admissions', {
    schema: {
      operationId: 'admitOnPaper',
      summary:
        'Record the ticked short codes of a sheet as admissions on paper; all of them, or none while one has a problem.',
      body: PaperRequest,
      response: { 200: PaperAnswer, ...failures('bad_request', 'not_found', 'ledger_unavailable') },
    },
    handler: async (request, reply) => {
      const { body } = request
      const place = placeOf(body, deps)
      const typed = readTyped(body.codes)
      const found = await ticketsOf(typed, place.checkpoint, deps)
      const lines = typed.map((one) => withTicket(one, found, place.sheet, deps))
      const tickets = ticketsIn(typed, found)
      reply.header('cache-control', 'no-store')
      const problems = lines.filter(({ problem }) => problem !== null).length
      const counts = { sheet: place.sheet, people: tickets.length, problems }
      if (body.dry_run || problems > 0 || tickets.length === 0) return { recorded: false, ...counts, flags: 0, lines }
      const { checkpoint, ...times } = place
      const outcomes = await deps.paperAdmissions.admit(
        { id: body.paper_id, ...times, checkpoint: checkpoint.id, tickets },
        by(request, body.actor),
      )
      const recorded = lines.map((line) => withOutcome(line, found, outcomes))
      const flags = new Set(recorded.flatMap(({ flag }) => flag ?? [])).size
      return { recorded: true, ...counts, flags, lines: recorded }
    },
  })
}

/** Checkpoint and times at which the sheet was used. @throws GatehouseError `bad_request`, `not_found` */
function placeOf({ sheet: typed, checkpoint: id, from, until }: PaperRequest, { event, now }: PaperRouteDeps) {
  const checkpoint = event.checkpointById.get(id)
  if (!checkpoint)
    throw new GatehouseError('not_found', 'This event has no such entrance: choose another one.', {
      reason: 'entrance_gone',
    })
  if (checkpoint.direction !== 'in') {
    throw new GatehouseError('bad_request', 'People are let in on paper, and not out: choose an entrance.', {
      reason: 'entry_only',
    })
  }
  const sheet = readSheetNumber(typed)
  if ('problem' in sheet) {
    const { text, coded } = sheet.problem
    throw new GatehouseError('bad_request', text, { ...(coded && { coded: [coded] }) })
  }
  const times = { from: Date.parse(from), until: Date.parse(until) }
  if (times.until < times.from) {
    throw new GatehouseError('bad_request', 'The sheet ends before it begins: check both times, and their day.', {
      reason: 'ends_first',
    })
  }
  if (times.until > now()) {
    throw new GatehouseError('bad_request', 'The sheet ends in the future: check the time and the day.', {
      reason: 'ends_in_future',
    })
  }
  if (times.until - times.from > LONGEST_MS) {
    throw new GatehouseError(
      'bad_request',
      'The sheet was in use for more than a day: check both times, and their day.',
      { reason: 'used_too_long' },
    )
  }
  return { checkpoint, sheet: sheet.sheet, ...times }
}

type Found = ReadonlyMap<string, { ticket?: Ticket; problem?: PaperProblem }>

/** By short code: its ticket, or why it has none. */
async function ticketsOf(typed: readonly TypedCode[], checkpoint: Checkpoint, deps: PaperRouteDeps): Promise<Found> {
  const codes = [...new Set(typed.flatMap(({ code }) => code ?? []))]
  if (codes.length === 0) return new Map()
  const { refs } = await deps.paperThreads.run({ task: 'resolve', codes })
  return new Map(codes.map((code, i) => [code, ticketOf(refs[i] ?? [], checkpoint, deps)]))
}

function ticketOf([ref, other]: readonly string[], checkpoint: Checkpoint, { tickets }: PaperRouteDeps) {
  const ticket = ref === undefined ? undefined : tickets.byRef(ref)
  if (!ticket) {
    const text = 'No ticket for this event has this code: check it against the sheet.'
    return { problem: problem('code_unknown', text) }
  }
  if (other !== undefined)
    return { problem: problem('code_of_two', 'Two tickets have this code: look the person up by name.') }
  if (!checkpoint.tiers.includes(ticket.tier)) {
    const text = `This ticket type is not for ${checkpoint.name}: is it the sheet of another gate?`
    return { problem: problem('other_gate', text, { checkpoint: checkpoint.name }) }
  }
  return { ticket }
}

function withTicket(
  typed: TypedCode,
  found: Found,
  sheet: string,
  { event, paperAdmissions }: PaperRouteDeps,
): PaperLine {
  const line = lineOf(typed)
  const { ticket, problem: why = null } = (typed.code !== null && found.get(typed.code)) || {}
  if (!ticket) return line.problem === null ? { ...line, ...problemFields(why) } : line
  const known = paperAdmissions.known(sheet, ticket.ref) !== undefined
  return { ...line, name: holderOf(ticket), tier_name: event.tierById.get(ticket.tier)?.name ?? ticket.tier, known }
}

/** Each once, in the order of the sheet. */
function ticketsIn(typed: readonly TypedCode[], found: Found): Ticket[] {
  return typed.flatMap(({ code, sameAs }) => (code !== null && sameAs === null && found.get(code)?.ticket) || [])
}

function withOutcome(line: PaperLine, found: Found, outcomes: Outcomes): PaperLine {
  const read = readTyped([line.typed])[0]?.code
  const ref = read && found.get(read)?.ticket?.ref
  const outcome = ref ? outcomes.get(ref) : undefined
  if (outcome === undefined) return line
  if ('text' in outcome) return { ...line, ...problemFields(outcome) }
  const { verdict, reason, confidence, flag = null } = outcome
  return { ...line, verdict, reason, confidence, flag }
}
