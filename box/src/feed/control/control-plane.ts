/**
 * The HTTP control plane: "HTTP control plane" and "Authentication" of the change feed's specification. Plain node:http, as
 * plugins serve with the raw request and response. A request's query is never logged: it may hold the token.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { boundNetworks } from '../../connection-counts.ts'
import { hostInUrl, listen } from '../../listen.ts'
import type { Logger } from '../../log.ts'
import { namesOneHost } from '../../one-host.ts'
import type { Source } from '../source.ts'
import type { Delivery } from './delivery.ts'
import { metricsText } from './metrics.ts'
import type { PluginRoutes } from './plugin-routes.ts'
import { reasonsNotReady } from './ready.ts'
import { statusReader } from './status.ts'
import { tokenCheck } from './token.ts'
import type { Page, ServedPage } from './ui/page.ts'

interface ControlPlaneOptions {
  authToken: string
  engine: Delivery
  source: Pick<Source, 'kind' | 'state' | 'identity' | 'snapshot' | 'status'>
  routes: PluginRoutes
  page: Page
  logger: Logger
  /** Milliseconds, never going back. */
  monotonic: () => number
  /** PEM. */
  tls: { cert: string; key: string } | undefined
}

/** Disposing it stops listening. */
export interface ControlPlane extends AsyncDisposable {
  readonly url: string
}

/** The time that an answer under way still has when the daemon stops. */
const GRACE_MS = 1000
const MOST_OF_NETWORK = 512
/** No route of ours reads a request's body. */
const MOST_BODY_BYTES = 64 * 1024

/** The headers of a request have to have arrived by then, ms; all of it in three times as long. */
const PATIENCE_MS = 10_000

/** @throws when the address cannot be bound; the message says what to do */
export async function openControlPlane(
  { host, port, patienceMs = PATIENCE_MS }: { host: string; port: number; patienceMs?: number },
  options: ControlPlaneOptions,
): Promise<ControlPlane> {
  const { tls } = options
  const settings = {
    maxHeaderSize: 16 * 1024,
    headersTimeout: patienceMs,
    requestTimeout: 3 * patienceMs,
    keepAliveTimeout: 60_000,
    connectionsCheckingInterval: patienceMs / 2,
    // Node's own answer to a request without a Host is not JSON.
    requireHostHeader: false,
  }
  const listener = requestListener(options)
  const server = tls
    ? createTlsServer({ ...settings, ...tls, handshakeTimeout: 10_000 }, listener)
    : createServer(settings, listener)
  server.maxConnections = 1024
  // The rest stays for others. A proxy on this machine is a network, too.
  boundNetworks(server, MOST_OF_NETWORK)
  server.on('clientError', answerBrokenRequest)
  server.on('checkExpectation', listener)
  const explain = (code: string) =>
    ADVICE[code] && `The control plane cannot listen on ${hostInUrl(host)}:${port}: ${ADVICE[code]}`
  const bound = await listen(server, { host, port, explain })
  return { url: `${tls ? 'https' : 'http'}://${hostInUrl(host)}:${bound}`, [Symbol.asyncDispose]: () => close(server) }
}

