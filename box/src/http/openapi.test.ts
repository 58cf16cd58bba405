import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import document from '@gatehouse/proto/gen/openapi.json' with { type: 'json' }
import { Verdict } from '@gatehouse/proto/wire/scan.ts'
import { Shape } from '@gatehouse/proto/wire/terms.ts'
import { Type } from 'typebox'
import { createLogger } from '../log.ts'
import { type App, createApp } from './app.ts'
import { failures, OpenApi, type Tier } from './openapi.ts'

interface Document {
  paths: Record<
    string,
    Record<string, { tags: string[]; security: object[]; responses: Record<string, object>; [key: string]: unknown }>
  >
  components: { schemas: Record<string, object> }
}

async function documentOf(routes: Partial<Record<Tier, (app: App) => void>>): Promise<Document> {
  const app = createApp({ logger: createLogger('silent') })
  const openapi = new OpenApi()
  for (const [tier, add] of Object.entries(routes)) {
    app.register(async (scope) => {
      openapi.collect(scope as App, tier as Tier)
      add(scope as App)
    })
  }
  await app.ready()
  await app.close()
  return openapi.document('1.2.3') as Document
}

const Inner = Shape('Inner', { n: Type.Integer() })
const Outer = Shape('Outer', { inner: Type.Array(Inner), other: Type.Optional(Inner) })

describe('the OpenAPI document', () => {
  it('refuses two schemas of one name, of which one would hide the other', async () => {
    const other = Shape('Inner', { n: Type.Integer(), more: Type.String() })
    const described = { ...Inner, description: 'The same' }
    const routes = (inner: typeof Inner) => ({
      open: (app: App) => {
        app.post('/a', { schema: { body: Outer } }, async () => {})
        app.post('/b', { schema: { body: inner } }, async () => {})
      },
    })
    await assert.rejects(documentOf(routes(other as unknown as typeof Inner)), /Two schemas are called Inner/)
    await assert.doesNotReject(documentOf(routes(described)))
  })

  it('names each titled schema once, and refers to it', async () => {
    const { paths, components } = await documentOf({
      open: (app) => app.post('/a', { schema: { body: Outer, response: { 200: Inner } } }, async () => ({ n: 1 })),
    })
    assert.deepEqual(Object.keys(components.schemas), ['Coded', 'Error', 'Inner', 'Outer'])
    const reference = { $ref: '#/components/schemas/Inner' }
    assert.partialDeepStrictEqual(components.schemas.Outer, {
      properties: { inner: { type: 'array', items: reference }, other: reference },
    })
    assert.partialDeepStrictEqual(paths['/a']?.post, {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Outer' } } },
      },
      responses: { 200: { content: { 'application/json': { schema: reference } } } },
    })
  })

  it('writes parameters as OpenAPI does', async () => {
    const { paths } = await documentOf({
      open: (app) =>
        app.get(
          '/a/:id/b',
          {
            schema: {
              params: Type.Object({ id: Type.String() }),
              querystring: Type.Object({ since: Type.Optional(Type.Integer({ description: 'From where' })) }),
              headers: Type.Object({ 'if-none-match': Type.Optional(Type.String()) }),
            },
          },
          async () => '',
        ),
    })
    assert.deepEqual(paths['/a/{id}/b']?.get?.parameters, [
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'since', in: 'query', required: false, description: 'From where', schema: { type: 'integer' } },
      { name: 'if-none-match', in: 'header', required: false, schema: { type: 'string' } },
    ])
  })

  it('says of each tier what it asks for, and how it refuses', async () => {
    const route = (app: App) =>
      void app.get('/a', { schema: { response: { 200: Inner, ...failures('not_found') } } }, async () => ({ n: 1 }))
    const statuses = async (tier: Tier) => {
      const { paths } = await documentOf({ [tier]: route })
      const { tags, security, responses } = paths['/a']?.get ?? {}
      return { tags, ways: security?.map((way) => Object.keys(way)), statuses: Object.keys(responses ?? {}) }
    }
    assert.deepEqual(await statuses('open'), { tags: ['open'], ways: [], statuses: ['200', '404', '429'] })
    assert.deepEqual(await statuses('admin'), {
      tags: ['admin'],
      ways: [['adminToken'], ['session'], ['apiToken']],
      statuses: ['200', '401', '403', '404', '429'],
    })
    assert.deepEqual(await statuses('device'), {
      tags: ['device'],
      ways: [
        ['deviceToken', 'deviceCertificate'],
        ['deviceToken', 'requestSignature'],
      ],
      statuses: ['200', '401', '403', '404', '429'],
    })
  })

  it('says that what is sent can be wrong or too often, and a body too large, for whatever a route reads', async () => {
    const { paths } = await documentOf({
      open: (app) => {
        app.get('/nothing', async () => '')
        app.get('/query', { schema: { querystring: Type.Object({ a: Type.String() }) } }, async () => '')
        app.get('/path/:id', { schema: { params: Type.Object({ id: Type.String() }) } }, async () => '')
        app.post('/body', { schema: { body: Inner } }, async () => '')
        app.post('/file', { schema: { consumes: ['application/octet-stream'] } as object }, async () => '')
      },
    })
    const refusals = Object.entries(paths).map(([path, methods]) => [
      path,
      ...Object.keys(Object.values(methods)[0]?.responses ?? {}),
    ])
    assert.deepEqual(refusals, [
      ['/body', '400', '413', '429'],
      ['/file', '400', '413', '429'],
      ['/nothing', '429'],
      ['/path/{id}', '400', '429'],
      ['/query', '400', '429'],
    ])
    assert.deepEqual(paths['/file']?.post?.requestBody, {
      required: true,
      content: { 'application/octet-stream': { schema: {} } },
    })
  })

  it('has a schema for the data of every event of every stream of the box', () => {
    const { paths, components } = document as unknown as Document
    const beside = (components as { pathItems?: { feedEvents: { get: { responses: Record<string, object> } } } })
      .pathItems
    const feed = { get: beside?.feedEvents.get ?? assert.fail('the stream of the change feed') }
    const streams = [...Object.values(paths), feed].flatMap((methods) =>
      Object.values(methods).flatMap(({ responses }) => {
        const { content = {} } = (responses['200'] ?? {}) as { content?: Record<string, { schema: { $ref: string } }> }
        return content['text/event-stream']?.schema.$ref ?? []
      }),
    )
    assert.deepEqual(
      streams,
      ['AdminEvent', 'AnnouncementEvent', 'DeviceEvent', 'FeedEvent'].map((name) => `#/components/schemas/${name}`),
    )
    const named = ($ref: string) => components.schemas[$ref.replace('#/components/schemas/', '')]
    for (const stream of streams) {
      const { anyOf } = named(stream) as { anyOf: { $ref: string }[] }
      for (const { $ref } of anyOf) {
        const { properties } = named($ref) as { properties: { data: { contentSchema?: { $ref: string } } } }
        assert.ok(named(properties.data.contentSchema?.$ref ?? ''), `${$ref} says what its data are`)
      }
    }
  })

  it('closes what is asked, and leaves answers open for new fields', async () => {
    const Asked = Shape('Asked', { outer: Shape('AskedInner', { n: Type.Integer() }) })
    const { components } = await documentOf({
      open: (app) => app.post('/a', { schema: { body: Asked, response: { 200: Outer } } }, async () => ({ inner: [] })),
    })
    const closed = (name: string) => (components.schemas[name] as { additionalProperties?: false }).additionalProperties
    assert.deepEqual([closed('Asked'), closed('AskedInner')], [false, false])
    assert.deepEqual([closed('Outer'), closed('Inner'), closed('Error')], [undefined, undefined, undefined])
  })

  it('says of every field of a verdict that may be null when it is', () => {
    const fields = Object.entries(Verdict.properties as Record<string, { type?: unknown; description?: string }>)
    const nullable = fields.filter(([, { type }]) => Array.isArray(type) && type.includes('null'))
    assert.deepEqual(
      nullable.map(([name]) => name),
      ['tier_name', 'tier_colour', 'seat_label', 'occurrence'],
    )
    for (const [name, { description }] of nullable) assert.match(description ?? '', /^null where /, name)
  })

  it('leaves out HEAD, which comes with every GET, and what is hidden', async () => {
    const { paths } = await documentOf({
      open: (app) => {
        app.get('/a', async () => '')
        app.get('/secret', { schema: { hide: true } as object }, async () => '')
      },
    })
    assert.deepEqual(Object.keys(paths), ['/a'])
    assert.deepEqual(Object.keys(paths['/a'] ?? {}), ['get'])
  })

  it('names media types other than JSON, for good answers only', async () => {
    const { paths } = await documentOf({
      open: (app) => {
        const schema = {
          produces: ['text/event-stream'],
          response: { 200: Type.String(), 304: Type.Null(), ...failures('not_found') },
        }
        app.get('/a', { schema }, async () => '')
      },
    })
    assert.partialDeepStrictEqual(paths['/a']?.get?.responses, {
      200: { content: { 'text/event-stream': {} } },
      404: { content: { 'application/json': {} } },
    })
    const responses = paths['/a']?.get?.responses ?? {}
    assert.deepEqual(responses['304'], { description: 'Not modified' })
  })
})

