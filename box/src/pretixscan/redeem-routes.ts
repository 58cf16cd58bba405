/**
 * Plain mode: the shop's own calls at a gate, for iOS and for apps that scan without a proxy. A nonce names each scan, so a retry gets the
 * first answer for ever. What an app has let in without the box comes later, with `force`: it is written down as admitted offline.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { GatehouseError, STATUS } from '../errors.ts'
import type { App } from '../http/app.ts'
import { checkCode } from './check.ts'
import { API } from './device-routes.ts'
import { numberOf } from './ids.ts'
import { checkpointFor, listNamed } from './lists.ts'
import { both, type OfList } from './paths.ts'
import { listAt, type ProxyDeps } from './proxy-routes.ts'
import { redeemAnswer } from './result.ts'
import { type Found, statusOf } from './search.ts'
import { isExit, Redeem, readBody } from './shapes.ts'
import { OF_EVENT, requireHere } from './sync-routes.ts'

const OF_ORGANIZER = `${API}/organizers/:organizer`

interface OfPosition extends OfList {
  organizer: string
  secret: string
}

export interface PlainDeps extends ProxyDeps {
  /** Of uploads, by device. */
  uploadPace: ProxyDeps['pace']
}

/** The live part: it does not wait at the turnstile. */
export function redeemRoutes(app: App, deps: PlainDeps): void {
  both<OfPosition>(app, 'POST', `${OF_ORGANIZER}/checkinrpc/redeem`, (request, reply) => {
    requireHere({ organizer: request.params.organizer, event: deps.event.id }, deps)
    const body = readBody(Redeem, request.body, 'scan')
    const { secret, lists } = body
    if (!secret) return reply.code(400).send({ secret: ['This field is required.'] })
    const [list] = lists ?? []
    if (list === undefined) return reply.code(400).send({ lists: ['This field is required.'] })
    return redeemCode({ body, secret, list }, request, reply, deps)
  })
  both<OfPosition>(app, 'POST', `${OF_EVENT}/checkinlists/:list/positions/:secret/redeem`, (request, reply) => {
    requireHere(request.params, deps)
    const list = listAt(request.params, deps)
    const body = readBody(Redeem, request.body, 'scan')
    return redeemCode({ body, secret: request.params.secret, list }, request, reply, deps)
  })
}

export function plainRoutes(app: App, deps: PlainDeps): void {
  const search = async (request: FastifyRequest, number: number) => {
    await deps.pace.wait(request.device.id)
    const { search: text = '', page = '1' } = request.query as Record<string, unknown>
    const list = listNamed(number, request.device, deps.ids)
    const query = typeof text === 'string' && page === '1' ? text.trim() : ''
    const found = await deps.searches.find(query, request.device, list, { address: request.ip })
    const results = found.map((one) => foundPosition(one, number, deps))
    return { count: results.length, next: null, previous: null, results }
  }
  both<OfPosition>(app, 'GET', `${OF_ORGANIZER}/checkinrpc/search`, (request) => {
    requireHere({ organizer: request.params.organizer, event: deps.event.id }, deps)
    const [list] = [(request.query as Record<string, unknown>).list ?? []].flat()
    return search(request, Number(list))
  })
  both<OfPosition>(app, 'GET', `${OF_EVENT}/checkinlists/:list/positions`, (request) => {
    requireHere(request.params, deps)
    return search(request, listAt(request.params, deps))
  })
  // A refusal that an app made without the box moved nobody: it is taken, so that the app's queue goes on.
  both<OfPosition>(app, 'POST', `${OF_EVENT}/checkinlists/:list/failed_checkins`, async (request, reply) => {
    requireHere(request.params, deps)
    await deps.uploadPace.wait(request.device.id)
    return reply.code(201).send({})
  })
  both<OfPosition & { id: string }>(app, 'POST', `${OF_EVENT}/orderpositions/:id/printlog`, async (request, reply) => {
    requireHere(request.params, deps)
    await deps.pace.wait(request.device.id)
    return reply.code(201).send({})
  })
}

async function redeemCode(
  { body, secret, list: number }: { body: Redeem; secret: string; list: number },
  request: FastifyRequest,
  reply: FastifyReply,
  deps: PlainDeps,
): Promise<FastifyReply> {
  const { device } = request
  const { event, ids } = deps
  const admittedAt = body.force === true ? momentOf(body.datetime, deps.now()) : undefined
  await (admittedAt === undefined ? deps.scanPace : deps.uploadPace).wait(device.id)
  const list = listNamed(number, device, ids)
  const checkpoint = checkpointFor(list, isExit(body.type) ? 'EXIT' : 'ENTRY', { device, event })
  if (typeof checkpoint === 'string') return refuse(reply, checkpoint)
  const answers = Object.entries(body.answers ?? {}).map(([id, value]) => [Number(id), value] as const)
  using _live = admittedAt === undefined ? deps.liveScans.begin() : undefined
  try {
    const asked = { ticket: secret, checkpoint, answers, nonce: body.nonce, admittedAt }
    const { verdict, order, said } = await checkCode(asked, device, reply, deps)
    const { status, body: answer } = redeemAnswer({
      verdict,
      questionsSupported: body.questions_supported !== false,
      secret,
      list: { id: number, name: list.name },
      event: { slug: event.id, name: event.name },
      ...{ order, said },
      position: { id: numberOf(`position ${secret}`), item: itemOf(verdict.tier_name, deps) },
    })
    return reply.code(status).send(answer)
  } catch (error) {
    if (!(error instanceof GatehouseError) || STATUS[error.code] >= 500 || error.code === 'rate_limited') throw error
    return refuse(reply, error.message)
  }
}

/** A 400 with `status`, which the app shows and its queue lets go of. */
function refuse(reply: FastifyReply, reason_explanation: string): FastifyReply {
  const said = { status: 'error', reason: 'error', reason_explanation }
  return reply.code(400).send({ ...said, require_attention: false, checkin_texts: [] })
}

/** Unix ms. A time that cannot be read, or is ahead of the box's, is now. */
function momentOf(datetime: string | null | undefined, now: number): number {
  const at = Date.parse(datetime ?? '')
  return Number.isNaN(at) || at < 0 ? now : Math.min(at, now)
}

function itemOf(tierName: string | null, { event, ids }: PlainDeps): number {
  const tier = event.tiers.find(({ name }) => name === tierName)
  return tier ? ids.itemOf(tier.id) : 0
}

function foundPosition({ secret, ticket, holder, isRedeemed, needsAttention }: Found, list: number, deps: PlainDeps) {
  const status = { PAID: 'p', PENDING: 'n', CANCELED: 'c' }[statusOf(ticket)]
  const at = deps.tickets.movementsOf(ticket.id).at(-1)?.at
  return {
    id: numberOf(`position ${ticket.ref}`),
    ...{ order: ticket.orderCode ?? '', positionid: ticket.position ?? 1, item: deps.ids.itemOf(ticket.tier) },
    ...{ variation: null, price: '0.00', attendee_name: holder, attendee_email: null, secret, addon_to: null },
    ...{ subevent: null, pseudonymization_id: '', answers: [], downloads: [], print_logs: [] },
    seat: ticket.seat === null ? null : { id: 0, name: ticket.seat, seat_guid: '' },
    checkins:
      isRedeemed && at !== undefined ? [{ id: 0, list, datetime: new Date(at).toISOString(), type: 'entry' }] : [],
    ...{ require_attention: needsAttention, order__status: status, order__valid_if_pending: false },
  }
}
