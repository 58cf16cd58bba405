import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { runs } from '@gatehouse/proto/properties.testing.ts'
import fc from 'fast-check'
import { Type } from 'typebox'
import type { SinkKind } from '../sink.ts'
import { ENVIRONMENT, FeedConfigError, type FeedEnvironment, type Kinds, readFeedConfig } from './config.ts'

const strict = { additionalProperties: false }

const sourceOf = (kind: string, slot: string) => async () =>
  Type.Object(
    {
      kind: Type.Literal(kind),
      url: Type.String({ pattern: '^postgres://', description: 'where the database is' }),
      password: Type.Optional(Type.String({ minLength: 1, description: 'its password' })),
      slot: Type.String({ default: slot, description: 'the slot' }),
      passwordEnv: Type.Optional(Type.String({ description: 'a variable with the password' })),
    },
    strict,
  )

const sink = async (): Promise<SinkKind> => ({
  durability: 'durable',
  options: Type.Object(
    {
      url: Type.String({ description: 'where to' }),
      deadlineMs: Type.Integer({ default: 30_000, minimum: 1, description: 'how long' }),
      mode: Type.Optional(Type.Union([Type.Literal('push'), Type.Literal('pull')])),
      tls: Type.Optional(Type.Object({ ca: Type.String({ description: 'PEM file' }) }, strict)),
    },
    strict,
  ),
  open: async () => {
    throw new Error('not here')
  },
})

const KINDS: Kinds = {
  sources: { postgres: sourceOf('postgres', 'changefeed'), sqlite: sourceOf('sqlite', 'none') },
  sinks: { grpc: sink, webhook: sink, 'event-stream': sink },
}

const LEAST = `
source:
  kind: postgres
  url: postgres://localhost/shop
sinks:
  - id: north
    kind: grpc
    options: { url: "localhost:50051" }
`

