/**
 * One listener: how bodies are read, how inputs are checked, and the one form that every error takes. Everything that
 * arrives here is under an attacker's control until its schema and its credential have been checked.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { ServerOptions } from 'node:https'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  LogController,
  type RawServerDefault,
} from 'fastify'
import { type ErrorCode, GatehouseError, STATUS } from '../errors.ts'

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, for a signature over it. */
    rawBody: Buffer | null
  }
}

const JSON_BODY_LIMIT = 64 * 1024

/** A listener without routes. `tls` makes it an HTTPS one. */
export function createApp(options: { logger: FastifyBaseLogger; tls?: ServerOptions }): App {
  const app = fastify({
    loggerInstance: options.logger,
    // One line a scan would wear out the card; errors and what the box itself does are logged where they happen.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: JSON_BODY_LIMIT,
    requestTimeout: 30_000,
    keepAliveTimeout: 75_000,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 256 },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error: FastifyError, _request: unknown, reply: FastifyReply) => answer(error, reply),
    ...(options.tls ? { https: options.tls } : {}),
  } as object) as unknown as App

  app.decorateRequest('rawBody', null)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    request.rawBody = body as Buffer
    try {
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  app.setValidatorCompiler(({ schema, httpPart }) => (httpPart === 'body' ? bodies : texts).compile(schema as object))
  app.setErrorHandler((error, request, reply) => {
    const known = asGatehouseError(error as FastifyError)
    if (STATUS[known.code] >= 500)
      request.log.error({
        event: 'request_failed',
        code: known.code,
        route: request.routeOptions.url,
        err: known.cause ?? known,
      })
    answer(known, reply)
  })
  app.setNotFoundHandler(() => {
    throw new GatehouseError('not_found', 'There is nothing at this address: check the URL and the API version.')
  })
  return app
}

// A body is JSON and says its own types. Queries, parameters and headers are text: there "5" is how five is written.
const bodies = validator({ coerceTypes: false })
const texts = validator({ coerceTypes: 'array' })

function validator(options: { coerceTypes: false | 'array' }): Ajv {
  const ajv = new Ajv({ ...options, useDefaults: true, removeAdditional: false, allErrors: false, strict: true })
  addFormats.default(ajv)
  return ajv
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Strict UTF-8: a decoder that mends broken bytes would let two different bodies mean the same. */
function parseJson(body: Buffer): unknown {
  let text: string
  try {
    text = utf8.decode(body)
  } catch (cause) {
    throw new GatehouseError('bad_request', 'The body is not valid UTF-8: update the app that sent it.', { cause })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new GatehouseError('bad_request', 'The body is not valid JSON: update the app that sent it.', { cause })
  }
}

function asGatehouseError(error: FastifyError | GatehouseError): GatehouseError {
  if (error instanceof GatehouseError) return error
  if (error.validation) return new GatehouseError('bad_request', describe(error), { cause: error })
  if (error.statusCode === 413)
    return new GatehouseError('too_large', 'The request is too large: send less at once.', { cause: error })
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new GatehouseError(
      'bad_request',
      `The request cannot be read (${error.message}): update the app that sent it.`,
      { cause: error },
    )
  }
  return new GatehouseError('internal', 'Something failed inside the box: try again, then call the control room.', {
    cause: error,
  })
}

/** Names the field that is wrong; never repeats what was in it. */
function describe({ validation, validationContext }: FastifyError): string {
  const [first] = validation ?? []
  const where =
    validationContext === 'body' ? 'field' : validationContext === 'querystring' ? 'query parameter' : 'parameter'
  if (!first) return `A ${where} is wrong.`
  const { params } = first as { params: { missingProperty?: string; additionalProperty?: string } }
  const path = first.instancePath.slice(1).replaceAll('/', '.')
  const named = [path, params.missingProperty ?? params.additionalProperty].filter(Boolean).join('.').slice(0, 100)
  if (params.missingProperty) return `The ${where} "${named}" is missing: update the app that sent the request.`
  if (params.additionalProperty) return `The ${where} "${named}" is not known here: check its name and the API version.`
  return named
    ? `The ${where} "${named}" ${first.message}: correct it and send the request again.`
    : `The request's ${validationContext} ${first.message}: correct it and send the request again.`
}

function answer(error: FastifyError | GatehouseError, reply: FastifyReply): void {
  const known = asGatehouseError(error)
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.ceil(known.retryAfterSeconds)))
  reply.code(STATUS[known.code]).send({ code: known.code, message: known.message })
}

/** Bytes that are not HTTP never become a request: the answer is written by hand, in the same form. */
function answerBrokenRequest(error: Error & { code?: string }, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
  const code: ErrorCode = tooLarge ? 'too_large' : 'bad_request'
  const message = tooLarge ? 'The headers are too large.' : 'This is not an HTTP request that the box can read.'
  const body = JSON.stringify({ code, message })
  const status = STATUS[code]
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
