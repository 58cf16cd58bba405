/**
 * The gRPC side of HQ: `changefeed.v1.ChangefeedSink` with TLS client certificates. The TLS listener is our own and hands its
 * connections on, so that the authorities of boxes that are added, and a renewed certificate, count from the next handshake.
 */
import { X509Certificate } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { fromBinary, toBinary } from '@bufbuild/protobuf'
import {
  ChangeEventBatchSchema,
  ChangefeedSink,
  type DeliverAck,
  DeliverAckSchema,
} from '@gatehouse/proto/gen/changefeed/v1/changefeed_pb.ts'
import {
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerUnaryCall,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js'
import { WAITING } from '../feed/sinks/grpc.ts'
import type { Logger } from '../log.ts'
import { type DeliverDeps, deliver, Refusal } from './deliver.ts'
import { BadBatch } from './event.ts'

export interface Shown {
  /** PEM. */
  readonly key: string
  readonly cert: string
}

export interface Receiver extends AsyncDisposable {
  readonly port: number
  /** What is shown, and whose certificates are believed, from the next handshake on. @param authorities PEM */
  trust(shown: Shown, authorities: readonly string[]): void
  /** The certificates of those who are connected now. */
  connected(): X509Certificate[]
  /** Hangs up. */
  cut(isUnwanted: (certificate: X509Certificate) => boolean): void
}

interface ReceiverOptions extends DeliverDeps {
  host: string
  port: number
  logger: Logger
}

const HANDSHAKE_MS = 10_000
/** A peer that vanished without a word is noticed: `connected` is what an operator goes by. */
const PING_MS = 20_000
const MOST_CONNECTIONS = 1000
const GRACE_MS = 5000
/** How long somebody unknown may stay to hear why. */
const STRANGER_MS = 1000

/** Trusts nobody until it is told whom. @throws when the address cannot be bound; the message says what to do */
export async function openReceiver({ host, port, ...deps }: ReceiverOptions): Promise<Receiver> {
  const { logger } = deps
  const grpc = new Server({
    'grpc.max_concurrent_streams': 8,
    'grpc.keepalive_time_ms': PING_MS,
    'grpc.keepalive_timeout_ms': PING_MS / 2,
  })
  grpc.addService(SERVICE, {
    deliver: (call: ServerUnaryCall<Buffer, DeliverAck>, answer: sendUnaryData<DeliverAck>) => {
      handle(call, deps).then(
        (ack) => answer(null, ack),
        (error: Error & { code?: status }) => {
          const known = error instanceof Refusal
          if (!known) logger.error({ event: 'hq_failed', err: error })
          answer({ code: known ? error.code : status.INTERNAL, details: known ? error.message : 'internal error' })
        },
      )
    },
  })
  const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure())
  const refusing = new Server({ 'grpc.max_concurrent_streams': 1, interceptors: [refuse] })
  // An interceptor is asked for methods that there are, alone; this handler is never reached.
  refusing.addService(SERVICE, {
    deliver: (_call: unknown, answer: sendUnaryData<DeliverAck>) => answer({ code: status.UNAUTHENTICATED }),
  })
  const strangers = refusing.createConnectionInjector(ServerCredentials.createInsecure())
  const sockets = new Map<TLSSocket, X509Certificate>()
  const tls = createServer({
    ALPNProtocols: ['h2'],
    requestCert: true,
    // Whether it is one of theirs is looked at below: a reset connection would tell nobody at the box what to do.
    rejectUnauthorized: false,
    handshakeTimeout: HANDSHAKE_MS,
    ca: [],
  })
  tls.maxConnections = MOST_CONNECTIONS
  tls.on('secureConnection', (socket) => {
    socket.on('error', () => {})
    if (socket.alpnProtocol !== 'h2') return void socket.destroy()
    const { raw } = socket.getPeerCertificate()
    if (!raw || !socket.authorized) {
      logger.warn({ event: 'hq_stranger', from: socket.remoteAddress, why: String(socket.authorizationError) })
      setTimeout(() => socket.destroy(), STRANGER_MS).unref()
      return strangers.injectConnection(socket)
    }
    sockets.set(socket, new X509Certificate(raw))
    socket.once('close', () => sockets.delete(socket))
    injector.injectConnection(socket)
  })
  tls.on('tlsClientError', ({ code, message }: Error & { code?: string }, socket) => {
    socket.destroy()
    // A port scanner and a load balancer say nothing at all.
    if (code !== 'ECONNRESET')
      logger.warn({ event: 'hq_handshake_refused', from: socket.remoteAddress, why: code ?? message })
  })
  const bound = await listen(tls, host, port)
  return {
    port: bound,
    trust: ({ key, cert }, authorities) => tls.setSecureContext({ key, cert, ca: [...authorities] }),
    connected: () => [...sockets.values()],
    cut: (isUnwanted) => {
      for (const [socket, certificate] of sockets) if (isUnwanted(certificate)) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      tls.close()
      injector.drain(GRACE_MS)
      // A batch that is under way may be committed and acknowledged: less comes again.
      await Promise.race([deps.turns.idle(), new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref())])
      // The last answers have left the process.
      await new Promise((resolve) => setImmediate(resolve))
      grpc.forceShutdown()
      refusing.forceShutdown()
      for (const socket of sockets.keys()) socket.destroy()
    },
  }
}

