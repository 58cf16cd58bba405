/** The gRPC push sink: the client of `changefeed.v1.ChangefeedSink`, one unary call a batch. */
import { readFileSync, statSync } from 'node:fs'
import { fromBinary } from '@bufbuild/protobuf'
import { ChangefeedSink, type DeliverAck, DeliverAckSchema } from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import {
  type ChannelCredentials,
  Client,
  connectivityState,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import { type Static, Type } from 'typebox'
import type { ChangeEvent } from '../change.ts'
import { DeliveryError, type Sink, type SinkKind } from '../sink.ts'
import { BatchEncoder } from './batch-encoder.ts'
import { sendInParts, TooLarge } from './too-large.ts'

const MIB = 1024 * 1024
/** What gRPC servers take when nobody has told them otherwise is 4 MiB, with what stands around the message. */
const USUAL_LIMIT = 4 * MIB - 64 * 1024

const Options = Type.Object(
  {
    address: Type.String({ minLength: 1, description: 'the receiver: host:port, or unix:/path' }),
    plaintext: Type.Boolean({ default: false, description: 'without TLS: for this machine and for trusted networks' }),
    ca: Type.Optional(
      Type.String({
        minLength: 1,
        description: "PEM file: the authority of the receiver's certificate; the public ones when absent",
      }),
    ),
    cert: Type.Optional(
      Type.String({ minLength: 1, description: 'PEM file: the certificate that the feed shows; with key' }),
    ),
    key: Type.Optional(Type.String({ minLength: 1, description: 'PEM file: the private key of cert' })),
    serverName: Type.Optional(
      Type.String({ minLength: 1, description: "the name in the receiver's certificate, where it is not the host" }),
    ),
    deadlineMs: Type.Integer({
      default: 30_000,
      minimum: 10,
      maximum: 3_600_000,
      description: 'how long the receiver may take over a batch, in milliseconds',
    }),
    maxMessageBytes: Type.Integer({
      default: USUAL_LIMIT,
      minimum: 1024,
      maximum: 1024 * MIB,
      description: 'the largest message that the receiver takes: raise it there first (4 MiB unless told otherwise)',
    }),
  },
  { additionalProperties: false },
)
type Options = Static<typeof Options>

const PATH = `/${ChangefeedSink.typeName}/${ChangefeedSink.method.deliver.name}`
const CHECK_MS = 5000
/** How soon a connection that is gone is dialled again while there is nothing to send. */
const DIAL_MS = 15_000
/** Metadata of a call: events that wait behind its batch. */
export const WAITING = 'changefeed-waiting'

class GrpcSink implements Sink {
  #client: Client
  /** What the files of the connection in use looked like. */
  #files: string
  readonly #options: Options
  readonly #encoder = new BatchEncoder()
  readonly #dialling: NodeJS.Timeout
  /** What the receiver has been seen to refuse is not sent a second time. */
  #maxBytes: number

  constructor(options: Options) {
    this.#files = stateOf(options)
    this.#client = connect(options)
    this.#options = options
    this.#maxBytes = options.maxMessageBytes
    // Before there is anything to send, too: both sides see whether they have each other.
    this.#connection()
    this.#dialling = setInterval(() => this.#connection(), DIAL_MS)
    this.#dialling.unref()
  }

  get batch() {
    return { maxEvents: Number.POSITIVE_INFINITY, maxBytes: this.#maxBytes }
  }

  deliver(batch: readonly ChangeEvent[], signal: AbortSignal, waiting = 0): Promise<void> {
    this.#renew()
    // A receiver cannot see what it has not got: it is told how much that is, and may ignore it.
    const metadata = new Metadata()
    metadata.set(WAITING, String(waiting))
    return sendInParts(batch, (events) => this.#send(events, metadata, signal))
  }

  details() {
    return { connection: this.#connection() }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#dialling)
    this.#client.close()
  }

  /** How it is, and dials where it is not there. */
  #connection(): string | null {
    return CONNECTION[this.#client.getChannel().getConnectivityState(true)] ?? null
  }

  /** A certificate that was renewed is shown from the next batch on, on a connection of its own. */
  #renew(): void {
    const now = stateOf(this.#options)
    if (now === this.#files) return
    let client: Client
    try {
      client = connect(this.#options)
    } catch {
      // Half written, or not to be read just now: the one in use is good until it is not.
      return
    }
    this.#client.close()
    this.#client = client
    this.#files = now
  }

  async #send(events: readonly ChangeEvent[], metadata: Metadata, signal: AbortSignal): Promise<void> {
    const message = this.#encoder.encode(events)
    const { maxMessageBytes } = this.#options
    if (message.length > maxMessageBytes) {
      const advice = "Raise the receiver's limit for messages (grpc.max_receive_message_length), then maxMessageBytes."
      throw new TooLarge(`maxMessageBytes is ${maxMessageBytes}.`, message.length, advice)
    }
    const ack = await this.#call(message, metadata, signal).catch((error: ServiceError) => {
      throw this.#failure(error, message.length, events.length)
    })
    if (!ack.ok) throw new DeliveryError(`gRPC consumer rejected the batch: ${ack.message}`)
  }

  #call(message: Buffer, metadata: Metadata, signal: AbortSignal): Promise<DeliverAck> {
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const settle = (error: ServiceError | null, ack?: DeliverAck) => {
        signal.removeEventListener('abort', cancel)
        if (ack) resolve(ack)
        else reject(error)
      }
      // The clock that the library compares it with; it is turned into a span of time at once.
      const deadline = Date.now() + this.#options.deadlineMs
      const call = this.#client.makeUnaryRequest(PATH, asItIs, decodeAck, message, metadata, { deadline }, settle)
      const cancel = () => call.cancel()
      signal.addEventListener('abort', cancel)
    })
  }

  #failure({ code, details }: ServiceError, bytes: number, events: number): Error {
    const text = `gRPC ${status[code] ?? code}: ${details}`
    // The same status stands for a receiver that is out of memory or quota: that one is tried again.
    if (code !== status.RESOURCE_EXHAUSTED || !SIZE.test(details)) return new DeliveryError(text)
    if (events > 1) this.#maxBytes = Math.min(this.#maxBytes, Math.ceil(bytes / 2))
    const advice = "Raise the receiver's limit for messages (grpc.max_receive_message_length)."
    return new TooLarge(`The receiver said: ${text}.`, bytes, advice)
  }
}