function requestListener(options: ControlPlaneOptions) {
  const { logger, monotonic } = options
  const answer = routesOf(options)
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { path, query } = parseTarget(request.url ?? '')
    const since = monotonic()
    response.setHeader('cache-control', 'no-store')
    response.setHeader('x-content-type-options', 'nosniff')
    // The URL of the page may hold the token.
    response.setHeader('referrer-policy', 'no-referrer')
    // The rest of the body is not waited for: it may never come.
    if (bodyIsLarge(request)) response.setHeader('connection', 'close')
    response.on('error', () => {})
    if (!namesOneHost(request.rawHeaders)) return void send(response, 400, { error: 'bad request' })
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

function routesOf(options: ControlPlaneOptions) {
  const { authToken, engine, routes, monotonic } = options
  const started = monotonic()
  const uptimeMs = () => Math.round(monotonic() - started)
  const isAdmin = tokenCheck(authToken)
  const gets = getRoutes(options, uptimeMs)

  return async (
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: URLSearchParams,
  ): Promise<void> => {
    const method = request.method ?? ''
    // Node itself leaves out the body of an answer to HEAD.
    const get = method === 'GET' || method === 'HEAD'
    if (get && path === '/healthz') return send(response, 200, { ok: true, uptimeMs: uptimeMs() })
    // Before anything else: without the token nobody learns which sinks there are.
    if (!isAdmin(request, query)) {
      response.setHeader('www-authenticate', 'Bearer')
      // A person who followed a link; programs, which do not ask for a page, get the same answer everywhere.
      const isPage = get && UI_PATHS.includes(path) && /\btext\/html\b/.test(request.headers.accept ?? '')
      if (isPage) return sendPage(response, 401, options.page.refused)
      return send(response, 401, { error: 'unauthorized' })
    }
    if (get && (path === '/' || path === '/ui')) return redirect(response, query)
    const route = get && Object.hasOwn(gets, path) ? gets[path] : undefined
    if (route) return route(response)
    const [, sink, action] = (method === 'POST' && /^\/api\/sinks\/([^/]+)\/(pause|resume|skip)$/.exec(path)) || []
    if (sink !== undefined) {
      const { status, body } = await act(engine, unescaped(sink), action, query.get('event') ?? undefined)
      return send(response, status, body)
    }
    const handler = routes.find(method, path)
    if (!handler) return send(response, 404, { error: 'not found' })
    query.delete('token')
    request.url = query.size === 0 ? path : `${path}?${query}`
    delete request.headers.authorization
    await handler(request, response)
  }
}

/** @param event the id of the event to skip */
async function act(engine: Delivery, id: string, action: string | undefined, event: string | undefined) {
  const unknown = { status: 404, body: { error: `there is no sink ${shown(id)}; GET /api/sinks lists them` } }
  if (action !== 'skip') {
    const known = action === 'pause' ? engine.pause(id) : engine.resume(id)
    return known ? { status: 200, body: { ok: true } } : unknown
  }
  const outcome = await engine.skip(id, event)
  if (!outcome) return unknown
  if ('refused' in outcome) return { status: 409, body: { error: outcome.refused } }
  return { status: 200, body: { ok: true, ...outcome } }
}

const UI_PATHS = ['/', '/ui', '/ui/']

function sendPage(response: ServerResponse, status: number, { html, headers }: ServedPage): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html)
}

/** The GET routes behind the token, by path. */
function getRoutes(
  { engine, source, page, monotonic }: ControlPlaneOptions,
  uptimeMs: () => number,
): Record<string, (response: ServerResponse) => Promise<void> | void> {
  const status = statusReader(() => source.status(), { monotonic })

  async function statistics() {
    const { kind, state, snapshot = null } = source
    const identity = state.state === 'starting' ? null : source.identity
    return {
      uptimeMs: uptimeMs(),
      engine: engine.stats(),
      ...(await status()),
      source: { kind, identity, ...state, snapshot },
    }
  }

  return {
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
    '/ui/': (response) => sendPage(response, 200, page.shown),
  }
}

/** The two forms of a request's target that a server has to accept (RFC 9112, 3.2); of the absolute one, only the path counts. */
function parseTarget(target: string): { path: string; query: URLSearchParams } {
  const absolute = target.startsWith('/') ? undefined : URL.parse(target)
  const text = absolute ? `${absolute.pathname}${absolute.search}` : target
  const at = text.indexOf('?')
  const path = at === -1 ? text : text.slice(0, at)
  return { path, query: new URLSearchParams(at === -1 ? '' : text.slice(at + 1)) }
}

/** Keeps the token, without which the page would be refused; it leads to this server again. */
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

/** Bytes that are not HTTP make no request and no response object: the answer is written by hand. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || !/^(HPE_|ERR_HTTP_)/.test(error.code ?? '')) return void socket.destroy()
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const body = JSON.stringify({ error: (STATUS_CODES[status] ?? '').toLowerCase() })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), GRACE_MS).unref()
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
