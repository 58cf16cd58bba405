/**
 * Answers a refused request without reading its body. Node would read the rest of it to use the connection again: half a megabyte
 * of ciphertext for each refusal, of whoever likes to send it.
 */
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LINGER_MS, slowAddressOf } from './connection.ts'

/** A refused body up to this size is read to its end, bytes: the connection goes on. */
const MOST_THROWN_AWAY = 16 * 1024

/** True if more of a body is to come than is read for nothing. */
export function hasLongUnreadBody({ raw, headers }: FastifyRequest): boolean {
  if (raw.complete) return false
  if (headers['transfer-encoding'] !== undefined) return true
  return Number(headers['content-length'] ?? 0) > MOST_THROWN_AWAY
}

/**
 * Sends the answer and closes the connection a second later. If it were closed at once, while the client still sends, it
 * would be reset, and the client would never read why.
 */
export function answerUnread(reply: FastifyReply, text: string): void {
  const { raw, request } = reply
  const headers = { ...reply.getHeaders(), connection: 'close', 'content-length': Buffer.byteLength(text) }
  reply.hijack()
  request.raw.pause()
  slowAddressOf(request.raw.socket)
  raw.writeHead(reply.statusCode, headers as OutgoingHttpHeaders)
  // Not ended: Node would then read what is left.
  raw.write(text)
  setTimeout(() => raw.destroy(), LINGER_MS).unref()
}
