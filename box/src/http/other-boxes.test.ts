import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { ask, assertFailure } from '../../test/world/ask.ts'
import { GatehouseError } from '../errors.ts'
import { createLogger } from '../log.ts'
import { type App, createApp } from './app.ts'
import { missingApps, serveApps } from './app-files.ts'
import { OtherBoxes, originsOf } from './other-boxes.ts'

const SOUTH = 'https://10.0.0.2:8443'
const STRANGER = 'https://stranger.example'

describe('a page of another box', () => {
  let origins: string[] = []
  const app = createApp({ logger: createLogger('silent') })
  let port = 0
  before(async () => {
    const others = new OtherBoxes(() => origins)
    app.register(async (scope) => {
      others.mayAsk(scope as App)
      scope.get('/v1/time', async () => ({ now: 1 }))
    })
    app.register(async (scope) => {
      others.mayAsk(scope as App)
      scope.addHook('onRequest', async () => {
        throw new GatehouseError('bad_token', 'Not one of ours: pair again.')
      })
      scope.post('/v1/scan/:id/undo', async () => ({}))
    })
    app.register(async (scope) => {
      others.mayAsk(scope as App, ['/v1/announcements'])
      scope.get('/v1/announcements', async () => ({}))
      scope.get('/v1/ticket/:id', async () => ({}))
    })
    app.register(async (scope) => {
      scope.get('/v1/admin/stats', async () => ({}))
    })
    app.register(async (scope) => others.preflights(scope as App))
    await app.listen({ port: 0, host: '127.0.0.1' })
    port = (app.server.address() as AddressInfo).port
  })
  after(() => app.close())
  const from = (origin: string, path: string, method = 'GET') => ask(port, path, { method, headers: { origin } })
  const readers = ['access-control-allow-origin', 'access-control-expose-headers', 'access-control-allow-methods']

  it('is nobody to a box alone: it answers as if this were not there', async () => {
    origins = []
    for (const [path, method] of [['/v1/time', 'GET'] as const, ['/v1/time', 'OPTIONS'] as const]) {
      const answer = await from(SOUTH, path, method)
      for (const header of [...readers, 'vary']) assert.equal(answer.headers[header], undefined, `${method} ${header}`)
      if (method === 'OPTIONS') assertFailure(answer, 'not_found')
    }
  })

  it('may ask and read, once it is in the topology', async () => {
    origins = [SOUTH]
    const { status, headers } = await from(SOUTH, '/v1/scan/s-1/undo', 'OPTIONS')
    assert.equal(status, 204)
    assert.equal(headers['access-control-allow-origin'], SOUTH)
    assert.match(String(headers['access-control-allow-methods']), /POST/)
    assert.match(String(headers['access-control-allow-headers']), /authorization.*signature-input/)
    assert.equal(headers['access-control-allow-credentials'], undefined, 'nothing goes along by itself')
    const answer = await from(SOUTH, '/v1/time')
    assert.equal(answer.headers['access-control-allow-origin'], SOUTH)
    assert.equal(answer.headers.vary, 'origin')
  })

  it('can read that it is refused', async () => {
    origins = [SOUTH]
    const answer = await from(SOUTH, '/v1/scan/s-1/undo', 'POST')
    assertFailure(answer, 'bad_token')
    assert.equal(answer.headers['access-control-allow-origin'], SOUTH)
  })

  it('of an event that this box is none of reads nothing, and neither does one that looks like it', async () => {
    origins = [SOUTH]
    for (const origin of [STRANGER, 'null', '*', `${SOUTH}.stranger.example`, 'http://10.0.0.2:8443', `${SOUTH}/`]) {
      assertFailure(await from(origin, '/v1/time', 'OPTIONS'), 'not_found')
      const answer = await from(origin, '/v1/time')
      for (const header of readers) assert.equal(answer.headers[header], undefined, `${origin} ${header}`)
    }
  })

  it("has what everybody is told, and nobody's ticket", async () => {
    origins = [SOUTH]
    assert.equal((await from(SOUTH, '/v1/announcements')).headers['access-control-allow-origin'], SOUTH)
    assert.equal((await from(SOUTH, '/v1/announcements', 'OPTIONS')).status, 204)
    assert.equal((await from(SOUTH, '/v1/ticket/1')).headers['access-control-allow-origin'], undefined)
    assertFailure(await from(SOUTH, '/v1/ticket/1', 'OPTIONS'), 'not_found')
  })

  it('has nothing of the admin tier', async () => {
    origins = [SOUTH]
    assertFailure(await from(SOUTH, '/v1/admin/stats', 'OPTIONS'), 'not_found')
    assert.equal((await from(SOUTH, '/v1/admin/stats')).headers['access-control-allow-origin'], undefined)
  })

  it('that has left is a stranger again', async () => {
    origins = [SOUTH]
    assert.equal((await from(SOUTH, '/v1/time', 'OPTIONS')).status, 204)
    origins = ['https://10.0.0.3:8443']
    assertFailure(await from(SOUTH, '/v1/time', 'OPTIONS'), 'not_found')
  })
})

