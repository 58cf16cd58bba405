/**
 * `GET /` on plain HTTP: the setup page, without any script; the page that an invite is opened on; and the way from an app's path to
 * its place on HTTPS.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SettingsProblem } from '@gatehouse/proto/wire/appliance.ts'
import QRCode from 'qrcode'
import type { Authority } from '../ca/authority.ts'
import type { Event } from '../event/event.ts'
import type { App } from '../http/app.ts'
import { reachableHost, thisMachine } from '../http/machine.ts'
import { originsOf } from './origins.ts'
import { languageOf } from './page-language.ts'
import { drawSetupPage } from './setup-page.ts'
import { trustRoutes } from './trust/routes.ts'

export interface SetupDeps {
  event: Event
  authority: Authority
  boxId: string
  timeQuality: () => 'synced' | 'unsynced'
  publicHost: string | undefined
  /** The public name, while its certificate holds. */
  publicName: () => string | undefined
  walletOverHttp: boolean
  httpsPort: () => number
  /** Mistakes in the settings of the appliance. */
  problems: () => Promise<SettingsProblem[]>
}

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** More addresses than a box has at one time; they may change. */
const MOST_DRAWN = 32

export function setupRoutes(app: App, deps: SetupDeps): void {
  const { event, authority, boxId, timeQuality, publicHost, publicName, walletOverHttp, httpsPort, problems } = deps

  const originsFor = (asked: string | undefined) =>
    originsOf({
      machine: thisMachine(publicHost, publicName()),
      usual: publicName() ?? reachableHost(publicHost),
      asked,
      port: httpsPort(),
    })

  trustRoutes(app, { event, authority, originsFor })

  // A made-up Host header leads nowhere else: only the box's own origins are named. The fragment, with its secret, stays in the browser.
  for (const name of ['scanner', 'dashboard', ...(walletOverHttp ? [] : ['wallet'])]) {
    for (const path of [`/${name}`, `/${name}/*`]) {
      app.get(path, async (request, reply) => {
        const [origin = ''] = originsFor(request.headers.host)
        return reply.header('cache-control', 'no-store').redirect(`${origin}/${name}/`, 302)
      })
    }
  }

  app.get('/', async (request, reply) => {
    const origins = originsFor(request.headers.host)
    const [origin = ''] = origins
    const page = drawSetupPage({
      ...{ eventName: event.name, boxId, fingerprint: authority.fingerprint, timeQuality: timeQuality(), origins },
      wallet: walletOverHttp ? '/wallet/' : `${origin}/wallet/`,
      problems: await problems(),
      qr: await qrOf(origin),
      language: languageOf(request),
    })
    return reply.headers(HEADERS).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page)
  })

  // Drawing a code takes milliseconds, and anybody may ask. Only the box's own addresses are drawn.
  const drawn = new Map<string, Promise<string>>()
  const qrOf = (origin: string) => {
    const qr = drawn.get(origin) ?? QRCode.toString(origin, { type: 'svg', errorCorrectionLevel: 'M' })
    if (drawn.size > MOST_DRAWN) drawn.clear()
    drawn.set(origin, qr)
    return qr
  }

  const sheets = [join(import.meta.dirname, '../../../proto/ui/tokens.css'), join(import.meta.dirname, 'setup.css')]
  let css: Promise<string> | undefined
  app.get('/setup.css', async (_request, reply) => {
    css ??= Promise.all(sheets.map((path) => readFile(path, 'utf8'))).then((texts) => texts.join('\n'))
    return reply
      .headers(HEADERS)
      .header('cache-control', 'no-cache')
      .type('text/css; charset=utf-8')
      .send(await css)
  })
}