describe('the document of this version', () => {
  type Schema = { [keyword: string]: unknown }
  const { paths, components } = document as unknown as Document

  /** Every schema inside, with the names that lead to it. References are followed once each. */
  function* within(schema: unknown, path: string, seen: Set<string>): Generator<[string, Schema]> {
    if (schema === null || typeof schema !== 'object') return
    const { $ref } = schema as { $ref?: string }
    if ($ref !== undefined) {
      const name = $ref.split('/').at(-1) ?? ''
      if (seen.has(name)) return
      seen.add(name)
      yield* within(components.schemas[name], name, seen)
      return
    }
    yield [path, schema as Schema]
    for (const [name, inner] of Object.entries(schema)) yield* within(inner, `${path} ${name}`, seen)
  }

  const mayBeNull = ({ type, anyOf }: Schema) =>
    (Array.isArray(type) && type.includes('null')) ||
    (Array.isArray(anyOf) && anyOf.some((one: Schema) => one.type === 'null'))

  it('says of every field that scanners, wallets and strangers are answered when it is null', () => {
    const seen = new Set<string>()
    const answers = Object.entries(paths).flatMap(([path, operations]) =>
      Object.values(operations)
        .filter(({ tags }) => tags.some((tag) => ['open', 'attendee', 'device'].includes(tag)))
        .flatMap(({ responses }) => [...within(responses, path, seen)]),
    )
    const nullable = answers.filter(([, schema]) => mayBeNull(schema))
    assert.ok(nullable.length > 20)
    const silent = nullable.filter(([, { description }]) => !/\bnull\b/.test(String(description)))
    assert.deepEqual(
      silent.map(([path]) => path),
      [],
    )
  })
})