/** Before anything that a stranger sends is read. */
function refuse(_method: unknown, call: ServerInterceptingCallInterface): ServerInterceptingCall {
  return new ServerInterceptingCall(call, {
    start: () => {
      const details =
        'HQ knows no box with this certificate: add the box with "gatehouse-hq add-box", or look at its clock.'
      call.sendStatus({ code: status.UNAUTHENTICATED, details })
    },
  })
}

async function handle(call: ServerUnaryCall<Buffer, DeliverAck>, deps: DeliverDeps): Promise<DeliverAck> {
  const raw = call.getAuthContext().sslPeerCertificate?.raw
  if (!raw) throw new Refusal(status.UNAUTHENTICATED, 'Show the certificate of a box.')
  const read = () => {
    try {
      return fromBinary(ChangeEventBatchSchema, call.request).events
    } catch {
      throw new BadBatch('it is no ChangeEventBatch')
    }
  }
  return {
    $typeName: 'changefeed.v1.DeliverAck',
    ...(await deliver(new X509Certificate(raw), { read, waiting: waitingOf(call) }, deps)),
  }
}

/** What the box says waits behind this batch; null where it says nothing. */
function waitingOf({ metadata }: ServerUnaryCall<Buffer, DeliverAck>): number | null {
  const [text] = metadata.get(WAITING)
  return typeof text === 'string' && /^\d{1,12}$/.test(text) ? Number(text) : null
}

const SERVICE = {
  deliver: {
    path: `/${ChangefeedSink.typeName}/${ChangefeedSink.method.deliver.name}`,
    requestStream: false,
    responseStream: false,
    // Not decoded before it is known whose it is.
    requestSerialize: (bytes: Buffer) => bytes,
    requestDeserialize: (bytes: Buffer) => bytes,
    responseSerialize: (ack: DeliverAck) => Buffer.from(toBinary(DeliverAckSchema, ack)),
    responseDeserialize: (bytes: Buffer) => fromBinary(DeliverAckSchema, bytes),
  },
} as const

async function listen(server: ReturnType<typeof createServer>, host: string, port: number): Promise<number> {
  const attempt = (address: string) =>
    new Promise<number>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, address, () => {
        server.off('error', reject)
        resolve((server.address() as AddressInfo).port)
      })
    })
  try {
    return await attempt(host)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EAFNOSUPPORT' && host === '::') return attempt('0.0.0.0')
    if (code === 'EADDRINUSE') throw new Error(`Port ${port} is in use: set HQ_PORT to another one.`, { cause: error })
    throw error
  }
}
