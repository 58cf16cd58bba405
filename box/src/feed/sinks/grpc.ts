/** The gRPC sink: pushes each batch to a `changefeed.v1.ChangefeedSink`. */
import { statSync } from 'node:fs'
import {
  type ChannelCredentials,
  type Client,
  connectivityState,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import { type Static, Type } from 'typebox'
import type { ChangeEvent } from '../change.ts'
import { deliver, openClient, tlsCredentials } from '../grpc/client.ts'
import { asMetadata, GAP, OPEN, SNAPSHOT, WAITING } from '../grpc/service.ts'
import { DeliveryError, type Sink, type SinkKind } from '../sink.ts'
import type { SourceGap } from '../source.ts'
import { BatchEncoder } from './batch-encoder.ts'
import { isAboutSize } from './size-words.ts'
import { isPartOpen, sendInParts, TooLarge, tooLargeThere } from './too-large.ts'

const MIB = 1024 * 1024
/** gRPC servers accept 4 MiB unless configured otherwise, with the frame around the message. */
const USUAL_LIMIT = 4 * MIB - 64 * 1024

const Options = Type.Object(
  {
    address: Type.String({ minLength: 1, description: 'address of the receiver: host:port, or unix:/path' }),
    plaintext: Type.Boolean({ default: false, description: 'without TLS; only for this machine and trusted networks' }),
    ca: Type.Optional(
      Type.String({
        minLength: 1,
        description: "PEM file with the CA of the receiver's certificate; if absent, the public CAs",
      }),
    ),
    cert: Type.Optional(
      Type.String({ minLength: 1, description: "PEM file with the feed's client certificate; needs key" }),
    ),
    key: Type.Optional(Type.String({ minLength: 1, description: 'PEM file with the private key of cert' })),
    serverName: Type.Optional(
      Type.String({ minLength: 1, description: "name in the receiver's certificate, if it is not the host" }),
    ),
    deadlineMs: Type.Integer({
      default: 30_000,
      minimum: 10,
      maximum: 3_600_000,
      description: 'how long the receiver may take for a batch, in milliseconds',
    }),
    maxMessageBytes: Type.Integer({
      default: USUAL_LIMIT,
      minimum: 1024,
      maximum: 1024 * MIB,
      description:
        'size of the largest message that the receiver accepts; raise its own limit first (in gRPC 4 MiB by default)',
    }),
  },
  { additionalProperties: false },
)
type Options = Static<typeof Options>

const CHECK_MS = 5000
/** Delay before a lost connection is made again while there is nothing to send. */
const DIAL_MS = 15_000

class GrpcSink implements Sink {
  #client: Client
  /** State of the files that the current connection was made of. */
  #files: string
  readonly #options: Options
  readonly #encoder = new BatchEncoder()
  /** To be told with the next batch. */
  readonly #gaps: SourceGap[] = []
  readonly #dialling: NodeJS.Timeout

  constructor(options: Options) {
    this.#files = stateOf(options)
    this.#client = connect(options)
    this.#options = options
    // Connects before there is anything to send: both sides then show the link as connected.
    this.#connection()
    this.#dialling = setInterval(() => this.#connection(), DIAL_MS)
    this.#dialling.unref()
  }

  get batch() {
    return { maxEvents: Number.POSITIVE_INFINITY, maxBytes: this.#options.maxMessageBytes }
  }

  deliver(batch: readonly ChangeEvent[], signal: AbortSignal, waiting = 0, open = false): Promise<void> {
    this.#renew()
    // The receiver cannot see how much is still to come: the metadata says it.
    const metadata = new Metadata()
    metadata.set(WAITING, String(waiting))
    if (batch[0]?.snapshot) metadata.set(SNAPSHOT, '1')
    for (const { reason } of this.#gaps.splice(0)) metadata.add(GAP, asMetadata(reason))
    return sendInParts(batch, async (events) => {
      if (isPartOpen(batch, events, open)) metadata.set(OPEN, '1')
      else metadata.remove(OPEN)
      await this.#send(events, metadata, signal)
      // The gap is before the first part.
      metadata.remove(GAP)
    })
  }

  gap(gap: SourceGap): void {
    this.#gaps.push(gap)
  }

  details() {
    return { connection: this.#connection() }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#dialling)
    this.#client.close()
  }

  /** State of the connection; connects where it is idle. */
  #connection(): string | null {
    return CONNECTION[this.#client.getChannel().getConnectivityState(true)] ?? null
  }

  /** Uses a renewed certificate from the next batch on, with a new connection. */
  #renew(): void {
    const now = stateOf(this.#options)
    if (now === this.#files) return
    let client: Client
    try {
      client = connect(this.#options)
    } catch {
      // Half written, or not readable just now: the current connection is still good.
      return
    }
    this.#client.close()
    this.#client = client
    this.#files = now
  }

  async #send(events: readonly ChangeEvent[], metadata: Metadata, signal: AbortSignal): Promise<void> {
    const message = this.#encoder.encode(events)
    const { maxMessageBytes, deadlineMs } = this.#options
    if (message.length > maxMessageBytes) {
      const advice = "Raise the receiver's limit for messages (grpc.max_receive_message_length), then maxMessageBytes."
      throw new TooLarge(`maxMessageBytes is ${maxMessageBytes}.`, message.length, advice)
    }
    signal.throwIfAborted()
    const ack = await deliver(this.#client, message, { metadata, deadlineMs, signal }).catch((error: ServiceError) => {
      throw failureOf(error, message.length, events)
    })
    if (!ack.ok) throw new DeliveryError(`gRPC consumer rejected the batch: ${ack.message}`, { refused: true })
  }
}

/** A call that failed, or was answered with a status. */
function failureOf({ code, details }: ServiceError, bytes: number, events: readonly ChangeEvent[]): DeliveryError {
  const text = `gRPC ${status[code] ?? code}: ${details}`
  // RESOURCE_EXHAUSTED is also the answer of a receiver that is out of memory or quota, and wants the same batch again.
  if (!SIZE_STATUS.has(code) || !isAboutSize(details)) return new DeliveryError(text, { refused: REFUSED.has(code) })
  const advice = "Raise the receiver's limit for messages (grpc.max_receive_message_length)."
  return tooLargeThere(events, new TooLarge(`The receiver said: ${text}.`, bytes, advice))
}

/** Answers of a receiver that will never accept this data. */
const REFUSED = new Set([status.INVALID_ARGUMENT, status.FAILED_PRECONDITION, status.OUT_OF_RANGE])
/** Rust's library uses the second one. */
const SIZE_STATUS = new Set([status.RESOURCE_EXHAUSTED, status.OUT_OF_RANGE])

/** By gRPC's number of the connectivity state. */
const CONNECTION: Readonly<Record<number, string>> = {
  [connectivityState.IDLE]: 'idle',
  [connectivityState.CONNECTING]: 'connecting',
  [connectivityState.READY]: 'ready',
  [connectivityState.TRANSIENT_FAILURE]: 'failing',
  [connectivityState.SHUTDOWN]: 'closed',
}

/** Changes when a file that the connection is made of is replaced. */
function stateOf({ ca, cert, key }: Options): string {
  return [ca, cert, key]
    .map((path) => path && statSync(path, { throwIfNoEntry: false }))
    .map((stat) => (stat ? `${stat.ino}/${stat.mtimeMs}/${stat.size}` : ''))
    .join()
}

/** @throws when a file cannot be read or used */
function connect(options: Options): Client {
  const { address, serverName, deadlineMs } = options
  if (/^https?:/i.test(address)) throw new Error('address must be host:port, without http:// or https://')
  return openClient(
    { address, serverName, credentials: credentialsOf(options) },
    {
      // A receiver whose network is gone is noticed within one call, and the next call gets a new connection. A call that keeps
      // its deadline sees one ping at most: servers disconnect clients that ping often.
      'grpc.keepalive_time_ms': Math.ceil((deadlineMs * 2) / 3),
      'grpc.keepalive_timeout_ms': Math.ceil(deadlineMs / 3),
      // An idle connection stays open.
      'grpc.client_idle_timeout_ms': 2 ** 31 - 1,
      // Retries are the engine's.
      'grpc.enable_retries': 0,
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1000,
      'grpc.service_config_disable_resolution': 1,
      // Two sinks with one receiver do not share a connection and its failures.
      'grpc.use_local_subchannel_pool': 1,
    },
  )
}

function credentialsOf({ plaintext, ca, cert, key, serverName }: Options): ChannelCredentials {
  if (!plaintext) {
    if ((cert === undefined) !== (key === undefined)) throw new Error('cert and key go together: set both or neither')
    return tlsCredentials({ ca, cert, key })
  }
  if ((ca ?? cert ?? key ?? serverName) === undefined) return credentials.createInsecure()
  throw new Error('plaintext is without TLS: leave out ca, cert, key and serverName, or plaintext')
}

export default {
  durability: 'durable',
  options: Options,
  open: async (options: Options) => new GrpcSink(options),
  check: (options: Options) => {
    const client = connect(options)
    return new Promise<void>((resolve, reject) => {
      client.waitForReady(Date.now() + CHECK_MS, (error) => {
        client.close()
        if (!error) return resolve()
        const advice = options.plaintext ? 'and that it speaks gRPC without TLS' : 'its certificate, ca and serverName'
        reject(new Error(`No gRPC connection to ${options.address} within 5 s: check that it is running, ${advice}.`))
      })
    })
  },
} satisfies SinkKind
