/**
 * The three apps as files, with the policy that keeps them at home: no script but the box's own, no request to anybody else.
 * A scanner holds a key and a wallet a ticket; whoever could put one line of script into either would have them.
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

/** Apps that have not been built; the box serves the others, and admits people without any. */
export function missingApps(): AppName[] {
  return (Object.keys(FOLDERS) as AppName[]).filter((name) => !existsSync(join(distOf(name), 'index.html')))
}

/**
 * `/scanner/`, `/wallet/`, `/dashboard/`: those of `names` that are built.
 * @param others where a scanner goes on when this box is gone: the only other place that its page may ask
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
      // Named by its content, so that it never changes; everything else is asked for anew, and answered 304.
      setHeaders: (reply, path) => {
        reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
        for (const [header, value] of Object.entries(headersFor(name === 'scanner' ? others() : [])))
          reply.header(header, value)
        // On plain HTTP a browser ignores it, and writes an error on the console of every visitor.
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
 * A phone keeps the scanner's page with the policy that came with it, and opens it from there: also with the network gone,
 * which is when it looks for another box. It fetches the page anew when the worker names another revision of it, so the worker
 * names the boxes too, in one number. Alone, the file is what was built.
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

/** As Workbox writes it into its list of files. */
const PAGE_REVISION = /(url:"index\.html",revision:")([0-9a-f]+)"/

function connectTo(origins: readonly string[]): string {
  return ["connect-src 'self'", ...origins.toSorted()].join(' ')
}

// Beside what `app.ts` says of every answer.
// No Strict-Transport-Security: where the operator serves the wallet on plain HTTP under the same name, it would lock out
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
