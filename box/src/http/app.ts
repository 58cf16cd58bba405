/**
 * Creates a listener: it parses bodies, checks inputs, and gives every error the same form. Everything that
 * arrives here is under an attacker's control until its schema and its credential have been checked.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerOptions } from 'node:https'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { type ErrorBody, HLC_PATTERN, MOST_CODED } from '@gatehouse/proto/wire/terms.ts'
import { Ajv } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify'
import { GatehouseError, STATUS } from '../errors.ts'
import type { Logger } from '../log.ts'
import { namesOneHost } from '../one-host.ts'
import { serializerCompiler, validatorCompiler } from './compiled.ts'
import { answerBrokenRequest, dropUnusedOnClose } from './connection.ts'
import { parseJson } from './json-body.ts'
import { boundPipelining } from './pipelining.ts'
import { answerUnread, hasLongUnreadBody } from './unread.ts'

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

declare module 'fastify' {
  interface FastifyRequest {
    /** The raw body, to verify a signature over it. */
    rawBody: Buffer | null
  }
}

const JSON_BODY_LIMIT = 64 * 1024
/**
 * Headers of every answer, redirects and errors too, unless its route sets others: a browser shows it in no frame, runs nothing
 * in it, does not guess its type, and stores no copy of an answer that needed a token.
 */
const FOR_PROGRAMS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const
/** Limits the TLS handshake: a connection that never finishes it would delay a restart. */
const HANDSHAKE_MS = 10_000

interface AppOptions {
  logger: Logger
  /** Makes it an HTTPS listener. */
  tls?: ServerOptions
  /** From a connection to its first request; 15 s when absent. */
  firstRequestMs?: number
}

