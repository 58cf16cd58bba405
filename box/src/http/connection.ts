/** What happens on a connection beside requests: before the first one, and when what arrives is none. */
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, STATUS } from '../errors.ts'
import type { App } from './app.ts'

/** For a client to read why, before its connection is gone. */
const LINGER_MS = 1_000

/** How long a request that is under way may still take when the listener closes. */
const GRACE_MS = 2_000

/**
 * Browsers connect on suspicion, before they have anything to ask. Node counts such a connection among the busy ones, and
 * a listener that closes would wait for it until its timeout; and for half a request for ever, as it no longer looks.
 */
export function dropUnaskedOnClose(app: App): void {
  const all = new Set<Socket>()
  // By address: the socket that asks is the encrypted one, the socket that came is the one beneath it.
  const unasked = new Map<string, Socket>()
  const nameOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
  let closing = false
  app.server.on('connection', (socket: Socket) => {
    if (closing) return void socket.destroy()
    const name = nameOf(socket)
    all.add(socket)
    unasked.set(name, socket)
    socket.once('close', () => {
      all.delete(socket)
      unasked.delete(name)
    })
  })
  app.server.on('request', ({ socket }: IncomingMessage) => {
    if (unasked.size > 0) unasked.delete(nameOf(socket))
  })
  app.addHook('preClose', (done) => {
    closing = true
    for (const socket of unasked.values()) socket.destroy()
    setTimeout(() => {
      for (const socket of all) socket.destroy()
    }, GRACE_MS).unref()
    done()
  })
}

const patient = new WeakSet<Socket>()

/**
 * A request that may take longer than others to arrive, for as long as the answer is kept: a system is sent in minutes over a
 * gate's network. Whoever allows it looks itself whether anything still comes. (Node asks once for each request, by an error.)
 */
export function mayTakeItsTime(socket: Socket): Disposable {
  patient.add(socket)
  return { [Symbol.dispose]: () => void patient.delete(socket) }
}

const BROKEN: Record<string, readonly [ErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: ['too_large', 'The headers are too large: send less.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['bad_request', 'The request did not arrive in time: try again.'],
}

/** Bytes that are not HTTP never become a request: the answer is written by hand, in the same form. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && patient.has(socket)) return
  // Neither a failed handshake nor a vanished client has anybody to answer.
  if (!socket.writable || !/^(HPE_|ERR_HTTP_)/.test(error.code ?? '')) return void socket.destroy()
  const [code, message] = BROKEN[error.code ?? ''] ?? ['bad_request', 'This is no HTTP request that the box can read.']
  const body = JSON.stringify({ code, message })
  const status = STATUS[code]
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
