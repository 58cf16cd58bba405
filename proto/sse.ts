// Server-sent events by fetch, because EventSource can send neither a bearer token nor a signed request. Reconnection
// follows the HTML standard, with a jittered backoff for the fifty scanners that lose the box in the same second, and a
// limit on silence for the box that loses its power without closing a socket.

import { EventStreamParser, type StreamEvent } from './event-stream.ts'

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
  /** told of each connection that failed or ended, and how long the wait is before the next */
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
  let { lastEventId = '' } = options
  let serverBackoffMs = 0
  let failures = 0

  while (!signal.aborted) {
    const sent = new Headers(typeof headers === 'function' ? await headers() : headers)
    sent.set('accept', 'text/event-stream')
    if (lastEventId) sent.set('last-event-id', utf8HeaderValue(lastEventId))

    const connection = new AbortController()
    const either = AbortSignal.any([signal, connection.signal])
    // The clock of silence runs while the server is waited for, not while the caller deals with an event.
    const heard = <T>(answer: Promise<T>): Promise<T> => {
      const silence = new Error(`nothing was heard for ${silenceMs} ms`)
      const timer = setTimeout(() => connection.abort(silence), silenceMs)
      return answer.finally(() => clearTimeout(timer))
    }

    let cause: unknown = new Error('the server closed the stream')
    let retryAfterMs = 0
    try {
      const response = await heard(fetch(target, { headers: sent, signal: either, cache: 'no-store' }))
      if (response.status === 204) return
      if (response.status === 429 || response.status >= 500) {
        retryAfterMs = Number(response.headers.get('retry-after')) * 1000 || 0
        throw new Error(`the server answered HTTP ${response.status}`)
      }
      if (!isEventStream(response)) throw refusal(response.status, await heard(response.text()).catch(() => ''))

      const parser = new EventStreamParser(lastEventId)
      const reader = response.body?.getReader()
      while (reader) {
        const { done, value } = await heard(reader.read())
        if (done) break
        failures = 0
        yield* parser.push(value)
        lastEventId = parser.lastEventId
        serverBackoffMs = parser.retryMs ?? serverBackoffMs
      }
    } catch (error) {
      if (error instanceof StreamRefused || error instanceof RangeError) throw error
      cause = error
    } finally {
      // Also when the caller leaves its loop: the socket is closed, not left to the garbage collector.
      connection.abort()
    }
    if (signal.aborted) return

    const longest = Math.min(maxBackoffMs, Math.max(minBackoffMs, serverBackoffMs) * 2 ** Math.min(failures, 30))
    const waitMs = Math.max(longest * (0.5 + random() / 2), Math.min(maxBackoffMs, retryAfterMs))
    failures++
    onRetry?.(cause, waitMs)
    await sleep(waitMs, signal)
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

function sleepUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal.addEventListener('abort', finish)
    if (signal.aborted) finish()
  })
}
