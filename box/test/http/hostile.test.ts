/**
 * Every answer to any request is one of the contract. Requests are made from the box's own OpenAPI document, so that a
 * new route is attacked by itself: on its listener, with the credential that it asks for.
 */
import assert from 'node:assert/strict'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { after, before, describe, it } from 'node:test'
import type { ConnectionOptions } from 'node:tls'
import { gzipSync } from 'node:zlib'
import fc, { type Arbitrary } from 'fast-check'
import { type ErrorCode, STATUS } from '../../src/errors.ts'
import { type Answer, ask, writeBytes } from '../world/ask.ts'
import type { TestDevice } from '../world/device.ts'
import { operationsOf, type Parameter, type Schema, type Walked } from '../world/operations.ts'
import { World } from '../world/world.ts'

const LONG = process.env.GATEHOUSE_TEST_LONG !== undefined
/** For each operation; the full form with GATEHOUSE_TEST_LONG. */
const RUNS = LONG ? 5000 : 20
/** In everything that is sent where it may be; in no error that comes back. */
const CANARY = 'cAnArY'

const lines: string[] = []
let world: World
let device: TestDevice
const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }
before(async () => {
  const rates = { GATEHOUSE_SCANS_PER_SECOND: '1000000', GATEHOUSE_SCAN_BURST: '1000000' }
  world = await World.open({ environment: rates, log: { write: (line) => void lines.push(line) } })
  device = await world.device()
})
after(async () => {
  for (const agent of Object.values(agents)) agent.destroy()
  await world[Symbol.asyncDispose]()
})

interface Request {
  path: string
  headers: Record<string, string>
  body: Buffer | undefined
}

/** The listener and the credential of each tier. */
async function way(tier: string): Promise<{ port: number; tls?: ConnectionOptions; headers: Record<string, string> }> {
  const { http, https, device: devicePort } = world.box.ports
  const { ca, certificate: cert, key, token } = device.paired
  if (tier === 'open') return { port: http, headers: {} }
  if (tier === 'device')
    return { port: devicePort, tls: { ca, cert, key }, headers: { authorization: `Bearer ${token}` } }
  const credential = { authorization: `Bearer ${world.box.adminToken}` }
  return { port: https, tls: { ca }, headers: { ...(tier === 'admin' && credential) } }
}

async function send({ method, tier }: Walked, { path, headers, body }: Request): Promise<Answer> {
  // Rates are tested elsewhere: here every request meets the code behind them.
  world.elapsedMs += 2000
  const { port, tls, headers: credential } = await way(tier)
  return ask(port, path, {
    ...{ method, headers: { ...headers, ...credential }, agent: tls ? agents.https : agents.http },
    ...(tls && { tls }),
    ...(body && { body }),
  })
}

const STATUSES = new Set<number>(Object.values(STATUS))

