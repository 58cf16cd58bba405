/**
 * A client of pretix's REST API: https://docs.pretix.eu/dev/api/fundamentals.html. The answer may come from anybody who stands in
 * pretix's place: it is bounded, redirects are not followed, and the links in it are never opened.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { coded } from '@gatehouse/proto/said.ts'
import { Agent, type Dispatcher, request } from 'undici'
import { connectionError, detailOf, type PretixCode, PretixError, saidIn, statusError } from './errors.ts'

export interface PretixToken {
  /** `Token` of a team, `Device` of an initialized device. */
  kind: 'Token' | 'Device'
  secret: string
}

export interface PretixApiOptions {
  /** Address as the back office has it, as `readAddress` returns it. */
  url: string
  /** Undefined for the one request that needs none: initializing a device. */
  token?: PretixToken | undefined
  /** PEM of a private authority, in place of the public ones. */
  ca?: string | undefined
  /** For the whole of one request. */
  timeoutMs?: number
  /** Of one answer. */
  mostBytes?: number
  /** Unix ms. */
  now?: () => number
}

/** Values of one parameter, given once each. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export interface Answer {
  status: number
  /** Parsed; undefined for 204 and 304. */
  json: unknown
  /** ISO 8601: the server's time before it read the database (`X-Page-Generated`); undefined where it says none. */
  generatedAt: string | undefined
  /** To be given as `since` the next time; undefined where the resource has none. */
  lastModified: string | undefined
  /** Server clock minus ours in ms, exact to a second and half the request's time; undefined without a `Date`. */
  clockDifferenceMs: number | undefined
}

export interface Page extends Answer {
  results: readonly unknown[]
  /** Of all pages. */
  count: number | undefined
  /** Number of the page after this one; undefined for the last. */
  next: number | undefined
}

interface Asked {
  query?: Query
  body?: unknown
  /** `If-Modified-Since`: the answer is 304 where nothing has changed since. */
  since?: string | undefined
}

const TIMEOUT_MS = 30_000
/** 50 orders with 500 positions each. */
const MOST_BYTES = 64 * 1024 * 1024
const LONGEST_RETRY_AFTER_MS = 3_600_000
/** pretix gives 50 at most. */
const PAGE_SIZE = 50
const MOST_PAGES = 100_000
/** Of a list that is held as a whole: products, dates, lists, events. */
const MOST_LISTED = 20_000

export class PretixApi implements AsyncDisposable {
  readonly #url: URL
  readonly #options: PretixApiOptions
  readonly #agent: Agent
  readonly #now: () => number
  /** Requests wait until then, because pretix has asked for it. Unix ms. */
  #notBefore = 0
  readonly #ending = new AbortController()

