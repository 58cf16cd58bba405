/** Routes that an app in proxy mode calls at a gate: check, search and status, on the paths of today and of before. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { GatehouseError, STATUS } from '../errors.ts'
import type { Checkpoint } from '../event/event.ts'
import type { App } from '../http/app.ts'
import type { LiveScans } from '../live-scans.ts'
import { type CheckDeps, checkCode } from './check.ts'
import { countsOf, type StatusSources } from './event-view.ts'
import type { EventIds } from './ids.ts'
import { checkpointFor, listNamed } from './lists.ts'
import type { Pace } from './pace.ts'
import { both, type OfList } from './paths.ts'
import { checkResult, failedResult } from './result.ts'
import { proxyResult, type Searches } from './search.ts'
import { Check, isExit, readBody, Search } from './shapes.ts'

export interface ProxyDeps extends CheckDeps {
  ids: EventIds
  searches: Searches
  /** Of live questions, by device. */
  scanPace: Pace
  /** Of everything else. */
  pace: Pace
  liveScans: LiveScans
  counted: () => Promise<StatusSources>
}

export const RPC = '/proxyapi/v1/rpc'

/** The live part: it does not wait at the turnstile. */
export function checkRoutes(app: App, deps: ProxyDeps): void {
  both(app, 'POST', `${RPC}/check`, (request, reply) => {
    const body = readBody(Check, request.body, 'question')
    return check(body, listIn(body.events_and_checkin_lists, deps), request, reply, deps)
  })
  both<OfList>(app, 'POST', `${RPC}/:event/:list/check`, (request, reply) => {
    const body = readBody(Check, request.body, 'question')
    return check(body, listAt(request.params, deps), request, reply, deps)
  })
}

export function searchRoutes(app: App, deps: ProxyDeps): void {
  both(app, 'POST', `${RPC}/search`, (request) => {
    const body = readBody(Search, request.body, 'search')
    return search(body, listIn(body.events_and_checkin_lists, deps), request, deps)
  })
  both<OfList>(app, 'POST', `${RPC}/:event/:list/search`, (request) => {
    return search(readBody(Search, request.body, 'search'), listAt(request.params, deps), request, deps)
  })
  both<OfList>(app, 'GET', `${RPC}/:event/:list/status`, async (request) => {
    await deps.pace.wait(request.device.id)
    const list = listNamed(listAt(request.params, deps), request.device, deps.ids)
    const { total, admitted, inside, items } = countsOf(list, deps.event, deps.ids, await deps.counted())
    return {
      // Its documentation and its code spell it in two ways.
      ...{ eventName: deps.event.name, event_name: deps.event.name },
      ...{ totalTickets: total, alreadyScanned: admitted, currentlyInside: inside },
      items: items.map((item) => ({ ...item, admission: true, isAdmission: true, variations: [] })),
    }
  })
}

async function check(body: Check, number: number, request: FastifyRequest, reply: FastifyReply, deps: ProxyDeps) {
  const { device } = request
  const { event, ids } = deps
  await deps.scanPace.wait(device.id)
  // A caller that has hung up meanwhile gets no admission: nobody would know of it.
  if (reply.raw.destroyed) return failedResult('', event.id)
  const answers = (body.answers ?? []).map(({ question, value }) => [question.server_id, value ?? ''] as const)
  using _live = deps.liveScans.begin()
  try {
    const list = listNamed(number, device, ids)
    const place = checkpointFor(list, isExit(body.type) ? 'EXIT' : 'ENTRY', { device, event })
    if (typeof place === 'string') return failedResult(place, event.id)
    const asked = { ticket: body.ticketid, checkpoint: place, answers, nonce: body.nonce }
    const checked = await checkCode(asked, device, reply, deps)
    return checkResult({ ...checked, event: event.id, allowQuestions: body.allowQuestions !== false })
  } catch (error) {
    // A sentence for the gate is shown as one; what the box cannot do now is asked again.
    if (!(error instanceof GatehouseError) || STATUS[error.code] >= 500 || error.code === 'rate_limited') throw error
    return failedResult(error.message, event.id)
  }
}

async function search(body: Search, number: number, request: FastifyRequest, deps: ProxyDeps): Promise<object[]> {
  await deps.pace.wait(request.device.id)
  const list: Checkpoint = listNamed(number, request.device, deps.ids)
  // A second page of people is nobody's.
  if ((body.page ?? 1) > 1) return []
  const found = await deps.searches.find(body.query.trim(), request.device, list, { address: request.ip })
  return found.map(proxyResult)
}

function listIn(lists: Readonly<Record<string, number>> | null | undefined, { event }: ProxyDeps): number {
  const number = lists && Object.hasOwn(lists, event.id) ? lists[event.id] : undefined
  if (number === undefined) {
    throw new GatehouseError('bad_request', 'This box serves another event: choose the event again.')
  }
  return number
}

/** @throws GatehouseError `not_found` for another event's */
export function listAt({ event, list }: OfList, deps: Pick<ProxyDeps, 'event'>): number {
  if (event === deps.event.id && /^\d{1,10}$/.test(list)) return Number(list)
  throw new GatehouseError('not_found', 'This box serves another event: choose the event again.')
}
