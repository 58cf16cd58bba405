import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { type Box, openBox } from '../../src/boot/box.ts'
import { readConfig } from '../../src/config.ts'
import { createLogger } from '../../src/log.ts'

interface Operation {
  operationId?: string
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: object
  responses: Record<string, object>
}
type Paths = Record<string, Record<string, Operation>>

/** By `get /v1/status`. */
const operationsOf = (paths: Paths) =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
    ),
  )
const parametersOf = ({ parameters = [] }: Operation) =>
  parameters.map(({ name, in: place, required = false }) => `${place} ${name} ${required}`).sort()

/** Opens a box. @param onApp called with each of its listeners, before they have routes */
async function withBox(onApp: (app: FastifyInstance) => void, use: (box: Box) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-openapi-'))
  const onMade = (message: unknown) => onApp((message as { fastify: FastifyInstance }).fastify)
  subscribe('fastify.initialization', onMade)
  try {
    const config = readConfig({
      GATEHOUSE_DATA_DIR: join(folder, 'data'),
      GATEHOUSE_HOST: '127.0.0.1',
      GATEHOUSE_HTTP_PORT: '0',
      GATEHOUSE_HTTPS_PORT: '0',
      GATEHOUSE_DEVICE_PORT: '0',
    })
    const machine = { logger: createLogger('silent'), wallClock: Date.now, monotonic: () => performance.now() }
    await using box = await openBox(config, machine)
    use(box)
  } finally {
    unsubscribe('fastify.initialization', onMade)
    rmSync(folder, { recursive: true, force: true })
  }
}

test('the document has every operation that @fastify/swagger reads off the listeners, with its parameters, body and answers', async () => {
  const listeners: FastifyInstance[] = []
  const onApp = (app: FastifyInstance) => {
    app.register(swagger, { openapi: { openapi: '3.1.0', info: { title: 'oracle', version: '1' } } })
    listeners.push(app)
  }
  await withBox(onApp, (box) => {
    const own = operationsOf((box.openapi as { paths: Paths }).paths)
    const read = listeners.flatMap((app) => [...operationsOf(app.swagger().paths as Paths)])
    const theirs = new Map(read.filter(([, { operationId }]) => operationId !== undefined))
    assert.ok(theirs.size > 50)
    assert.deepEqual([...own.keys()].sort(), [...theirs.keys()].sort())
    for (const [key, operation] of own) {
      const other = theirs.get(key) ?? assert.fail(key)
      assert.equal(operation.operationId, other.operationId, key)
      assert.deepEqual(parametersOf(operation), parametersOf(other), key)
      if (other.requestBody) assert.ok(operation.requestBody, `${key} takes a body`)
      // Ours adds those that the listener itself answers.
      for (const status of Object.keys(other.responses))
        assert.ok(operation.responses[status], `${key} answers ${status}`)
    }
  })
})

test('every schema of every route can be compiled: a box opens without having tried', async () => {
  const routes: { app: FastifyInstance; route: RouteOptions }[] = []
  const onApp = (app: FastifyInstance) => {
    app.addHook('onRoute', (route) => {
      routes.push({ app, route })
    })
  }
  await withBox(onApp, () => {
    let compiled = 0
    for (const { app, route } of routes) {
      const { serializerCompiler, validatorCompiler } = app
      assert.ok(serializerCompiler && validatorCompiler)
      const { response = {}, ...parts } = (route.schema ?? {}) as FastifySchema & { response?: object }
      // As one of a scan, which is compiled at once.
      const as = (schema: unknown) => ({ schema: schema as FastifySchema, method: 'POST', url: '/v1/scan' })
      const tried = (what: string, compile: () => unknown) => {
        assert.doesNotThrow(compile, `${route.url}: ${what}`)
        compiled++
      }
      for (const [status, schema] of Object.entries(response)) tried(status, () => serializerCompiler(as(schema)))
      for (const httpPart of ['body', 'querystring', 'params', 'headers'] as const)
        if (parts[httpPart]) tried(httpPart, () => validatorCompiler({ ...as(parts[httpPart]), httpPart }))
    }
    assert.ok(compiled > 500, `${compiled} schemas`)
  })
})
