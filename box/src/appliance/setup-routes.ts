/** `GET /` on plain HTTP: the setup page, without any script. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SettingsProblem } from '@gatehouse/proto/wire/appliance.ts'
import QRCode from 'qrcode'
import type { Authority } from '../ca/authority.ts'
import type { Event } from '../event/event.ts'
import type { App } from '../http/app.ts'
import { reachableHost, thisMachine } from '../http/machine.ts'
import { originsOf } from './origins.ts'
import { drawSetupPage } from './setup-page.ts'

export interface SetupDeps {
  event: Event
  authority: Authority
  boxId: string
  timeQuality: () => 'synced' | 'unsynced'
  publicHost: string | undefined
  walletOverHttp: boolean
  httpsPort: () => number
  /** What is wrong with the settings of the appliance. */
  problems: () => Promise<SettingsProblem[]>
}

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

export function setupRoutes(app: App, deps: SetupDeps): void {
  const { event, authority, boxId, timeQuality, publicHost, walletOverHttp, httpsPort, problems } = deps

  app.get('/', async (request, reply) => {
    const machine = thisMachine(publicHost)
    const origins = originsOf({
      ...{ machine, asked: request.headers.host, port: httpsPort() },
      usual: reachableHost(publicHost),
    })
    const [origin = ''] = origins
    const page = drawSetupPage({
      ...{ eventName: event.name, boxId, fingerprint: authority.fingerprint, timeQuality: timeQuality(), origins },
      wallet: walletOverHttp ? '/wallet/' : `${origin}/wallet/`,
      problems: await problems(),
      qr: await QRCode.toString(origin, { type: 'svg', errorCorrectionLevel: 'M' }),
    })
    return reply.headers(HEADERS).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page)
  })

  const sheets = [join(import.meta.dirname, '../../../proto/ui/tokens.css'), join(import.meta.dirname, 'setup.css')]
  app.get('/setup.css', async (_request, reply) => {
    const texts = await Promise.all(sheets.map((path) => readFile(path, 'utf8')))
    return reply
      .headers(HEADERS)
      .header('cache-control', 'no-cache')
      .type('text/css; charset=utf-8')
      .send(texts.join('\n'))
  })
}