describe('a configuration', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-feed-config-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const write = (name: string, text: string | Buffer) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const read = (text: string | Buffer, environment: FeedEnvironment = {}) =>
    readFeedConfig(write('feed.yaml', text), environment, KINDS)
  /** The lines of the refusal, without its first. */
  const refusal = async (text: string | Buffer, environment: FeedEnvironment = {}) => {
    const error = await read(text, environment).then(
      () => assert.fail('it was accepted'),
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof FeedConfigError, String(error))
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
  }

  it('needs a source and a sink; the rest has defaults', async () => {
    const { sinks, ...rest } = await read(LEAST)
    assert.deepEqual(rest, {
      server: { host: '127.0.0.1', port: 7717, authToken: undefined, tls: undefined },
      stateDir: join(folder, 'changefeed-state'),
      logLevel: 'info',
      source: { kind: 'postgres', url: 'postgres://localhost/shop', slot: 'changefeed' },
      warnings: [],
    })
    const [{ kind, ...sink } = { kind: {} as SinkKind }] = sinks
    assert.equal(kind.durability, 'durable')
    assert.deepEqual(sink, {
      id: 'north',
      name: 'north',
      from: 'grpc',
      durability: 'durable',
      tables: undefined,
      options: { url: 'localhost:50051', deadlineMs: 30_000 },
      maxAttempts: 10,
      backoff: { initialMs: 500, maxMs: 30_000, factor: 2, jitter: 0.2 },
      queue: { maxEvents: 10_000, maxBytes: 67_108_864, maxDiskBytes: 268_435_456 },
      batch: { maxEvents: 500, maxBytes: 1_048_576, lingerMs: 5 },
      deadLetters: { automatic: false, maxBytes: 67_108_864 },
    })
  })

  it('is the same in JSON', async () => {
    const sink = { id: 'north', kind: 'grpc', options: { url: 'localhost:50051' } }
    const json = { source: { kind: 'postgres', url: 'postgres://localhost/shop' }, sinks: [sink] }
    const [a, b] = [await read(LEAST), await read(JSON.stringify(json, null, 2))]
    assert.deepEqual(JSON.stringify(a), JSON.stringify(b))
  })

  it('listens where it says', async () => {
    const listens = async (listen: string) => {
      const { host, port } = (await read(`server: { listen: "${listen}" }\n${LEAST}`)).server
      return [host, port]
    }
    assert.deepEqual(await listens('0.0.0.0:1'), ['0.0.0.0', 1])
    assert.deepEqual(await listens('[::1]:7717'), ['::1', 7717])
    assert.deepEqual(await listens('feed.example:0'), ['feed.example', 0])
    for (const listen of ['7717', ':7717', '127.0.0.1', '127.0.0.1:', '::1:7717', 'a b:1', '127.0.0.1:123456'])
      assert.match(
        (await refusal(`server: { listen: "${listen}" }\n${LEAST}`))[0] ?? '',
        /^line 1: server\.listen: ".*" does not fit: address and port/,
      )
    assert.deepEqual(await refusal(`server: { listen: "127.0.0.1:65536" }\n${LEAST}`), [
      'line 1: server.listen: the port must be 65535 at most',
    ])
  })

  it('names every mistake at once, with its line, and what to write instead', async () => {
    const mistakes = await refusal(`
sevrer: { listen: 127.0.0.1:1 }
logLevel: verbose
source:
  kind: postgres
  url: mysql://root:SECRET@localhost/shop
  slto: a
sinks:
  - id: North
    kind: grpc
    maxAttempts: "10"
    queue:
      maxEvents: 0
    options:
      deadlineMs: 1.5
      tls: { ca: 7, cert: x }
      mode: pushh
  - id: south
    kind: grcp
  - kind: webhook
    options: {}
  - id: south
    plugin: ./gone.ts
`)
    const gone = join(folder, 'gone.ts')
    assert.deepEqual(mistakes, [
      'line 2: sevrer: unknown key; did you mean "server"?',
      'line 3: logLevel: must be one of debug, info, warn, error, silent, not "verbose"',
      'line 6: source.url: what is there does not fit: where the database is',
      'line 7: source.slto: unknown key; did you mean "slot"?',
      'line 9: sinks[0].id: "North" does not fit: unique name of the sink in routes and in stateDir: up to 63 lower-case letters, digits, - and _',
      'line 11: sinks[0].maxAttempts: must be a whole number, not "10" (failed deliveries of one batch after which the sink is paused; 0: never)',
      'line 13: sinks[0].queue.maxEvents: must be >= 1, not 0 (largest number of events that wait for the sink)',
      'line 14: sinks[0].options.url: missing: where to',
      'line 15: sinks[0].options.deadlineMs: must be a whole number, not 1.5 (how long)',
      'line 16: sinks[0].options.tls.cert: unknown key; known here: ca',
      'line 16: sinks[0].options.tls.ca: must be text (in quotes when it looks like a number), not 7 (PEM file)',
      'line 17: sinks[0].options.mode: must be one of push, pull, not "pushh"; did you mean "push"?',
      'line 19: sinks[1].kind: must be one of grpc, webhook, event-stream, not "grcp"; did you mean "grpc"?',
      'line 20: sinks[2].id: missing: unique name of the sink in routes and in stateDir: up to 63 lower-case letters, digits, - and _',
      'line 21: sinks[2].options.url: missing: where to',
      `line 23: sinks[3].plugin: The plugin ${gone} cannot be loaded: Cannot find module '${gone}'`,
    ])
  })

  it('never shows a secret', async () => {
    const mistakes = await refusal(`
server: { authToken: "SECRET one" }
source: { kind: postgres, url: "SECRET", password: [SECRET] }
sinks: [{ id: a, kind: grpc, options: { url: { SECRET: 1 } } }]
`)
    assert.equal(mistakes.length, 4)
    assert.doesNotMatch(mistakes.join(), /SECRET/)
  })

  it('has one way to each thing', async () => {
    const sinks = (...lines: string[]) =>
      `${LEAST.slice(0, LEAST.indexOf('sinks:'))}sinks:\n${lines.map((line) => `  - ${line}\n`).join('')}`
    const url = 'options: { url: a }'
    assert.deepEqual(await refusal(sinks(`{ id: a, kind: grpc, ${url} }`, `{ id: a, kind: webhook, ${url} }`)), [
      'line 7: sinks[1].id: "a" is the id of another sink; give each its own',
    ])
    const either = 'set kind (grpc, webhook or event-stream) or plugin (the path of a module), one of the two'
    assert.deepEqual(await refusal(sinks(`{ id: a, ${url} }`)), [`line 6: sinks[0].kind: ${either}`])
    assert.deepEqual(await refusal(sinks(`{ id: a, kind: grpc, plugin: ./a.ts, ${url} }`)), [
      `line 6: sinks[0].kind: ${either}`,
    ])
    assert.match(
      (await refusal(sinks('7', 'null', '[]')))[0] ?? '',
      /^line 6: sinks\[0\]: must be a group of keys, not 7/,
    )
    assert.match(
      (await refusal('source: { kind: postgres, url: "postgres://a" }\nsinks: []'))[0] ?? '',
      /^line 2: sinks: must NOT have fewer than 1 items/,
    )
  })

  it('loads a plugin from beside the file, and holds its options against its own schema', async () => {
    write(
      'plugin.ts',
      `export default {
      durability: 'ephemeral',
      options: { type: 'object', properties: { colour: { type: 'string', enum: ['red', 'green'] } }, additionalProperties: false },
      async open() { throw new Error('not here') },
    }`,
    )
    const text = (options: string) => LEAST.replace(/kind: grpc\n.*/, `plugin: ./plugin.ts\n    options: ${options}`)
    const [sink] = (await read(text('{ colour: red }'))).sinks
    assert.deepEqual([sink?.from, sink?.durability, sink?.options], ['./plugin.ts', 'ephemeral', { colour: 'red' }])
    assert.deepEqual(await refusal(text('{ colour: gren }')), [
      'line 8: sinks[0].options.colour: must be one of red, green, not "gren"; did you mean "green"?',
    ])
    write('nothing.ts', 'export default 7')
    assert.match((await refusal(text('{}').replace('plugin.ts', 'nothing.ts')))[0] ?? '', /nothing\.ts is not a sink/)
  })

  describe('takes secrets from files', () => {
    const using = (name: string) => `server: { authTokenFile: ${name} }\n${LEAST}`

    it('without the line feed at their end', async () => {
      write('token', 'of the file\n'.replaceAll(' ', '-'))
      write('url', 'postgres://localhost/other\r\n')
      const { server, source } = await read(using('token').replace('url: postgres://localhost/shop', 'urlFile: url'))
      assert.equal(server.authToken, 'of-the-file')
      assert.equal(source.kind === 'postgres' && source.url, 'postgres://localhost/other')
    })

    it('and says which one cannot be read, or is one too many', async () => {
      const [mistake = ''] = await refusal(using('gone'))
      assert.match(mistake, /^line 1: server\.authTokenFile: cannot be read: ENOENT/)
      assert.deepEqual(await refusal(`server: { authTokenFile: token, authToken: x }\n${LEAST}`), [
        'line 1: server.authTokenFile: set either this or authToken',
      ])
      assert.deepEqual(await refusal(using('[a]')), ['line 1: server.authTokenFile: must be the path of a file'])
      const missing = await refusal(LEAST.replace('url: postgres://localhost/shop', 'urlFile: gone'))
      assert.equal(missing.length, 1)
      assert.match(missing[0] ?? '', /^line 4: source\.urlFile: cannot be read: ENOENT/)
    })

    it('only what may be a secret', async () => {
      const [mistake = ''] = await refusal(LEAST.replace('kind: postgres', 'kind: postgres\n  slotFile: token'))
      assert.match(mistake, /^line 4: source\.slotFile: unknown key/)
    })
  })

  describe('is overruled by the environment', () => {
    it('which stands above the file', async () => {
      const { server, stateDir, source, logLevel } = await read(`server: { authTokenFile: gone }\n${LEAST}`, {
        CHANGEFEED_AUTH_TOKEN: 'from-the-environment',
        CHANGEFEED_LISTEN: '127.0.0.1:1',
        CHANGEFEED_STATE_DIR: '/state',
        CHANGEFEED_SOURCE_URL: 'postgres://localhost/environment',
        CHANGEFEED_LOG_LEVEL: 'warn',
        CHANGEFEED_CONFIG: 'is for the command line',
        PATH: '/bin',
      })
      assert.deepEqual(
        [server.authToken, server.port, stateDir, logLevel],
        ['from-the-environment', 1, '/state', 'warn'],
      )
      assert.equal(source.kind === 'postgres' && source.url, 'postgres://localhost/environment')
    })

    it('and not by what is empty', async () => {
      assert.equal((await read(LEAST, { CHANGEFEED_LISTEN: '' })).server.port, 7717)
    })

    it('and names the variable that is wrong', async () => {
      const mistakes = await refusal(LEAST, {
        CHANGEFEED_LISTEN: 'x',
        CHANGEFEED_SOURCE_URL: 'SECRET',
      })
      assert.deepEqual(mistakes, [
        'CHANGEFEED_LISTEN: server.listen "x" does not fit: address and port of the control plane, such as 127.0.0.1:7717 or [::1]:7717; port 0 is any free port',
        'CHANGEFEED_SOURCE_URL: source.url what is there does not fit: where the database is',
      ])
      assert.ok(Object.keys(ENVIRONMENT).length >= 6)
    })
  })

  it('warns of variables that look like settings and are none: Kubernetes sets some', async () => {
    const environment = {
      CHANGEFEED_PORT: 'tcp://10.0.0.1:7717',
      CHANGEFEED_AUTH_TOCKEN: 'SECRET',
      CHANGEFEED_DB_PASSWORD: 'SECRET',
    }
    const { warnings } = await read(
      LEAST.replace('kind: postgres', 'kind: postgres\n  passwordEnv: CHANGEFEED_DB_PASSWORD'),
      environment,
    )
    assert.deepEqual(warnings, [
      'CHANGEFEED_PORT is not a setting of this version',
      'CHANGEFEED_AUTH_TOCKEN is not a setting of this version; did you mean "CHANGEFEED_AUTH_TOKEN"?',
    ])
  })

  describe('survives a file that', () => {
    const files: Record<string, [text: string | Buffer, message: RegExp]> = {
      'is empty': ['', /must be a group of keys/],
      'is a list': ['- a', /must be a group of keys/],
      'is not UTF-8': [Buffer.of(0xff, 0xfe, 0x00), /cannot be read/],
      'is broken': ['source: {', /line 1: /],
      'has a key twice': [`logLevel: info\nlogLevel: warn\n${LEAST}`, /line 2: Map keys must be unique/],
      'is two documents': [`${LEAST}\n---\n${LEAST}`, /line 10: .*multiple documents/],
      'has a prototype': [`__proto__: { polluted: 1 }\nconstructor: 1\n${LEAST}`, /line 1: __proto__: unknown key/],
      'is large': [`# ${'x'.repeat(1024 * 1024)}\n${LEAST}`, /larger than 1 MiB/],
      'means more than it says': [
        `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from('bcdefghi', (name, i) => `${name}: &${name} [${`*${'abcdefgh'[i]},`.repeat(9)}]\n`).join('')}${LEAST}`,
        /cannot be read: Excessive alias count/,
      ],
      'has tags of its own': [`server: !!js/function "x"\n${LEAST}`, /./],
    }
    for (const [name, [text, message]] of Object.entries(files)) {
      it(name, async () => {
        await assert.rejects(read(text), (error) => error instanceof FeedConfigError && message.test(error.message))
        assert.equal(({} as { polluted?: unknown }).polluted, undefined)
      })
    }

    it('is not there', async () => {
      const path = join(folder, 'gone.yaml')
      await assert.rejects(readFeedConfig(path, {}, KINDS), { message: new RegExp(`${path} cannot be read: ENOENT`) })
    })

    it('is anything at all', async () => {
      const value = fc.anything({ withNullPrototype: false })
      const key = fc.constantFrom(
        'server',
        'source',
        'sinks',
        'stateDir',
        'logLevel',
        'listen',
        'kind',
        'id',
        'plugin',
        'options',
        'x',
      )
      const group = fc.dictionary(key, fc.oneof(value, fc.dictionary(key, value), fc.array(fc.dictionary(key, value))))
      await fc.assert(
        fc.asyncProperty(group, async (file) => {
          const text = JSON.stringify(file, (_, v) => (typeof v === 'bigint' ? String(v) : v))
          await assert.rejects(read(text), FeedConfigError)
        }),
        runs(100, 1000),
      )
    })
  })
})
