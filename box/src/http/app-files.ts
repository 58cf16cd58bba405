/**
 * Serves the three apps as files, with a content security policy: only the box's own scripts, and no request to another host.
 * A scanner holds a key and a wallet holds a ticket; an attacker's script in either page would have them.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { App } from './app.ts'
import type { Origins } from './other-boxes.ts'

/** Folder of each app's sources, beside `box/`, by the path it is served at. */
const FOLDERS = { scanner: 'scanner-pwa', wallet: 'wallet-pwa', dashboard: 'dashboard' } as const
export type AppName = keyof typeof FOLDERS

const ROOT = join(import.meta.dirname, '../../..')

/** Apps that have not been built. The box serves the others, and admits people even without any. */
export function missingApps(): AppName[] {
  return (Object.keys(FOLDERS) as AppName[]).filter((name) => !existsSync(join(distOf(name), 'index.html')))
}

/**
 * `/scanner/`, `/wallet/`, `/dashboard/`: those of `names` that are built.
 * @param others boxes at which a scanner continues when this one is gone: the only other hosts that its page may contact
 */
export function serveApps(app: App, names: readonly AppName[], others: Origins = () => []): void {
  const missing = missingApps()
  const built = names.filter((name) => !missing.includes(name))
  if (built.includes('scanner')) serveScannerWorker(app, others)
  for (const [i, name] of built.entries()) {
    app.register(fastifyStatic, {
      root: distOf(name),
      prefix: `/${name}/`,
      decorateReply: i === 0,
      redirect: true,
      preCompressed: true,
      // Named by a hash of its content, so it never changes. Everything else is requested again, and answered with 304.
      setHeaders: (reply, path) => {
        reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
        for (const [header, value] of Object.entries(headersFor(name === 'scanner' ? others() : [])))
          reply.header(header, value)
        // Not on plain HTTP, where a browser ignores it and logs an error in every visitor's console.
        if (reply.request.protocol !== 'https') reply.removeHeader('cross-origin-opener-policy')
      },
    })
    app.get(`/${name}`, (_request, reply) => reply.redirect(`/${name}/`, 308))
  }
}

function distOf(name: AppName): string {
  return join(ROOT, FOLDERS[name], 'dist')
}

/**
 * A phone stores the scanner's page together with its policy and opens it from there, also without a network,
 * which is when it looks for another box. It fetches the page again only when the worker names another revision, so the worker
 * contains a checksum of the boxes' addresses. Without other boxes the file stays as it was built.
 */
function serveScannerWorker(app: App, others: Origins): void {
  const worker = readFileSync(join(distOf('scanner'), 'sw.js'), 'utf8')
  app.addHook('onRequest', async (request, reply) => {
    const origins = others()
    if (origins.length === 0 || request.method !== 'GET' || request.url.split('?')[0] !== '/scanner/sw.js') return
    const boxes = createHash('sha256').update(connectTo(origins)).digest('hex').slice(0, 12)
    const named = worker.replace(
      PAGE_REVISION,
      (_, before: string, revision: string) => `${before}${revision}-${boxes}"`,
    )
    reply.headers({ ...headersFor(origins), 'cache-control': 'no-cache' }).type('text/javascript; charset=utf-8')
    return reply.send(named)
  })
}

/** An entry of Workbox's list of files. */
const PAGE_REVISION = /(url:"index\.html",revision:")([0-9a-f]+)"/

function connectTo(origins: readonly string[]): string {
  return ["connect-src 'self'", ...origins.toSorted()].join(' ')
}

// In addition to the headers that `app.ts` sets on every answer.
// No Strict-Transport-Security: if the operator also serves the wallet on plain HTTP under the same name, it would lock out
// every phone that had ever seen the HTTPS port.
const headersFor = (others: readonly string[]) => ({
  'content-security-policy': [
    "default-src 'none'",
    // The QR decoder is WebAssembly.
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    connectTo(others),
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), screen-wake-lock=(self), geolocation=(), microphone=(), payment=(), usb=()',
})
