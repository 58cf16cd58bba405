/**
 * One listener: how bodies are read, how inputs are checked, and the one form that every error takes. Everything that
 * arrives here is under an attacker's control until its schema and its credential have been checked.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerOptions } from 'node:https'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Ajv } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  LogController,
  type RawServerDefault,
} from 'fastify'
import { GatehouseError, STATUS } from '../errors.ts'
import type { Logger } from '../log.ts'
import { answerBrokenRequest, dropUnaskedOnClose } from './connection.ts'

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
/**
 * Of every answer, redirects and errors too, until its route says otherwise: a browser shows it in no frame, runs nothing in it,
 * takes it for nothing but what it says it is, and keeps no copy of what a token was needed for.
 */
const FOR_PROGRAMS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const
/** A connection that never finishes its handshake would hold up a restart for as long as it may. */
const HANDSHAKE_MS = 10_000

/** A listener without routes. `tls` makes it an HTTPS one. */
export function createApp({ logger, tls }: { logger: Logger; tls?: ServerOptions }): App {
  // Node would answer a request without Host by itself, and without a body.
  const server = { requireHostHeader: false, connectionsCheckingInterval: 5_000 }
  const app = fastify({
    loggerInstance: withoutWords(logger),
    // One line a scan would wear out the card; errors and what the box itself does are logged where they happen.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: JSON_BODY_LIMIT,
    requestTimeout: 30_000,
    keepAliveTimeout: 75_000,
    routerOptions: { maxParamLength: 256 },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error: FastifyError, _request: unknown, reply: FastifyReply) =>
      answer(error, reply.headers(FOR_PROGRAMS)),
    ...(tls ? { https: { ...tls, ...server, handshakeTimeout: HANDSHAKE_MS } } : { http: server }),
  } as object) as unknown as App

  // The only expectation that there is, 100-continue, Node meets by itself; others may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  dropUnaskedOnClose(app)
  app.decorateRequest('rawBody', null)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(FOR_PROGRAMS)
    const { httpVersion, headers } = request.raw
    if (httpVersion !== '1.1' || headers.host !== undefined) return done()
    done(new GatehouseError('bad_request', 'The request names no host: update the app that sent it.'))
  })
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
    if (STATUS[known.code] >= 500) {
      const route = request.routeOptions.url
      logger.error({ event: 'request_failed', code: known.code, route, err: known.cause ?? known })
    }
    answer(known, reply)
  })
  app.setNotFoundHandler(() => {
    throw new GatehouseError('not_found', 'There is nothing at this address: check method, URL and API version.')
  })
  return app
}

// A body is JSON and says its own types. Queries, parameters and headers are text: there "5" is how five is written.
const bodies = validator({ coerceTypes: false })
const texts = validator({ coerceTypes: 'array' })

function validator(options: { coerceTypes: false | 'array' }): Ajv {
  // "Infinity" is a number once it is coerced, and strict numbers are not held against a maximum unless they are finite.
  const strictNumbers = options.coerceTypes === false
  const ajv = new Ajv({ ...options, strictNumbers, removeAdditional: false, allErrors: false, strict: true })
  ajv.addFormat('date-time', isMoment)
  return ajv
}

const { validate: isDateTime } = fullFormats['date-time'] as { validate: (text: string) => boolean }

