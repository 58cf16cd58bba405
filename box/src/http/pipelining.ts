/**
 * Bounds the requests that one connection sends ahead of their answers. Node takes all that arrived in one piece in one turn of
 * the event loop: two thousand short requests in 64 KiB would hold up a live scan for as long as their answers take.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { App } from './app.ts'

/** Browsers and our apps send one at a time, other clients a few. */
const MOST_AHEAD = 8
/** Bytes that Node's parser is given at once: a connection that sends too much ahead is closed before the next of them. */
const PIECE = 4_096

type Handle = (this: App['server'], request: IncomingMessage, response: ServerResponse) => void

/** Closes a connection that sends more ahead. Call it once, before others listen for requests. */
export function boundPipelining(app: App): void {
  const { server } = app
  const [handle] = server.listeners('request') as Handle[]
  if (!handle) throw new Error('nothing handles the requests of this listener')
  const ahead = new WeakMap<Socket, number>()
  server.off('request', handle)
  server.on('request', function (this: App['server'], request: IncomingMessage, response: ServerResponse) {
    const { socket } = request
    const count = (ahead.get(socket) ?? 0) + 1
    if (socket.destroyed) return
    if (count > MOST_AHEAD) return void socket.destroy()
    ahead.set(socket, count)
    response.once('close', () => ahead.set(socket, (ahead.get(socket) ?? 1) - 1))
    handle.call(this, request, response)
  })
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', readInPieces)
}

/**
 * Gives Node's parser what has arrived in pieces. Listening for `data` also makes Node read from the socket's stream, and not from
 * below it. That keeps connections over TLS alive: Node pauses its parser at a request that arrives while more than 64 KiB of an
 * earlier answer are not written yet, and records that TLS has decrypted already would reach the paused parser, which takes them
 * for a parse error (`HPE_PAUSED`; seen with 24.21, in 12 to 17 of 84 uploads of 200 scans).
 */
function readInPieces(socket: Socket): void {
  const [parse] = socket.listeners('data') as ((this: Socket, chunk: Buffer) => void)[]
  if (!parse) throw new Error('nothing reads this connection')
  socket.off('data', parse)
  socket.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length && !socket.destroyed; at += PIECE) {
      // The stream keeps the rest until the parser goes on.
      if (socket.isPaused()) return void socket.unshift(chunk.subarray(at))
      parse.call(socket, chunk.subarray(at, at + PIECE))
    }
  })
}
