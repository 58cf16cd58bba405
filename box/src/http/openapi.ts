/** The OpenAPI 3.1 document, read off the routes that the box really has. TypeBox schemas are its dialect already. */

import { ErrorBody } from '@gatehouse/proto/wire/terms.ts'
import type { RouteOptions } from 'fastify'
import { type ErrorCode, STATUS } from '../errors.ts'
import type { App } from './app.ts'

export type Tier = 'open' | 'attendee' | 'device' | 'admin'

type Schema = { [keyword: string]: unknown }

interface RouteSchema {
  operationId?: string
  summary?: string
  description?: string
  hide?: boolean
  body?: Schema
  querystring?: Schema
  params?: Schema
  headers?: Schema
  /** Media type of the answer where it is not JSON. */
  produces?: string[]
  consumes?: string[]
  response?: Record<string, Schema>
}

/** The error answers of a route, for its schema. */
export function failures(...codes: ErrorCode[]): Record<number, typeof ErrorBody> {
  return Object.fromEntries(codes.map((code) => [STATUS[code], ErrorBody]))
}

const SECURITY: Record<Tier, object[]> = {
  open: [],
  // The ticket id in the path is the capability; a claimed ticket asks for the phone's signature besides.
  attendee: [],
  device: [
    { deviceToken: [], deviceCertificate: [] },
    { deviceToken: [], requestSignature: [] },
  ],
  admin: [{ adminToken: [] }],
}

/** Gathers the routes as they are registered. Components are named by a schema's `title`. */
export class OpenApi {
  readonly #paths: Record<string, Record<string, object>> = {}
  readonly #components: Record<string, Schema> = {}
  #document: object | undefined

  /** Every route registered on `app` from here on belongs to `tier`. */
  collect(app: App, tier: Tier): void {
    app.addHook('onRoute', (route) => this.#add(route, tier))
  }

  /** Made once, when every route has been registered. */
  document(version: string): object {
    this.#document ??= this.#make(version)
    return this.#document
  }

  #make(version: string): object {
    const sorted = Object.keys(this.#paths).sort()
    return {
      openapi: '3.1.0',
      info: {
        title: 'Gatehouse box',
        version,
        description: 'The API of a ticket-scanning box: open, device, attendee and admin tier.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      paths: Object.fromEntries(sorted.map((path) => [path, this.#paths[path]])),
      components: {
        schemas: Object.fromEntries(Object.entries(this.#components).sort(([a], [b]) => (a < b ? -1 : 1))),
        securitySchemes: {
          adminToken: { type: 'http', scheme: 'bearer', description: 'From the boot log' },
          deviceToken: { type: 'http', scheme: 'bearer', description: 'From the enrolment' },
          deviceCertificate: { type: 'mutualTLS', description: 'From the enrolment; device port only' },
          requestSignature: {
            type: 'apiKey',
            in: 'header',
            name: 'Signature',
            description: "RFC 9421 by the certificate's key, over method, target URI, authorization and content digest",
          },
        },
      },
    }
  }

  #add(route: RouteOptions, tier: Tier): void {
    const schema = (route.schema ?? {}) as RouteSchema
    // HEAD comes with every GET, and says nothing that GET does not.
    if (schema.hide || route.method === 'HEAD') return
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    const operation = {
      operationId: schema.operationId,
      tags: [tier],
      summary: schema.summary,
      ...(schema.description && { description: schema.description }),
      security: SECURITY[tier],
      ...parameters(schema),
      ...(schema.body && {
        requestBody: { required: !isNullable(schema.body), content: this.#content(schema.body, schema.consumes) },
      }),
      responses: this.#responses(schema, tier),
    }
    for (const method of [route.method].flat()) {
      this.#paths[path] = { ...this.#paths[path], [method.toLowerCase()]: operation }
    }
  }

  #responses({ response = {}, produces }: RouteSchema, tier: Tier): object {
    const withDefaults: Record<string, Schema> = {
      ...response,
      ...((tier === 'device' || tier === 'admin') && failures('bad_token')),
      ...(tier === 'device' && failures('device_revoked')),
    }
    return Object.fromEntries(
      Object.entries<Schema>(withDefaults).map(([status, schema]) => [
        status,
        {
          description: (schema.description as string | undefined) ?? STATUS_WORDS[status] ?? 'Answer',
          ...(schema.type === 'null'
            ? {}
            : { content: this.#content(schema, Number(status) < 300 ? produces : undefined) }),
        },
      ]),
    )
  }

  #content(schema: Schema, types: string[] = ['application/json']): object {
    return Object.fromEntries(types.map((type) => [type, { schema: this.#hoist(schema) }]))
  }

  /** Moves every titled schema into the components, once. */
  #hoist(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.#hoist(item))
    if (typeof schema !== 'object' || schema === null) return schema
    const hoisted = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, this.#hoist(value)]))
    if (typeof hoisted.title !== 'string') return hoisted
    const { title, ...rest } = hoisted
    this.#components[title] = rest
    return { $ref: `#/components/schemas/${title}` }
  }
}

function isNullable({ type }: Schema): boolean {
  return Array.isArray(type) && type.includes('null')
}

function parameters({ params, querystring, headers }: RouteSchema): object {
  const all = [
    ...parametersIn('path', params),
    ...parametersIn('query', querystring),
    ...parametersIn('header', headers),
  ]
  return all.length > 0 ? { parameters: all } : {}
}

function parametersIn(place: string, schema: Schema | undefined): object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description ? { description } : {}),
    schema: property,
  }))
}

const STATUS_WORDS: Record<string, string> = {
  '200': 'Answer',
  '201': 'Made',
  '304': 'Not modified',
}