describe("the scanner's page", { skip: missingApps().length > 0 && 'it is not built: npm run build' }, () => {
  let origins: string[] = []
  const app = createApp({ logger: createLogger('silent') })
  let port = 0
  before(async () => {
    app.register(async (scope) => serveApps(scope as App, ['dashboard', 'scanner', 'wallet'], () => origins))
    await app.listen({ port: 0, host: '127.0.0.1' })
    port = (app.server.address() as AddressInfo).port
  })
  after(() => app.close())
  const policyOf = async (path: string) => String((await ask(port, path)).headers['content-security-policy'])
  const worker = async () => (await ask(port, '/scanner/sw.js')).text
  const revision = (text: string) => /url:"index\.html",revision:"([^"]+)"/.exec(text)?.[1] ?? assert.fail(text)

  it('may ask the other boxes, and no other page may', async () => {
    origins = [SOUTH]
    assert.match(await policyOf('/scanner/'), /; connect-src 'self' https:\/\/10\.0\.0\.2:8443;/)
    assert.match(await policyOf('/scanner/index.html'), /10\.0\.0\.2/)
    for (const name of ['dashboard', 'wallet']) assert.match(await policyOf(`/${name}/`), /; connect-src 'self';/)
    origins = []
    assert.match(await policyOf('/scanner/'), /; connect-src 'self';/)
  })

  it('is fetched anew by the phones that keep it when the boxes change, and only then', async () => {
    origins = []
    const alone = await worker()
    origins = [SOUTH]
    const two = await worker()
    origins = ['https://10.0.0.3:8443', SOUTH]
    const three = await worker()
    origins.reverse()
    assert.equal(await worker(), three, 'whatever their order')
    assert.equal(new Set([alone, two, three].map(revision)).size, 3)
    assert.equal(two.replace(revision(two), ''), alone.replace(revision(alone), ''), 'and nothing else differs')
    const { headers } = await ask(port, '/scanner/sw.js')
    assert.equal(headers['cache-control'], 'no-cache')
    assert.match(String(headers['content-type']), /^text\/javascript/)
    assert.match(String(headers['content-security-policy']), /default-src 'none'/)
  })
})

describe('what the boxes are called as origins', () => {
  const box = (url: string | null, self = false) => ({
    ...{ box_id: 'b', name: 'B', self, role: 'leaf' as const, device_url: null, heard: true, last_heard: null },
    ...{ url, behind: 0 },
  })
  it('each other once; none that could write into a header', () => {
    const boxes = [
      box('https://10.0.0.1:8443', true),
      box(SOUTH),
      box(`${SOUTH}/scanner/`),
      box(null),
      box('http://10.0.0.4'),
      box("https://x; script-src 'unsafe-inline'"),
      box('nothing'),
    ]
    assert.deepEqual(originsOf({ boxes }), [SOUTH])
    assert.deepEqual(originsOf(undefined), [])
  })
})
