/**
 * The HTTP control plane: "HTTP control plane" and "Authentication" of the change feed's specification. Plain node:http, as
 * plugins serve with the raw request and response. A request's query is never logged: it may hold the token.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Logger } from '../../log.ts'
import type { Source } from '../source.ts'
import { metricsText } from './metrics.ts'
import type { PluginRoutes } from './plugin-routes.ts'
import { reasonsNotReady } from './ready.ts'
import { statusReader } from './status.ts'
import { tokenCheck } from './token.ts'
import type { Page } from './ui/page.ts'

export interface SinkStats {
  readonly id: string
  readonly name: string
  readonly durability: 'durable' | 'ephemeral'
  readonly status: 'running' | 'paused'
  readonly lastError: string | null
  readonly queueDepth: number
  readonly deliveredCount: number
  readonly droppedCount: number
  readonly ackedLsn: string
  readonly queueBytes: number
  /** Failures of the batch that is under way. */
  readonly attempts: number
  /** Since the commit of the oldest change that waits. */
  readonly lagMs: number
  /** The sinks whose full queues it waits for. */
  readonly stalledBy: readonly string[]
}

export interface EngineStats {
  readonly eventsTotal: number
  readonly flushedLsn: string
  /** The sinks whose full queues the source waits for, and since when. */
  readonly stalledBy: readonly string[]
  readonly stalledMs: number
  /** Why the sinks' positions could not be written. */
  readonly positionsError: string | null
  readonly sinks: readonly SinkStats[]
}

/** What the control plane asks of the engine. */
export interface Delivery {
  stats(): EngineStats
  /** @returns false when there is no such sink */
  pause(id: string): boolean
  resume(id: string): boolean
}

interface ControlPlaneOptions {
  authToken: string
  engine: Delivery
  source: Pick<Source, 'kind' | 'state' | 'identity' | 'status'>
  routes: PluginRoutes
  page: Page
  logger: Logger
  /** Milliseconds, never going back. */
  monotonic: () => number
  /** PEM. */
  tls: { cert: string; key: string } | undefined
}

/** A control plane that listens. */
export interface ControlPlane extends AsyncDisposable {
  readonly url: string
}

/** How long an answer that is under way may still take when the daemon stops. */
const GRACE_MS = 1000
/** A request's body means nothing to any route of ours. */
const MOST_BODY_BYTES = 64 * 1024

/** @throws when the address cannot be bound; the message says what to do */
export async function openControlPlane(
  { host, port }: { host: string; port: number },
  options: ControlPlaneOptions,
): Promise<ControlPlane> {
  const { tls } = options
  const settings = {
    maxHeaderSize: 16 * 1024,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 60_000,
    connectionsCheckingInterval: 5000,
    // Without a Host, Node would answer by itself, and not in JSON.
    requireHostHeader: false,
  }
  const listener = requestListener(options)
  const server = tls
    ? createTlsServer({ ...settings, ...tls, handshakeTimeout: 10_000 }, listener)
    : createServer(settings, listener)
  server.maxConnections = 1024
  server.on('clientError', answerBrokenRequest)
  server.on('checkExpectation', listener)
  await listen(server, host, port)
  const bound = (server.address() as AddressInfo).port
  const name = host.includes(':') ? `[${host}]` : host
  return { url: `${tls ? 'https' : 'http'}://${name}:${bound}`, [Symbol.asyncDispose]: () => close(server) }
}

function requestListener(options: ControlPlaneOptions) {
  const { logger, monotonic } = options
  const answer = routesOf(options)
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { path, query } = parseTarget(request.url ?? '')
    const since = monotonic()
    response.setHeader('cache-control', 'no-store')
    response.setHeader('x-content-type-options', 'nosniff')
    // The page's own address may hold the token.
    response.setHeader('referrer-policy', 'no-referrer')
    // Nobody waits for the rest of it, which may never come.
    if (bodyIsLarge(request)) response.setHeader('connection', 'close')
    response.on('error', () => {})
    response.once('close', () => {
      const ms = Math.round(monotonic() - since)
      logger.debug({
        event: 'request',
        method: request.method,
        path: path.slice(0, 200),
        status: response.statusCode,
        ms,
      })
    })
    answer(request, response, path, query).catch((error: unknown) => {
      logger.error({ event: 'request_failed', method: request.method, path: path.slice(0, 200), err: error })
      if (response.headersSent) response.destroy()
      else send(response, 500, { error: 'internal error' })
    })
  }
}