/** RFC 3339 as ISO 8601 has it, without blanks; and a moment that a clock can show: no 60th second. */
function isMoment(text: string): boolean {
  return !/\s/.test(text) && isDateTime(text) && !Number.isNaN(Date.parse(text))
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Strict Unicode: a decoder that mends what is broken would let two different bodies mean the same. */
function parseJson(body: Buffer): unknown {
  let text: string
  try {
    text = utf8.decode(body)
  } catch (cause) {
    throw new GatehouseError('bad_request', 'The body is not valid UTF-8: update the app that sent it.', { cause })
  }
  try {
    // Only an escape can bring in half a character; nearly no body has one, and a scan should not pay for the search.
    return /\\ud[89a-f]/i.test(text) ? JSON.parse(text, refuseHalfCharacters) : JSON.parse(text)
  } catch (cause) {
    throw new GatehouseError('bad_request', 'The body is not valid JSON: update the app that sent it.', { cause })
  }
}

function refuseHalfCharacters(key: string, value: unknown): unknown {
  if (key.isWellFormed() && (typeof value !== 'string' || value.isWellFormed())) return value
  throw new SyntaxError('A lone surrogate (RFC 8259, 8.2)')
}

function asGatehouseError(error: FastifyError | GatehouseError): GatehouseError {
  if (error instanceof GatehouseError) return error
  if (error.validation) return new GatehouseError('bad_request', describe(error), { cause: error })
  if (error.statusCode === 413)
    return new GatehouseError('too_large', 'The request is too large: send less at once.', { cause: error })
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    // In our words: the library's repeat the URL.
    const message = UNREADABLE[error.code] ?? 'The request cannot be read: update the app that sent it.'
    return new GatehouseError('bad_request', message, { cause: error })
  }
  return new GatehouseError('internal', 'Something failed inside the box: try again, then call the control room.', {
    cause: error,
  })
}

const UNREADABLE: Record<string, string> = {
  FST_ERR_BAD_URL: 'The address cannot be read: percent-encode it as UTF-8.',
  FST_ERR_MAX_PARAM_LENGTH: 'A part of the address is too long: no id has more than 256 characters.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'A body of this type is not read here: send JSON, as application/json.',
}

/** Where the words of the schema would be no help. */
const MISTAKES: Record<string, string> = {
  format: 'must be a time with its offset, like 2026-07-01T18:30:00+01:00',
  pattern: 'has a character that may not stand there',
}

/** Names the field that is wrong; never repeats what was in it. */
function describe({ validation, validationContext }: FastifyError): string {
  const [first] = validation ?? []
  const where =
    validationContext === 'body' ? 'field' : validationContext === 'querystring' ? 'query parameter' : 'parameter'
  if (!first) return `A ${where} is wrong.`
  const { params } = first as { params: Record<string, string> & { allowedValues?: string[] } }
  const path = first.instancePath.slice(1).replaceAll('/', '.')
  const { missingProperty, additionalProperty } = params
  if (additionalProperty !== undefined) {
    // A misspelt name helps whoever wrote it; anything else under that heading is the sender's, and stays there.
    const name = /^[a-z][a-z0-9_]{0,39}$/.test(additionalProperty) ? ` "${additionalProperty}"` : ''
    return `A ${where}${name} is not known here: check its name and the API version.`
  }
  const named = [path, missingProperty].filter(Boolean).join('.')
  if (missingProperty) return `The ${where} "${named}" is missing: update the app that sent the request.`
  const choices = params.allowedValues && `must be one of ${params.allowedValues.join(', ')}`
  const mistake = choices ?? MISTAKES[first.keyword] ?? first.message
  return named
    ? `The ${where} "${named}" ${mistake}: correct it and send the request again.`
    : `The request's ${validationContext} ${mistake}: correct it and send the request again.`
}

function answer(error: FastifyError | GatehouseError, reply: FastifyReply): void {
  const known = asGatehouseError(error)
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.ceil(known.retryAfterSeconds)))
  if (STATUS[known.code] === 401) reply.header('www-authenticate', 'Bearer')
  // As text: a route may have its own way to write its answers, and an error is none of them.
  reply.code(STATUS[known.code]).type('application/json; charset=utf-8')
  reply.send(JSON.stringify({ code: known.code, message: known.message }))
}

/** Fastify's own lines quote URLs, and a URL may hold a ticket id: of such a line, only an error is kept. */
function withoutWords(logger: Logger): FastifyBaseLogger {
  const silent = () => {}
  const errorOf = (level: 'warn' | 'error') => (line: unknown) => {
    const err = line instanceof Error ? line : (line as { err?: unknown } | null)?.err
    if (err instanceof Error) logger[level]({ event: 'http', err })
  }
  const quiet: FastifyBaseLogger = {
    ...{ level: logger.level, silent, trace: silent, debug: silent, info: silent },
    ...{ warn: errorOf('warn'), error: errorOf('error'), fatal: errorOf('error') },
    child: () => quiet,
  }
  return quiet
}
