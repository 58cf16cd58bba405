/**
 * The webhook sink: a POST of `{"events":[...]}` for each batch, signed as Standard Webhooks has it. A URL may be a secret, so
 * neither a log nor an error shows more of it than its host.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Agent, type Dispatcher, request } from 'undici'
import type { ChangeEvent } from '../change.ts'
import { eventJson } from '../json.ts'
import { DeliveryError, type Sink, type SinkContext, type SinkKind } from '../sink.ts'
import { sendInParts, TooLarge } from './too-large.ts'
import { parseSecret, signedHeaders } from './webhook-signature.ts'

const SECRET = '^whsec_[A-Za-z0-9+/]+={0,2}$'

const Options = Type.Object(
  {
    url: Type.String({ pattern: '^https?://\\S+$', description: 'where batches are posted to: https://host/path' }),
    secret: Type.String({
      pattern: SECRET,
      description: 'what batches are signed with: whsec_ and 24 to 64 bytes in Base64',
    }),
    oldSecret: Type.Optional(
      Type.String({ pattern: SECRET, description: 'signed with, too, until the receiver knows the new secret' }),
    ),
    ca: Type.Optional(
      Type.String({
        minLength: 1,
        description: "PEM file: the authority of the receiver's certificate; the public ones when absent",
      }),
    ),
    timeoutMs: Type.Integer({
      default: 30_000,
      minimum: 10,
      maximum: 3_600_000,
      description: 'how long the receiver may take over a batch, in milliseconds',
    }),
  },
  { additionalProperties: false },
)
type Options = Static<typeof Options>

/** An answer's body says nothing to us; up to here it is read away, so that the connection can be used again. */
const MOST_ANSWER_BYTES = 64 * 1024
const LONGEST_RETRY_AFTER_MS = 3_600_000
const CHECK_MS = 5000

class WebhookSink implements Sink {
  readonly batch = { maxEvents: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY }
  readonly #url: URL
  readonly #keys: readonly Buffer[]
  readonly #agent: Agent
  readonly #timeoutMs: number
  readonly #now: () => number

  constructor(options: Options, { now }: SinkContext) {
    this.#url = readUrl(options)
    this.#keys = [options.secret, options.oldSecret].filter((text) => text !== undefined).map(parseSecret)
    this.#agent = agentOf(options)
    this.#timeoutMs = options.timeoutMs
    this.#now = now
  }

  deliver(batch: readonly ChangeEvent[], signal: AbortSignal): Promise<void> {
    return sendInParts(batch, (events) => this.#send(events, signal))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#agent.destroy()
  }

  async #send(events: readonly ChangeEvent[], closing: AbortSignal): Promise<void> {
    const body = `{"events":[${events.map(eventJson).join(',')}]}`
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
    // The status is the answer, whatever becomes of the rest.
    await answer.body.dump({ limit: MOST_ANSWER_BYTES, signal: timeout }).catch(() => {})
    this.#judge(answer, Buffer.byteLength(body))
  }

  #judge({ statusCode, headers }: Dispatcher.ResponseData, bytes: number): void {
    if (statusCode >= 200 && statusCode < 300) return
    const text = `The webhook answered HTTP ${statusCode}`
    if (statusCode === 410) {
      throw new DeliveryError(`${text}: it wants no more. Resume the sink when it does.`, { pause: true })
    }
    if (statusCode === 413) throw new TooLarge(`${text}.`, bytes, "Raise the receiver's limit for a request's body.")
    if (statusCode >= 300 && statusCode < 400) {
      throw new DeliveryError(`${text}: a redirect, which is not followed. Set url to where it leads.`)
    }
    const retryAfterMs =
      statusCode === 429 || statusCode === 503 ? this.#retryAfterMs(headers['retry-after']) : undefined
    throw new DeliveryError(`${text}.`, retryAfterMs === undefined ? {} : { retryAfterMs })
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

/** What failed, without the address: Node's own messages have a host at the most, but others may quote more. */
function reason(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string }
  return code ?? name ?? 'unknown error'
}

export default {
  durability: 'durable',
  options: Options,
  open: async (options: Options, context: SinkContext) => new WebhookSink(options, context),
  /** Only whether somebody is there: a request would be a delivery. */
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
