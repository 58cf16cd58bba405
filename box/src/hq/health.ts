/** What an orchestrator asks, over plain HTTP: whether the process lives, and whether it can store what comes. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Health extends AsyncDisposable {
  readonly port: number
}

/** @param isReady never rejects. @param uptime milliseconds since the start */
export async function openHealth({
  host,
  port,
  isReady,
  uptime,
}: {
  host: string
  port: number
  isReady: () => Promise<boolean>
  uptime: () => number
}): Promise<Health> {
  const server = createServer({ maxHeaderSize: 8192, requestTimeout: 10_000 }, async (request, response) => {
    const say = (code: number, body: object) =>
      response
        .writeHead(code, { 'content-type': 'application/json', 'cache-control': 'no-store' })
        .end(JSON.stringify(body))
    const uptimeMs = Math.round(uptime())
    const [path] = (request.url ?? '').split('?')
    if (request.method !== 'GET') return say(405, { error: 'only GET' })
    if (path === '/healthz') return say(200, { ok: true, uptimeMs })
    if (path !== '/readyz') return say(404, { error: 'not found' })
    const ok = await isReady()
    return say(ok ? 200 : 503, { ok, uptimeMs, ...(ok ? {} : { reason: 'the database does not answer' }) })
  })
  server.maxConnections = 100
  await listen(server, host, port)
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, () => resolve())
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EAFNOSUPPORT' && host === '::') return listen(server, '0.0.0.0', port)
    if (code === 'EADDRINUSE') throw new Error(`Port ${port} is in use: set HQ_HEALTH_PORT to another one.`)
    throw error
  }
}
