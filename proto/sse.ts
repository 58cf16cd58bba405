// Reads server-sent events by fetch, because EventSource can send neither a bearer token nor a signed request. Reconnects as
// the HTML standard says, with a jittered backoff, because fifty scanners may lose the box in the same second, and with a limit
// on silence, because a box that loses its power closes no socket.

import { backoffMs } from './backoff.ts'
import { EventStreamParser, type StreamEvent } from './event-stream.ts'
import { sleep as sleepUntilAborted } from './sleep.ts'

export interface ReadEventsOptions {
  /** makes the connection; a fetch that signs its requests goes here */
  fetch?: typeof fetch
  /** headers to send, or a function that makes them anew for each connection */
  headers?: HeadersInit | (() => HeadersInit | Promise<HeadersInit>)
  /** ends the events, without an error */
  signal?: AbortSignal
  /** the position to start after: the `id` of the last event that was dealt with */
  lastEventId?: string
  /** the first wait before connecting again, by default 1 s; the server's `retry:` may raise it */
  minBackoffMs?: number
  /** the longest wait, by default 30 s */
  maxBackoffMs?: number
  /** how long a stream may send nothing, not even a comment, before it counts as dead; by default 45 s */
  silenceMs?: number
  /** called for each connection that failed or ended, with the wait before the next */
  onRetry?: (cause: unknown, waitMs: number) => void
  /** a number from 0 to under 1, for the jitter */
  random?: () => number
  /** waits, and ends early without an error when the signal aborts */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** The server's answer means that asking again will not help: a device revoked, a wrong address. */
export class StreamRefused extends Error {
  override readonly name = 'StreamRefused'
  /** HTTP status */
  readonly status: number
  /** the error body's `code`, `device_revoked` for one */
  readonly code: string | undefined

  constructor(status: number, message: string, code?: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/**
 * The events of a stream, through any number of connections, each resumed with Last-Event-ID. Ends at HTTP 204 and when the
 * signal aborts. Connects again after 429, 5xx, a failed or closed connection, and silence. Throws StreamRefused for every
 * other answer that is not an event stream, TypeError for a URL or headers that cannot be sent, RangeError for an event
 * over 1 Mi characters, and whatever `headers` throws. The server's order is kept; nothing is skipped or repeated, as far
 * as the server resumes where it is asked to.
 */
export async function* readEvents(
  url: string | URL,
  options: ReadEventsOptions = {},
): AsyncGenerator<StreamEvent, void, undefined> {
  const {
    minBackoffMs = 1000,
    maxBackoffMs = 30_000,
    silenceMs = 45_000,
    signal = new AbortController().signal,
  } = options
  const { fetch = globalThis.fetch, headers, onRetry, random = Math.random, sleep = sleepUntilAborted } = options
  const target = new URL(url, globalThis.location?.href)
  const progress: Progress = { lastEventId: options.lastEventId ?? '', serverBackoffMs: 0, failures: 0 }

  while (!signal.aborted) {
    const sent = new Headers(typeof headers === 'function' ? await headers() : headers)
    sent.set('accept', 'text/event-stream')
    if (progress.lastEventId) sent.set('last-event-id', utf8HeaderValue(progress.lastEventId))

    let cause: unknown = new Error('the server closed the stream')
    try {
      const ended = yield* eventsOfOneConnection({ fetch, target, headers: sent, signal, silenceMs }, progress)
      if (ended) return
    } catch (error) {
      if (error instanceof StreamRefused || error instanceof RangeError) throw error
      cause = error
    }
    if (signal.aborted) return

    const backoff = { initialMs: Math.max(minBackoffMs, progress.serverBackoffMs), maxMs: maxBackoffMs }
    const retryAfterMs = cause instanceof Busy ? Math.min(maxBackoffMs, cause.retryAfterMs) : 0
    const waitMs = Math.max(backoffMs(progress.failures++, backoff, random()), retryAfterMs)
    onRetry?.(cause, waitMs)
    await sleep(waitMs, signal)
  }
}

/** State that one connection leaves to the next. */
interface Progress {
  lastEventId: string
  /** The last wait that the server asked for with `retry:`. */
  serverBackoffMs: number
  /** In a row. */
  failures: number
}

interface Connection {
  fetch: typeof fetch
  target: URL
  headers: Headers
  signal: AbortSignal
  silenceMs: number
}

/** 429 or 5xx: the server may answer later. */
class Busy extends Error {
  readonly retryAfterMs: number

  constructor({ status, headers }: Response) {
    super(`the server answered HTTP ${status}`)
    this.retryAfterMs = Number(headers.get('retry-after')) * 1000 || 0
  }
}

/** @returns whether the server has ended the stream for good (HTTP 204); false where it closed the connection */
async function* eventsOfOneConnection(
  { fetch, target, headers, signal, silenceMs }: Connection,
  progress: Progress,
): AsyncGenerator<StreamEvent, boolean, undefined> {
  const connection = new AbortController()
  const either = AbortSignal.any([signal, connection.signal])
  // The silence is timed while this waits for the server, and not while the caller deals with an event.
  const withinSilence = <T>(answer: Promise<T>): Promise<T> => {
    const silence = new Error(`nothing was heard for ${silenceMs} ms`)
    const timer = setTimeout(() => connection.abort(silence), silenceMs)
    return answer.finally(() => clearTimeout(timer))
  }
  try {
    const response = await withinSilence(fetch(target, { headers, signal: either, cache: 'no-store' }))
    if (response.status === 204) return true
    if (response.status === 429 || response.status >= 500) throw new Busy(response)
    if (!isEventStream(response)) throw refusal(response.status, await withinSilence(response.text()).catch(() => ''))

    const parser = new EventStreamParser(progress.lastEventId)
    const reader = response.body?.getReader()
    while (reader) {
      const { done, value } = await withinSilence(reader.read())
      if (done) break
      progress.failures = 0
      yield* parser.push(value)
      progress.lastEventId = parser.lastEventId
      progress.serverBackoffMs = parser.retryMs ?? progress.serverBackoffMs
    }
    return false
  } finally {
    // Also when the caller leaves its loop: the socket is closed, not left to the garbage collector.
    connection.abort()
  }
}

function isEventStream(response: Response): boolean {
  const type = response.headers.get('content-type') ?? ''
  return response.status === 200 && /^text\/event-stream\s*(;|$)/i.test(type)
}

/** From the error body `{ code, message }` where there is one. */
function refusal(status: number, body: string): StreamRefused {
  try {
    const { code, message } = JSON.parse(body)
    if (typeof code === 'string' && typeof message === 'string') return new StreamRefused(status, message, code)
  } catch {
    // Not one of ours: a proxy, a captive portal, another program on the port.
  }
  return new StreamRefused(status, `HTTP ${status}, where an event stream was expected`)
}

/** A header holds bytes, which fetch takes as Latin-1; the HTML standard sends Last-Event-ID in UTF-8. */
function utf8HeaderValue(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text))
}
