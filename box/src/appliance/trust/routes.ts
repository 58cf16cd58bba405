/** `/trust/` on plain HTTP: the page on which an invite is opened, its script, and the certificate as phones install it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Authority } from '../../ca/authority.ts'
import type { Event } from '../../event/event.ts'
import type { App } from '../../http/app.ts'
import { languageOf } from '../page-language.ts'
import { drawTrustPage } from './page.ts'
import { runTrustPage } from './script.ts'

export interface TrustDeps {
  event: Event
  authority: Authority
  /** The box's own HTTPS origins, the one of this request first. @param asked the Host header */
  originsFor: (asked: string | undefined) => string[]
}

const SHEETS = ['../../../../proto/ui/tokens.css', '../setup.css', 'page.css']

export function trustRoutes(app: App, { event, authority, originsFor }: TrustDeps): void {
  app.get('/trust', (_request, reply) => reply.header('cache-control', 'no-store').redirect('/trust/', 302))

  app.get('/trust/', async (request, reply) => {
    // A content security policy has no form for an IPv6 address, and invites name none.
    const origins = originsFor(request.headers.host).filter((origin) => !origin.includes('['))
    const { fingerprint } = authority
    const page = drawTrustPage({ eventName: event.name, fingerprint, origins, language: languageOf(request) })
    // Nothing but the box's own addresses: the page asks them whether this browser trusts the certificate.
    const policy = `default-src 'none'; style-src 'self'; script-src 'self'; connect-src ${["'self'", ...origins].join(' ')}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
    return reply
      .headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(page)
  })

  const script = `(${runTrustPage.toString()})()\n`
  app.get('/trust/page.js', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(script),
  )

  let css: Promise<string> | undefined
  app.get('/trust/page.css', async (_request, reply) => {
    css ??= Promise.all(SHEETS.map((path) => readFile(join(import.meta.dirname, path), 'utf8'))).then((all) =>
      all.join('\n'),
    )
    return reply
      .header('cache-control', 'no-cache')
      .type('text/css; charset=utf-8')
      .send(await css)
  })

  // Not as an attachment, as /ca.crt is: an iPhone then keeps it as a file, and offers no profile.
  const certificate = Buffer.from(authority.certificate)
  app.get('/trust/gatehouse-ca.crt', async (_request, reply) =>
    reply.type('application/x-x509-ca-cert').send(certificate),
  )
}
