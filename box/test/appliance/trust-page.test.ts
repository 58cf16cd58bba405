/** The page on which an invite is opened, on plain HTTP: what it may ask, where it leads, and when invites lead there at all. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { TRUST_WORDS } from '../../src/appliance/trust/page.ts'
import { ask, assertFailure } from '../world/ask.ts'
import { World } from '../world/world.ts'

describe('the trust page', () => {
  let world: World
  before(async () => {
    world = await World.open()
  })
  after(() => world[Symbol.asyncDispose]())
  const page = (path = '/trust/', headers = {}) => ask(world.box.ports.http, path, { headers })

  it('may ask the box itself and its own HTTPS addresses, and nothing else', async () => {
    const { status, headers, text } = await page()
    const origin = `https://127.0.0.1:${world.box.ports.https}`
    assert.equal(status, 200)
    assert.equal(headers['cache-control'], 'no-store')
    const policy = String(headers['content-security-policy'])
    const [, connect = ''] = /connect-src ([^;]+)/.exec(policy) ?? []
    const named = connect.split(' ')
    assert.deepEqual(named.slice(0, 2), ["'self'", origin])
    assert.ok(
      named.slice(1).every((one) => /^https:\/\/[\w.-]+(:\d+)?$/.test(one)),
      connect,
    )
    assert.match(policy, /^default-src 'none'; style-src 'self'; script-src 'self';.*frame-ancestors 'none'$/)
    assert.ok(text.includes(`data-origins="${origin}`))
    assert.doesNotMatch(text + world.box.adminToken, /#i=|Bearer/)
    const forged = await page('/trust/', { host: 'evil.example"><script>' })
    assert.doesNotMatch(`${forged.text}${forged.headers['content-security-policy']}`, /evil/)
    assert.equal((await page('/trust')).headers.location, '/trust/')
  })

  it('speaks the language of the browser, or the one of the address', async () => {
    const languageOf = async (path: string, accept?: string) =>
      /<html lang="(\w+)"/.exec((await page(path, accept && { 'accept-language': accept })).text)?.[1]
    assert.equal(await languageOf('/trust/', 'pt-PT,pt;q=0.9,en;q=0.8'), 'pt')
    assert.equal(await languageOf('/trust/', 'ja, de-AT;q=0.5'), 'de')
    assert.equal(await languageOf('/trust/?lang=fr', 'de'), 'fr')
    assert.equal(await languageOf('/trust/?lang=xx&lang=fr', 'nl'), 'nl')
    assert.equal(await languageOf('/trust/', `${'a-'.repeat(5000)}a`), 'en')
    assert.equal(await languageOf('/trust/'), 'en')
    assert.ok((await page('/trust/?lang=de')).text.includes(TRUST_WORDS.de.heading))
  })

  it('has its script and style in files, and the certificate as an iPhone takes it', async () => {
    const script = await page('/trust/page.js')
    assert.match(script.headers['content-type'] ?? '', /^text\/javascript/)
    assert.match(script.text, /^\(function runTrustPage/)
    assert.doesNotMatch(script.text, /: (string|boolean|void)\b|<HTML/)
    const css = await page('/trust/page.css')
    assert.match(css.text, /--ground:[\s\S]*\.check/)
    assert.doesNotMatch(css.text, /@import|url\(/)
    const certificate = await page('/trust/gatehouse-ca.crt')
    assert.equal(certificate.headers['content-type'], 'application/x-x509-ca-cert')
    assert.equal(certificate.headers['content-disposition'], undefined)
    assert.equal(certificate.text, await world.ca)
    assertFailure(await page('/trust/..%2fpackage.json'), 'not_found')
  })

  it('is where invites of scanners lead, with the same fragment, and those of supervisors do not', async () => {
    const admin = await world.admin()
    const invite = async (supervisor: boolean) => {
      const { data } = await admin.POST('/v1/admin/invite', { body: { checkpoints: ['a-in'], supervisor } })
      return data ?? assert.fail()
    }
    const { qr_payload, trust_link, trust_page } = await invite(false)
    const { ports } = world.box
    assert.equal(trust_link, `http://127.0.0.1:${ports.http}/trust/${new URL(qr_payload).hash}`)
    const supervisor = await invite(true)
    assert.equal(supervisor.trust_link, null, 'worth more than plain HTTP protects')
    // Its device has the steps from the page alone, which has nothing of the invite.
    assert.deepEqual([supervisor.trust_page, trust_page], [`http://127.0.0.1:${ports.http}/trust/`, null])
    // A browser that insists on HTTPS finds the scanner there, and keeps the fragment.
    const { status, headers } = await ask(ports.https, '/trust/', { tls: { ca: await world.ca } })
    assert.deepEqual([status, headers.location], [302, '/scanner/'])
  })
})
