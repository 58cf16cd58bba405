/**
 * Routes that an app reads before a shift and every few minutes of it. Everything is of the event file and of running counts: no page reads
 * the ledger, and no ticket leaves the box in one.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { GatehouseError } from '../errors.ts'
import type { Event } from '../event/event.ts'
import type { App } from '../http/app.ts'
import { API } from './device-routes.ts'
import { nothingHere } from './errors.ts'
import { countsOf, eventView, itemView, listView, type StatusSources } from './event-view.ts'
import { type EventIds, ORGANIZER } from './ids.ts'
import { listNamed, listsOf } from './lists.ts'
import type { Pace } from './pace.ts'
import { both, type Handler } from './paths.ts'
import { listAt } from './proxy-routes.ts'

export interface SyncDeps {
  event: Event
  ids: EventIds
  pace: Pace
  counted: () => Promise<StatusSources>
  /** When the box read its event file, unix ms: what an app has read since then is as it is. */
  readAt: number
  /** Unix ms. */
  now: () => number
}

interface OfEvent {
  organizer: string
  event: string
}

const OF_ORGANIZER = `${API}/organizers/:organizer`
export const OF_EVENT = `${OF_ORGANIZER}/events/:event`

/** Of tickets the apps get these: nothing. What would be in them is asked at the gate. */
const EMPTY = ['categories', 'questions', 'badgelayouts', 'badgeitems', 'subevents', 'orders'] as const
const EMPTY_SECRETS = ['revokedsecrets', 'blockedsecrets'] as const
const OF_ALL_EVENTS = ['subevents', 'reusablemedia'] as const
const UNCHANGED: ReadonlySet<string> = new Set(['items', 'categories', 'questions'])
const TIMED: ReadonlySet<string> = new Set(['orders', 'subevents', 'reusablemedia'])

export function syncRoutes(app: App, deps: SyncDeps): void {
  const get = (url: string, handler: Handler<OfEvent & { list: string }>) =>
    both<OfEvent & { list: string }>(app, 'GET', url, async (request, reply) => {
      await deps.pace.wait(request.device.id)
      return isHere(request.params, deps) ? handler(request, reply) : nothingHere(reply)
    })
  const pages = (base: string, name: string, rows: Handler<OfEvent>) =>
    get(`${base}/${name}`, async (request, reply) => page(name, await rows(request, reply), request, reply, deps))
  const { event, ids } = deps
  pages(OF_ORGANIZER, 'events', ({ query }) =>
    // An app that looks for series would show the event a second time.
    (query as Record<string, unknown>).has_subevents === 'true' ? [] : [eventView(event)],
  )
  get(OF_EVENT, () => eventView(event))
  for (const name of OF_ALL_EVENTS) pages(OF_ORGANIZER, name, () => [])
  for (const name of [...EMPTY, ...EMPTY_SECRETS]) pages(OF_EVENT, name, () => [])
  pages(OF_EVENT, 'items', () => event.tiers.map((tier, i) => itemView(tier, i, ids)))
  pages(OF_EVENT, 'checkinlists', async ({ device }) => {
    const counted = await deps.counted()
    return listsOf(device, event).map((list) => listView(list, countsOf(list, event, ids, counted), ids))
  })
  get(`${OF_EVENT}/checkinlists/:list`, async ({ device, params }) => {
    const list = listNamed(listAt(params, deps), device, ids)
    return listView(list, countsOf(list, event, ids, await deps.counted()), ids)
  })
  get(`${OF_EVENT}/checkinlists/:list/status`, async ({ device, params }) => {
    const list = listNamed(listAt(params, deps), device, ids)
    const { total, admitted, inside, items } = countsOf(list, event, ids, await deps.counted())
    return {
      event: { name: event.name },
      ...{ checkin_count: admitted, position_count: total, inside_count: inside ?? 0 },
      items: items.map(({ checkins, total, ...item }) => ({
        ...item,
        ...{ admission: true, checkin_count: checkins, position_count: total, variations: [] },
      })),
    }
  })
  get(`${OF_EVENT}/settings`, () => ({}))
}

function isHere({ organizer, event }: Partial<OfEvent>, deps: Pick<SyncDeps, 'event'>): boolean {
  return organizer === ORGANIZER && (event === undefined || event === deps.event.id)
}

/** @throws GatehouseError `not_found` for another event or organiser */
export function requireHere(params: Partial<OfEvent>, deps: Pick<SyncDeps, 'event'>): void {
  if (!isHere(params, deps)) throw new GatehouseError('not_found', 'This box serves another event.')
}

/** One page: a box has fewer than fifty of anything that an app lists, or the app reads them all the same. */
function page(name: string, rows: unknown, request: FastifyRequest, reply: FastifyReply, deps: SyncDeps): unknown {
  const { page: number = '1' } = request.query as Record<string, unknown>
  if (number !== '1') return nothingHere(reply)
  if (TIMED.has(name)) reply.header('x-page-generated', new Date(deps.now()).toISOString())
  if (UNCHANGED.has(name)) {
    const seconds = Math.floor(deps.readAt / 1000) * 1000
    reply.header('last-modified', new Date(seconds).toUTCString())
    const since = Date.parse(request.headers['if-modified-since'] ?? '')
    if (since >= seconds) return reply.code(304).send()
  }
  const results = rows as unknown[]
  return { count: results.length, next: null, previous: null, results }
}