/** A listener without routes. */
export function createApp({ logger, tls, firstRequestMs }: AppOptions): App {
  // Otherwise Node itself answers a request without Host, and without a body.
  const server = { requireHostHeader: false, connectionsCheckingInterval: 5_000 }
  const app = fastify({
    loggerInstance: withoutWords(logger),
    // A log line for each scan would wear out the card. Errors and the box's own actions are logged where they happen.
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

  boundPipelining(app)
  // Node handles 100-continue, the only expectation that is defined; others may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  dropUnusedOnClose(app, firstRequestMs)
  app.decorateRequest('rawBody', null)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(FOR_PROGRAMS)
    const { httpVersion, headers, rawHeaders } = request.raw
    if (!namesOneHost(rawHeaders))
      return done(new GatehouseError('bad_request', 'The request names two hosts: update the app that sent it.'))
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
  app.setValidatorCompiler(validatorCompiler((part) => (part === 'body' ? bodies : texts), isOfControlRoom))
  app.setSerializerCompiler(serializerCompiler(isOfControlRoom))
  app.setErrorHandler((error, request, reply) => {
    const known = asGatehouseError(error as FastifyError)
    if (STATUS[known.code] >= 500 && !hasLeft(error as FastifyError, request)) {
      const route = request.routeOptions.url
      logger.error({ event: 'request_failed', code: known.code, route, err: known.cause ?? known })
    }
    answer(known, reply)
  })
  app.setNotFoundHandler(() => {
    throw nothingHere()
  })
  return app
}

/** A download that its reader called off is no failure of the box. */
function hasLeft({ code }: FastifyError, { raw }: FastifyRequest): boolean {
  return code === 'ERR_STREAM_PREMATURE_CLOSE' && raw.socket.destroyed
}

/** Strangers and phones ask at all others, which are compiled at the start: nobody else can put that work beside a scan. */
function isOfControlRoom(path: string): boolean {
  return path.startsWith('/v1/admin/')
}

export function nothingHere(): GatehouseError {
  return new GatehouseError('not_found', 'There is nothing at this address: check method, URL and API version.')
}

// A JSON body has types, so nothing is coerced. Queries, parameters and headers are text, and "5" has to become 5.
const bodies = validator({ coerceTypes: false })
const texts = validator({ coerceTypes: 'array' })

function validator(options: { coerceTypes: false | 'array' }): Ajv {
  // "Infinity" would be coerced to a number, and Ajv compares only finite numbers with a maximum.
  const strictNumbers = options.coerceTypes === false
  const ajv = new Ajv({ ...options, strictNumbers, removeAdditional: false, allErrors: false, strict: true })
  ajv.removeKeyword('format')
  ajv.addKeyword({ keyword: 'format', type: 'string', schemaType: 'string', modifying: true, validate: readFormat })
  return ajv
}

const { validate: isDateTime } = fullFormats['date-time'] as { validate: (text: string) => boolean }

/** The place of the value that Ajv validates. */
interface FoundIn {
  parentData: Record<string | number, unknown>
  parentDataProperty: string | number
}

/** Formats within schemas, which Ajv itself reads. */
const OF_SCHEMAS: ReadonlySet<string> = new Set(['regex', 'uri', 'uri-reference'])

/** `date-time` is the only format that requests have. A time becomes RFC 3339, so that whoever reads it later has one form. */
function readFormat(format: string, text: string, _schema: unknown, found?: FoundIn): boolean {
  if (format !== 'date-time') return OF_SCHEMAS.has(format)
  const moment = asRfc3339(text) ?? text
  if (!isMoment(moment)) return false
  if (found && moment !== text) found.parentData[found.parentDataProperty] = moment
  return true
}

const ISO_8601 = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)?(?:[.,](\d{1,9}))?(?:(Z)|([+-]\d\d)(?::?(\d\d))?)$/

/** ISO 8601 as people write it: an offset in hours (`+01`) or without its colon, no seconds, a comma before the fraction. */
function asRfc3339(text: string): string | undefined {
  const [, date, minutes, seconds, fraction, zulu, hours, rest = '00'] = ISO_8601.exec(text) ?? []
  if (date === undefined || (fraction !== undefined && seconds === undefined)) return undefined
  return `${date}T${minutes}${seconds ?? ':00'}${fraction === undefined ? '' : `.${fraction}`}${zulu ?? `${hours}:${rest}`}`
}

/** RFC 3339 with `T` and without blanks; no leap second, because no clock here can show one. */
function isMoment(text: string): boolean {
  return !/\s/.test(text) && isDateTime(text) && !Number.isNaN(Date.parse(text))
}

function asGatehouseError(error: FastifyError | GatehouseError): GatehouseError {
  if (error instanceof GatehouseError) return error
  if (error.validation) return new GatehouseError('bad_request', describe(error), { cause: error })
  if (error.statusCode === 413)
    return new GatehouseError('too_large', 'The request is too large: send less at once.', { cause: error })
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    // Our own message: the library's would repeat the URL, which may contain a ticket id.
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

/** Messages for keywords whose schema message would not help. */
const MISTAKES: Record<string, string> = {
  format: 'must be a time with its offset, like 2026-07-01T18:30:00+01:00',
  pattern: 'has a character that may not stand there',
}

/** Ajv's description of a mistake: all of it from the schema, and nothing from the request but a name. */
type MistakeParams = Record<string, string> & { allowedValues?: string[]; allowedValue?: unknown }

function mistakeOf(keyword: string, { allowedValues, allowedValue, pattern }: MistakeParams): string | undefined {
  if (allowedValues) return `must be one of ${allowedValues.join(', ')}`
  if (allowedValue !== undefined) return `must be ${JSON.stringify(allowedValue)}`
  if (pattern === HLC_PATTERN) return 'must be digits, a dot and digits'
  return MISTAKES[keyword]
}

/** Names the invalid field, without its value. */
function describe({ validation, validationContext }: FastifyError): string {
  const [first] = validation ?? []
  const where =
    validationContext === 'body' ? 'field' : validationContext === 'querystring' ? 'query parameter' : 'parameter'
  if (!first) return `A ${where} is wrong.`
  const { params } = first as { params: MistakeParams }
  const path = first.instancePath.slice(1).replaceAll('/', '.')
  const { missingProperty, additionalProperty } = params
  if (additionalProperty !== undefined) {
    // An unknown name is repeated if it looks like a misspelt one; anything else might be a sender's secret.
    const name = /^[a-z][a-z0-9_]{0,39}$/.test(additionalProperty) ? ` "${additionalProperty}"` : ''
    return `A ${where}${name} is not known here: check its name and the API version.`
  }
  const named = [path, missingProperty].filter(Boolean).join('.')
  if (missingProperty) return `The ${where} "${named}" is missing: update the app that sent the request.`
  const mistake = mistakeOf(first.keyword, params) ?? first.message
  return named
    ? `The ${where} "${named}" ${mistake}: correct it and send the request again.`
    : `The request's ${validationContext} ${mistake}: correct it and send the request again.`
}

function answer(error: FastifyError | GatehouseError, reply: FastifyReply): void {
  const known = asGatehouseError(error)
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.ceil(known.retryAfterSeconds)))
  if (STATUS[known.code] === 401) reply.header('www-authenticate', 'Bearer')
  // Serialised here: a route may have its own serialiser, which does not know errors.
  const text = JSON.stringify(errorBody(known))
  reply.code(STATUS[known.code]).type('application/json; charset=utf-8')
  if (hasLongUnreadBody(reply.request)) {
    answerUnread(reply, text)
    return
  }
  if (known.code === 'too_large') reply.removeHeader('connection')
  reply.send(text)
}

function errorBody({ code, message, reason, values, coded, retryAfterSeconds }: GatehouseError): ErrorBody {
  const said = retryAfterSeconds === undefined ? values : { ...values, seconds: Math.ceil(retryAfterSeconds) }
  const several = coded?.slice(0, MOST_CODED)
  return { code, message, ...(reason && { reason }), ...(said && { values: said }), ...(several && { coded: several }) }
}

/** Drops Fastify's own log lines except for errors: they quote URLs, which may contain a ticket id. */
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
