/** The change feed's control plane against its specification: every route, status and body, and hostile requests. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import fc from 'fast-check'
import { openAuthority } from '../../src/ca/authority.ts'
import { type ControlPlane, openControlPlane } from '../../src/feed/control/control-plane.ts'
import type { EngineStats } from '../../src/feed/control/delivery.ts'
import { METRICS } from '../../src/feed/control/metrics.ts'
import { PluginRoutes } from '../../src/feed/control/plugin-routes.ts'
import { readPage } from '../../src/feed/control/ui/page.ts'
import type { PluginMethod } from '../../src/feed/sink.ts'
import type { SourceState, SourceStatus } from '../../src/feed/source.ts'
import { createLogger } from '../../src/log.ts'
import { type Answer, type Ask, ask, writeBytes } from '../world/ask.ts'
import { boundsConnections } from '../world/bounds.ts'

const TOKEN = 'cAnArY-token+with/signs=='
const ADMIN = { headers: { authorization: `Bearer ${TOKEN}` } }
const QUERY = `token=${encodeURIComponent(TOKEN)}`
const LONG = process.env.GATEHOUSE_TEST_LONG !== undefined

const STATUS: SourceStatus = {
  slot: {
    exists: true,
    active: true,
    restartLsn: '0/16B3748',
    confirmedFlushLsn: '0/16B3780',
    retainedWalBytes: 4096,
  },
  publication: { exists: true, allTables: false },
  walLevel: 'logical',
}

/** A feed as the control plane sees it: figures to read, sinks to pause, a database that answers or does not. */
function feed() {
  const paused = new Set<string>()
  const known = (id: string) => id === 'ledger'
  const state = {
    source: { state: 'streaming', lastError: null } as SourceState,
    status: async () => STATUS,
    asked: 0,
    elapsedMs: 0,
    broken: false,
    paused,
  }
  const stats = (): EngineStats => {
    if (state.broken) throw new Error(`broken inside, ${TOKEN}`)
    return {
      eventsTotal: 44,
      flushedLsn: '0/16B3780',
      stalledBy: [],
      stalledMs: 0,
      positionsError: null,
      sinks: [
        {
          id: 'ledger',
          name: 'Ledger "A"\\\n',
          durability: 'durable',
          status: paused.has('ledger') ? 'paused' : 'running',
          lastError: null,
          queueDepth: 3,
          deliveredCount: 41,
          droppedCount: 0,
          ackedLsn: '0/16B3780',
          queueBytes: 300,
          queueDiskBytes: 0,
          queueDiskLimit: 4096,
          stuckOn: null,
          deadLetterCount: 2,
          attempts: 0,
          lagMs: 1500,
          stalledBy: [],
        },
      ],
    }
  }
  return Object.assign(state, {
    engine: {
      stats,
      pause: (id: string) => {
        if (known(id)) paused.add(id)
        return known(id)
      },
      resume: (id: string) => {
        if (known(id)) paused.delete(id)
        return known(id)
      },
      skip: async (id: string, event = '0/1:0') => {
        if (!known(id)) return undefined
        return event === '0/1:0' ? { skipped: event } : { refused: 'the batch has another event' }
      },
    },
  })
}