function routesOf({ authToken, engine, source, routes, page, monotonic }: ControlPlaneOptions) {
  const started = monotonic()
  const uptimeMs = () => Math.round(monotonic() - started)
  const isAdmin = tokenCheck(authToken)
  const status = statusReader(() => source.status(), { monotonic })

  async function statistics() {
    const { kind, state } = source
    const identity = state.state === 'starting' ? null : source.identity
    return { uptimeMs: uptimeMs(), engine: engine.stats(), ...(await status()), source: { kind, identity, ...state } }
  }

  const gets: Record<string, (response: ServerResponse) => Promise<void> | void> = {
    '/api/stats': async (response) => send(response, 200, await statistics()),
    '/api/sinks': (response) => send(response, 200, { sinks: engine.stats().sinks }),
    '/readyz': (response) => {
      const reasons = reasonsNotReady(source.state, engine.stats())
      send(response, reasons.length === 0 ? 200 : 503, { ready: reasons.length === 0, reasons })
    },
    '/metrics': async (response) => {
      const text = metricsText(await statistics())
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
    },
    '/ui/': (response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...page.headers }).end(page.html)
    },
  }

  return async (
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: URLSearchParams,
  ): Promise<void> => {
    const method = request.method ?? ''
    // Node leaves the body of an answer to HEAD away by itself.
    const get = method === 'GET' || method === 'HEAD'
    if (get && path === '/healthz') return send(response, 200, { ok: true, uptimeMs: uptimeMs() })
    if (get && (path === '/' || path === '/ui')) return redirect(response, query)
    // Before anything else: who has no token does not learn which sinks there are.
    if (!isAdmin(request, query)) {
      response.setHeader('www-authenticate', 'Bearer')
      return send(response, 401, { error: 'unauthorized' })
    }
    const route = get && Object.hasOwn(gets, path) ? gets[path] : undefined
    if (route) return route(response)
    const [, sink, action] = (method === 'POST' && /^\/api\/sinks\/([^/]+)\/(pause|resume)$/.exec(path)) || []
    if (sink !== undefined) {
      const id = unescaped(sink)
      const known = action === 'pause' ? engine.pause(id) : engine.resume(id)
      if (known) return send(response, 200, { ok: true })
      return send(response, 404, { error: `there is no sink ${shown(id)}; GET /api/sinks lists them` })
    }
    const handler = routes.find(method, path)
    if (!handler) return send(response, 404, { error: 'not found' })
    query.delete('token')
    request.url = query.size === 0 ? path : `${path}?${query}`
    delete request.headers.authorization
    await handler(request, response)
  }
}

/** The two forms of a request's target that a server has to know (RFC 9112, 3.2); of the absolute one, the path counts. */
function parseTarget(target: string): { path: string; query: URLSearchParams } {
  const absolute = target.startsWith('/') ? undefined : URL.parse(target)
  const text = absolute ? `${absolute.pathname}${absolute.search}` : target
  const at = text.indexOf('?')
  const path = at === -1 ? text : text.slice(0, at)
  return { path, query: new URLSearchParams(at === -1 ? '' : text.slice(at + 1)) }
}

/** The token goes along, or the page behind would be refused: it has only been where it is going. */
function redirect(response: ServerResponse, query: URLSearchParams): void {
  const token = query.get('token')
  const location = token === null ? '/ui/' : `/ui/?${new URLSearchParams({ token })}`
  response.writeHead(302, { location }).end()
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body)
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) })
    .end(text)
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function shown(id: string): string {
  return JSON.stringify(id.length > 63 ? `${id.slice(0, 63)}...` : id)
}

function bodyIsLarge({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MOST_BODY_BYTES
}

/** Bytes that are not HTTP never become a request: the answer is written by hand. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || !/^(HPE_|ERR_HTTP_)/.test(error.code ?? '')) return void socket.destroy()
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const body = JSON.stringify({ error: (STATUS_CODES[status] ?? '').toLowerCase() })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), GRACE_MS).unref()
}

function listen(server: Server, host: string, port: number): Promise<void> {
  const where = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const advice = ADVICE[error.code ?? '']
      reject(advice ? new Error(`The control plane cannot listen on ${where}: ${advice}`, { cause: error }) : error)
    })
    server.listen({ host, port }, resolve)
  })
}

const ADVICE: Record<string, string> = {
  EADDRINUSE: 'it is in use. Stop what uses it, or set server.listen (CHANGEFEED_LISTEN) to another port.',
  EACCES: 'that needs a privilege. Set server.listen (CHANGEFEED_LISTEN) to a port above 1023.',
  EADDRNOTAVAIL: 'this machine has no such address. Set server.listen (CHANGEFEED_LISTEN) to one that it has.',
  ENOTFOUND: 'there is no such name. Set server.listen (CHANGEFEED_LISTEN) to an address of this machine.',
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  const last = setTimeout(() => server.closeAllConnections(), GRACE_MS)
  await closed
  clearTimeout(last)
}
