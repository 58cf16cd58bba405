/** Handles connections outside of requests: before the first request, and when the bytes that arrive are no request. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorCode, STATUS } from '../errors.ts'
import { networkOf } from '../network.ts'
import type { App } from './app.ts'
import { CostlyAddresses } from './costly-addresses.ts'
import { nameOf, OpenConnections } from './open-connections.ts'
import { TokenBuckets } from './token-bucket.ts'
import { Turnstile, type TurnstileOptions } from './turnstile.ts'

/** A client has this long to read the error before its connection is closed. */
export const LINGER_MS = 1_000

/** A request in progress may still take this long when the listener closes. */
const GRACE_MS = 2_000

/**
 * Browsers open connections in advance. Node counts such a connection as busy, and a closing listener would wait for it until
 * its timeout, and for half a request for ever, because Node no longer checks then. One that sends no request in time is closed, too.
 */
export function dropUnusedOnClose(app: App, firstRequestMs = FIRST_REQUEST_MS): void {
  const all = new Set<Socket>()
  // Found by address: a request has the TLS socket, and this event the TCP socket below it.
  const unused = new Map<string, { socket: Socket; since: number }>()
  let closing = false
  app.server.on('connection', (socket: Socket) => {
    if (closing) return void socket.destroy()
    const name = nameOf(socket)
    all.add(socket)
    unused.set(name, { socket, since: performance.now() })
    socket.once('close', () => {
      all.delete(socket)
      unused.delete(name)
    })
  })
  app.server.on('request', ({ socket }: IncomingMessage) => {
    if (unused.size > 0) unused.delete(nameOf(socket))
  })
  const sweep = setInterval(
    () => {
      const before = performance.now() - firstRequestMs
      for (const { socket, since } of unused.values()) {
        // The oldest comes first.
        if (since > before) break
        socket.destroy()
      }
    },
    Math.min(SWEEP_MS, firstRequestMs),
  )
  sweep.unref()
  app.addHook('preClose', (done) => {
    closing = true
    clearInterval(sweep)
    for (const { socket } of unused.values()) socket.destroy()
    setTimeout(() => {
      for (const socket of all) socket.destroy()
    }, GRACE_MS).unref()
    done()
  })
}

/** Connections of one address. A shared address may be a whole venue's: idle ones give way to new ones (`open-connections.ts`). */
const MOST_CONNECTIONS = 512
/** Connections of one network: a stranger in an IPv6 network has any number of its addresses. */
const MOST_OF_NETWORK = 2_048
/** From a connection to its first request: whoever opens one in advance and needs it later opens another. */
const FIRST_REQUEST_MS = 15_000
const SWEEP_MS = 1_000

/**
 * Of one network: all that may be connected may begin at once, and then so many a second. Whoever is refused and connects again, as
 * fast as the box allows, would keep half a processor busy with signatures.
 */
const HANDSHAKES = { burst: MOST_CONNECTIONS, perSecond: 100 } as const
const refusedBody = new WeakMap<Socket, () => void>()

/** A long body was refused on this connection: its address pays for it with its next handshakes. */
export function slowAddressOf(socket: Socket): void {
  refusedBody.get(socket)?.()
}

/**
 * Bounds what connections cost before they send a request. A handshake is a signature, so handshakes wait at a turnstile:
 * two hundred that arrive together would hold up a live scan for half a second. Each port has its own: a scanner's does not wait
 * behind those of wallets. Every connection that may be open may wait: a phone whose handshake is refused sees a box that is gone.
 * @param now milliseconds, monotonic
 */
export function boundConnections(app: App, liveScans: TurnstileOptions['liveScans'], now: () => number): void {
  // The real clock: by the one that a test moves, each turn would look long.
  const real = () => performance.now()
  const pace = new TokenBuckets({ ...HANDSHAKES, now: real })
  const handshakes = new Turnstile({ now: real, liveScans, mostWaiting: MOST_CONNECTIONS, pace })
  const costly = new CostlyAddresses(real)
  const open = new OpenConnections({ mostOfAddress: MOST_CONNECTIONS, mostOfNetwork: MOST_OF_NETWORK, now })
  const leave = new Map<string, () => void>()
  const isTls = 'setSecureContext' in app.server
  // Node's own, which begins the handshake.
  const [begin] = app.server.listeners('connection') as ((this: App['server'], socket: Socket) => void)[]
  if (isTls && begin) app.server.off('connection', begin)
  app.server.on('connection', (socket: Socket) => {
    if (!open.add(socket)) {
      socket.destroy()
      return
    }
    const name = nameOf(socket)
    socket.once('close', () => leave.get(name)?.())
    if (isTls) void handshake(socket, name)
  })
  app.server.on('secureConnection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    refusedBody.set(socket, () => costly.add(remoteAddress))
    leave.get(nameOf(socket))?.()
    open.ready(socket)
  })
  app.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (!socket.destroyed) response.once('close', open.begin(socket))
  })

  async function handshake(socket: Socket, name: string): Promise<void> {
    const address = socket.remoteAddress ?? ''
    const ignore = () => {}
    socket.on('error', ignore)
    try {
      const waits = costly.wait(address)
      if (waits > 0) await sleep(waits, undefined, { ref: false })
      const done = await handshakes.enter(networkOf(address), { address, isGone: () => socket.destroyed })
      leave.set(name, () => {
        leave.delete(name)
        done()
      })
      if (socket.destroyed) leave.get(name)?.()
      else begin?.call(app.server, socket)
      socket.off('error', ignore)
    } catch {
      // Too many wait already.
      socket.destroy()
    }
  }
}

const patient = new WeakSet<Socket>()

/**
 * A request that may take longer than others to arrive, for as long as the answer is kept: a system is sent in minutes over a
 * gate's network. The caller has to check that data still arrives. (Node reports each late request once, by an error.)
 */
export function mayTakeItsTime(socket: Socket): Disposable {
  patient.add(socket)
  return { [Symbol.dispose]: () => void patient.delete(socket) }
}

const BROKEN: Record<string, readonly [ErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: ['too_large', 'The headers are too large: send less.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['bad_request', 'The request did not arrive in time: try again.'],
}

/** Bytes that are not HTTP do not become a request: the answer is written to the socket, in the usual form. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && patient.has(socket)) return
  // After a failed handshake or a lost connection there is no client to answer.
  if (!socket.writable || !/^(HPE_|ERR_HTTP_)/.test(error.code ?? '')) return void socket.destroy()
  const [code, message] = BROKEN[error.code ?? ''] ?? [
    'bad_request',
    'This is not an HTTP request that the box can read: update the app that sent it.',
  ]
  const body = JSON.stringify({ code, message })
  const status = STATUS[code]
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
