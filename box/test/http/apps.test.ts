/** The apps as the box serves them. They have to be built: `npm test` does it first, and by hand it is `npm run build`. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { missingApps } from '../../src/http/app-files.ts'
import type { Ports } from '../../src/http/listeners.ts'
import { ask } from '../world/ask.ts'
import { World } from '../world/world.ts'

describe('the apps', { skip: missingApps().length > 0 && 'they are not built: npm run build' }, () => {
  let world: World
  before(async () => {
    world = await World.open({ environment: { GATEHOUSE_WALLET_OVER_HTTP: '1' } })
  })
  after(() => world[Symbol.asyncDispose]())
  const https = async (path: string, headers = {}) =>
    ask(world.box.ports.https, path, { tls: { ca: await world.ca }, headers })

  it('each has its page, its policy, and a service worker that is not cached', async () => {
    for (const name of ['scanner', 'wallet', 'dashboard']) {
      const page = await https(`/${name}/`)
      assert.equal(page.status, 200)
      assert.match(page.headers['content-type'] ?? '', /^text\/html/)
      assert.equal(page.headers['cache-control'], 'no-cache')
      const policy = String(page.headers['content-security-policy'])
      assert.match(policy, /default-src 'none'/)
      assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|https?:|\*/)
      assert.doesNotMatch(page.text, /<script(?![^>]* src=)|<style| style="| on\w+="|https?:\/\//)
      const [script = ''] = /\/[^"]+\.js/.exec(page.text) ?? []
      const asset = await https(script)
      assert.match(asset.headers['content-type'] ?? '', /javascript/)
      assert.match(asset.headers['cache-control'] ?? '', /immutable/)
      assert.doesNotMatch(asset.text, /sourceMappingURL/)
      assert.equal((await https(`/${name}/sw.js`)).headers['cache-control'], 'no-cache')
      assert.match((await https(`/${name}/manifest.webmanifest`)).headers['content-type'] ?? '', /manifest\+json/)
      assert.equal((await https(`/${name}`)).headers.location, `/${name}/`)
    }
    assert.equal((await https('/')).headers.location, '/dashboard/')
  })

  it('each comes with the licences of what is in it, which its worker leaves to the box', async () => {
    for (const name of ['scanner', 'wallet', 'dashboard']) {
      const { status, headers, text } = await https(`/${name}/licences.txt`)
      assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8'])
      for (const title of ['gatehouse (Apache-2.0)', 'preact 11', 'workbox-core 7'])
        assert.ok(text.includes(title), title)
      assert.match((await https(`/${name}/sw.js`)).text, /denylist:\[[^\]]*licences/)
    }
  })

  it('are compressed in advance, with the same content in every encoding', async () => {
    const plain = await https('/wallet/')
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync }
    for (const [coding, decode] of Object.entries(decoders)) {
      const target = { host: '127.0.0.1', port: world.box.ports.https, path: '/wallet/', servername: 'localhost' }
      const request = get({ ...target, ca: await world.ca, agent: false, headers: { 'accept-encoding': coding } })
      const [answer] = (await once(request, 'response')) as [IncomingMessage]
      assert.equal(answer.headers['content-encoding'], coding)
      assert.equal(decode(Buffer.concat(await answer.toArray())).toString(), plain.text)
    }
  })

  it('plain HTTP has the wallet where the operator allows it, and leads from every other app to where it lives', async () => {
    const leadsOn = async ({ http, https }: Ports, name: string) => {
      const { status, headers } = await ask(http, `/${name}/`)
      assert.deepEqual([status, headers.location], [302, `https://127.0.0.1:${https}/${name}/`])
    }
    const { ports } = world.box
    assert.equal((await ask(ports.http, '/wallet/')).status, 200)
    await leadsOn(ports, 'scanner')
    await leadsOn(ports, 'dashboard')
    await using shut = await World.open({ environment: { GATEHOUSE_WALLET_OVER_HTTP: '0' } })
    await leadsOn(shut.box.ports, 'wallet')
  })

  it('every answer forbids framing, sniffing, caching and referrers', async () => {
    const { ports, adminToken } = world.box
    const admin = { authorization: `Bearer ${adminToken}` }
    const pages = [
      '/',
      '/wallet',
      '/wallet/',
      '/wallet/assets',
      '/wallet/sw.js',
      '/wallet/nothing',
      '/wallet//x.example',
    ]
    const answers = ['/v1/meta', '/v1/venue', '/ca.crt', '/nothing', '/%ff', '/v1/me/stream', '/v1/admin/stats']
    const guarded = ['/v1/admin/stats', '/v1/admin/stream', '/v1/admin/devices', '/v1/admin/report', '/v1/admin/export']
    const all = [
      ...[...pages, ...answers].map(async (path) => [`http ${path}`, await ask(ports.http, path)] as const),
      ...[...pages, ...answers].map(async (path) => [path, await https(path)] as const),
      ...guarded.map(async (path) => [`admin ${path}`, await https(path, admin)] as const),
    ]
    for (const [what, { headers, status }] of await Promise.all(all)) {
      assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/, what)
      assert.equal(headers['x-content-type-options'], 'nosniff', what)
      assert.equal(headers['referrer-policy'], 'no-referrer', what)
      if (what.startsWith('admin ')) assert.deepEqual([status, headers['cache-control']], [200, 'no-store'], what)
      if (status >= 300) assert.equal(headers['cache-control'], 'no-store', what)
      // From the box to the box, whatever is asked for.
      if (headers.location !== undefined) assert.match(headers.location, /^\/[a-z]/, what)
    }
  })

  it('no file outside of the apps is served', async () => {
    for (const path of [
      '/scanner/../box/package.json',
      '/scanner/%2e%2e/package.json',
      '/scanner/..%2f..%2fpackage.json',
      '/scanner/src/main.tsx',
      '/wallet/built.txt',
      '/wallet/\0',
      '/wallet/%00',
      '/wallet/%ff',
    ]) {
      const answer = await https(path.replaceAll('\0', '%00'))
      assert.ok([400, 403, 404].includes(answer.status), `${path}: ${answer.status}`)
    }
  })
})
