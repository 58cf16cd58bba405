import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { Hlc } from '@gatehouse/proto/wire/terms.ts'
import { Type } from 'typebox'
import { ask, assertFailure, writeBytes } from '../../test/world/ask.ts'
import { type ErrorCode, GatehouseError } from '../errors.ts'
import { createLogger } from '../log.ts'
import { type App, createApp } from './app.ts'

const Body = Type.Object(
  {
    name: Type.String({ maxLength: 10 }),
    at: Type.Optional(Type.String({ format: 'date-time' })),
    hlc: Type.Optional(Hlc),
    yes: Type.Optional(Type.Literal(true)),
    inner: Type.Optional(Type.Object({ count: Type.Integer() }, { additionalProperties: false })),
  },
  { additionalProperties: false },
)

describe('a time', () => {
  it('is taken as people write ISO 8601, and becomes RFC 3339', async () => {
    await using app = createApp({ logger: createLogger('silent') })
    const At = Type.Object({ at: Type.String({ format: 'date-time' }) }, { additionalProperties: false })
    app.post('/at', { schema: { body: At } }, async ({ body }) => (body as { at: string }).at)
    const read = async (at: string) => {
      const { statusCode, body } = await app.inject({ method: 'POST', url: '/at', payload: { at } })
      return statusCode === 200 ? body : statusCode
    }
    for (const [written, moment] of [
      ['2026-07-01T18:30:00+01:00', '2026-07-01T18:30:00+01:00'],
      ['2026-07-01T18:30:00.5Z', '2026-07-01T18:30:00.5Z'],
      ['2026-07-01T18:30:00+00', '2026-07-01T18:30:00+00:00'],
      ['2026-07-01T18:30:00-0330', '2026-07-01T18:30:00-03:30'],
      ['2026-07-01T18:30+01:00', '2026-07-01T18:30:00+01:00'],
      ['2026-07-01T18:30Z', '2026-07-01T18:30:00Z'],
      ['2026-07-01T18:30:00,25+01', '2026-07-01T18:30:00.25+01:00'],
    ] as const) {
      assert.equal(await read(written), moment)
    }
    for (const wrong of [
      '2026-07-01T18:30',
      '2026-07-01',
      '2026-02-30T18:30Z',
      '2026-07-01T25:00+01',
      '2026-07-01T18:30+99',
      'x',
    ]) {
      assert.equal(await read(wrong), 400, wrong)
    }
  })
})

const downloads = new EventEmitter()

function routes(app: App): void {
  app.post(
    '/things/:id',
    {
      schema: {
        body: Body,
        querystring: Type.Object(
          { page: Type.Optional(Type.Integer({ minimum: 0, maximum: 99 })) },
          { additionalProperties: false },
        ),
      },
      // Routes that send text as it is stored have this, and it must not reach their errors.
      serializerCompiler: () => (body) => body as unknown as string,
    },
    async (_request, reply) => reply.type('application/json').send('"done"'),
  )
  app.post('/download', (request, reply) => {
    const file = new Readable({ read() {} })
    downloads.emit('begun')
    request.raw.socket.once('close', () => {
      file.destroy()
      setImmediate(() => downloads.emit('ended'))
    })
    return reply.send(file)
  })
  app.get('/fails', async () => JSON.parse('SECRET-CODE-1'))
  app.get('/limited', async () => {
    throw new GatehouseError('rate_limited', 'Too many: wait a moment.', { retryAfterSeconds: 0.2 })
  })
  app.get('/unwritable', async () => {
    throw new GatehouseError('ledger_unavailable', 'The disk is full: make room.', {
      cause: Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }),
    })
  })
}