/** As the gRPC libraries say it that are in use: "Received message larger than max (5000000 vs 4194304)", and the like. */
const SIZE = /larger than|too large|exceeds?\b.*\b(size|max|limit)|(size|length) .*\b(exceeds?|limit)/i

function asItIs(message: Buffer): Buffer {
  return message
}

function decodeAck(bytes: Buffer): DeliverAck {
  return fromBinary(DeliverAckSchema, bytes)
}

/** By gRPC's number of the state. */
const CONNECTION: Readonly<Record<number, string>> = {
  [connectivityState.IDLE]: 'idle',
  [connectivityState.CONNECTING]: 'connecting',
  [connectivityState.READY]: 'ready',
  [connectivityState.TRANSIENT_FAILURE]: 'failing',
  [connectivityState.SHUTDOWN]: 'closed',
}

/** Changes with the files that a connection is made of; whoever renews them replaces them. */
function stateOf({ ca, cert, key }: Options): string {
  return [ca, cert, key]
    .map((path) => path && statSync(path, { throwIfNoEntry: false }))
    .map((stat) => (stat ? `${stat.ino}/${stat.mtimeMs}/${stat.size}` : ''))
    .join()
}

/** @throws when a file cannot be read, or what is in it cannot be used */
function connect(options: Options): Client {
  const { address, serverName, deadlineMs } = options
  if (/^https?:/i.test(address)) throw new Error('address must be host:port, without http:// or https://')
  return new Client(address, channelCredentials(options), {
    ...(serverName !== undefined && {
      'grpc.ssl_target_name_override': serverName,
      'grpc.default_authority': serverName,
    }),
    // A receiver that vanished without a word is noticed within a call, and the next one finds a new connection. No ping
    // comes twice in a call that keeps its deadline: servers throw out whoever pings often.
    'grpc.keepalive_time_ms': Math.ceil((deadlineMs * 2) / 3),
    'grpc.keepalive_timeout_ms': Math.ceil(deadlineMs / 3),
    // Silence is no reason to hang up.
    'grpc.client_idle_timeout_ms': 2 ** 31 - 1,
    // How often to try again is the engine's business.
    'grpc.enable_retries': 0,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1000,
    'grpc.service_config_disable_resolution': 1,
    // Two sinks with one receiver do not share a connection, nor each other's trouble.
    'grpc.use_local_subchannel_pool': 1,
  })
}

function channelCredentials({ plaintext, ca, cert, key, serverName }: Options): ChannelCredentials {
  if (!plaintext) {
    if ((cert === undefined) !== (key === undefined)) throw new Error('cert and key go together: set both or neither')
    const read = (path: string | undefined) => (path === undefined ? null : readFileSync(path))
    return credentials.createSsl(read(ca), read(key), read(cert))
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
