/** The setup page that a box serves on plain HTTP: public, without scripts and without secrets. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { ask, assertFailure } from '../world/ask.ts'
import { World } from '../world/world.ts'

describe('the setup page', () => {
  const run = mkdtempSync(join(tmpdir(), 'gatehouse-setup-page-'))
  let world: World
  before(async () => {
    world = await World.open({ environment: { GATEHOUSE_APPLIANCE: run, GATEHOUSE_WALLET_OVER_HTTP: '1' } })
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    rmSync(run, { recursive: true })
  })
  const page = (headers = {}) => ask(world.box.ports.http, '/', { headers })

  it('has a content security policy of its own, and its style in a file', async () => {
    const { status, headers, text } = await page()
    assert.equal(status, 200)
    assert.match(headers['content-type'] ?? '', /^text\/html/)
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; style-src 'self';.*frame-ancestors 'none'$/,
    )
    assert.equal(headers['cache-control'], 'no-store')
    assert.doesNotMatch(text, /<script|<style| style=| on\w+="/)
    const [, sheet = ''] = /rel="stylesheet" href="([^"]+)"/.exec(text) ?? []
    const css = await ask(world.box.ports.http, sheet)
    assert.match(css.headers['content-type'] ?? '', /^text\/css/)
    assert.match(css.text, /--ground:[\s\S]*\.problems/)
    assert.doesNotMatch(css.text, /@import|url\(/)
  })

  it('names event, box, addresses, fingerprint and apps, and no secret', async () => {
    const { text } = await page()
    const { ports, boxId, caFingerprint, adminToken } = world.box
    const origin = `https://127.0.0.1:${ports.https}`
    for (const part of [
      'Test Fair',
      boxId,
      caFingerprint,
      `${origin}/dashboard/`,
      `${origin}/scanner/`,
      '"/wallet/"',
      'href="/ca.crt"',
    ])
      assert.ok(text.includes(part), part)
    assert.ok(!text.includes(adminToken))
    assert.doesNotMatch(text, /#i=|#t=|Bearer/)
    assert.equal((await ask(ports.http, '/ca.crt')).status, 200)
    // A made-up Host header does not appear in the page.
    assert.doesNotMatch((await page({ host: 'evil.example"><script>' })).text, /evil|<script/)
  })

  it('leads from the path of an app to where it lives, whatever host is claimed', async () => {
    const { ports } = world.box
    for (const path of ['/scanner', '/scanner/', '/scanner/index.html', '/dashboard/']) {
      const { status, headers } = await ask(ports.http, path)
      const [, app = ''] = path.split('/')
      assert.deepEqual([status, headers.location], [302, `https://127.0.0.1:${ports.https}/${app}/`])
    }
    const { headers } = await ask(ports.http, '/scanner/', { headers: { host: 'evil.example' } })
    assert.doesNotMatch(String(headers.location), /evil/)
    assert.notEqual((await ask(ports.http, '/wallet/')).status, 302, 'served here, because the operator allows it')
  })

  it('says in plain words what is wrong with the settings, whatever the file is', async () => {
    const problems = (text: string) => {
      writeFileSync(join(run, 'problems.json'), text)
      return page()
    }
    assert.match((await page()).text, /gatehouse\.toml<\/strong> <span>It was not read/)
    assert.match((await ask(world.box.ports.http, '/?lang=de')).text, /wurde sie nicht gelesen/)
    const hostile = { problems: [{ where: '<script>', message: '"><img src=x onerror=alert(1)>' }] }
    const { status, text } = await problems(JSON.stringify(hostile))
    assert.deepEqual([status, /<script|<img/.test(text)], [200, false])
    assert.match(text, /&lt;script&gt;<\/strong>/)
    for (const broken of ['', '{', `{"problems":["${'x'.repeat(1_000_000)}"]}`, '[]'])
      assert.match((await problems(broken)).text, /was not read/)
    const { text: fine } = await problems('{"problems":[]}')
    assert.doesNotMatch(fine, /class="problems"/)
    assert.match(fine, /not set by the network/)
  })

  it('speaks the language of the browser, or the one of the address', async () => {
    const { http } = world.box.ports
    const languageOf = async (path: string, accept: string) =>
      /<html lang="(\w+)"/.exec((await ask(http, path, { headers: { 'accept-language': accept } })).text)?.[1]
    assert.equal(await languageOf('/', 'nl-BE,nl;q=0.9,en;q=0.8'), 'nl')
    assert.equal(await languageOf('/', 'ja'), 'en')
    assert.equal(await languageOf('/?lang=it', 'de'), 'it')
    assert.equal(await languageOf('/?lang=%22%3E%3Cscript%3E', 'de'), 'de')
  })

  it('is on plain HTTP only, also without an appliance', async () => {
    const answer = await ask(world.box.ports.https, '/', { tls: { ca: await world.ca } })
    assert.deepEqual([answer.status, answer.headers.location], [302, '/dashboard/'])
    await using other = await World.open({ environment: { GATEHOUSE_WALLET_OVER_HTTP: '0' } })
    const { http, https } = other.box.ports
    const { text } = await ask(http, '/')
    assert.doesNotMatch(text, /class="problems"/)
    assert.ok(text.includes(`https://127.0.0.1:${https}/wallet/`))
    assertFailure(await ask(http, '/setup.css/..%2f..%2fpackage.json'), 'not_found')
  })
})
