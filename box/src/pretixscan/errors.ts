/** Answers that are no success, in the forms that these apps take: what one of them reads as a sentence, another reads as data. */
import type { FastifyReply } from 'fastify'
import { GatehouseError, STATUS } from '../errors.ts'
import type { App } from '../http/app.ts'
import { answerUnread, hasLongUnreadBody } from '../http/unread.ts'
import type { Logger } from '../log.ts'
import { TooBusy } from './pace.ts'

/** The apps compare this text, and forget their pairing. */
export const REVOKED = 'Device access has been revoked.'

/** A login that is refused. `isRevoked` says so in the one form that an app acts on. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized'
  readonly isRevoked: boolean

  constructor(isRevoked: boolean) {
    super()
    this.isRevoked = isRevoked
  }
}

const PROXY = '/proxyapi/'
const RETRY_SECONDS = 1

/** @param said by the library or by the box */
export function pretixErrors(app: App, logger: Logger): void {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Unauthorized) return void unauthorized(error, reply, isProxy(request.url))
    if (error instanceof TooBusy) return void busy(reply)
    const known = error instanceof GatehouseError ? error : undefined
    const status = known ? STATUS[known.code] : statusOf(error)
    // 429 is a programming error to the app, which shows the gate a fault: it is told to come again in another way.
    if (status === 429 || status === 503) return void busy(reply, known?.retryAfterSeconds)
    if (status >= 500) {
      logger.error({ event: 'request_failed', code: 'internal', route: request.routeOptions.url, err: error })
      return void say(
        reply,
        500,
        'Something failed inside the box: try again, then call the control room.',
        request.url,
      )
    }
    if (status === 404) return void nothingHere(reply)
    const message = known?.message ?? 'The request cannot be read: update the app that sent it.'
    say(reply, status === 403 ? 403 : 400, message, request.url)
  })
}

/** Plain text, because an app takes an object for the resource that it asked for. */
export function nothingHere(reply: FastifyReply): FastifyReply {
  reply.code(404).type('text/plain; charset=utf-8')
  end(reply, 'Not Found')
  return reply
}

function unauthorized({ isRevoked }: Unauthorized, reply: FastifyReply, inProxy: boolean): void {
  const detail = isRevoked ? REVOKED : 'Invalid token.'
  const title = isRevoked
    ? 'This scanner was taken out of service: bring it to the control room.'
    : 'This scanner is not paired with this box: pair it again.'
  reply.code(401).header('www-authenticate', 'Device').type('application/json')
  // An app that compares the answer expects exactly this object.
  end(reply, JSON.stringify(inProxy ? { detail, title } : { detail }))
}

function busy(reply: FastifyReply, seconds = RETRY_SECONDS): void {
  reply
    .code(503)
    .header('retry-after', String(Math.ceil(seconds)))
    .type('application/json')
  const message = 'The box has too much to do at this moment: try again in a second.'
  end(reply, JSON.stringify({ detail: message, title: message }))
}

function say(reply: FastifyReply, status: number, message: string, url: string): void {
  reply.code(status).type('application/json')
  end(reply, JSON.stringify(isProxy(url) ? { title: message, detail: message } : { detail: message }))
}

function isProxy(url: string): boolean {
  return url.startsWith(PROXY)
}

function end(reply: FastifyReply, text: string): void {
  if (hasLongUnreadBody(reply.request)) answerUnread(reply, text)
  else reply.send(text)
}

function statusOf(error: unknown): number {
  return (error as { statusCode?: number }).statusCode ?? 500
}
