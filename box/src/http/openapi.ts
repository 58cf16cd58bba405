/** Derives the OpenAPI 3.1 document from the registered routes. TypeBox schemas are already in its dialect. */

import { grantOf } from '@gatehouse/proto/operations.ts'
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
  /** Media type of the answer, if it is not JSON. */
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
  // The ticket id in the path is the capability; a claimed ticket also requires the phone's signature.
  attendee: [],
  device: [
    { deviceToken: [], deviceCertificate: [] },
    { deviceToken: [], requestSignature: [] },
  ],
  admin: [],
}

/** OpenAPI 3.1 lists the roles that a scheme needs beside it. */
function staffSecurity(operationId: string | undefined, role: string | undefined): object[] {
  if (operationId === 'signIn') return [{ namePassword: [] }]
  if (role === 'signing_in') return []
  const roles = role === undefined || role === 'self' ? [] : [role]
  return [{ adminToken: [] }, { session: roles }, ...(role === 'self' ? [] : [{ apiToken: roles }])]
}

/** Collects the routes as they are registered. Components are named by a schema's `title`. */
export class OpenApi {
  readonly #paths: Record<string, Record<string, object>> = {}
  readonly #components: Record<string, Schema> = {}
  readonly #besides: Record<string, unknown> = {}
  /** Described when the document is made: that takes longer than to register them. */
  readonly #routes: { route: RouteOptions; tier: Tier }[] = []
  #document: object | undefined

  /** Every route registered on `app` from here on belongs to `tier`. */
  collect(app: App, tier: Tier): void {
    app.addHook('onRoute', (route) => {
      this.#routes.push({ route, tier })
    })
  }

  /** Adds a route of another process, which is none of the box's `paths`. @param item an OpenAPI path item with its schemas */
  addBeside(name: string, item: object): void {
    this.#besides[name] = this.#hoist(opened(item))
  }

  /** Made once, when every route has been registered: by `npm run generate`. A box serves the file that this leaves. */
  document(version: string): object {
    this.#document ??= this.#make(version)
    return this.#document
  }

  #make(version: string): object {
    for (const { route, tier } of this.#routes) this.#add(route, tier)
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
        pathItems: this.#besides,
        schemas: Object.fromEntries(Object.entries(this.#components).sort(([a], [b]) => (a < b ? -1 : 1))),
        securitySchemes: {
          adminToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'Printed at the first start, and in the file admin-token; on the appliance in admin-token.txt',
          },
          namePassword: { type: 'http', scheme: 'basic', description: 'Name and PIN or password of a person' },
          session: { type: 'http', scheme: 'bearer', description: 'From signing in; with the role that is named' },
          apiToken: { type: 'http', scheme: 'bearer', description: 'Made by an admin; with the role that is named' },
          feedToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'Of the change feed: `feed/token` in the data folder',
          },
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
    // Every GET route also has HEAD, which needs no entry of its own.
    if (schema.hide || route.method === 'HEAD') return
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    const role = grantOf(schema.operationId)?.role
    const operation = {
      operationId: schema.operationId,
      tags: [tier],
      ...(role && { 'x-role': role }),
      summary: schema.summary,
      ...(schema.description && { description: schema.description }),
      security: tier === 'admin' ? staffSecurity(schema.operationId, role) : SECURITY[tier],
      ...parameters(schema),
      ...this.#requestBody(schema),
      responses: this.#responses(schema, tier),
    }
    for (const method of [route.method].flat()) {
      this.#paths[path] = { ...this.#paths[path], [method.toLowerCase()]: operation }
    }
  }

  /** A route that `consumes` and has no schema for it takes bytes, whatever they are. */
  #requestBody({ body, consumes }: RouteSchema): object {
    if (!body && !consumes) return {}
    return { requestBody: { required: !body || !isNullable(body), content: this.#content(body ?? {}, consumes) } }
  }

  #responses(schema: RouteSchema, tier: Tier): object {
    const { response = {}, produces, body, consumes, params, querystring, headers } = schema
    const withDefaults: Record<string, Schema> = {
      ...response,
      // The listener itself answers these (app.ts), for whatever it has to read.
      ...((body || consumes || params || querystring || headers) && failures('bad_request')),
      ...((body || consumes) && failures('too_large')),
      ...((tier === 'device' || tier === 'admin') && failures('bad_token')),
      ...(tier === 'admin' && failures('not_allowed')),
      // Of whoever asks too much at once (turnstile.ts, in-flight.ts).
      ...failures('rate_limited'),
      ...(tier === 'device' && failures('device_revoked')),
    }
    return Object.fromEntries(
      Object.entries<Schema>(withDefaults).map(([status, schema]) => [
        status,
        {
          description: (schema.description as string | undefined) ?? STATUS_WORDS[status] ?? 'Answer',
          ...(schema.type === 'null'
            ? {}
            : { content: this.#content(opened(schema), Number(status) < 300 ? produces : undefined) }),
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
    const known = this.#components[title]
    // The second would take the place of the first in every operation.
    if (known && formOf(known) !== formOf(rest)) throw new Error(`Two schemas are called ${title}: rename one.`)
    this.#components[title] = rest
    return { $ref: `#/components/schemas/${title}` }
  }
}

/** The part of a schema that is checked in an answer, as text: two schemas of one name have it in common. */
function formOf(schema: Schema): string {
  return JSON.stringify(opened(schema), (key, value) => (key === 'description' ? undefined : value))
}

/** An answer may gain fields, so nothing in it is closed; what is stated of requests stays. */
function opened<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(opened) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(([key, value]) => key !== 'additionalProperties' || value !== false)
  return Object.fromEntries(entries.map(([key, value]) => [key, opened(value)])) as T
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
