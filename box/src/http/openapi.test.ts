import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
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
  it('names each titled schema once, and refers to it', async () => {
    const { paths, components } = await documentOf({
      open: (app) => app.post('/a', { schema: { body: Outer, response: { 200: Inner } } }, async () => ({ n: 1 })),
    })
    assert.deepEqual(Object.keys(components.schemas), ['Inner', 'Outer'])
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
    assert.deepEqual(await statuses('open'), { tags: ['open'], ways: [], statuses: ['200', '404'] })
    assert.deepEqual(await statuses('admin'), {
      tags: ['admin'],
      ways: [['adminToken']],
      statuses: ['200', '401', '404'],
    })
    assert.deepEqual(await statuses('device'), {
      tags: ['device'],
      ways: [
        ['deviceToken', 'deviceCertificate'],
        ['deviceToken', 'requestSignature'],
      ],
      statuses: ['200', '401', '403', '404'],
    })
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