it('a connection that sends no request in time is closed, and one that has sent one stays', async () => {
  const app = createApp({ logger: createLogger('error', { write: () => {} }), firstRequestMs: 50 })
  routes(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const [used, silent, half] = Array.from({ length: 3 }, () => connect(port, '127.0.0.1'))
  assert.ok(used && silent && half)
  try {
    used.write('GET /limited HTTP/1.1\r\nhost: a\r\n\r\n')
    half.write('GET /lim')
    await Promise.all([once(used, 'data'), once(silent, 'close'), once(half, 'close')])
    assert.equal(used.destroyed, false)
  } finally {
    used.destroy()
    await app.close()
  }
})

describe('a listener', () => {
  const lines: string[] = []
  const app = createApp({ logger: createLogger('debug', { write: (line) => void lines.push(line) }) })
  let port = 0
  before(async () => {
    routes(app)
    await app.listen({ port: 0, host: '127.0.0.1' })
    port = (app.server.address() as AddressInfo).port
  })
  after(() => app.close())

  const post = (body: string | Buffer, path = '/things/1', type = 'application/json') =>
    ask(port, path, { method: 'POST', body, headers: { 'content-type': type } })

  describe('reads a body as JSON that means one thing', () => {
    const accepted: Record<string, string> = {
      plain: '{"name":"a"}',
      'a character outside the basic plane, escaped': '{"name":"\\ud83c\\udfab"}',
      'a backslash before what looks like an escape': '{"name":"\\\\ud800"}',
      'a blank before it': ' \n{"name":"a"}',
    }
    for (const [name, body] of Object.entries(accepted)) {
      it(`accepts: ${name}`, async () => assert.equal((await post(body)).status, 200))
    }

    const refused: Record<string, [body: string | Buffer, message: RegExp]> = {
      'no body': ['', /not valid JSON/],
      'half a body': ['{"name":', /not valid JSON/],
      'bytes that are not UTF-8': [Buffer.from([...Buffer.from('{"name":"'), 0xff, 0x22, 0x7d]), /not valid UTF-8/],
      'a surrogate in UTF-8': [Buffer.from('7b226e616d65223a22eda080227d', 'hex'), /not valid UTF-8/],
      'UTF-16': [Buffer.from('{"name":"a"}', 'utf16le'), /not valid/],
      'half a character': ['{"name":"\\ud800"}', /not valid JSON/],
      'its other half': ['{"name":"a\\uDC00"}', /not valid JSON/],
      'half a character as a name': ['{"name":"a","\\udbff":1}', /not valid JSON/],
      'half a character, deep': ['{"name":"a","inner":{"count":["\\ud800"]}}', /not valid JSON/],
      'ten thousand arrays': ['['.repeat(10_000) + ']'.repeat(10_000), /nested too deeply/],
      'ten thousand objects': [`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, /nested too deeply/],
      'arrays in arrays around half a character': [
        `${'['.repeat(9000)}"\\ud800"${']'.repeat(9000)}`,
        /nested too deeply/,
      ],
      null: ['null', /must be object/],
    }
    for (const [name, [body, message]] of Object.entries(refused)) {
      it(`refuses: ${name}`, async () => {
        const answer = await post(body)
        assertFailure(answer, 'bad_request')
        assert.match(answer.text, new RegExp(message.source.replaceAll('"', '\\\\"')))
      })
    }

    it('names a body of another type', async () => {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        '/;;',
        '',
      ]) {
        const answer = await post('{"name":"a"}', '/things/1', type)
        assertFailure(answer, 'bad_request', type)
        assert.match(answer.text, /send JSON, as application\/json/)
      }
    })

    it('refuses more than 64 KiB', async () => assertFailure(await post(`"${'a'.repeat(65_536)}"`), 'too_large'))

    it('does not read a long one: its sender reads why, while it sends, and the connection is closed', async () => {
      const bytes = 8 * 1024 * 1024
      const accepted = once(app.server, 'connection') as Promise<[Socket]>
      const head = `POST /things/1 HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(Buffer.concat([Buffer.from(head), Buffer.alloc(bytes)])),
      )
      socket.on('error', () => {})
      const [answer] = (await once(socket, 'data')) as [Buffer]
      const text = answer.toString()
      const [{ bytesRead: read }] = await accepted
      socket.destroy()
      assert.match(text, /^HTTP\/1.1 413 [\s\S]*connection: close[\s\S]*"too_large"/)
      assert.ok(read < bytes / 4, `${read} bytes were read`)
    })
  })

  describe('names the field that is wrong, and never what was in it', () => {
    const cases: Record<string, [body: object, message: string]> = {
      missing: [{}, 'The field "name" is missing: update the app that sent the request.'],
      'of another type': [{ name: 7 }, 'The field "name" must be string: correct it and send the request again.'],
      'missing inside': [
        { name: 'a', inner: {} },
        'The field "inner.count" is missing: update the app that sent the request.',
      ],
      'none of the form of a clock': [
        { name: 'a', hlc: '1751391000000' },
        'The field "hlc" must be digits, a dot and digits: correct it and send the request again.',
      ],
      'not the only value that it can have': [
        { name: 'a', yes: false },
        'The field "yes" must be true: correct it and send the request again.',
      ],
      misspelt: [{ name: 'a', nmae: 1 }, 'A field "nmae" is not known here: check its name and the API version.'],
      'of the sender': [
        { name: 'a', 'SECRET <script>': 1 },
        'A field is not known here: check its name and the API version.',
      ],
    }
    for (const [name, [body, message]] of Object.entries(cases)) {
      it(name, async () => {
        const answer = await post(JSON.stringify(body))
        assertFailure(answer, 'bad_request')
        assert.equal(JSON.parse(answer.text).message, message)
      })
    }

    it('a prototype is a field like any other', async () => {
      for (const name of ['__proto__', 'constructor', 'toString']) {
        assertFailure(await post(`{"name":"a","${name}":{"polluted":true}}`), 'bad_request')
      }
      assert.equal(({} as { polluted?: unknown }).polluted, undefined)
    })

    it('a query, also repeated and with brackets', async () => {
      const queries = [
        'page=-1',
        'page=x',
        'page=',
        'page=1&page=2',
        'page=Infinity',
        'page=1e999',
        'page[]=1',
        'page=1.5',
        'page=%00',
        'page=1%',
        'p=1',
      ]
      for (const query of queries) assertFailure(await post('{"name":"a"}', `/things/1?${query}`), 'bad_request', query)
      assert.equal((await post('{"name":"a"}', '/things/1?page=3')).status, 200)
    })

    it('an address', async () => {
      const cases: [path: string, code: ErrorCode][] = [
        ['/things/%zz', 'bad_request'],
        ['/things/%ff', 'bad_request'],
        [`/things/${'S'.repeat(300)}`, 'bad_request'],
        ['/thing/SECRET', 'not_found'],
        ['/things/SECRET/more', 'not_found'],
        ['/../things', 'not_found'],
      ]
      for (const [path, code] of cases) {
        const answer = await post('{"name":"a"}', path)
        assertFailure(answer, code, path)
        assert.doesNotMatch(answer.text, /SS|SECRET|zz|%/)
      }
    })
  })

  it('takes a time with its offset, and only one that a clock can show', async () => {
    const times: Record<string, boolean> = {
      '2026-07-01T10:00:00Z': true,
      '2026-07-01T10:00:00.123456+01:00': true,
      '2028-02-29T23:59:59-11:30': true,
      '2026-02-29T10:00:00Z': false,
      '2016-12-31T23:59:60Z': false,
      '2026-07-01T24:00:00Z': false,
      '2026-07-01T10:00:00': false,
      '2026-07-01 10:00:00Z': false,
      '2026-07-01\n10:00:00Z': false,
      '2026-07-01': false,
      '+275760-09-13T00:00:00Z': false,
      now: false,
    }
    for (const [at, good] of Object.entries(times)) {
      const answer = await post(JSON.stringify({ name: 'a', at }))
      if (good) assert.equal(answer.status, 200, at)
      else assertFailure(answer, 'bad_request', at)
    }
  })

  it('says after how many whole seconds a retry makes sense', async () => {
    const answer = await ask(port, '/limited')
    assertFailure(answer, 'rate_limited')
    assert.equal(answer.headers['retry-after'], '1')
  })

  it('logs what failed inside, and where, but not what it failed on', async () => {
    lines.length = 0
    assertFailure(await ask(port, '/fails?code=SECRET-CODE-2'), 'internal')
    assertFailure(await ask(port, '/unwritable'), 'ledger_unavailable')
    const [internal, disk] = lines.map((line) => JSON.parse(line))
    assert.equal(lines.length, 2)
    assert.partialDeepStrictEqual(internal, { event: 'request_failed', code: 'internal', route: '/fails' })
    assert.match(internal.err.frames[0], /JSON\.parse/)
    assert.partialDeepStrictEqual(disk, {
      code: 'ledger_unavailable',
      err: { code: 'SQLITE_FULL', message: 'database or disk is full' },
    })
    assert.doesNotMatch(lines.join(''), /SECRET/)
  })

  it('does not log a download that its reader calls off', async () => {
    lines.length = 0
    const socket = connect(port, '127.0.0.1')
    const begun = once(downloads, 'begun')
    const body = 'content-type: application/json\r\ncontent-length: 2\r\n\r\n{}'
    socket.write(`POST /download HTTP/1.1\r\nHost: x\r\n${body}`)
    await begun
    const ended = once(downloads, 'ended')
    socket.destroy()
    await ended
    assert.deepEqual(lines, [])
  })

  it('answers HEAD as GET without a body', async () => {
    const answer = await ask(port, '/limited', { method: 'HEAD' })
    assert.deepEqual([answer.status, answer.text], [429, ''])
  })

  it('ignores an expectation that it does not know', async () => {
    assertFailure(await ask(port, '/limited', { headers: { expect: 'tea' } }), 'rate_limited')
  })

  describe('answers bytes that are no request in the same form', () => {
    const bytes: Record<string, [bytes: string, status: number]> = {
      garbage: ['\x16\x03\x01\x02\x00\x01\x00\x01', 400],
      'a method of its own': ['SCAN / HTTP/1.1\r\nhost: x\r\n\r\n', 400],
      'another protocol': ['GET / HTCPCP/1.0\r\nhost: x\r\n\r\n', 400],
      'no host': ['GET / HTTP/1.1\r\n\r\n', 400],
      'a header without a name': ['GET / HTTP/1.1\r\nhost: x\r\n: a\r\n\r\n', 400],
      'a NUL in a header': ['GET / HTTP/1.1\r\nhost: x\r\na: \0\r\n\r\n', 400],
      'two lengths': ['POST /things/1 HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na', 400],
      'a length and chunks': [
        'POST /things/1 HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
        400,
      ],
      'chunks that are none': [
        'POST /things/1 HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
        400,
      ],
      'an endless header': [`GET / HTTP/1.1\r\nhost: x\r\na: ${'a'.repeat(20_000)}\r\n\r\n`, 413],
      'an endless address': [`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 413],
    }
    for (const [name, [sent, status]] of Object.entries(bytes)) {
      it(name, async () => {
        const answer = await writeBytes(port, Buffer.from(sent, 'latin1'))
        const [head = '', body = ''] = answer.split('\r\n\r\n')
        assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `))
        assert.match(head, /content-type: application\/json/i)
        assert.deepEqual(Object.keys(JSON.parse(body)), ['code', 'message'])
        assert.match(JSON.parse(body).message, /: (update|send|try|correct) /)
      })
    }

    it('and goes on serving', async () => assert.equal((await post('{"name":"a"}')).text, '"done"'))
  })
})
