/** Health checks for an orchestrator, over plain HTTP: whether the process runs, and whether it can store batches. */
import { createServer } from 'node:http'
import { boundNetworks } from '../connection-counts.ts'
import { listen, portAdvice } from '../listen.ts'
import { namesOneHost } from '../one-host.ts'

export interface Health extends AsyncDisposable {
  readonly port: number
}

/** A request has to have arrived by then, ms. */
const PATIENCE_MS = 10_000
const MOST_CONNECTIONS = 100
const MOST_OF_NETWORK = 50

/** @param isReady never rejects. @param uptime milliseconds since the start */
export async function openHealth({
  host,
  port,
  isReady,
  uptime,
  patienceMs = PATIENCE_MS,
}: {
  host: string
  port: number
  isReady: () => Promise<boolean>
  uptime: () => number
  patienceMs?: number
}): Promise<Health> {
  const settings = {
    maxHeaderSize: 8192,
    headersTimeout: patienceMs,
    requestTimeout: patienceMs,
    connectionsCheckingInterval: patienceMs / 2,
  }
  const server = createServer(settings, async (request, response) => {
    const say = (code: number, body: object) =>
      response
        .writeHead(code, { 'content-type': 'application/json', 'cache-control': 'no-store' })
        .end(JSON.stringify(body))
    // No request here has a body. It is not read to its end, which may never come.
    const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
    if (length !== '0' || coding !== undefined) response.setHeader('connection', 'close')
    const uptimeMs = Math.round(uptime())
    const [path] = (request.url ?? '').split('?')
    if (!namesOneHost(request.rawHeaders)) return say(400, { error: 'one host' })
    if (request.method !== 'GET') return say(405, { error: 'only GET' })
    if (path === '/healthz') return say(200, { ok: true, uptimeMs })
    if (path !== '/readyz') return say(404, { error: 'not found' })
    const ok = await isReady()
    return say(ok ? 200 : 503, { ok, uptimeMs, ...(ok ? {} : { reason: 'the database does not answer' }) })
  })
  server.maxConnections = MOST_CONNECTIONS
  boundNetworks(server, MOST_OF_NETWORK)
  const bound = await listen(server, { host, port, explain: portAdvice(port, 'HQ_HEALTH_PORT') })
  return {
    port: bound,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}