  /** @throws PretixError for an address that `readAddress` refuses */
  constructor(options: PretixApiOptions) {
    this.#url = readAddress(options.url)
    this.#options = options
    this.#now = options.now ?? Date.now
    const timeout = options.timeoutMs ?? TIMEOUT_MS
    this.#agent = new Agent({
      connections: 8,
      headersTimeout: timeout,
      bodyTimeout: timeout,
      connect: { timeout, rejectUnauthorized: true, ...(options.ca !== undefined && { ca: options.ca }) },
    })
  }

  /** The host of the address, with its port, for sentences. */
  get host(): string {
    return this.#url.host
  }

  /** Until when pretix wants no request, in Unix ms; in the past where it wants some. */
  get notBefore(): number {
    return this.#notBefore
  }

  /**
   * One object or list. 304 is an answer where `since` is given.
   * @throws PretixError for everything else
   */
  async get(path: string, { query, since }: Pick<Asked, 'query' | 'since'> = {}): Promise<Answer> {
    const answer = await this.ask('GET', path, { ...(query && { query }), since })
    if (answer.status === 200 || answer.status === 304) return answer
    throw refused(answer, { host: this.host, path })
  }

  /**
   * Every page of a list in order; pretix is asked for the next one when the one before has been taken.
   * @param from number of the first page
   * @throws PretixError
   */
  async *pages(path: string, query: Query = {}, from = 1): AsyncGenerator<Page> {
    for (let page = from; page <= MOST_PAGES; ) {
      const answer = await this.get(path, { query: { page_size: PAGE_SIZE, ...query, page } })
      const { results, count, next } = (answer.json ?? {}) as Record<string, unknown>
      if (!Array.isArray(results)) {
        throw new PretixError(`The answer of ${this.host} to ${path} is no page of a list: is this a pretix?`, {
          kind: 'refused',
          coded: [coded('not_pretix', { host: this.host, status: answer.status })],
        })
      }
      // The link itself has the host by which pretix knows itself, which may be an inner one: only that there is one counts.
      const more = typeof next === 'string' && next !== '' && results.length > 0 ? page + 1 : undefined
      yield { ...answer, results, count: typeof count === 'number' ? count : undefined, next: more }
      if (more === undefined) return
      page = more
    }
  }

  /**
   * The results of every page: for lists that are short.
   * @throws PretixError, also for a list that does not end
   */
  async all(path: string, query: Query = {}): Promise<unknown[]> {
    const found: unknown[] = []
    for await (const { results } of this.pages(path, query)) {
      found.push(...results)
      if (found.length <= MOST_LISTED) continue
      throw new PretixError(`${this.host} has more than ${MOST_LISTED} ${path}, which the box does not hold.`, {
        kind: 'refused',
        coded: [coded('list_too_long', { host: this.host, most: MOST_LISTED, path })],
      })
    }
    return found
  }

  /**
   * One request. Resolves with every answer of pretix that is about its subject: 2xx, 304, 400, and a 404 with JSON.
   * @param path below `/api/v1/`, encoded
   * @throws PretixError `unreachable`, `tls`, `busy`, `token`, `forbidden`; `refused` for a redirect
   */
  async ask(method: 'GET' | 'POST' | 'PATCH', path: string, asked: Asked = {}): Promise<Answer> {
    await this.#wait()
    const began = this.#now()
    const timeout = AbortSignal.timeout(this.#options.timeoutMs ?? TIMEOUT_MS)
    const { response, text } = await this.#send(method, path, asked, timeout)
    const status = response.statusCode
    const json = status === 304 || status === 204 ? null : parsed(text)
    const retryAfterMs = status < 400 ? undefined : this.#retryAfter(response.headers['retry-after'])
    if (status === 429 && retryAfterMs !== undefined) {
      this.#notBefore = Math.max(this.#notBefore, this.#now() + retryAfterMs)
    }
    const failed = statusError({ status, json, retryAfterMs }, { host: this.host, path })
    if (failed) throw failed
    return {
      status,
      json: json ?? undefined,
      generatedAt: header(response, 'x-page-generated'),
      lastModified: header(response, 'last-modified'),
      clockDifferenceMs: this.#clockDifference(header(response, 'date'), began),
    }
  }

  /** Aborts requests, and waiting for the next one. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort()
    await this.#agent.destroy()
  }

  /** Waits, until it is disposed of. @throws the reason of that */
  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#ending.signal })
  }

  async #wait(): Promise<void> {
    const left = this.#notBefore - this.#now()
    if (left > 0) await this.pause(left)
  }

  async #send(method: 'GET' | 'POST' | 'PATCH', path: string, { query, body, since }: Asked, timeout: AbortSignal) {
    const { token } = this.#options
    const url = new URL(`${this.#url.pathname}api/v1/${path}${queryOf(query)}`, this.#url)
    try {
      const response = await request(url, {
        method,
        dispatcher: this.#agent,
        signal: AbortSignal.any([this.#ending.signal, timeout]),
        headers: {
          accept: 'application/json',
          'user-agent': 'gatehouse',
          ...(token && { authorization: `${token.kind} ${token.secret}` }),
          ...(since !== undefined && { 'if-modified-since': since }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      })
      return { response, text: await bodyOf(response, this.host, this.#options.mostBytes ?? MOST_BYTES) }
    } catch (error) {
      if (error instanceof PretixError) throw error
      this.#ending.signal.throwIfAborted()
      throw connectionError(error, this.host)
    }
  }

  /** Seconds, or a date (RFC 9110, 10.2.3); undefined for anything else. */
  #retryAfter(value: string | string[] | undefined): number | undefined {
    const text = String(value ?? '').trim()
    const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - this.#now()
    return Number.isNaN(ms) ? undefined : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, ms))
  }

  #clockDifference(date: string | undefined, began: number): number | undefined {
    const there = Date.parse(date ?? '')
    // The header has whole seconds, and is written between the two moments.
    return Number.isNaN(there) ? undefined : Math.round(there + 500 - (began + this.#now()) / 2)
  }
}

/**
 * The address of a pretix, with a final slash. TLS is asked for except on this machine, because the token is in every request.
 * @throws PretixError `refused`
 */
export function readAddress(text: string): URL {
  const no = (message: string, code: PretixCode['code']) =>
    new PretixError(message, { kind: 'refused', coded: [coded(code)] })
  const url = URL.parse(text.trim())
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw no('The address is not one of a web page: write it as https://pretix.example.', 'address_strange')
  }
  if (url.username || url.password || url.search || url.hash) {
    throw no(
      'The address has more than host and path: write it as https://pretix.example, without user, ? and #.',
      'address_more',
    )
  }
  if (url.protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)) {
    throw no(
      'The address begins with http, which would show the token to the network: write it with https.',
      'address_http',
    )
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

/** The error of an answer that its caller did not expect. */
export function refused({ status, json }: Answer, { host, path }: { host: string; path: string }): PretixError {
  if (status === 404) {
    return new PretixError(
      `${host} has no ${path}${detailOf(json)}, or the token does not see it: check the names, and the events that the token's team or device may use.`,
      { kind: 'not_found', status, coded: [coded('not_there', { path }), ...saidIn(json)] },
    )
  }
  return new PretixError(`${host} does not take ${path} (HTTP ${status}${detailOf(json)}).`, {
    kind: 'refused',
    status,
    coded: [coded('not_taken', { path, status }), ...saidIn(json)],
  })
}

function queryOf(query: Query | undefined): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(name, String(one))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

async function bodyOf(
  { body, statusCode: status }: Dispatcher.ResponseData,
  host: string,
  most: number,
): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of body as AsyncIterable<Buffer>) {
    length += part.length
    if (length > most) {
      body.destroy()
      throw new PretixError(`${host} sends more than ${most / 2 ** 20} MB in one answer: is this a pretix?`, {
        kind: 'refused',
        coded: [coded('not_pretix', { host, status })],
      })
    }
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Undefined for what is not JSON; null and other plain values too, for pretix answers with objects and lists. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function header({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