const METHODS: readonly PluginMethod[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

describe('the control plane', () => {
  const lines: string[] = []
  let state = feed()
  let plane: ControlPlane
  let port = 0
  const seen: { url: string | undefined; authorization: string | undefined }[] = []

  before(async () => {
    const routes = new PluginRoutes()
    routes.mount('ledger', 'GET', '/events', (request, response) => {
      seen.push({ url: request.url, authorization: request.headers.authorization })
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': hello\n\n')
    })
    for (const method of METHODS) {
      routes.mount('ledger', method, '/method', (request, response) => {
        response.writeHead(200, { 'x-method': request.method }).end()
      })
    }
    routes.mount('ledger', 'POST', '/echo', async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      response.writeHead(201).end(Buffer.concat(chunks))
    })
    routes.mount('ledger', 'GET', '/throws', async () => {
      throw new Error('inside')
    })
    plane = await openControlPlane(
      { host: '127.0.0.1', port: 0 },
      {
        authToken: TOKEN,
        engine: {
          stats: () => state.engine.stats(),
          pause: (id) => state.engine.pause(id),
          resume: (id) => state.engine.resume(id),
          skip: (id, event) => state.engine.skip(id, event),
        },
        source: {
          kind: 'postgres',
          identity: 'of the test',
          get state() {
            return state.source
          },
          status: () => {
            state.asked++
            return state.status()
          },
        },
        routes,
        page: readPage(),
        tls: undefined,
        logger: createLogger('debug', { write: (line) => void lines.push(line) }),
        monotonic: () => state.elapsedMs,
      },
    )
    port = Number(new URL(plane.url).port)
  })
  after(() => plane[Symbol.asyncDispose]())
  beforeEach(() => {
    // The last test's status of the database is no longer fresh.
    const elapsedMs = state.elapsedMs + 5000
    state = feed()
    state.elapsedMs = elapsedMs
  })

  const get = (path: string, options: Ask = ADMIN) => ask(port, path, options)
  const post = (path: string, options: Ask = ADMIN) => ask(port, path, { method: 'POST', ...options })
  const assertJson = (answer: Answer, status: number, body: unknown, hint = '') => {
    assert.equal(answer.status, status, `${hint} ${answer.text.slice(0, 200)}`)
    assert.match(answer.headers['content-type'] ?? '', /^application\/json/, hint)
    assert.deepEqual(JSON.parse(answer.text), body, hint)
  }

  it('answers health without a token, whatever the state of the feed', async () => {
    state.source = { state: 'failed', lastError: 'the slot is lost' }
    const answer = await get('/healthz', {})
    const { uptimeMs, ...rest } = JSON.parse(answer.text)
    assert.equal(answer.status, 200)
    assert.deepEqual(rest, { ok: true })
    assert.ok(Number.isInteger(uptimeMs) && uptimeMs >= 5000)
  })

  it('serves the statistics', async () => {
    const answer = await get('/api/stats')
    const { uptimeMs, ...rest } = JSON.parse(answer.text)
    assert.ok(Number.isInteger(uptimeMs))
    assert.deepEqual(rest, {
      engine: {
        eventsTotal: 44,
        flushedLsn: '0/16B3780',
        stalledBy: [],
        stalledMs: 0,
        positionsError: null,
        sinks: [
          {
            id: 'ledger',
            name: 'Ledger "A"\\\n',
            durability: 'durable',
            status: 'running',
            lastError: null,
            queueDepth: 3,
            deliveredCount: 41,
            droppedCount: 0,
            ackedLsn: '0/16B3780',
            queueBytes: 300,
            queueDiskBytes: 0,
            queueDiskLimit: 4096,
            stuckOn: null,
            deadLetterCount: 2,
            attempts: 0,
            lagMs: 1500,
            stalledBy: [],
          },
        ],
      },
      ...STATUS,
      source: { kind: 'postgres', identity: 'of the test', state: 'streaming', lastError: null, snapshot: null },
    })
  })

  it("answers with the engine's figures when the database does not answer", async () => {
    state.status = async () => {
      throw new Error('connection refused')
    }
    const { slot, publication, walLevel, engine } = JSON.parse((await get('/api/stats')).text)
    assert.deepEqual({ slot, publication, walLevel }, { slot: null, publication: null, walLevel: null })
    assert.equal(engine.eventsTotal, 44)
  })

  it('queries the database once a second, however many clients ask', async () => {
    await Promise.all(Array.from({ length: 20 }, () => get('/api/stats')))
    assert.equal(state.asked, 1)
    state.elapsedMs += 999
    await get('/metrics')
    assert.equal(state.asked, 1)
    state.elapsedMs += 1
    await get('/api/stats')
    assert.equal(state.asked, 2)
  })

  it('lists the sinks', async () => {
    const { sinks } = JSON.parse((await get('/api/sinks')).text)
    assert.deepEqual(Object.keys(sinks[0]).slice(0, 9), [
      'id',
      'name',
      'durability',
      'status',
      'lastError',
      'queueDepth',
      'deliveredCount',
      'droppedCount',
      'ackedLsn',
    ])
  })

  it('pauses and resumes, any number of times, whatever the body', async () => {
    const bodies = ['', '{}', '{"a":', Buffer.of(0xff, 0x00), 'x'.repeat(1000)]
    for (const body of bodies) {
      assertJson(await post('/api/sinks/ledger/pause', { ...ADMIN, body }), 200, { ok: true })
      assert.deepEqual([...state.paused], ['ledger'])
    }
    for (const body of bodies) {
      assertJson(await post('/api/sinks/ledger/resume', { ...ADMIN, body }), 200, { ok: true })
      assert.deepEqual([...state.paused], [])
    }
  })

  it('skips an event, the named one or the one that the sink is stuck on, and says why not', async () => {
    for (const query of ['', '?event=0%2F1:0', '?event=0/1:0']) {
      assertJson(await post(`/api/sinks/ledger/skip${query}`, ADMIN), 200, { ok: true, skipped: '0/1:0' })
    }
    const refused = await post('/api/sinks/ledger/skip?event=0/2:0', ADMIN)
    assertJson(refused, 409, { error: 'the batch has another event' })
    assertJson(await ask(port, '/api/sinks/ledger/skip', { method: 'POST' }), 401, { error: 'unauthorized' })
  })

  it('names a sink that is not there', async () => {
    for (const [asked, named] of [
      ['nobody', '"nobody"'],
      ['%6eobody', '"nobody"'],
      ['a%22b', '"a\\"b"'],
      ['%zz', '"%zz"'],
      ['x'.repeat(500), `"${'x'.repeat(63)}..."`],
    ]) {
      for (const action of ['pause', 'resume', 'skip', 'skip?event=0%2F1:0']) {
        const message = `there is no sink ${named}; GET /api/sinks lists them`
        assertJson(await post(`/api/sinks/${asked}/${action}`), 404, { error: message }, asked)
      }
    }
  })

  it('has no other route', async () => {
    const paths = [
      '/api',
      '/api/',
      '/api/stats/',
      '/API/stats',
      '/api//stats',
      '/api/sinks/ledger',
      '/api/sinks/ledger/stop',
      '/api/sinks//pause',
      '/ui/index.html',
      '/ui/../api/stats',
      '/plugins',
      '/plugins/',
      '/plugins/ledger',
      '/plugins/ledger/',
      '/plugins/ledger/other',
      '/plugins/nobody/events',
      '/plugins/ledger/%65vents',
      '/healthz/',
      '/__proto__',
      '/constructor',
      '//',
      '/%00',
      '/plugins/ledger/events/..',
      '/favicon.ico',
    ]
    for (const path of paths) assertJson(await get(path), 404, { error: 'not found' }, path)
    const methods: [string, string][] = [
      ['POST', '/api/stats'],
      ['PUT', '/api/sinks/ledger/pause'],
      ['GET', '/api/sinks/ledger/pause'],
      ['GET', '/api/sinks/ledger/skip'],
      ['DELETE', '/api/sinks'],
      ['POST', '/ui/'],
      ['POST', '/healthz'],
      ['POST', '/'],
      ['OPTIONS', '/api/stats'],
      ['POST', '/plugins/ledger/events'],
      ['PROPFIND', '/metrics'],
    ]
    for (const [method, path] of methods)
      assertJson(await ask(port, path, { method, ...ADMIN }), 404, { error: 'not found' }, `${method} ${path}`)
  })

  it('requires the token everywhere else', async () => {
    const routes: [string, string][] = [
      ['GET', '/api/stats'],
      ['HEAD', '/api/stats'],
      ['GET', '/api/sinks'],
      ['POST', '/api/sinks/ledger/pause'],
      ['POST', '/api/sinks/nobody/resume'],
      ['GET', '/plugins/ledger/events'],
      ['GET', '/plugins/nobody/events'],
      ['GET', '/ui/'],
      ['GET', '/readyz'],
      ['GET', '/metrics'],
      ['GET', '/nothing'],
      ['POST', '/healthz'],
      ['OPTIONS', '/api/stats'],
    ]
    const wrong: Ask[] = [
      {},
      { headers: { authorization: '' } },
      { headers: { authorization: TOKEN } },
      { headers: { authorization: `Basic ${TOKEN}` } },
      { headers: { authorization: 'Bearer' } },
      { headers: { authorization: `Bearer ${TOKEN}x` } },
      { headers: { authorization: `Bearer ${TOKEN.slice(1)}` } },
      { headers: { authorization: `Bearer ${TOKEN.toLowerCase()}` } },
      { headers: { authorization: `Bearer ${TOKEN} ${TOKEN}` } },
      { headers: { cookie: `token=${TOKEN}` } },
    ]
    for (const [method, path] of routes) {
      for (const options of wrong) {
        const answer = await ask(port, path, { method, ...options })
        const hint = `${method} ${path} ${JSON.stringify(options)}`
        if (method === 'HEAD') assert.equal(answer.status, 401, hint)
        else assertJson(answer, 401, { error: 'unauthorized' }, hint)
      }
    }
    for (const query of [
      'token=',
      'token',
      `token=${TOKEN}`,
      `Token=${encodeURIComponent(TOKEN)}`,
      `token=x&${QUERY}`,
      'token=%ff',
    ])
      assertJson(await get(`/api/stats?${query}`, {}), 401, { error: 'unauthorized' }, query)
    assert.equal(state.paused.size, 0)
  })

  it('takes the token from the header or from the query, on every route', async () => {
    const basic = { headers: { authorization: 'Basic eDp5' } }
    for (const path of ['/api/stats', '/api/sinks', '/ui/', '/readyz', '/metrics', '/plugins/ledger/events']) {
      assert.equal((await get(path)).status, 200, path)
      assert.equal((await get(path, { headers: { authorization: `bearer  ${TOKEN}` } })).status, 200, path)
      assert.equal((await get(`${path}?${QUERY}`, {})).status, 200, path)
      assert.equal((await get(`${path}?x=1&${QUERY}`, basic)).status, 200, path)
    }
    assert.equal((await post(`/api/sinks/ledger/pause?${QUERY}`, {})).status, 200)
  })

  it('redirects / to the dashboard, with the token and not without it', async () => {
    for (const path of ['/', '/ui']) {
      const answer = await get(path)
      assert.deepEqual([answer.status, answer.headers.location], [302, '/ui/'])
      assert.equal((await get(`${path}?x=1&${QUERY}`, {})).headers.location, `/ui/?${QUERY}`)
      for (const without of [path, `${path}?token=%0d%0aset-cookie:%20a`]) {
        const refused = await get(without, {})
        assertJson(refused, 401, { error: 'unauthorized' })
        assert.equal(refused.headers.location, undefined)
      }
    }
  })

  it('shows a person with a bad token a page, and a program the same answer as everywhere', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    for (const path of ['/', '/ui', '/ui/', '/ui/?token=wrong', '/?token=']) {
      const answer = await get(path, { headers: { accept } })
      assert.equal(answer.status, 401, path)
      assert.match(answer.headers['content-type'] ?? '', /^text\/html; charset=utf-8/)
      assert.match(answer.text, /Its token is missing or wrong/)
      assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/)
      assert.doesNotMatch(answer.text, /<script|cAnArY|wrong"|page\.css \*\//)
    }
    assertJson(await get('/api/stats?token=wrong', { headers: { accept } }), 401, { error: 'unauthorized' })
    assertJson(await get('/ui/', { headers: { accept: '*/*' } }), 401, { error: 'unauthorized' })
  })

  it('says whether changes get through, and why not', async () => {
    assertJson(await get('/readyz'), 200, { ready: true, reasons: [] })
    state.paused.add('ledger')
    state.source = { state: 'failed', lastError: 'the slot is lost' }
    const reasons = ['the source is failed: the slot is lost', 'the durable sink "ledger" is paused']
    assertJson(await get('/readyz'), 503, { ready: false, reasons })
  })

  it('gives a plugin the request without host and token', async () => {
    seen.length = 0
    await get(`/plugins/ledger/events?${QUERY}&from=a%20b`, {})
    await get('/plugins/ledger/events')
    assert.deepEqual(seen, [
      { url: '/plugins/ledger/events?from=a+b', authorization: undefined },
      { url: '/plugins/ledger/events', authorization: undefined },
    ])
    const body = 'x'.repeat(200_000)
    const answer = await post('/plugins/ledger/echo', { ...ADMIN, body })
    assert.deepEqual([answer.status, answer.text], [201, body])
  })

  it('passes every method on to a plugin, behind the token', async () => {
    for (const method of METHODS) {
      const answer = await ask(port, '/plugins/ledger/method', { ...ADMIN, method })
      assert.deepEqual([answer.status, answer.headers['x-method']], [200, method])
      assert.equal((await ask(port, '/plugins/ledger/method', { method })).status, 401, method)
    }
  })

  it('reveals an internal failure to the log only', async () => {
    assertJson(await get('/plugins/ledger/throws'), 500, { error: 'internal error' })
    state.broken = true
    lines.length = 0
    assertJson(await get('/api/stats'), 500, { error: 'internal error' })
    const failure = lines.map((line) => JSON.parse(line)).find(({ event }) => event === 'request_failed')
    assert.equal(failure.path, '/api/stats')
  })

  it('refuses a request with two hosts, which a proxy in front could read otherwise', async () => {
    const answer = await writeBytes(port, `GET /healthz HTTP/1.1\r\nhost: a\r\nHost: b\r\nconnection: close\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*\{"error":"bad request"\}$/)
  })

  it('answers HEAD as GET without a body', async () => {
    for (const path of ['/healthz', '/api/stats', '/ui/', '/metrics']) {
      const answer = await ask(port, path, { method: 'HEAD', ...ADMIN })
      assert.deepEqual([answer.status, answer.text], [200, ''], path)
    }
  })

  it('forbids caching and other pages', async () => {
    for (const answer of [
      await get('/api/stats'),
      await get('/ui/'),
      await get('/api/stats', {}),
      await get('/metrics'),
    ]) {
      assert.partialDeepStrictEqual(answer.headers, {
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      for (const header of ['access-control-allow-origin', 'set-cookie', 'server', 'x-powered-by'])
        assert.equal(answer.headers[header], undefined)
    }
    const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const answer = await ask(port, '/api/sinks/ledger/pause', { method: 'OPTIONS', headers: preflight })
    assertJson(answer, 401, { error: 'unauthorized' })
  })

  describe('serves the dashboard', () => {
    it('as one page without outside requests', async () => {
      const { text, headers } = await get(`/ui/?${QUERY}`, {})
      assert.match(headers['content-type'] ?? '', /^text\/html; charset=utf-8/)
      assert.doesNotMatch(text, /https?:|\ssrc=|@import|url\(|<link rel="stylesheet"|cAnArY|^export |^import /m)
      const policy = String(headers['content-security-policy'])
      for (const [, tag, body = ''] of text.matchAll(/<(style|script)>([\s\S]*?)<\/\1>/g)) {
        const hash = createHash('sha256').update(body).digest('base64')
        assert.ok(policy.includes(`${tag}-src 'sha256-${hash}'`), `${tag} is not the one that the policy allows`)
      }
      assert.match(policy, /default-src 'none'.*connect-src 'self'.*frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /unsafe|\*/)
      assert.doesNotMatch(text, /\son\w+=|style=|page\.(css|js) \*\//)
    })

    it('with a script that parses', async () => {
      const { text } = await get('/ui/')
      const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(text) ?? []
      assert.doesNotThrow(() => new Function(script))
    })
  })

  describe('tells Prometheus', () => {
    it('what its text format allows, and each metric once', async () => {
      const { text, headers } = await get('/metrics')
      assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
      const samples = parseMetrics(text)
      assert.deepEqual(
        [...samples.keys()],
        METRICS.map(({ name }) => name),
      )
      assert.deepEqual(samples.get('changefeed_sink_queue_events'), [
        { labels: { sink: 'ledger', name: 'Ledger "A"\\\n', durability: 'durable' }, value: 3 },
      ])
      assert.equal(samples.get('changefeed_slot_retained_wal_bytes')?.[0]?.value, 4096)
      assert.equal(samples.get('changefeed_sink_lag_seconds')?.[0]?.value, 1.5)
    })

    it('nothing for unknown values', async () => {
      state.status = async () => ({ slot: null, publication: null, walLevel: null })
      const samples = parseMetrics((await get('/metrics')).text)
      assert.ok(samples.has('changefeed_events_total'))
      for (const name of samples.keys()) assert.doesNotMatch(name, /_slot_|_publication_/)
    })
  })

  describe('survives', () => {
    const bytes: Record<string, [sent: string, status: number]> = {
      garbage: ['\x16\x03\x01\x02\x00\x01\x00\x01', 400],
      'a method of its own': ['STATS / HTTP/1.1\r\nhost: x\r\n\r\n', 400],
      'a NUL in a header': ['GET / HTTP/1.1\r\nhost: x\r\na: \0\r\n\r\n', 400],
      'a length and chunks': [
        'POST /api/sinks/ledger/pause HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
        400,
      ],
      'an endless header': [`GET / HTTP/1.1\r\nhost: x\r\na: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
      'an endless address': [`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
      'no host': ['GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n', 200],
      'another host, which proves nothing': [
        'GET /api/stats HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n',
        401,
      ],
      'an address with a host in it': [
        'GET http://evil.example/healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
        200,
      ],
      'an address that is none': ['OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 401],
      'a path that looks like a host': ['GET //healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 401],
      'an expectation': ['GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: tea\r\nconnection: close\r\n\r\n', 200],
      'a wish for another protocol': [
        'GET /api/stats HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
        401,
      ],
    }
    for (const [name, [sent, status]] of Object.entries(bytes)) {
      it(name, async () => {
        const answer = await writeBytes(port, Buffer.from(sent, 'latin1'))
        assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), answer.slice(0, 200))
        assert.match(answer, /content-type: application\/json/i)
        JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
      })
    }

    for (const [name, framing] of Object.entries({
      'that does not end': 'transfer-encoding: chunked\r\n\r\n4\r\naaaa\r\n',
      'that is long': 'content-length: 1000000000\r\n\r\naaaa',
    })) {
      it(`a body ${name}: the answer comes before it, and the connection goes`, async () => {
        const socket = connect(port, '127.0.0.1')
        let answer = ''
        socket.setEncoding('latin1').on('data', (text: string) => {
          answer += text
        })
        socket.on('error', () => {})
        const gone = new Promise((resolve) => socket.once('close', resolve))
        socket.write(`POST /api/sinks/ledger/pause HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TOKEN}\r\n${framing}`)
        await gone
        assert.match(answer.slice(0, answer.indexOf('\r\n\r\n')), /^HTTP\/1\.1 200 [\s\S]*\r\nconnection: close/i)
        assert.equal(answer.split('HTTP/1.1').length, 2)
      })
    }

    for (const [name, half] of Object.entries({
      'half of the headers': 'GET /healthz HTTP/1.1\r\nhost: x\r\n',
      'headers without end': `GET /healthz HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(20)}`,
    })) {
      it(`${name}, which time out`, async () => {
        await using quick = await openControlPlane({ host: '127.0.0.1', port: 0, patienceMs: 100 }, options())
        const answer = await writeBytes(Number(new URL(quick.url).port), half, { quietMs: 60_000 })
        assert.match(answer, /^HTTP\/1\.1 408 [\s\S]*\{"error":"request timeout"\}$/)
      })
    }

    it('more connections of a network than it may have: they are closed at once, and there is room when others leave', async () => {
      await using own = await openControlPlane({ host: '127.0.0.1', port: 0 }, options())
      await boundsConnections(Number(new URL(own.url).port), 512)
    })

    it('any method, path, query and header: the status is one of the specification', async () => {
      const part = fc.constantFrom(
        'api',
        'stats',
        'sinks',
        'ledger',
        'pause',
        'resume',
        'plugins',
        'events',
        'ui',
        '..',
        '%2e',
        '',
        '%00',
        '__proto__',
      )
      const path = fc.oneof(
        fc.array(part, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
        fc.stringMatching(/^\/[!-~]{0,40}$/),
      )
      const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD')
      await fc.assert(
        fc.asyncProperty(method, path, fc.boolean(), async (method, path, known) => {
          const { status, text } = await ask(port, path, { method, ...(known && ADMIN) })
          assert.ok([200, 201, 302, 401, 404, 500].includes(status), `${method} ${path}: ${status}`)
          assert.doesNotMatch(text, /cAnArY/)
        }),
        { numRuns: LONG ? 5000 : 300 },
      )
    })
  })

  it('has never logged the token, in any form', () => {
    assert.ok(lines.length > 0)
    const text = lines.join('')
    for (const form of [TOKEN, encodeURIComponent(TOKEN), Buffer.from(TOKEN).toString('base64')])
      assert.ok(!text.includes(form), form)
    assert.doesNotMatch(text, /\?/)
  })
})

describe('a control plane with a certificate', () => {
  it('speaks TLS, and nothing else', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'gatehouse-feed-tls-'))
    try {
      const endsAt = Date.now() + 86_400_000
      const event = { dir, eventId: 'feed', eventName: 'Feed', endsAt, hostname: 'feed', now: Date.now }
      const authority = await openAuthority(event)
      const names = { names: ['localhost'], addresses: ['127.0.0.1'] }
      const { key, certificate: cert } = await authority.issueServerCertificate(names)
      await using plane = await openControlPlane({ host: '127.0.0.1', port: 0 }, { ...options(), tls: { cert, key } })
      assert.match(plane.url, /^https:/)
      const port = Number(new URL(plane.url).port)
      const answer = await ask(port, '/api/sinks', { ...ADMIN, tls: { ca: authority.certificate } })
      assert.equal(answer.status, 200)
      assert.doesNotMatch(await writeBytes(port, 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'), / 200 /)
    } finally {
      rmSync(dir, { recursive: true })
    }
  })
})

describe('a control plane that cannot listen', () => {
  it('says who has the port, and what to set', async () => {
    await using taken = await openControlPlane({ host: '127.0.0.1', port: 0 }, options())
    const port = Number(new URL(taken.url).port)
    await assert.rejects(openControlPlane({ host: '127.0.0.1', port }, options()), {
      message: `The control plane cannot listen on 127.0.0.1:${port}: it is in use. Stop what uses it, or set server.listen (CHANGEFEED_LISTEN) to another port.`,
    })
  })
})

describe('a status query that hangs', () => {
  it('is reported as unknown in time, and not repeated while it hangs', async () => {
    let asked = 0
    let answer: (status: SourceStatus) => void = () => {}
    const status = () => {
      asked++
      return new Promise<SourceStatus>((resolve) => {
        answer = resolve
      })
    }
    const source = { kind: 'postgres', identity: '', state: { state: 'streaming', lastError: null }, status } as const
    await using plane = await openControlPlane({ host: '127.0.0.1', port: 0 }, { ...options(), source })
    const port = Number(new URL(plane.url).port)
    const stats = async () => JSON.parse((await ask(port, '/api/stats', ADMIN)).text)
    assert.equal((await stats()).walLevel, null)
    assert.equal((await stats()).walLevel, null)
    assert.equal(asked, 1)
    answer(STATUS)
    for (let i = 0; asked === 1 && i < 1000; i++)
      await Promise.race([stats(), new Promise((done) => setTimeout(done, 20))])
    assert.equal(asked, 2)
  })
})

function options() {
  const { engine, source, status } = feed()
  return {
    authToken: TOKEN,
    engine,
    routes: new PluginRoutes(),
    page: readPage(),
    tls: undefined,
    source: { kind: 'postgres', identity: '', state: source, status } as const,
    logger: createLogger('silent'),
    monotonic: () => performance.now(),
  }
}

interface Sample {
  labels: Record<string, string>
  value: number
}

/** Strict: a line is a HELP, its TYPE, or a sample of the family that both began. */
function parseMetrics(text: string): Map<string, Sample[]> {
  assert.ok(text.endsWith('\n'))
  const families = new Map<string, Sample[]>()
  let family = ''
  const lines = text.slice(0, -1).split('\n')
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const [, help] = /^# HELP ([a-z_]+) [A-Z0-9][^\\]*\.$/.exec(line) ?? []
    if (help !== undefined) {
      assert.ok(!families.has(help), `${help} twice`)
      assert.match(lines[++i] ?? '', new RegExp(`^# TYPE ${help} ${help.endsWith('_total') ? 'counter' : 'gauge'}$`))
      families.set(help, [])
      family = help
      continue
    }
    const [, name, labels = '', value] = /^([a-z_]+)(?:\{(.*)\})? (\d+(?:\.\d+)?)$/.exec(line) ?? []
    assert.equal(name, family, line)
    const pairs = [...labels.matchAll(/([a-z]+)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/g)]
    assert.equal(pairs.map(([whole]) => whole).join(''), labels, line)
    const plain = (text = '') => text.replace(/\\(.)/g, (_, sign) => (sign === 'n' ? '\n' : sign))
    const read = pairs.map(([, label = '', escaped]) => [label, plain(escaped)])
    families.get(family)?.push({ labels: Object.fromEntries(read), value: Number(value) })
  }
  return families
}
