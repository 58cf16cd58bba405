/**
 * A small server with the shapes of pretix's API, for what a real one cannot be made to do: 429 at a given page, a proxy's page, a
 * token that ends midway. Its data is plain objects that a test changes; `npm run test:pretix` has the real one.
 */
import { once } from 'node:events'
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { PretixModel } from './model.ts'

export const TOKEN = 'a'.repeat(64)

export interface Order {
  code: string
  /** ISO 8601 with microseconds, as pretix writes it. */
  last_modified: string
  [field: string]: unknown
}

const EXCLUDABLE = new Set([
  ...['downloads', 'payments', 'refunds', 'fees', 'positions.downloads'],
  ...['checkin_count', 'position_count'],
])

/** The answer in place of the server's own; undefined for its own. */
export type Fault = (
  request: { method: string; path: string; query: URLSearchParams; n: number },
  response: ServerResponse,
) => boolean

export class PretixServer implements AsyncDisposable {
  organizer = 'acme'
  event: Record<string, unknown> & { slug: string } = {
    slug: 'summer',
    name: { en: 'Summer' },
    currency: 'EUR',
    timezone: 'Europe/Berlin',
    date_from: '2026-07-04T10:00:00+02:00',
    date_to: null,
    date_admission: null,
    has_subevents: false,
    live: true,
    testmode: false,
    valid_keys: {},
  }
  subevents: Record<string, unknown>[] = []
  items: Record<string, unknown>[] = []
  questions: Record<string, unknown>[] = []
  lists: Record<string, unknown>[] = []
  orders: Order[] = []
  revoked: Record<string, unknown>[] = []
  blocked: Record<string, unknown>[] = []
  token = TOKEN
  /** Token of a device; none by default. */
  device = ''
  pageSize = 50
  /** Last change of items and questions. */
  changedAt = 'Sat, 04 Jul 2026 10:00:00 GMT'
  /** Server time of answers, ISO 8601. */
  generatedAt = () => new Date().toISOString().replace('Z', '000Z')
  fault: Fault = () => false
  /** Takes check-ins; without it, every list is unknown. */
  checkins: PretixModel | undefined
  readonly asked: { method: string; path: string; query: URLSearchParams; since: string | undefined }[] = []
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  /** @param tls PEM of a certificate and key; plain HTTP without */
  static async start(tls?: { cert: string; key: string }): Promise<PretixServer> {
    const handle = (request: IncomingMessage, response: ServerResponse) => pretix.#handle(request, response)
    const server = tls ? createHttps(tls, handle) : createHttp(handle)
    const pretix = new PretixServer(server as Server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return pretix
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Requests whose path ends so. */
  askedFor(end: string) {
    return this.asked.filter(({ path }) => path.endsWith(end))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const body = buffer(request).catch(() => Buffer.alloc(0))
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://pretix')
    const path = pathname.replace(/^\/api\/v1\//, '')
    const method = request.method ?? 'GET'
    this.asked.push({ method, path, query, since: request.headers['if-modified-since'] })
    response.setHeader('content-type', 'application/json')
    if (this.fault({ method, path, query, n: this.asked.length }, response)) return
    const { authorization } = request.headers
    if (authorization !== `Token ${this.token}` && (!this.device || authorization !== `Device ${this.device}`)) {
      answer(response, 401, { detail: 'Invalid token.' })
      return
    }
    // As pretix does for a field that its answer does not have.
    if (query.getAll('exclude').some((field) => !EXCLUDABLE.has(field))) {
      answer(response, 500, '<h1>Server Error (500)</h1>')
      return
    }
    if (method === 'POST' && this.checkins) {
      void this.#take(path.replace(`organizers/${this.organizer}/`, ''), body, this.checkins, response)
      return
    }
    const list = this.#list(path, query)
    if (list) this.#page(list, { request, query, path }, response)
    else if (path === `organizers/${this.organizer}/events/${this.event.slug}/`) answer(response, 200, this.event)
    else answer(response, 404, { detail: 'Not found.' })
  }

  async #take(path: string, body: Promise<Buffer>, checkins: PretixModel, response: ServerResponse): Promise<void> {
    const taken = checkins.post(path, JSON.parse(String(await body)))
    answer(response, taken.status, taken.body as object)
  }

  #list(path: string, query: URLSearchParams): readonly object[] | undefined {
    const inEvent = path.startsWith(`organizers/${this.organizer}/events/${this.event.slug}/`)
    if (path === 'organizers/') return [{ slug: this.organizer, name: 'Acme' }]
    if (path === `organizers/${this.organizer}/events/`) return [this.event]
    if (!inEvent) return undefined
    switch (path.split('/').at(-2)) {
      case 'orders':
        return this.#orders(query)
      case 'items':
        return this.items
      case 'questions':
        return this.questions
      case 'checkinlists':
        return this.lists
      case 'subevents':
        return this.subevents
      case 'revokedsecrets':
        return this.revoked
      case 'blockedsecrets':
        return this.blocked
      default:
        return undefined
    }
  }

  /** As pretix does: `modified_since` includes its moment, and cancelled positions are hidden unless they are asked for. */
  #orders(query: URLSearchParams): Order[] {
    const since = query.get('modified_since')
    const found = this.orders.filter(({ last_modified }) => !since || Date.parse(last_modified) >= Date.parse(since))
    const code = query.get('code')
    const named = code === null ? found : found.filter((order) => order.code === code)
    const by = query.get('ordering')
    const key = by?.endsWith('last_modified') ? 'last_modified' : 'datetime'
    const sorted = named.toSorted((a, b) => (String(a[key]) < String(b[key]) ? -1 : 1))
    const inOrder = by?.startsWith('-') ? sorted.reverse() : sorted
    if (query.get('include_canceled_positions') === 'true') return inOrder
    return inOrder.map((order) => ({
      ...order,
      positions: (order.positions as { canceled?: boolean }[]).filter(({ canceled }) => canceled !== true),
    }))
  }

  #page(
    list: readonly object[],
    { request, query, path }: { request: IncomingMessage; query: URLSearchParams; path: string },
    response: ServerResponse,
  ): void {
    const size = Math.min(this.pageSize, Number(query.get('page_size') ?? 50))
    const page = Number(query.get('page') ?? 1)
    const results = list.slice((page - 1) * size, page * size)
    if (page > 1 && results.length === 0) {
      answer(response, 404, { detail: 'Invalid page.' })
      return
    }
    if (/\/(items|questions)\/$/.test(path)) {
      const changed = this.changedAt
      response.setHeader('last-modified', changed)
      if (request.headers['if-modified-since'] === changed) {
        response.writeHead(304).end()
        return
      }
    }
    if (path.endsWith('/orders/')) response.setHeader('x-page-generated', this.generatedAt())
    // With another host, as behind a proxy that is set up wrongly.
    const next = page * size < list.length ? `http://inner:8345/api/v1/${path}?page=${page + 1}` : null
    answer(response, 200, { count: list.length, next, previous: null, results })
  }
}

export function answer(response: ServerResponse, status: number, body: object | string): true {
  response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  return true
}
