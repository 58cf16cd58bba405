/**
 * The webhook sink: a POST of `{"events":[...]}` for each batch, signed by Standard Webhooks. The URL may be a secret, so logs
 * and errors show only its host.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Agent, type Dispatcher, request } from 'undici'
import type { ChangeEvent } from '../change.ts'
import { eventJson } from '../json.ts'
import { DeliveryError, type Sink, type SinkContext, type SinkKind } from '../sink.ts'
import type { SourceGap } from '../source.ts'
import { TooLarge, tooLargeThere } from './too-large.ts'
import { parseSecret, signedHeaders } from './webhook-signature.ts'

const SECRET = '^whsec_[A-Za-z0-9+/]+={0,2}$'

const Options = Type.Object(
  {
    url: Type.String({ pattern: '^https?://\\S+$', description: 'URL that batches are posted to: https://host/path' }),
    secret: Type.String({
      pattern: SECRET,
      description: 'secret that batches are signed with: whsec_ and 24 to 64 bytes in Base64',
    }),
    oldSecret: Type.Optional(
      Type.String({ pattern: SECRET, description: 'a second secret to sign with, until the receiver has the new one' }),
    ),
    ca: Type.Optional(
      Type.String({
        minLength: 1,
        description: "PEM file with the CA of the receiver's certificate; if absent, the public CAs",
      }),
    ),
    timeoutMs: Type.Integer({
      default: 30_000,
      minimum: 10,
      maximum: 3_600_000,
      description: 'how long the receiver may take for a batch, in milliseconds',
    }),
  },
  { additionalProperties: false },
)
type Options = Static<typeof Options>

/** The body of an answer is not used; it is read up to here so that the connection can be reused. */
const MOST_ANSWER_BYTES = 64 * 1024
/** Answers of a receiver that will never accept this data. */
const REFUSED = new Set([400, 409, 415, 422])
const LONGEST_RETRY_AFTER_MS = 3_600_000
const CHECK_MS = 5000

class WebhookSink implements Sink {
  readonly batch = { maxEvents: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY }
  readonly #url: URL
  readonly #keys: readonly Buffer[]
  readonly #agent: Agent
  readonly #timeoutMs: number
  readonly #now: () => number
  /** To be told with the next batch. */
  readonly #gaps: SourceGap[] = []

  constructor(options: Options, { now }: SinkContext) {
    this.#url = readUrl(options)
    this.#keys = [options.secret, options.oldSecret].filter((text) => text !== undefined).map(parseSecret)
    this.#agent = agentOf(options)
    this.#timeoutMs = options.timeoutMs
    this.#now = now
  }

  deliver(batch: readonly ChangeEvent[], signal: AbortSignal, _waiting = 0, open = false): Promise<void> {
    const gaps = this.#gaps.splice(0)
    const head = {
      ...(gaps.length > 0 && { gaps }),
      ...(open && { open: true }),
      ...(batch[0]?.snapshot && { snapshot: true }),
    }
    return this.#send(batch, head, signal)
  }

  gap(gap: SourceGap): void {
    this.#gaps.push(gap)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#agent.destroy()
  }

  /** @param head what the body says of the batch, before its events */
  async #send(events: readonly ChangeEvent[], head: object, closing: AbortSignal): Promise<void> {
    const all = `"events":[${events.map(eventJson).join(',')}]`
    const about = JSON.stringify(head).slice(1, -1)
    const body = `{${about === '' ? '' : `${about},`}${all}}`
    const timestamp = Math.floor(this.#now() / 1000)
    const headers = signedHeaders({ id: messageId(events), timestamp, body }, this.#keys)
    const timeout = AbortSignal.timeout(this.#timeoutMs)
    let answer: Dispatcher.ResponseData
    try {
      answer = await request(this.#url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'gatehouse-changefeed' },
        body,
        dispatcher: this.#agent,
        signal: AbortSignal.any([closing, timeout]),
      })
    } catch (error) {
      if (timeout.aborted) throw new DeliveryError(`The webhook did not answer within ${this.#timeoutMs} ms.`)
      throw new DeliveryError(`The webhook could not be reached: ${reason(error)}.`, { cause: error })
    }
    // The status is the answer, even if reading the rest fails.
    await answer.body.dump({ limit: MOST_ANSWER_BYTES, signal: timeout }).catch(() => {})
    this.#judge(answer, Buffer.byteLength(body), events)
  }

  #judge({ statusCode, headers }: Dispatcher.ResponseData, bytes: number, events: readonly ChangeEvent[]): void {
    if (statusCode >= 200 && statusCode < 300) return
    const text = `The webhook answered HTTP ${statusCode}`
    if (statusCode === 410) {
      throw new DeliveryError(`${text}: it wants no more. Resume the sink when it does.`, { pause: true })
    }
    if (statusCode === 413) {
      throw tooLargeThere(events, new TooLarge(`${text}.`, bytes, "Raise the receiver's limit for a request's body."))
    }
    if (statusCode >= 300 && statusCode < 400) {
      throw new DeliveryError(`${text}: a redirect, which is not followed. Set url to where it leads.`)
    }
    const retryAfterMs =
      statusCode === 429 || statusCode === 503 ? this.#retryAfterMs(headers['retry-after']) : undefined
    throw new DeliveryError(`${text}.`, {
      refused: REFUSED.has(statusCode),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    })
  }

  /** Seconds, or a date (RFC 9110, 10.2.3); undefined for anything else. */
  #retryAfterMs(value: string | string[] | undefined): number | undefined {
    const text = String(value ?? '').trim()
    const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - this.#now()
    return Number.isNaN(ms) ? undefined : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, ms))
  }
}

/** The same events have the same id, at every attempt and after every restart. */
function messageId(events: readonly ChangeEvent[]): string {
  const digest = createHash('sha256')
    .update(`${events[0]?.id}..${events.at(-1)?.id}`)
    .digest('hex')
  return `msg_${digest.slice(0, 32)}`
}

/** @throws when it cannot be used; the message does not show it */
function readUrl({ url }: Options): URL {
  const parsed = URL.parse(url)
  if (!parsed) throw new Error('url is not a URL')
  if (parsed.username || parsed.password) throw new Error('url must have no user and password in it')
  return parsed
}

function agentOf({ ca, timeoutMs }: Options): Agent {
  const timeouts = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: timeoutMs } }
  if (ca === undefined) return new Agent(timeouts)
  return new Agent({ ...timeouts, connect: { ...timeouts.connect, ca: readFileSync(ca, 'utf8') } })
}

/** The error's code or name: messages may quote the URL. */
function reason(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string }
  return code ?? name ?? 'unknown error'
}

export default {
  durability: 'durable',
  options: Options,
  open: async (options: Options, context: SinkContext) => new WebhookSink(options, context),
  /** Only whether a server answers: a POST would be a delivery. */
  check: async (options: Options) => {
    const url = readUrl(options)
    parseSecret(options.secret)
    const agent = agentOf(options)
    try {
      const answer = await request(url, { method: 'HEAD', dispatcher: agent, signal: AbortSignal.timeout(CHECK_MS) })
      await answer.body.dump({ limit: MOST_ANSWER_BYTES })
    } catch (error) {
      throw new Error(`${url.host} cannot be reached: ${reason(error)}. Check url, ca and the network.`, {
        cause: error,
      })
    }
  },
} satisfies SinkKind