function assertWithinContract({ operation, tier, template }: Walked, answer: Answer): void {
  const { status, headers, text } = answer
  if (status < 400) {
    assert.ok(Object.hasOwn(operation.responses, status), `${status} is not in the document`)
    return
  }
  assert.ok(STATUSES.has(status), `${status} ${text}`)
  assert.notEqual(status, STATUS.internal)
  assert.match(headers['content-type'] ?? '', /^application\/json/)
  const body = JSON.parse(text)
  const { code, message, reason, values, ...rest } = body
  assert.deepEqual(rest, {})
  assert.ok(reason === undefined || typeof reason === 'string', text)
  assert.ok(values === undefined || typeof values === 'object', text)
  assert.equal(STATUS[code as ErrorCode], status)
  assert.match(message, /^[A-Z].+[.]$/s)
  assert.doesNotMatch(message, /\bat .+:\d+|node_modules|\.ts\b|\w+Error\b|undefined|\[object/)
  // An import answers the organiser who sent the file, and names what is wrong in it.
  if (tier !== 'admin' || !template.includes('/import/')) assert.ok(!text.includes(CANARY), `an echo: ${text}`)
}

// The bodies that are sent, as JSON text: no JavaScript value stands for many of them.

const HOSTILE_JSON: readonly string[] = [
  ...['null', 'true', 'false', '0', '-0', '-1', '1.5', '1e99', '1e999', '-1e999', '9007199254740993', '0x10', 'NaN'],
  ...[
    '""',
    '" "',
    '"0"',
    '"null"',
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00x"',
    '"\\uFFFF"',
    '"\\u202e"',
    '"\n"',
  ],
  ...[
    `"${CANARY}"`,
    `"${CANARY}<script>alert(1)</script>"`,
    `"'; DROP TABLE tickets; --${CANARY}"`,
    `"../../${CANARY}"`,
  ],
  ...[`"${'a'.repeat(1025)}"`, `"${CANARY.repeat(2000)}"`, `"${'\\u00e9'.repeat(600)}"`, '"\u{1f3ab}"'],
  ...[
    '"2026-02-30T00:00:00Z"',
    '"2016-12-31T23:59:60Z"',
    '"0000-01-01T00:00:00Z"',
    '"9999-12-31T23:59:59.999Z"',
    '"now"',
  ],
  ...['"99999999999999999999.9"', '"9999999999999.999999"', '"0.0"', '"1.-1"', '"1e3.1"'],
  ...['[]', '[[]]', '[null]', `["${CANARY}"]`, `[${'0,'.repeat(5000)}0]`, `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  ...[
    '{}',
    '{"":""}',
    '{"__proto__":{"admin":true}}',
    '{"constructor":{"prototype":{"admin":true}}}',
    '{"toString":1}',
  ],
  ...[
    '{"a":1,"a":2}',
    `{"${CANARY}":1}`,
    `${'{"a":'.repeat(10_000)}0${'}'.repeat(10_000)}`,
    '{"length":1e9}',
    '{"toJSON":1}',
  ],
]
const hostileJson = fc.oneof(
  fc.constantFrom(...HOSTILE_JSON),
  fc.json({ noUnicodeString: false, maxDepth: 4 } as object),
)

const UNKNOWN_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  '',
  '0',
  CANARY,
  `${CANARY} é`,
  '\0',
  'a.b',
  'x'.repeat(9000),
]

function resolve(schema: Schema): Schema {
  const reference = schema.$ref
  if (typeof reference !== 'string') return schema
  const { components } = world.box.openapi as { components: { schemas: Record<string, Schema> } }
  return resolve(components.schemas[reference.slice('#/components/schemas/'.length)] ?? {})
}

/** A value that the schema allows, as JSON text. */
function valid(reference: Schema): Arbitrary<string> {
  const schema = resolve(reference)
  const json = (value: Arbitrary<unknown>) => value.map((v) => JSON.stringify(v))
  if (Array.isArray(schema.enum)) return json(fc.constantFrom(...schema.enum))
  if ('const' in schema) return json(fc.constant(schema.const))
  if (Array.isArray(schema.anyOf)) return fc.oneof(...schema.anyOf.map(valid))
  const {
    minimum = 0,
    maximum = 1e6,
    minLength = 0,
    maxLength = 40,
    minItems = 0,
    maxItems = 5,
  } = schema as Record<string, number>
  switch ([schema.type].flat()[0]) {
    case 'integer':
    case 'number':
      return json(fc.integer({ min: minimum, max: Math.max(minimum, maximum) }))
    case 'boolean':
      return json(fc.boolean())
    case 'array':
      return fc
        .array(valid(schema.items as Schema), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 5) })
        .map((items) => `[${items.join(',')}]`)
    case 'object':
      return fields(schema, { hostile: false }).map(toJson)
    case 'string': {
      if (schema.format === 'date-time')
        return json(fc.constantFrom('2026-07-01T10:00:00Z', '2026-07-01T10:00:00.123+01:00'))
      const length = { minLength, maxLength: Math.min(maxLength, minLength + 40) }
      const pattern = new RegExp(typeof schema.pattern === 'string' ? schema.pattern : '')
      // A pattern may say how long a text is, where the schema has no other limit.
      const most = typeof schema.maxLength === 'number' ? schema.maxLength : Number.POSITIVE_INFINITY
      const fits = (text: string) => pattern.test(text) && text.length >= minLength && text.length <= most
      const random =
        schema.pattern === undefined ? fc.string(length) : fc.stringMatching(ofLength(pattern, length)).filter(fits)
      // Words that mean something here, or no request would come further than the first table it is looked up in.
      const familiar = FAMILIAR.filter(fits)
      return json(familiar.length === 0 ? random : fc.oneof(fc.constantFrom(...familiar), random))
    }
    default:
      return fc.constant('null')
  }
}

/** The pattern with its last repetition bounded: to filter random texts for one length, 43 for example, would not end. */
function ofLength({ source }: RegExp, { minLength, maxLength }: { minLength: number; maxLength: number }): RegExp {
  return new RegExp(source.replace(/\][+*]\$$/, `]{${minLength},${maxLength}}$`))
}

const FAMILIAR = [
  'a-in',
  'a-out',
  'b-in',
  'v-in',
  'late-in',
  'ONCE-1',
  'ONCE-2',
  'CREW-1',
  'FLEX-1',
  '1.0',
  '1782900000000.000001',
]

type Field = [name: string, json: string]

/** The fields of an object: allowed, or each of them missing, twice, unknown or wrong. */
function fields(schema: Schema, { hostile }: { hostile: boolean }): Arbitrary<Field[]> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  const required = new Set((schema.required ?? []) as string[])
  const known = properties.map(([name, property]) => {
    const good = valid(property).map((json): Field[] => [[name, json]])
    const absent = fc.constant<Field[]>([])
    if (!hostile) return required.has(name) ? good : fc.oneof(good, absent)
    const wrong = hostileJson.map((json): Field[] => [[name, json]])
    const twice = fc.tuple(good, fc.oneof(good, wrong)).map((both) => both.flat())
    return fc.oneof({ weight: 30, arbitrary: good }, { weight: 4, arbitrary: wrong }, absent, twice)
  })
  const unknown = fc.array(fc.tuple(fc.constantFrom(...UNKNOWN_NAMES), hostileJson), { maxLength: 2 })
  const more = hostile ? fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, unknown) : fc.constant([])
  return fc.tuple(...known, more).map((all) => all.flat() as Field[])
}

function toJson(all: Field[]): string {
  return `{${all.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`
}

/** Damage to bytes on their way. */
const damage = fc.constantFrom<(text: string) => Buffer>(
  (text) => Buffer.from(text.slice(0, text.length / 2)),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(`${text}${text}`),
  (text) => Buffer.from(`[${text}]`),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe]), Buffer.from('}')]),
  (text) => gzipSync(text),
  () => Buffer.alloc(0),
  () => Buffer.alloc(5000),
)

function bodyOf({ operation, method }: Walked): Arbitrary<Buffer | undefined> {
  const schema = operation.requestBody?.content['application/json']?.schema
  if (!schema) return method === 'GET' ? fc.constant(undefined) : fileOf
  const text = fc.oneof({ weight: 9, arbitrary: fields(resolve(schema), { hostile: true }).map(toJson) }, hostileJson)
  return fc.oneof(
    { weight: 9, arbitrary: text.map((json) => Buffer.from(json)) },
    fc.tuple(text, damage).map(([json, harm]) => harm(json)),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  )
}

/** A body that is a file: what an importer may be given. */
const fileOf: Arbitrary<Buffer> = fc.oneof(
  hostileJson.map((json) => Buffer.from(json)),
  hostileJson.map((json) => Buffer.from(`{"results":[{"positions":[${json}],"code":${json},"status":"p"}]}`)),
  fc.array(fc.string(), { maxLength: 6 }).map((rows) => Buffer.from(`code,tier,seat\n${rows.join('\n')}`)),
  fc
    .constantFrom(
      'code,tier\n"',
      'code,tier\n\0,once',
      `code\n${'"'.repeat(999)}`,
      'code;tier\r\rA;once',
      '\ufeffcode,tier',
    )
    .map((text) => Buffer.from(text)),
  fc.constantFrom('code,tier\nA,once', '{"results":[]}').map((text) => Buffer.from(text, 'utf16le')),
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
)

const HOSTILE_SEGMENTS = [
  ...[
    '%00',
    '%0d%0aset-cookie:a=b',
    '%2e%2e',
    '..',
    '.',
    '%2F',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '%ff',
    '%zz',
    '%',
    '%ed%a0%80',
  ],
  ...[CANARY, `${CANARY}%3Cscript%3E`, "'", '%27%20OR%201=1--', '%F0%9F%8E%AB', '-1', '1e99', 'null', '__proto__', ''],
  ...['a'.repeat(255), 'a'.repeat(257), 'a'.repeat(9000), '%41'.repeat(200), ';a=b', '*', '{id}', ':id', '~'],
]

function pathOf({ template, operation }: Walked): Arbitrary<string> {
  const parameters = operation.parameters ?? []
  const segment = fc.oneof(fc.constantFrom(...HOSTILE_SEGMENTS), fc.constantFrom(...FAMILIAR), fc.webSegment())
  const holes = [...template.matchAll(/\{\w+\}/g)].length
  const filled = fc
    .array(segment, { minLength: holes, maxLength: holes })
    .map((segments) => segments.reduce((path, piece) => path.replace(/\{\w+\}/, () => piece), template))
  return fc.tuple(filled, queryOf(parameters)).map(([path, query]) => path + query)
}

const HOSTILE_QUERIES = [
  ...[
    '',
    '0',
    '-1',
    '1',
    '1e99',
    '1e400',
    '1.5',
    'NaN',
    'Infinity',
    '0x10',
    '9007199254740993',
    'true',
    'null',
    '%00',
    '%ff',
    '%zz',
    '%',
  ],
  ...[
    CANARY,
    `${CANARY}=once`,
    'once=once',
    'a'.repeat(5000),
    '[]',
    '{}',
    '%7B%22a%22%3A1%7D',
    '%F0%9F%8E%AB',
    '+',
    '1&',
  ],
]

function queryOf(parameters: readonly Parameter[]): Arbitrary<string> {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const name = fc.oneof(fc.constantFrom(...names, ...names, 'x', '__proto__', 'constructor', CANARY, '', '%zz'))
  const shape = fc.constantFrom<(name: string, value: string) => string>(
    (n, v) => `${n}=${v}`,
    (n, v) => `${n}=${v}`,
    (n, v) => `${n}[]=${v}`,
    (n, v) => `${n}[a]=${v}&${n}=${v}`,
    (n) => n,
    (n, v) => `${n}==${v}`,
  )
  const pair = fc.tuple(shape, name, fc.constantFrom(...HOSTILE_QUERIES)).map(([write, n, v]) => write(n, v))
  const some = fc.array(pair, { minLength: 1, maxLength: 3 }).map((pairs) => `?${pairs.join('&')}`)
  return fc.oneof(
    { weight: names.length > 0 ? 1 : 6, arbitrary: fc.constant('') },
    { weight: 2, arbitrary: some },
    fc.constantFrom('?', '?&&&', '?=', '??'),
  )
}

/** Bytes that a header may hold at all. */
const headerText = fc
  .oneof(
    fc.string({
      unit: fc
        .integer({ min: 0x20, max: 0xff })
        .filter((c) => c !== 0x7f)
        .map((c) => String.fromCharCode(c)),
      maxLength: 60,
    }),
    fc.constantFrom(
      '*',
      '""',
      'W/',
      ',,,,',
      '0',
      '-1',
      'x-1',
      '1e9-1e9',
      `${CANARY}-9`,
      'a'.repeat(7000),
      '\u00ff\u00fe',
    ),
  )
  .map((text) => text.trim())

const CONTENT_TYPES = [
  ...['text/plain', 'text/html', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '*/*', CANARY],
  ...[
    'application/json; charset=utf-16',
    'application/json, text/plain',
    'application/jsonx',
    '/',
    ';',
    'a'.repeat(5000),
  ],
]
const contentType = fc.oneof(
  { weight: 9, arbitrary: fc.constant('application/json') },
  fc.constantFrom(...CONTENT_TYPES),
)

function headersOf({ operation, method }: Walked): Arbitrary<Record<string, string>> {
  const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'header').map(({ name }) => name)
  const names = [
    ...declared,
    'accept',
    'accept-encoding',
    'range',
    'cookie',
    'x-forwarded-for',
    'x-http-method-override',
    'accept-version',
    'origin',
  ]
  const extra = fc.dictionary(fc.constantFrom(...names), headerText, { maxKeys: 3 })
  const type = method === 'GET' ? fc.constant({}) : contentType.map((t) => ({ 'content-type': t }))
  return fc.tuple(extra, type).map(([a, b]) => ({ ...a, ...b }))
}

function requestTo(walked: Walked): Arbitrary<Request> {
  return fc.record({ path: pathOf(walked), headers: headersOf(walked), body: bodyOf(walked) })
}

/** Nothing of what is sent is read, the whole journal or the event's folder is for each answer, or the ledger is copied: none is worth as many tries. */
function isCostly({ operation }: Walked): boolean {
  return (
    ['export', 'backup', 'applyEvent', 'checkEvent', 'saveEvent'].includes(operation.operationId ?? '') ||
    !(operation.parameters?.length || operation.requestBody)
  )
}

async function assertAlive(): Promise<void> {
  const { data } = await device.client.GET('/v1/manifest')
  assert.ok(data, 'the box still answers')
  assert.equal(({} as { admin?: unknown }).admin, undefined)
  const failures = lines.filter((line) => JSON.parse(line).level >= 50)
  assert.deepEqual(failures, [], 'nothing failed inside')
}

describe('whatever is sent', async () => {
  // The walk needs a box before the tests have one: a test is named for each operation.
  await using sample = await World.open()
  for (const { method, template } of operationsOf(sample.box)) {
    it(`${method} ${template} answers as the contract says`, async () => {
      const walked = operationsOf(world.box).find((w) => w.method === method && w.template === template)
      assert.ok(walked)
      await fc.assert(
        fc.asyncProperty(requestTo(walked), async (request) => {
          assertWithinContract(walked, await send(walked, request))
        }),
        { numRuns: isCostly(walked) ? Math.ceil(RUNS / 20) : RUNS },
      )
      await assertAlive()
    })
  }

  it('malformed HTTP gets an answer or a closed connection, on every listener', async () => {
    const { http, https, device: devicePort } = world.box.ports
    const { ca, certificate: cert, key } = device.paired
    const listeners: [port: number, tls?: ConnectionOptions][] = [
      [http],
      [https, { ca }],
      [devicePort, { ca, cert, key }],
    ]
    const piece = fc.oneof(
      fc.constantFrom(
        'GET ',
        'POST ',
        'BREW ',
        '/v1/scan',
        '/v1/enroll',
        '*',
        'http://a/',
        ' HTTP/1.1',
        ' HTTP/1.0',
        ' HTTP/9.9',
        '\r\n',
        '\r\n\r\n',
        '\n',
        '\0',
      ),
      fc.constantFrom(
        'host: x\r\n',
        'content-length: -1\r\n',
        'content-length: 5\r\n',
        'transfer-encoding: chunked\r\n',
        'upgrade: websocket\r\nconnection: upgrade\r\n',
        'expect: 100-continue\r\n',
        'connection: close\r\n',
        'content-type: application/json\r\n',
      ),
      fc.constantFrom(
        '5\r\n{"a"\r\n',
        '0\r\n\r\n',
        'ffffffffffffffff\r\n',
        '-1\r\n',
        `a: ${'b'.repeat(9000)}\r\n`,
        `: ${CANARY}\r\n`,
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      ),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 12 }),
        fc.constantFrom(...listeners),
        async (pieces, [port, tls]) => {
          const answer = await writeBytes(port, Buffer.from(pieces.join(''), 'latin1'), {
            quietMs: 30,
            ...(tls && { tls }),
          })
          if (answer === '') return
          const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1])
          assert.ok(status < 400 || STATUSES.has(status), answer)
          assert.notEqual(status, STATUS.internal)
          assert.ok(!answer.includes(CANARY))
        },
      ),
      { numRuns: LONG ? 2000 : 30 },
    )
    await assertAlive()
  })
})
