/** Requests as an attacker writes them: any header, any certificate, any bytes; and what an error must look like. */

import assert from 'node:assert/strict'
import { type Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect as connectPlain, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { REASON_VALUES } from '@gatehouse/proto/refusal-reasons.ts'
import { REFUSAL_SUBJECTS, SAID } from '@gatehouse/proto/said.ts'
import { type ErrorCode, STATUS } from '../../src/errors.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface Ask {
  method?: string
  headers?: Readonly<Record<string, string | string[]>>
  body?: string | Buffer
  /** TLS with this certificate, session, trust; plain HTTP without. */
  tls?: ConnectionOptions
  /** Keeps connections; without it, each request has its own. */
  agent?: Agent
  /** Address of this machine that asks: of loopback's others, Linux has all. */
  from?: string
}

/** One request. Of an answer that never ends, an event stream, only the beginning counts. */
export function ask(port: number, path: string, options: Ask = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body, tls, agent = false, from } = options
  return new Promise((resolve, reject) => {
    const target = { host: '127.0.0.1', port, path, method, headers: { ...headers }, agent, localAddress: from }
    // Otherwise Node checks the certificate against the Host header.
    const request = tls ? httpsRequest({ ...target, servername: 'localhost', ...tls }) : httpRequest(target)
    request.on('error', reject)
    request.once('response', (answer) => {
      const chunks: Buffer[] = []
      const done = () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() })
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.once('end', done)
      if (!answer.headers['content-type']?.startsWith('text/event-stream')) return
      done()
      request.destroy()
    })
    if (body !== undefined && !('content-length' in headers))
      request.setHeader('content-length', Buffer.byteLength(body))
    request.end(body)
  })
}

/** An answer that goes on: what has arrived so far, and when it ends. */
export interface Stream {
  readonly status: number
  readonly text: string
  /** Settles when the connection is gone, whoever ended it. */
  readonly closed: Promise<void>
  close(): void
}

/** Waits for the end of a stream, which has to come within a second of the answer to a revocation: of now. */
export async function closedSoon({ closed }: Stream): Promise<void> {
  const since = performance.now()
  await closed
  const took = performance.now() - since
  assert.ok(took < 1000, `closed after ${took.toFixed(0)} ms`)
}

export function openStream(port: number, path: string, { headers = {}, tls }: Ask): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest({ host: '127.0.0.1', port, path, headers: { ...headers }, agent: false, ...tls })
    request.once('error', reject)
    request.once('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', () => {})
      resolve({
        status: answer.statusCode ?? 0,
        get text() {
          return Buffer.concat(chunks).toString()
        },
        closed: new Promise((ended) => answer.once('close', ended)),
        close: () => request.destroy(),
      })
    })
    request.end()
  })
}

/** Writes bytes as they are, and reads until the other side closes, or says nothing more for `quietMs`. */
export function writeBytes(
  port: number,
  bytes: string | Buffer,
  options: { tls?: ConnectionOptions; quietMs?: number } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const { tls, quietMs = 400 } = options
    const socket: Socket = tls ? connectTls({ host: '127.0.0.1', port, ...tls }) : connectPlain(port, '127.0.0.1')
    const chunks: Buffer[] = []
    const finish = () => {
      socket.destroy()
      resolve(Buffer.concat(chunks).toString('latin1'))
    }
    socket.setTimeout(quietMs, finish)
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.once('error', finish)
    socket.once('close', finish)
    socket.once(tls ? 'secureConnect' : 'connect', () => socket.write(bytes))
  })
}

/** Names of the values of every reason. */
const NAMES: Readonly<Record<string, readonly string[]>> = Object.assign(
  { ...REASON_VALUES },
  ...REFUSAL_SUBJECTS.map((subject) => SAID[subject]),
)

/** The one form that every error has (contract): the code's own status, JSON, a code, a sentence; for apps a known reason with its values. */
export function assertFailure({ status, headers, text }: Answer, code: ErrorCode, hint = ''): void {
  assert.equal(status, STATUS[code], `${hint} ${text.slice(0, 200)}`)
  assert.match(headers['content-type'] ?? '', /^application\/json/)
  const body = JSON.parse(text)
  const { reason, values, ...rest } = body
  assert.deepEqual(Object.keys(rest), ['code', 'message'])
  if (reason !== undefined) assert.ok(Object.hasOwn(NAMES, reason), reason)
  const named = reason === undefined ? [] : (NAMES[reason] ?? [])
  for (const name of Object.keys(values ?? {})) assert.ok(name === 'seconds' || named.includes(name), name)
  assert.equal(body.code, code, `${hint} ${text}`)
  assert.match(body.message, /^[A-Z].{10,}[.]$/s)
}
